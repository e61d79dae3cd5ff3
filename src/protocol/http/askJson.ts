import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { capped, discard } from "./bodies.ts";
import type { Network, NetworkInit } from "./network.ts";
import { responseWords } from "./responseWords.ts";

/** How JSON is asked for of a machine that nobody has approved. */
export interface JsonRequest {
	readonly network: Pick<Network, "fetch">;
	/** Who is asked, as the subject of a sentence: `The registry example.com`. */
	readonly who: string;
	readonly signal: AbortSignal;
	readonly headers?: Readonly<Record<string, string>>;
	/** How long an answer may take, in milliseconds. */
	readonly timeoutMs?: number;
	/** The meaning of an address that does not exist or redirects: the rest of a sentence about `who`. */
	readonly missing?: string;
	readonly moved?: string;
	readonly mayConnect?: NetworkInit["mayConnect"];
}

/** An answer, and the tag by which it can be asked whether it changed. */
export interface JsonAnswer {
	readonly body: unknown;
	readonly etag: string | undefined;
}

const maxBytes = 4 * 1024 * 1024;
const maxDepth = 64;
const defaultTimeoutMs = 15_000;

/**
 * Gets JSON over HTTP: bounded in size, depth and time, without credentials, and following no redirect. Undefined where the
 * answer is that nothing changed (304).
 * @throws HostError whose message names who was asked: `unreachable` where it may answer later; `invalid`, `limit` for what is
 * no answer; the reason of `signal`.
 */
export async function askJson(url: string, request: JsonRequest): Promise<JsonAnswer | undefined> {
	const { network, who, signal, headers = {}, timeoutMs = defaultTimeoutMs, mayConnect } = request;
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		const response = await network.fetch(url, {
			headers: { accept: "application/json", ...headers },
			signal: AbortSignal.any([signal, timeout]),
			redirect: "manual",
			...(mayConnect === undefined ? {} : { mayConnect }),
		});
		if (response.status === 304) {
			await discard(response);
			return undefined;
		}
		return { body: await bodyOf(response, request), etag: response.headers.get("etag")?.slice(0, 500) ?? undefined };
	} catch (cause) {
		signal.throwIfAborted();
		if (cause instanceof HostError && cause.message.startsWith(who)) throw cause;
		const why = cause instanceof HostError ? ` ${cause.message}` : "";
		const what = timeout.aborted ? `did not answer within ${timeoutMs / 1000} seconds.` : `cannot be reached.${why}`;
		throw new HostError("unreachable", `${who} ${what}`, { cause });
	}
}

/** Throws the meaning of an error status, with the words of the server. */
async function refused(response: Response, { who, missing, moved }: JsonRequest, status: number): Promise<never> {
	const words = await responseWords(response);
	const unusable = (what: string): HostError => new HostError("invalid", `${who} ${what}.${words}`);
	if (status >= 300 && status < 400)
		throw unusable(moved ?? "redirects to another address, which MCP Host does not follow");
	if (status === 401 || status === 403) throw unusable("asks for sign-in, which is not supported here");
	if (status === 404) throw unusable(missing ?? "has nothing at this address");
	if (status === 429 || status >= 500)
		throw new HostError("unreachable", `${who} cannot answer now (status ${status}).${words}`);
	throw unusable(`answered with status ${status}`);
}

async function bodyOf(response: Response, request: JsonRequest): Promise<unknown> {
	const { status } = response;
	const { who } = request;
	if (status !== 200) return refused(response, request, status);
	const unusable = (what: string): HostError => new HostError("invalid", `${who} ${what}.`);
	const type = response.headers.get("content-type") ?? "";
	if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
		await discard(response);
		throw unusable(`answered with ${oneLine(type === "" ? "something" : type, 60)} instead of JSON`);
	}
	if (response.body === null) throw unusable("sent an empty response");
	const tooLarge = (): HostError => new HostError("limit", `${who} answered with more than 4 MB.`);
	const tooDeep = (): HostError => new HostError("limit", `${who} answered with JSON that is too deep.`);
	const text = await capped(response, { maxBytes, tooLarge, depth: { limit: maxDepth, tooDeep } }).text();
	try {
		return JSON.parse(text) as unknown;
	} catch (cause) {
		throw unusable(`answered with broken JSON (${oneLine(messageOf(cause), 80)})`);
	}
}
