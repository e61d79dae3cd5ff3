import { connect } from "node:tls";
import { HostError, messageOf, codeOf } from "../../base/errors.ts";
import { parseJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { NetworkSettings } from "../../protocol/limits.ts";
import { readChallenge, type Challenge } from "../../protocol/http/challenge.ts";
import { discard } from "../../protocol/http/bodies.ts";
import { responseWords, secretsIn } from "../../protocol/http/responseWords.ts";
import { openNetwork, type Network } from "../../protocol/http/network.ts";
import { configuredProxies, proxyFor } from "../../protocol/http/proxies.ts";
import { causesOf, networkFaultError } from "../../protocol/http/networkFault.ts";
import type { DialResult, HttpLaunch, SignInFacts } from "./probes.ts";
import { EndpointGuard } from "../../protocol/authorization/endpointGuard.ts";

/** How long an address may take to answer one question, in milliseconds. */
const answerMs = 15_000;
/** How much of an answer is read, in characters: enough to identify it. */
const maxRead = 64 * 1024;
const revision = "2025-11-25";

const hello = JSON.stringify({
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "mcp-host", version: "0" } },
});

/**
 * Asks an address, as a start would, whether it supports the protocol, and otherwise reports what answers: with the
 * headers and the network settings of a start, without a sign-in. No other data is sent, and a session that it opens is
 * ended. Rejects with the signal's reason only.
 */
export async function dial(launch: HttpLaunch, settings: NetworkSettings, signal: AbortSignal): Promise<DialResult> {
	const network = openNetwork(settings);
	try {
		return await ask(launch, network, signal);
	} catch (error) {
		signal.throwIfAborted();
		const own = causesOf(error).find((cause) => HostError.is(cause));
		const fault = own ?? networkFaultError(error);
		const message =
			fault?.message ?? (isTimeout(error) ? "It did not answer within 15 seconds." : messageOf(causesOf(error).at(-1)));
		const isOfTrust = causesOf(error).some((cause) => /CERT|SIGNED|VERIFY_LEAF|ISSUER/.test(codeOf(cause) ?? ""));
		const url = new URL(launch.url);
		// Behind a proxy the certificate is not within reach.
		const certificate = isOfTrust && !isProxied(url, settings) ? await certificateOf(url) : undefined;
		return { kind: "fault", message: oneLine(message, 500), ...(certificate === undefined ? {} : { certificate }) };
	} finally {
		await network.close();
	}
}

function isProxied(url: URL, settings: NetworkSettings): boolean {
	try {
		return proxyFor(url, configuredProxies(settings)) !== undefined;
	} catch {
		return true;
	}
}

async function ask(launch: HttpLaunch, network: Network, signal: AbortSignal): Promise<DialResult> {
	const url = new URL(launch.url);
	const startedAt = performance.now();
	const response =
		launch.kind === "sse" ? await listen(url, launch, network, signal) : await post(url, launch, network, signal);
	const { status } = response;
	const type = typeOf(response);
	if (status >= 300 && status < 400) {
		const to = response.headers.get("location") ?? "";
		await discard(response);
		const target = URL.canParse(to, url.href) ? new URL(to, url) : undefined;
		// The part after the path may be a key of a sign-in.
		const plain = target === undefined ? "" : target.origin + target.pathname;
		return { kind: "redirect", status, to: plain, isOtherHost: target?.host !== url.host };
	}
	if (status === 401) {
		const challenge = readChallenge(response);
		const words = await responseWords(response, secretsIn(new Headers(launch.headers)));
		const sentHeader = Object.keys(launch.headers).some((name) => /^authorization$|key|token/i.test(name));
		const tells = challenge?.resourceMetadata !== undefined || (await hasMetadata(url, network, signal));
		const signIn = tells && challenge !== undefined ? await checkSignIn(url, challenge, network, signal) : undefined;
		return { kind: "unauthorized", signIn, sentHeader, words };
	}
	if (!response.ok) {
		const words = await responseWords(response, secretsIn(new Headers(launch.headers)));
		const mayBeSse = launch.kind === "http" && (status === 404 || status === 405 || status === 400);
		if (mayBeSse && (await isEventStream(url, launch, network, signal))) return { kind: "sse" };
		return { kind: "status", status, text: response.statusText, words };
	}
	if (launch.kind === "sse" && type === "text/event-stream") {
		await discard(response);
		return { kind: "mcp", milliseconds: performance.now() - startedAt };
	}
	if (type === "text/html") {
		const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(await read(response))?.[1];
		return { kind: "page", title, better: await betterPath(url, launch, network, signal) };
	}
	const text = await read(response);
	const milliseconds = performance.now() - startedAt;
	await endSession(url, launch, network, response, signal);
	return isAnswer(text)
		? { kind: "mcp", milliseconds }
		: { kind: "foreign", type: oneLine(type, 60), text: oneLine(text, 200) };
}

function post(url: URL, launch: HttpLaunch, network: Network, signal: AbortSignal): Promise<Response> {
	const headers = new Headers(launch.headers);
	headers.set("content-type", "application/json");
	headers.set("accept", "application/json, text/event-stream");
	return network.fetch(url, { method: "POST", body: hello, headers, signal: timed(signal) }, false);
}

function listen(url: URL, launch: HttpLaunch, network: Network, signal: AbortSignal): Promise<Response> {
	const headers = new Headers(launch.headers);
	headers.set("accept", "text/event-stream");
	return network.fetch(url, { headers, signal: timed(signal) });
}

/** Whether an address offers the stream of HTTP+SSE (specification of 2024-11-05, "HTTP with SSE"). */
async function isEventStream(url: URL, launch: HttpLaunch, network: Network, signal: AbortSignal): Promise<boolean> {
	const response = await listen(url, launch, network, signal).catch(() => undefined);
	signal.throwIfAborted();
	if (response === undefined) return false;
	await discard(response);
	return response.ok && typeOf(response) === "text/event-stream";
}

/**
 * Whether a server says where to sign in for it (specification, "Authorization Server Location", and that of
 * 2025-03-26).
 */
async function hasMetadata(url: URL, network: Network, signal: AbortSignal): Promise<boolean> {
	const path = url.pathname === "/" ? "" : url.pathname;
	const places = [
		`/.well-known/oauth-protected-resource${path}`,
		"/.well-known/oauth-protected-resource",
		"/.well-known/oauth-authorization-server",
	];
	for (const place of new Set(places)) {
		const headers = { accept: "application/json" };
		const response = await network
			.fetch(new URL(place, url.origin), { headers, signal: timed(signal) })
			.catch(() => undefined);
		signal.throwIfAborted();
		if (response === undefined) continue;
		const isJson = response.ok && typeOf(response) === "application/json";
		await discard(response);
		if (isJson) return true;
	}
	return false;
}

/** The path `/mcp` of the same server, where that speaks the protocol and the configured one shows a page. */
async function betterPath(
	url: URL,
	launch: HttpLaunch,
	network: Network,
	signal: AbortSignal,
): Promise<string | undefined> {
	const better = new URL("/mcp", url.origin);
	if (url.pathname === better.pathname) return undefined;
	const response = await post(better, launch, network, signal).catch(() => undefined);
	signal.throwIfAborted();
	if (response === undefined) return undefined;
	const isMcp = response.ok && isAnswer(await read(response));
	if (isMcp) await endSession(better, launch, network, response, signal);
	else await discard(response);
	return isMcp ? better.href : undefined;
}

/** Ends the session of a handshake (specification, "Session Management"). */
async function endSession(
	url: URL,
	launch: HttpLaunch,
	network: Network,
	response: Response,
	signal: AbortSignal,
): Promise<void> {
	const id = response.headers.get("mcp-session-id");
	if (id === null || !/^[\x21-\x7e]{1,4096}$/.test(id)) return;
	const headers = new Headers(launch.headers);
	headers.set("mcp-session-id", id);
	const ended = await network
		.fetch(url, { method: "DELETE", headers, signal: timed(signal) }, false)
		.catch(() => undefined);
	if (ended !== undefined) await discard(ended);
}

/** Whether a text, or the first event of a stream, is an answer of JSON-RPC: a result, or an error that says no. */
function isAnswer(text: string): boolean {
	const body = text
		.split("\n")
		.filter((line) => line.startsWith("data:"))
		.map((line) => line.slice("data:".length))
		.join("\n");
	return parseJsonObject(body === "" ? text : body)?.["jsonrpc"] === "2.0";
}

/** The beginning of an answer; for a stream, up to the end of its first event with data. */
async function read(response: Response): Promise<string> {
	const isStream = typeOf(response) === "text/event-stream";
	const decoder = new TextDecoder();
	let text = "";
	const reader = response.body?.getReader();
	if (reader === undefined) return "";
	try {
		while (text.length < maxRead) {
			const { done, value } = await reader.read();
			if (done) break;
			text += decoder.decode(value, { stream: true });
			if (isStream && /^data:.*\n\r?\n/m.test(text)) break;
		}
	} finally {
		await reader.cancel().catch(() => undefined);
	}
	return text.slice(0, maxRead);
}

function typeOf(response: Response): string {
	return (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function timed(signal: AbortSignal): AbortSignal {
	return AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
}

function isTimeout(error: unknown): boolean {
	return causesOf(error).some((cause) => cause instanceof Error && cause.name === "TimeoutError");
}

/** Whom a certificate names, who gave it out, and until when it holds. Nothing is sent over the connection. */
function certificateOf(url: URL): Promise<string | undefined> {
	return new Promise((resolve) => {
		const socket = connect({
			host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
			port: url.port === "" ? 443 : Number(url.port),
			...(/^[\d.]+$|:/.test(url.hostname) ? {} : { servername: url.hostname }),
			// It is examined because it is not trusted; no data is sent over this connection.
			rejectUnauthorized: false,
			timeout: answerMs,
		});
		const end = (words?: string): void => {
			socket.destroy();
			resolve(words);
		};
		socket.once("secureConnect", () => {
			const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
			const nameOf = (who: { readonly CN?: string | string[]; readonly O?: string | string[] } | undefined): string =>
				oneLine(String(who?.CN ?? who?.O ?? "nobody"), 100);
			end(
				`It names “${nameOf(subject)}”, was issued by “${nameOf(issuer)}”, and is valid until ${oneLine(until ?? "?", 40)}.`,
			);
		});
		socket.once("error", () => end());
		socket.once("timeout", () => end());
	});
}

/**
 * The metadata of a server and its authorization server for a sign-in: read as by a sign-in, with the same guard of
 * addresses, without registering or requesting tokens. Rejects with the signal's reason only.
 */
export async function checkSignIn(
	url: URL,
	challenge: Challenge,
	network: Network,
	signal: AbortSignal,
): Promise<SignInFacts> {
	const { discover, requirePkce } = await import("../../protocol/authorization/discovery.ts");
	const guard = new EndpointGuard(url);
	const fetch = guard.guarding((address, init) => network.fetch(address, init), signal);
	try {
		const tolerated: string[] = [];
		const discovery = await discover(url, challenge, fetch, { note: (text) => tolerated.push(text) });
		const { metadata, issuer, resourceMetadata } = discovery;
		const facts: SignInFacts = {
			issuer,
			registers: metadata === undefined || metadata.registration_endpoint !== undefined,
			hasResourceMetadata: resourceMetadata !== undefined,
			namesServer: (resourceMetadata?.authorization_servers ?? []).length > 0,
			...(tolerated.length === 0 ? {} : { tolerated }),
		};
		try {
			requirePkce(discovery);
		} catch (error) {
			return { ...facts, problem: messageOf(error) };
		}
		return facts;
	} catch (error) {
		signal.throwIfAborted();
		return { registers: true, problem: HostError.is(error) ? error.message : messageOf(error) };
	}
}
