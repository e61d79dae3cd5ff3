import { asksToWait, reasonIn, requestedWaitMs, saysOf, withoutSecrets } from "../../base/senderWords.ts";
import { challengeWords } from "./challenge.ts";
import { answerTooLarge } from "../messages/limitErrors.ts";
import { capped, discard, maxErrorBytes } from "./bodies.ts";

/** Why a request was refused, in sentences to follow ours; empty if no reason is given. */
export interface Words {
	/** How long to wait. */
	readonly wait: string;
	/** The reason in the body, otherwise in the challenge. */
	readonly says: string;
}

/** Headers of requests that hold no secret: their values may be repeated. */
const open: ReadonlySet<string> = new Set(
	"accept accept-encoding accept-language content-type content-length host mcp-protocol-version mcp-method mcp-name user-agent last-event-id".split(
		" ",
	),
);

/** The values of a request's headers that may be secret, and the parts of those with a scheme. */
export function secretsIn(headers: Headers): readonly string[] {
	const values = [...headers].flatMap(([name, value]) => (open.has(name) || value.length < 6 ? [] : [value]));
	const parts = values.flatMap((value) => value.split(/\s+/)).filter((part) => part.length > 12);
	return values.concat(parts);
}

/** The words of an HTTP error response, by its body and its headers, without these secrets of the request. */
export function wordsOf(text: unknown, headers: Headers, secrets: readonly string[] = []): Words {
	const type = headers.get("content-type") ?? "";
	const isReadable = type === "" || /^text\/|json|xml|urlencoded/i.test(type);
	const reason = (isReadable ? reasonIn(text) : undefined) ?? challengeWords(headers);
	return {
		wait: asksToWait(requestedWaitMs(headers.get("retry-after"))),
		says: saysOf(reason === undefined ? undefined : withoutSecrets(reason, secrets, "(secret)")),
	};
}

/**
 * The same for an answer that was not read yet, as one text; for a body that is too large or breaks off, only its
 * headers.
 */
export async function responseWords(response: Response, secrets: readonly string[] = []): Promise<string> {
	const { status, headers } = response;
	const isRefusal = status >= 400;
	if (!isRefusal) await discard(response);
	const caps = { maxBytes: maxErrorBytes, tooLarge: answerTooLarge };
	const text = isRefusal
		? await capped(response, caps)
				.text()
				.catch(() => "")
		: "";
	const { wait, says } = wordsOf(text, headers, secrets);
	return wait + says;
}
