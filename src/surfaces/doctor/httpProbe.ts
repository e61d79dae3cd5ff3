import { isJsonObject, type JsonObject, parseJsonObject } from "../../base/json.ts";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { readChallenge } from "../../protocol/http/challenge.ts";
import { discard } from "../../protocol/http/bodies.ts";
import { openNetwork } from "../../protocol/http/network.ts";
import { causesOf } from "../../protocol/http/networkFault.ts";
import type { NetworkSettings } from "../../protocol/limits.ts";
import { checkSignIn } from "./dial.ts";
import type { HttpAnswer, HttpLaunch, HttpQuestion } from "./probes.ts";

/** How long an answer may take, in milliseconds, and how much of it is read, in bytes. */
const answerMs = 5000;
const maxRead = 64 * 1024;

/**
 * Sends one HTTP request to the address of a server, with its configured headers, and follows no redirect. For a refusal
 * because of a missing token, the answer says what the server publishes about signing in. Rejects with the signal's reason only.
 */
export async function askHttp(
	launch: HttpLaunch,
	{ method = "POST", headers: more = {}, body }: HttpQuestion,
	settings: NetworkSettings,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const network = openNetwork(settings);
	try {
		const headers = new Headers(launch.headers);
		for (const [name, value] of Object.entries(more)) headers.set(name, value);
		const url = new URL(launch.url);
		const limited = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
		const response = await network.fetch(
			url,
			{ method, headers, signal: limited, ...(body === undefined ? {} : { body }) },
			false,
		);
		const { status } = response;
		const type = oneLine((response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "", 60).toLowerCase();
		const session = response.headers.get("mcp-session-id") ?? undefined;
		const challenge = status === 401 ? readChallenge(response) : undefined;
		const isTold = response.headers.has("www-authenticate");
		// A stream of the server's own messages has no end.
		const message = method === "GET" ? undefined : await firstMessage(response, type);
		await discard(response);
		const signIn = challenge === undefined ? undefined : await checkSignIn(url, challenge, network, signal);
		return {
			status,
			type,
			isChallenged: isTold,
			...(session === undefined ? {} : { session }),
			...(message === undefined ? {} : { message }),
			...(signIn === undefined ? {} : { signIn }),
		};
	} catch (error) {
		signal.throwIfAborted();
		return { fault: oneLine(messageOf(causesOf(error).at(-1) ?? error), 200) };
	} finally {
		await network.close();
	}
}

/** The first answer in a body of JSON or in an event stream. */
async function firstMessage(response: Response, type: string): Promise<JsonObject | undefined> {
	const reader = response.body?.getReader();
	if (reader === undefined) return undefined;
	const decoder = new TextDecoder();
	let text = "";
	try {
		while (text.length < maxRead) {
			const { done, value } = await reader.read();
			text += decoder.decode(value, { stream: !done });
			const events = type === "text/event-stream" ? text.split(/\r?\n\r?\n/).slice(0, done ? undefined : -1) : [];
			for (const event of events) {
				const data = event.split(/\r?\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
				const message = parseJsonObject(data.join("\n"));
				if (message !== undefined && !("method" in message)) return message;
			}
			if (done) break;
		}
		const message = parseJsonObject(text);
		return isJsonObject(message) ? message : undefined;
	} finally {
		reader.releaseLock();
	}
}
