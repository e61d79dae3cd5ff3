import {
	IssuerMismatchError,
	OAuthError,
	RegistrationRejectedError,
	InsecureTokenEndpointError,
} from "@modelcontextprotocol/client";
import { HostError, type HostErrorCode } from "../../base/errors.ts";
import { networkFaultOf } from "../http/networkFault.ts";

/** What the codes of RFC 6749, 6750, 7591, 8707 and 9449 mean to a person. Other codes are a stranger's text and not shown. */
const meanings: Readonly<Record<string, string>> = {
	invalid_client: "it does not know this client or its secret",
	unauthorized_client: "this client may not sign in this way",
	invalid_grant: "the sign-in has ended or was used already",
	invalid_request: "it does not understand the request",
	invalid_scope: "it does not grant the scopes that were asked for",
	invalid_target: "it does not know the server that the sign-in is for",
	unsupported_grant_type: "it does not support this kind of sign-in",
	unsupported_response_type: "it does not support this kind of sign-in",
	access_denied: "access was denied",
	invalid_dpop_proof: "it does not accept the proof that the tokens are ours (DPoP)",
	use_dpop_nonce: "it does not accept the proof that the tokens are ours (DPoP)",
	server_error: "it had an internal error",
	temporarily_unavailable: "it is not available at the moment",
};

/** What the codes say about what to do; the others are a refusal. */
const codes: Readonly<Record<string, HostErrorCode>> = {
	access_denied: "cancelled",
	server_error: "unreachable",
	temporarily_unavailable: "unreachable",
};

/** What an authorization server refused, for people; `code` may be any text. */
export function refusal(issuer: string, code: string): HostError {
	const known = <T>(table: Readonly<Record<string, T>>): T | undefined =>
		Object.hasOwn(table, code) ? table[code] : undefined;
	const meaning = known(meanings);
	const why = meaning === undefined ? "it gave no reason that MCP Host knows" : `${meaning} (${code})`;
	return new HostError(known(codes) ?? "denied", `${hostOf(issuer)} refused the sign-in: ${why}.`);
}

/**
 * The HostError for whatever went wrong while `issuer` was asked. Messages of the SDK are never passed on, nor is the
 * error itself: they may hold what a stranger wrote, or answers with tokens in them (AUT-12, AUT-16).
 */
export function describeAuthorizationFailure(error: unknown, issuer: string): HostError {
	if (HostError.is(error)) return error;
	const host = hostOf(issuer);
	if (error instanceof OAuthError) return refusal(issuer, error.code);
	if (error instanceof IssuerMismatchError) {
		const what =
			error.kind === "metadata"
				? `The metadata of ${host} is meant for another address, so the sign-in was not started.`
				: `The answer did not come from ${host}, where the sign-in began, so it was dropped.`;
		return new HostError("denied", `${what} Somebody may be trying to intercept it.`);
	}
	if (error instanceof RegistrationRejectedError) {
		return new HostError(
			"denied",
			`${host} does not let MCP Host register itself (${error.status}). Register a client there and give its id in "oauth": { "clientId": … }.`,
		);
	}
	if (error instanceof InsecureTokenEndpointError) {
		return new HostError("denied", `${host} takes sign-ins without encryption (http). Nothing was sent there.`);
	}
	const network = networkFaultOf(error);
	if (network !== undefined) return new HostError("unreachable", `${host} cannot be reached to sign in. ${network}`);
	if (error instanceof Error && (error.name === "TimeoutError" || error.name === "TypeError")) {
		return new HostError("unreachable", `${host} cannot be reached to sign in. Check the network and try again.`);
	}
	return new HostError(
		"protocol",
		`${host} answered the sign-in in a form that MCP Host does not understand. Ask whoever runs it.`,
	);
}

/** Whether trying the same again later may help: the network or the authorization server is down. */
export function isTransient(error: unknown): boolean {
	return describeAuthorizationFailure(error, "").code === "unreachable";
}

/** An issuer as people know it: its host. Parsed, so that nothing of a stranger's text is left but a host name. */
export function hostOf(issuer: string): string {
	return URL.canParse(issuer) ? new URL(issuer).host : "The authorization server";
}
