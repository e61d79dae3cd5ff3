import { HostError } from "../../base/errors.ts";

/** How a failed read looks to whoever knows files only. */
export type FileFailure = "not-found" | "no-permissions" | "unavailable";

/** The codes of "resource not found": of 2025-11-25 and before, and from 2026-07-28 on. */
const notFoundCodes: ReadonlySet<unknown> = new Set([-32002, -32602]);

/** The codes with which servers refuse: of HTTP, which some pass on, and of an error that they have no code for. */
const refusalCodes: ReadonlySet<unknown> = new Set([401, 403]);

/**
 * What a failed read is among the errors of files. A resource that is not there, or whose server does not run, is a file
 * that was not found: an editor of such a one loads by itself when it comes back.
 */
export function fileFailure(error: unknown): FileFailure {
	if (HostError.is(error, "not-connected") || HostError.is(error, "not-approved")) return "not-found";
	if (HostError.is(error, "denied") || HostError.is(error, "needs-sign-in")) return "no-permissions";
	for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
		const code = "code" in cause ? cause.code : undefined;
		if (notFoundCodes.has(code)) return "not-found";
		if (refusalCodes.has(code) || ("status" in cause && refusalCodes.has(cause.status))) return "no-permissions";
	}
	return "unavailable";
}
