import {
	IssuerMismatchError,
	OAuthError,
	RegistrationRejectedError,
	InsecureTokenEndpointError,
} from "@modelcontextprotocol/client";
import { HostError, type HostErrorCode } from "../../base/errors.ts";
import { reasonIn, saysOf } from "../../base/senderWords.ts";
import { networkFaultOf } from "../http/networkFault.ts";
import { isSameHost, shownAddress } from "./sameAddress.ts";

/**
 * The meaning of the codes of RFC 6749, 6750, 7591, 8707 and 9449 for a user. Other codes are untrusted text, shown as
 * the sender's words.
 */
const meanings: Readonly<Record<string, string>> = {
	invalid_client: "it does not know this client or its secret",
	unauthorized_client: "this client may not sign in this way",
	invalid_grant: "the sign-in has ended or was used already",
	invalid_request: "it does not understand the request",
	invalid_scope: "it does not grant the requested scopes",
	invalid_target: "it does not know the server that the sign-in is for",
	unsupported_grant_type: "it does not support this kind of sign-in",
	unsupported_response_type: "it does not support this kind of sign-in",
	access_denied: "access was denied",
	invalid_dpop_proof: "it does not accept the DPoP proof of MCP Host",
	use_dpop_nonce: "it does not accept the DPoP proof of MCP Host",
	server_error: "it reported an internal error",
	temporarily_unavailable: "it is not available at the moment",
};

/** The codes that say what to do; the others are a refusal. */
const codes: Readonly<Record<string, HostErrorCode>> = {
	access_denied: "cancelled",
	server_error: "unreachable",
	temporarily_unavailable: "unreachable",
};

/**
 * The refusal of an authorization server, and its reason; `code` and `words` may be any text. `what` it refused is the
 * sign-in by default; `own` are meanings of codes that differ for it.
 */
export function refusal(
	issuer: string,
	code: string,
	words?: string,
	what = "refused the sign-in",
	own: Readonly<Record<string, string>> = {},
): HostError {
	const known = <T extends string>(table: Readonly<Record<string, T>>): T | undefined =>
		Object.hasOwn(table, code) ? table[code] : undefined;
	const meaning = known(own) ?? known(meanings);
	const why = meaning === undefined ? "it gave an unknown reason" : `${meaning} (${code})`;
	const says = saysOf(words ?? (meaning === undefined && code !== "" ? code : undefined));
	const kind = Object.hasOwn(own, code) ? "denied" : (known(codes) ?? "denied");
	return new HostError(kind, `${hostOf(issuer)} ${what}: ${why}.${says}`);
}

/** An answer to a sign-in that is not from where it began (RFC 9207, section 2.4). */
function foreignAnswer(expected: string, received: string | undefined): HostError {
	const from = shownAddress(expected);
	if (received === undefined) {
		return new HostError(
			"denied",
			`The sign-in response does not name ${from} as its issuer, as that server promises. MCP Host ignored it. Somebody may be trying to intercept the sign-in.`,
		);
	}
	// Another path may be another tenant's; a slash, a scheme or another name of this machine is an oversight.
	const placeOf = (text: string): string => {
		const url = URL.parse(text);
		return url === null ? text : `${url.port}${url.pathname.replace(/\/$/, "")}`;
	};
	const isSlip = isSameHost(expected, received) && placeOf(expected) === placeOf(received);
	const doubt = isSlip
		? " Ask its operator to use the same address in both places."
		: " Somebody may be trying to intercept the sign-in.";
	return new HostError(
		"denied",
		`The sign-in response names ${shownAddress(received)} as its issuer instead of ${from}, where the sign-in began. MCP Host ignored it.${doubt}`,
	);
}

/**
 * The HostError for an error that occurred during a request to `issuer`. Of the SDK's errors only the words of a
 * refusal are passed on, which `readingAnswers` cleaned, and never the error itself: it may hold answers with tokens in
 * them (AUT-12, AUT-16).
 */
export function describeAuthorizationFailure(error: unknown, issuer: string): HostError {
	if (HostError.is(error)) return error;
	const host = hostOf(issuer);
	// Without words, the SDK repeats the code.
	if (error instanceof OAuthError) {
		return refusal(issuer, error.code, error.message === error.code ? undefined : error.message);
	}
	if (error instanceof IssuerMismatchError) return foreignAnswer(error.expected ?? issuer, error.received);
	if (error instanceof RegistrationRejectedError) {
		return new HostError(
			"denied",
			`${host} does not let MCP Host register itself (${error.status}). Register a client there and set its id in "oauth": { "clientId": … }.${saysOf(reasonIn(error.body))}`,
		);
	}
	if (error instanceof InsecureTokenEndpointError) {
		return new HostError("denied", `${host} accepts sign-ins without encryption (http). Nothing was sent there.`);
	}
	const network = networkFaultOf(error);
	if (network !== undefined) return new HostError("unreachable", `${host} cannot be reached to sign in. ${network}`);
	if (error instanceof Error && (error.name === "TimeoutError" || error.name === "TypeError")) {
		return new HostError("unreachable", `${host} cannot be reached to sign in. Check the network and try again.`);
	}
	return new HostError(
		"protocol",
		`${host} answered the sign-in in a format that MCP Host does not understand. Contact its operator.`,
	);
}

/** The display name of an issuer: its host. Parsed, so that only a host name of the untrusted text is left. */
export function hostOf(issuer: string): string {
	return URL.canParse(issuer) ? new URL(issuer).host : "The authorization server";
}
