import { Agent, Pool, ProxyAgent, fetch as undiciFetch, type Dispatcher, type RequestInit } from "undici";
import type { FetchLike } from "@modelcontextprotocol/client";
import { trustedAuthorities } from "./certificates.ts";
import type { NetworkSettings } from "./limits.ts";
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

/** Opens the way to the network. Settings that cannot be used make each request fail with what is wrong. */
export function openNetwork(settings: NetworkSettings): Network {
	let dispatchers: Promise<Dispatchers> | undefined;
	let isClosed = false;
	return {
		async fetch(url, init) {
			const target = new URL(url);
			dispatchers ??= Dispatchers.make(settings);
			const { dispatcher, proxy } = (await dispatchers).to(target);
			if (isClosed) throw new TypeError("The network of this connection is closed.");
			try {
				// The SDK has the types of the browser's fetch; undici's differ in members that neither uses.
				const options = { redirect: "manual", ...init, dispatcher } as RequestInit;
				return (await undiciFetch(target, options)) as unknown as Response;
			} catch (error) {
				throw init?.signal?.aborted === true ? error : networkError(error, target, proxy);
			}
		},
		async close() {
			isClosed = true;
			await (await dispatchers?.catch(() => undefined))?.destroy();
		},
	};
}

/** The pools of connections of one server, by the way that they take. */
class Dispatchers {
	private readonly proxies: Proxies;
	private readonly connect: object;
	private readonly direct: Agent;
	/** By the proxy's address. */
	private readonly proxied = new Map<string, ProxyAgent>();

	private constructor(proxies: Proxies, connect: object) {
		this.proxies = proxies;
		this.connect = connect;
		this.direct = new Agent({ ...timeouts, connect });
	}

	/** @throws HostError `start-failed` for a proxy or a certificate file that cannot be used. */
	static async make(settings: NetworkSettings): Promise<Dispatchers> {
		const proxies = configuredProxies(settings);
		const secureContext = await trustedAuthorities(settings);
		return new Dispatchers(proxies, {
			...(secureContext === undefined ? {} : { secureContext }),
			timeout: connectTimeoutMs,
			keepAlive: true,
			keepAliveInitialDelay: keepAliveDelayMs,
		});
	}

	to(target: URL): { readonly dispatcher: Dispatcher; readonly proxy: URL | undefined } {
		const proxy = proxyFor(target, this.proxies);
		if (proxy === undefined) return { dispatcher: this.direct, proxy };
		let dispatcher = this.proxied.get(proxy.href);
		if (dispatcher === undefined) this.proxied.set(proxy.href, (dispatcher = this.makeProxied(proxy)));
		return { dispatcher, proxy };
	}

	async destroy(): Promise<void> {
		await Promise.all([this.direct, ...this.proxied.values()].map((agent) => agent.destroy()));
	}

	private makeProxied(proxy: URL): ProxyAgent {
		const { connect } = this;
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

const timeouts = { headersTimeout: headersTimeoutMs, bodyTimeout: 0 };
