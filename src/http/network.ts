import type { SecureContext } from "node:tls";
import type { Dispatcher, RequestInit } from "undici";
import type { FetchLike } from "@modelcontextprotocol/client";
import { trustedAuthorities } from "./certificates.ts";
import type { NetworkSettings } from "../connection/limits.ts";
import { networkError } from "./networkFault.ts";
import { configuredProxies, proxyFor, type Proxies } from "./proxies.ts";

/** A tool may compute for as long as a request may last before its answer begins, in milliseconds. */
const headersTimeoutMs = 60 * 60 * 1000;
/** How long a connection to a server or a proxy may take to come about, in milliseconds. */
const connectTimeoutMs = 15_000;
/**
 * Silence after which the operating system asks whether the other side is still there; with its ten questions, one a
 * second, a connection that a router forgot is noticed within a minute (security.md TRN-44).
 */
const keepAliveDelayMs = 30_000;

const timeouts = { headersTimeout: headersTimeoutMs, bodyTimeout: 0 };

/** The way to the network of one connection. */
export interface Network {
	/**
	 * As `fetch`, but never the editor's or Node's global one: with the proxy and the certificates of the settings, without
	 * the 300 seconds after which undici cuts a quiet stream (spec.md P9), and leaving redirects to the caller.
	 * @throws HostError `unreachable` or `start-failed` where nothing was sent; else what undici throws.
	 */
	readonly fetch: FetchLike;
	/** Breaks what is open; no request can be made afterwards. Never rejects. */
	close(): Promise<void>;
}

/** Opens the way to the network. Settings that cannot be used fail the requests that need them. */
export function openNetwork(settings: NetworkSettings): Network {
	const ways = new Ways(settings);
	let isClosed = false;
	return {
		async fetch(url, init) {
			const target = new URL(url);
			const { dispatcher, proxy } = await ways.to(target);
			const undici = await import("undici");
			if (isClosed) throw new TypeError("The network of this connection is closed.");
			try {
				// The SDK has the types of the browser's fetch; undici's differ in members that neither uses.
				const options = { redirect: "manual", ...init, dispatcher } as RequestInit;
				return await undici.fetch(target, options);
			} catch (error) {
				throw init?.signal?.aborted === true ? error : networkError(error, target, proxy);
			}
		},
		async close() {
			isClosed = true;
			await ways.close();
		},
	};
}

/** The pools of connections by the ways that settings give, each made when it is first gone. */
class Ways {
	private readonly settings: NetworkSettings;
	private readonly dispatchers = new Map<string, Promise<Dispatcher>>();
	private proxies: Proxies | undefined;
	private trust: Promise<SecureContext | undefined> | undefined;

	constructor(settings: NetworkSettings) {
		this.settings = settings;
	}

	/** @throws HostError `start-failed` for a proxy or a certificate file that cannot be used. */
	async to(target: URL): Promise<{ readonly dispatcher: Dispatcher; readonly proxy: URL | undefined }> {
		this.proxies ??= configuredProxies(this.settings);
		const proxy = proxyFor(target, this.proxies);
		const isSecure = target.protocol === "https:" || proxy?.protocol === "https:";
		const key = `${isSecure ? "secure" : "plain"} ${proxy?.href ?? ""}`;
		let dispatcher = this.dispatchers.get(key);
		if (dispatcher === undefined) this.dispatchers.set(key, (dispatcher = this.make(isSecure, proxy)));
		return { dispatcher: await dispatcher, proxy };
	}

	async close(): Promise<void> {
		const ends = [...this.dispatchers.values()].map(async (dispatcher) => (await dispatcher).destroy());
		await Promise.allSettled(ends);
	}

	private async make(isSecure: boolean, proxy: URL | undefined): Promise<Dispatcher> {
		// Plain connections need no certificates, nor the time that it takes to read them.
		const secureContext = isSecure ? await (this.trust ??= trustedAuthorities(this.settings)) : undefined;
		const connect = {
			...(secureContext === undefined ? {} : { secureContext }),
			timeout: connectTimeoutMs,
			keepAlive: true,
			keepAliveInitialDelay: keepAliveDelayMs,
		};
		const { Agent, Pool, ProxyAgent } = await import("undici");
		if (proxy === undefined) return new Agent({ ...timeouts, connect });
		const pool = (origin: string | URL, options: object): Dispatcher => new Pool(origin, { ...options, ...timeouts });
		return new ProxyAgent({
			...timeouts,
			uri: proxy.href,
			requestTls: connect,
			proxyTls: connect,
			// Many proxies refuse to tunnel to a port other than 443; plain requests they pass on as they are.
			proxyTunnel: false,
			// Without these, plain requests would wait in line behind an open stream, and quiet streams would be cut.
			factory: pool,
			clientFactory: pool,
		});
	}
}
