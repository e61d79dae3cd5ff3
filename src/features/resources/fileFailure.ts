import { HostError } from "../../base/errors.ts";

/** A failed read as an error of the file system. */
export type FileFailure = "not-found" | "no-permissions" | "unavailable";

/** The codes of "resource not found": of 2025-11-25 and before, and from 2026-07-28 on. */
const notFoundCodes: ReadonlySet<unknown> = new Set([-32002, -32602]);

/** The codes with which servers refuse: of HTTP, which some pass on, and of an error without a code of its own. */
const refusalCodes: ReadonlySet<unknown> = new Set([401, 403]);

/**
 * The file system error for a failed read. A missing resource, or one whose server does not run, is a file that was not
 * found: its editor loads automatically when it returns.
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
