import {
	METHOD_NOT_FOUND,
	MissingRequiredClientCapabilityError,
	ProtocolError,
	SdkError,
	SdkErrorCode,
	SdkHttpError,
	SUPPORTED_PROTOCOL_VERSIONS,
	UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";
import { HostError, type HostErrorCode, codeOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { sentence, withWords } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import { causesOf } from "../http/networkFault.ts";
import { dataWords, messageIn, wordsIn } from "../http/refusalWords.ts";
import { RefusedAnswer } from "../messages/limitErrors.ts";
import { plainMessage } from "../messages/plainWords.ts";
import { CutAnswer } from "./watchedTransport.ts";

/** The revision without a handshake that this host supports. */
export const modernRevision = "2026-07-28";
/** Statuses of the 5xx range with which a server says that it did nothing. */
const undone: ReadonlySet<number> = new Set([501, 503]);

/** Statuses by whose definition a server did not begin with the request (RFC 9110, 15.5; RFC 6585). */
const refused: ReadonlySet<number> = new Set([401, 403, 405, 406, 411, 413, 414, 415, 421, 426, 429, 431]);

/** Whether a failed request may have had an effect at the server, and how it failed. */
export interface FailedRequest {
	/** Whether it may change something there: a tool that claims neither to only read nor to be idempotent. */
	readonly mayHaveEffect: boolean;
	/** How the server's process ended, such as `exited with code 3`. */
	readonly exit: string | undefined;
}

/** Whether the connection ended after the request may have reached the server and before its answer arrived. */
export function isInterrupted(error: unknown): boolean {
	if (error instanceof CutAnswer) return true;
	if (error instanceof SdkHttpError) return error.status >= 500 && !undone.has(error.status);
	if (error instanceof SdkError) return error.code === SdkErrorCode.ConnectionClosed;
	if (error instanceof ProtocolError || HostError.is(error)) return false;
	// A request that certainly was not sent fails with a HostError. `fetch` throws a TypeError whose cause has the
	// reason.
	return error instanceof TypeError || causesOf(error).some(isNetworkError);
}

/** Whether a server answered that it does not know a method. */
export function isUnknownMethod(error: unknown): boolean {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	return cause instanceof ProtocolError && cause.code === METHOD_NOT_FOUND;
}

/**
 * The failure of a call in the form in which it is passed on. After a timeout it says that the call may have taken
 * effect (TRN-57).
 */
export function overdueCall(error: unknown): unknown {
	if (!HostError.is(error, "timeout")) return error;
	const message = `${error.message} It may have taken effect. Check before you repeat it.`;
	return new HostError("timeout", message, { cause: error });
}

/** Whether a refusal leaves open what the server did before it, which its status does not say (TRN-57). */
function isOpenRefusal(error: unknown): boolean {
	// 501 is about the method; 503 may come from something in between, after the server acted.
	return error instanceof SdkHttpError && !refused.has(error.status) && error.status !== 501;
}

/** Whether a request met something that leaves open what became of it. */
export function isUncertain(error: unknown): boolean {
	return isInterrupted(error) || isOpenRefusal(error);
}

/** A failure of a request in the host's words: what happened, and whether the request may have taken effect. */
export function requestFailure(error: unknown, { mayHaveEffect, exit }: FailedRequest): HostError {
	// The effects of a call whose answer was unusable have happened.
	const doubt = mayHaveEffect ? " The tool may have run. Check before you repeat the call." : "";
	const answered = (code: HostErrorCode, message: string, cause: unknown): HostError =>
		new HostError(code, `${sentence(message)}${doubt}`, { cause });
	const own = hostErrorIn(error);
	// The conditions to give up a start differ from those to declare a running server gone.
	const isUnsent = own?.code === "unreachable" || own?.code === "start-failed";
	if (own !== undefined) {
		if (own instanceof RefusedAnswer) return answered(own.code, own.message, own);
		return isUnsent ? new HostError("not-connected", own.message, { cause: own }) : own;
	}
	const options = { cause: error };
	const versions = revisionFault(error, undefined);
	if (versions !== undefined) return versions;
	if (error instanceof MissingRequiredClientCapabilityError) {
		return new HostError("protocol", missingCapability(error), options);
	}
	if (error instanceof ProtocolError) {
		// The host's own error for an answer that it left out (`MessageReader`).
		if (HostError.is(error.data)) return answered(error.data.code, error.data.message, error.data);
		const said = `${messageIn(error, 1000)} (error ${error.code})`;
		return new HostError("protocol", withWords(said, wordsIn(error) + dataWords(error)), options);
	}
	const words = wordsIn(error);
	if (isInterrupted(error) || (mayHaveEffect && isOpenRefusal(error))) {
		const what = interruption(error, exit);
		return mayHaveEffect
			? new HostError(
					"outcome-unknown",
					withWords(`${what} The tool may have run. Check before you repeat the call with Run Again.`, words),
					options,
				)
			: new HostError("not-connected", `${what}${words}`, options);
	}
	if (error instanceof SdkHttpError) {
		const text = oneLine(error.statusText ?? "", 100);
		return new HostError(
			"protocol",
			`The server answered ${error.status}${text === "" ? "" : ` ${text}`}.${words}`,
			options,
		);
	}
	if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) {
		return new HostError("not-connected", `The server ${exit ?? "closed the connection"}.`, options);
	}
	if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
		// With a method, the SDK gives the whole dump of its validator; without one, the words of the host's own schema.
		const method: unknown = isJsonObject(error.data) ? error.data["method"] : undefined;
		if (typeof method === "string") {
			return answered(
				"protocol",
				`Invalid result for ${oneLine(method, 100)}: it does not follow the protocol.`,
				error,
			);
		}
	}
	return answered("protocol", plainMessage(error, 1000), error);
}

/**
 * The words for a server whose revisions have none in common with ours: both are named (TRN-15).
 * `answered` is the revision with which it answered `initialize`, where it did.
 */
export function revisionFault(error: unknown, answered: string | undefined): HostError | undefined {
	const refusal = causesOf(error).find((cause) => cause instanceof UnsupportedProtocolVersionError);
	const theirs = refusal?.supported ?? (answered === undefined ? undefined : [answered]);
	const ours = [modernRevision, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== modernRevision)];
	// A server that was asked in the way of the other era has a revision in common with us all the same.
	if (theirs === undefined || theirs.some((version) => ours.includes(version))) return undefined;
	return new HostError(
		"protocol",
		`The server supports revision ${oneLine(theirs.join(", "), 200) || "(none)"} of the protocol, but MCP Host supports ${ours.join(", ")}. ` +
			"Update the server or MCP Host.",
		{ cause: error },
	);
}

/** The words for a server that requires a feature that the host does not offer to it. */
function missingCapability({ message, requiredCapabilities }: MissingRequiredClientCapabilityError): string {
	const { extensions = {}, ...others } = requiredCapabilities;
	const names = [...Object.keys(others), ...Object.keys(extensions)].slice(0, 10).join(", ");
	const advice = "sampling" in requiredCapabilities ? " To offer sampling, configure a model." : "";
	return `${oneLine(message, 500)} (error -32021) The server requires capabilities that MCP Host does not offer to it: ${oneLine(names, 200) || "(not named)"}.${advice}`;
}

/** A HostError in a chain of causes: the SDK wraps what the host's own parts below it throw. */
export function hostErrorIn(error: unknown): HostError | undefined {
	return causesOf(error).find((cause) => HostError.is(cause));
}

function interruption(error: unknown, exit: string | undefined): string {
	if (exit !== undefined) return `The server ${exit}.`;
	if (error instanceof SdkHttpError) return `The server answered ${error.status} while the request ran.`;
	return "The connection broke while the request ran.";
}

/**
 * Whether an error is from Node's sockets, its pipes or its HTTP client: their codes have a distinct form. `EOF` is that
 * of a broken pipe on Windows (https://docs.libuv.org/en/v1.x/errors.html).
 */
function isNetworkError(error: unknown): boolean {
	return /^(EOF|E[A-Z]{4,}|UND_ERR_\w+)$/.test(codeOf(error) ?? "");
}
