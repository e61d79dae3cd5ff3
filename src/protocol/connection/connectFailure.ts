import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../../base/errors.ts";
import { sentence, withWords } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import { causesOf, networkFaultError } from "../http/networkFault.ts";
import { dataWords, messageIn, wordsIn } from "../http/refusalWords.ts";
import { plainMessage } from "../messages/plainWords.ts";
import type { ServerFacts } from "../connection.ts";

/**
 * The message to the user about a failed attempt to connect: what happened and what to do. `unreachable` and
 * `not-connected` if another attempt may succeed.
 */
export function describeFailure(error: unknown, transport: ServerFacts["transport"]): HostError {
	const own = causesOf(error).find((cause) => HostError.is(cause));
	if (own !== undefined) return own;
	const status = httpStatusOf(error);
	if (status !== undefined && status >= 300) return describeStatus(status, error);
	if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed && transport === "stdio") {
		return new HostError("not-connected", error.message, { cause: error });
	}
	const network = networkFaultError(error);
	if (network !== undefined) return network;
	if (transport !== "stdio" && causesOf(error).some(isForeignAnswer)) {
		const answer = oneLine(messageOf(causesOf(error).at(-1)), 200);
		return new HostError(
			"start-failed",
			`This address answers, but it is not an MCP server: ${answer}. Check the URL.`,
			{ cause: error },
		);
	}
	const fault = causesOf(error).find((cause) => cause instanceof ProtocolError);
	if (fault === undefined) {
		return new HostError("protocol", sentence(`The handshake failed: ${plainMessage(error, 500)}`), { cause: error });
	}
	const said = `The handshake failed: ${messageIn(fault, 500)}`;
	return new HostError("protocol", withWords(said, wordsIn(fault) + dataWords(fault)), { cause: error });
}

/** The HTTP status with which an attempt failed, if it got that far. */
export function httpStatusOf(error: unknown): number | undefined {
	for (const cause of causesOf(error)) {
		if (cause instanceof SdkHttpError) return cause.status;
		if (cause instanceof SseError) return cause.code;
	}
	return undefined;
}

function describeStatus(status: number, error: unknown): HostError {
	const words = wordsIn(error);
	const failed = (message: string): HostError => new HostError("start-failed", `${message}${words}`, { cause: error });
	switch (status) {
		case 401:
			return failed("The server asks for sign-in (401). Check the headers in its configuration.");
		case 403:
			return failed(
				"The server refused access (403). Check the headers in its configuration, and the account that is signed in.",
			);
		case 404:
			return failed("The server found nothing at this address (404). Check the path of its URL.");
		case 407:
			return failed("The proxy asks for a user name and a password (407). Add them to the proxy's address.");
		default: {
			// A server that is overloaded or being deployed may answer another time.
			const code = status === 429 || status >= 500 ? "unreachable" : "start-failed";
			return new HostError(code, `The server answered ${status}${statusTextOf(error)}.${words}`, { cause: error });
		}
	}
}

function isForeignAnswer(error: unknown): boolean {
	if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) return true;
	return error instanceof SyntaxError;
}

function statusTextOf(error: unknown): string {
	const text = causesOf(error).find((cause) => cause instanceof SdkHttpError)?.statusText;
	return text === undefined || text === "" ? "" : ` ${oneLine(text, 100)}`;
}
