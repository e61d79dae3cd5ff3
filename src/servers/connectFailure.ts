import { SdkError, SdkErrorCode, SdkHttpError, SseError } from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { ServerFacts } from "./session.ts";

/** What to tell the person about an attempt to connect that failed: what happened and what to do. */
export function describeFailure(error: unknown, transport: ServerFacts["transport"]): HostError {
	if (HostError.is(error)) return error;
	const failed = (message: string): HostError => new HostError("start-failed", message, { cause: error });
	const status = httpStatusOf(error);
	if (status === 401) return failed("The server asks for sign-in (401). Check the headers in its configuration.");
	if (status === 403) return failed("The server refused access (403). Check the headers in its configuration.");
	if (status === 404) return failed("The server knows nothing at this address (404). Check the path of its URL.");
	if (status !== undefined && status >= 300) return failed(`The server answered ${status}${statusTextOf(error)}.`);
	if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed && transport === "stdio") {
		return failed(error.message);
	}
	const network = networkFaultOf(error);
	if (network !== undefined) return failed(network);
	if (transport !== "stdio" && causesOf(error).some(isForeignAnswer)) {
		return failed(
			`Something answers at this address, but it is no MCP server: ${oneLine(messageOf(causesOf(error).at(-1)), 200)}. Check the URL.`,
		);
	}
	return new HostError("protocol", `The handshake failed: ${oneLine(messageOf(error), 500)}`, { cause: error });
}

/** The HTTP status with which an attempt failed, if it got that far. */
export function httpStatusOf(error: unknown): number | undefined {
	for (const cause of causesOf(error)) {
		if (cause instanceof SdkHttpError) return cause.status;
		if (cause instanceof SseError) return cause.code;
	}
	return undefined;
}

/** The words for a fault of the network, found in the chain of causes that `fetch` makes. */
export function networkFaultOf(error: unknown): string | undefined {
	for (const cause of causesOf(error)) {
		const code: unknown = cause instanceof Error && "code" in cause ? cause.code : undefined;
		// The event source of HTTP+SSE gives no cause, only its words.
		const words = cause instanceof SseError ? (/\b(E[A-Z]{4,}|UND_ERR_\w+)\b/.exec(cause.message)?.[0] ?? code) : code;
		const known = typeof words === "string" ? networkFaults[words] : undefined;
		if (known !== undefined) return known;
	}
	return undefined;
}

const cut = "The connection was cut during the handshake.";
const unreachable = "This address cannot be reached. Check the network, a proxy and the port.";
const networkFaults: Readonly<Record<string, string>> = {
	ECONNREFUSED: "Nothing answers at this address (connection refused). Is the server running, and is the port right?",
	ENOTFOUND: "The host name of this address was not found.",
	EAI_AGAIN: "The host name of this address was not found.",
	ECONNRESET: cut,
	EPIPE: cut,
	UND_ERR_SOCKET: cut,
	ETIMEDOUT: unreachable,
	EHOSTUNREACH: unreachable,
	ENETUNREACH: unreachable,
	UND_ERR_CONNECT_TIMEOUT: unreachable,
	...Object.fromEntries(
		[
			"CERT_HAS_EXPIRED",
			"DEPTH_ZERO_SELF_SIGNED_CERT",
			"ERR_TLS_CERT_ALTNAME_INVALID",
			"SELF_SIGNED_CERT_IN_CHAIN",
			"UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
			"UNABLE_TO_VERIFY_LEAF_SIGNATURE",
		].map((code) => [code, `The server's certificate is not trusted (${code}).`]),
	),
};

function isForeignAnswer(error: unknown): boolean {
	if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) return true;
	return error instanceof SyntaxError;
}

function statusTextOf(error: unknown): string {
	const text = causesOf(error).find((cause) => cause instanceof SdkHttpError)?.statusText;
	return text === undefined || text === "" ? "" : ` ${oneLine(text, 100)}`;
}

/** An error and what it says caused it, outermost first; bounded, since a chain may close. */
function causesOf(error: unknown): readonly unknown[] {
	const causes: unknown[] = [];
	for (let cause = error; cause !== undefined && causes.length < 10;) {
		causes.push(cause);
		cause = cause instanceof Error ? cause.cause : undefined;
	}
	return causes;
}
