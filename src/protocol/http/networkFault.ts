import { HostError, messageOf, codeOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";

/** The circumstances of a fault, which decide its words and whether another attempt makes sense. */
type FaultKind = "address" | "refused" | "unreachable" | "cut" | "certificate" | "tls" | "answer" | "headers";

const kinds: Readonly<Record<string, FaultKind>> = {
	ENOTFOUND: "address",
	EAI_AGAIN: "address",
	ECONNREFUSED: "refused",
	ETIMEDOUT: "unreachable",
	EHOSTUNREACH: "unreachable",
	EHOSTDOWN: "unreachable",
	ENETUNREACH: "unreachable",
	ENETDOWN: "unreachable",
	EADDRNOTAVAIL: "unreachable",
	UND_ERR_CONNECT_TIMEOUT: "unreachable",
	ECONNRESET: "cut",
	ECONNABORTED: "cut",
	EPIPE: "cut",
	UND_ERR_SOCKET: "cut",
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "cut",
	UND_ERR_HEADERS_TIMEOUT: "cut",
	UND_ERR_HEADERS_OVERFLOW: "headers",
	CERT_HAS_EXPIRED: "certificate",
	CERT_NOT_YET_VALID: "certificate",
	CERT_REVOKED: "certificate",
	CERT_UNTRUSTED: "certificate",
	DEPTH_ZERO_SELF_SIGNED_CERT: "certificate",
	ERR_TLS_CERT_ALTNAME_INVALID: "certificate",
	SELF_SIGNED_CERT_IN_CHAIN: "certificate",
	UNABLE_TO_GET_ISSUER_CERT: "certificate",
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate",
	UND_ERR_PRX_TLS: "certificate",
	EPROTO: "tls",
};

/** Faults before anything of a request was sent, so that nothing can have been carried out. */
const beforeSending: ReadonlySet<FaultKind> = new Set(["address", "refused", "unreachable", "certificate", "tls"]);
/** Faults that another attempt meets again. */
const lasting: ReadonlySet<FaultKind> = new Set(["certificate", "tls", "answer", "headers"]);

/** The words for a fault of the network, found in the chain of causes that `fetch` makes. */
export function networkFaultOf(error: unknown): string | undefined {
	const fault = findFault(error);
	return fault === undefined ? undefined : wordsOf(fault);
}

/** The fault of the network as an error to show, `unreachable` or `start-failed` by whether another attempt has sense. */
export function networkFaultError(error: unknown): HostError | undefined {
	const fault = findFault(error);
	if (fault === undefined) return undefined;
	return new HostError(lasting.has(fault.kind) ? "start-failed" : "unreachable", wordsOf(fault), { cause: error });
}

/** Whether the other side ended the connection before it answered, as far as the error shows. */
export function wasCut(error: unknown): boolean {
	const code = findFault(error)?.code ?? "";
	return ["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"].includes(code);
}

/**
 * The meaning of a failed `fetch`: a HostError if certainly nothing was carried out, with words for the proxy if there
 * is one; otherwise the original error.
 */
export function networkError(error: unknown, target: URL, proxy: URL | undefined): unknown {
	const denied = causesOf(error).find((cause) => HostError.is(cause, "denied"));
	if (denied !== undefined) return denied;
	const fault = findFault(error);
	if (proxy !== undefined) {
		const { host } = proxy;
		if (causesOf(error).some((cause) => faultCode(cause) === "UND_ERR_ABORTED")) {
			const answer = oneLine(messageOf(causesOf(error).at(-1)), 200);
			return new HostError("unreachable", `The proxy ${host} did not connect to ${target.host}: ${answer}`, {
				cause: error,
			});
		}
		if (fault !== undefined && reachesProxy.has(fault.kind)) {
			const advice = "Check http.proxy in the settings, and HTTP_PROXY and HTTPS_PROXY in the environment.";
			return new HostError("unreachable", `The proxy ${host} cannot be reached (${fault.code}). ${advice}`, {
				cause: error,
			});
		}
	}
	return fault !== undefined && beforeSending.has(fault.kind) ? networkFaultError(error) : error;
}

/** Faults that concern the proxy if there is one, because nothing else is connected to. */
const reachesProxy: ReadonlySet<FaultKind> = new Set(["address", "refused", "unreachable"]);

/** An error and what it says caused it, outermost first; bounded, since a chain may close. */
export function causesOf(error: unknown): readonly unknown[] {
	const causes: unknown[] = [];
	for (let cause = error; cause !== undefined && causes.length < 10;) {
		causes.push(cause);
		cause = cause instanceof Error ? cause.cause : undefined;
	}
	return causes;
}

interface Fault {
	readonly kind: FaultKind;
	readonly code: string;
}

function findFault(error: unknown): Fault | undefined {
	for (const cause of causesOf(error)) {
		const code = faultCode(cause);
		if (code === undefined) continue;
		const kind = kindOf(code);
		// The same codes also mean that an open connection went silent.
		if (kind !== undefined) return { kind: isOfTransfer(cause) ? "cut" : kind, code };
	}
	return undefined;
}

function kindOf(code: string): FaultKind | undefined {
	if (code.startsWith("HPE_")) return "answer";
	// Those of records also end a connection that was secure, after a request was sent.
	if (code.startsWith("ERR_SSL_")) return /RECORD|DECRYPT|EOF|AFTER_CLOSE/.test(code) ? "cut" : "tls";
	return kinds[code];
}

function isOfTransfer(error: unknown): boolean {
	return error instanceof Error && "syscall" in error && (error.syscall === "read" || error.syscall === "write");
}

function faultCode(error: unknown): string | undefined {
	// undici looks the names of its parser's codes up by their numbers, and finds none.
	return error instanceof Error && error.name === "HTTPParserError" ? "HPE_INVALID" : codeOf(error);
}

function wordsOf({ kind, code }: Fault): string {
	switch (kind) {
		case "address":
			return "The host name of this address was not found.";
		case "refused":
			return "Nothing answers at this address (connection refused). Check that the server is running and that the port is right.";
		case "unreachable":
			return "This address cannot be reached. Check the network, a proxy and the port.";
		case "cut":
			return `The connection was closed unexpectedly (${code}).`;
		case "certificate":
			return (
				`The server's certificate is not trusted (${code}). If your organization uses its ` +
				"own certificate authority, set its file in mcpHost.certificateAuthorities."
			);
		case "tls":
			return `A secure connection could not be made (${code}). Check whether the server uses https at this address.`;
		case "answer":
			return "The program at this address does not use HTTP. Check the URL.";
		case "headers":
			return "The server's answer has more headers than MCP Host accepts.";
	}
}
