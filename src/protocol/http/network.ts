import { X509Certificate } from "node:crypto";
import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { SecureContext } from "node:tls";
import * as tls from "node:tls";
import type { Dispatcher } from "undici";
import { HostError, messageOf } from "../../base/errors.ts";
import { lazy } from "../../base/lazy.ts";
import { oneLine } from "../../base/text.ts";
import type { NetworkSettings } from "../limits.ts";
import { networkError, wasCut } from "./networkFault.ts";
import { configuredProxies, proxyFor, type Proxies } from "./proxies.ts";
import { sendRequest } from "./sendRequest.ts";

/** A tool may compute for as long as a request may last before its answer begins, in milliseconds. */
const headersTimeoutMs = 60 * 60 * 1000;
/** How long a connection to a server or a proxy may take to open, in milliseconds. */
const connectTimeoutMs = 15_000;
/**
 * Silence after which the operating system asks whether the other side is still there; with its ten questions, one a
 * second, a connection that a router forgot is noticed within a minute (TRN-44).
 */
const keepAliveDelayMs = 30_000;
/** An origin that sent nothing for this long may have closed its kept connections, in milliseconds. */
const quietMs = 100;

/** Imported once: if VS Code has module hooks in a separate thread, each import asks that thread again. */
const library = lazy(() => import("./undici.ts"));

const timeouts = { headersTimeout: headersTimeoutMs, bodyTimeout: 0 };

/** The options of a request, and what of it `fetch` does not know. */
export interface NetworkInit extends RequestInit {
	/**
	 * Whether a connection may be opened to an address that the host's name resolves to. Without it, any may; behind a
	 * proxy, the proxy decides.
	 */
	readonly mayConnect?: (address: string) => boolean;
}

/** The way to the network of one connection. */
export interface Network {
	/**
	 * As `fetch`, but never VS Code's or Node's global one: with the proxy and the certificates of the settings, without
	 * the 300 seconds after which undici cuts a quiet stream, and leaving redirects to the caller. A server may close a
	 * kept connection just when it is used again. A request that may be sent twice (always GET and HEAD) is then sent
	 * again, over a fresh connection. Before any other request, connections that were already closed are dropped.
	 * @throws HostError `unreachable`, `start-failed`, or `denied` by `mayConnect`, if nothing was sent; otherwise the
	 * error of `fetch`.
	 */
	fetch(url: string | URL, init?: NetworkInit, isRepeatable?: boolean): Promise<Response>;
	/** Breaks what is open; no request can be made afterwards. Never rejects. */
	close(): Promise<void>;
}

/** Opens the way to the network. Settings that cannot be used fail the requests that need them. */
export function openNetwork(settings: NetworkSettings): Network {
	const ways = new Ways(settings);
	/** The origins that have answered, so that a connection may have been kept, and when they did last. */
	const answered = new Map<string, number>();
	let isClosed = false;
	const send = async (target: URL, { mayConnect, ...init }: NetworkInit = {}): Promise<Response> => {
		const { dispatcher, proxy } = await ways.to(target, mayConnect);
		if (isClosed) throw new TypeError("The network of this connection is closed.");
		try {
			return await sendRequest(dispatcher, target, init);
		} catch (error) {
			throw init.signal?.aborted === true ? error : networkError(error, target, proxy);
		}
	};
	return {
		async fetch(url, init, isRepeatable = ["GET", "HEAD"].includes(init?.method ?? "GET")) {
			const target = new URL(url);
			const answeredAt = answered.get(target.origin);
			// A process that was suspended sends over a connection whose end it has not noticed yet, and cannot know the
			// outcome.
			if (!isRepeatable && answeredAt !== undefined && performance.now() - answeredAt > quietMs) await hearOfEnds();
			const response = await send(target, init).catch((error: unknown) => {
				const isAgain = isRepeatable && answered.has(target.origin) && wasCut(error) && !isClosed;
				if (!isAgain || init?.signal?.aborted === true) throw error;
				ways.renew();
				return send(target, init);
			});
			answered.set(target.origin, performance.now());
			return response;
		},
		async close() {
			isClosed = true;
			await ways.close();
		},
	};
}

/** Resolves once the event loop has looked at all sockets: the turn that it is in may have done so before. */
async function hearOfEnds(): Promise<void> {
	await setImmediate();
	await setImmediate();
}

/** The pools of connections by the ways that settings give, each made when it is first gone. */
class Ways {
	private readonly settings: NetworkSettings;
	private readonly dispatchers = new Map<string, Promise<Dispatcher>>();
	/** The address checks, each with its own number: no request uses a connection that another check allowed. */
	private readonly guards = new Map<NonNullable<NetworkInit["mayConnect"]>, number>();
	/** Agents that take no new requests; their open requests continue. */
	private readonly retired = new Set<Promise<Dispatcher>>();
	private proxies: Proxies | undefined;
	private trust: Promise<SecureContext | undefined> | undefined;

	constructor(settings: NetworkSettings) {
		this.settings = settings;
	}

	/** @throws HostError `start-failed` for a proxy or a certificate file that cannot be used. */
	async to(
		target: URL,
		mayConnect: NetworkInit["mayConnect"],
	): Promise<{ readonly dispatcher: Dispatcher; readonly proxy: URL | undefined }> {
		this.proxies ??= configuredProxies(this.settings);
		const proxy = proxyFor(target, this.proxies);
		const isSecure = target.protocol === "https:" || proxy?.protocol === "https:";
		if (mayConnect !== undefined && !this.guards.has(mayConnect)) this.guards.set(mayConnect, this.guards.size + 1);
		const guard = mayConnect === undefined ? 0 : (this.guards.get(mayConnect) ?? 0);
		const key = `${isSecure ? "secure" : "plain"} ${guard} ${proxy?.href ?? ""}`;
		let dispatcher = this.dispatchers.get(key);
		if (dispatcher === undefined) this.dispatchers.set(key, (dispatcher = this.make(isSecure, proxy, mayConnect)));
		return { dispatcher: await dispatcher, proxy };
	}

	/** Lets no new request use a connection that is open already. */
	renew(): void {
		for (const dispatcher of this.dispatchers.values()) {
			this.retired.add(dispatcher);
			void dispatcher
				.then((pool) => pool.close())
				.catch(() => undefined)
				.finally(() => this.retired.delete(dispatcher));
		}
		this.dispatchers.clear();
	}

	async close(): Promise<void> {
		const ends = [...this.dispatchers.values(), ...this.retired].map(async (dispatcher) =>
			(await dispatcher).destroy(),
		);
		await Promise.allSettled(ends);
	}

	private async make(
		isSecure: boolean,
		proxy: URL | undefined,
		mayConnect: NetworkInit["mayConnect"],
	): Promise<Dispatcher> {
		// Plain connections need no certificates, nor the time that it takes to read them.
		const secureContext = isSecure ? await (this.trust ??= trustedAuthorities(this.settings)) : undefined;
		const connect = {
			...(secureContext === undefined ? {} : { secureContext }),
			timeout: connectTimeoutMs,
			keepAlive: true,
			keepAliveInitialDelay: keepAliveDelayMs,
		};
		const { Agent, Pool, ProxyAgent } = await library.get();
		if (proxy === undefined) {
			const guarded = mayConnect === undefined ? {} : { lookup: guardedLookup(mayConnect) };
			return new Agent({ ...timeouts, connect: { ...connect, ...guarded } });
		}
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

/** Looks names up as Node does, and refuses a name that resolves to an address that may not be connected to. */
function guardedLookup(mayConnect: NonNullable<NetworkInit["mayConnect"]>): LookupFunction {
	return (hostname, options, done) => {
		lookup(hostname, { ...options, all: true }, (error, addresses) => {
			if (error !== null) return done(error, "");
			if (!addresses.every(({ address }) => mayConnect(address))) {
				const why = "an address on this machine or in its network, although the server is not";
				return done(
					new HostError("denied", `${oneLine(hostname, 100)} resolves to ${why}. Nothing was sent there.`),
					"",
				);
			}
			const [first] = addresses;
			return options.all === true ? done(null, addresses) : done(null, first?.address ?? "", first?.family);
		});
	};
}

const pemBlock = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * The certificates that TLS connections trust, if they are more than Node's own: those of Node, the files of the
 * settings, those of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and the operating system's authorities if the settings say
 * so. Undefined if nothing is added.
 * @throws HostError `start-failed` that names a file that cannot be used.
 */
async function trustedAuthorities(settings: NetworkSettings): Promise<tls.SecureContext | undefined> {
	const files = (settings.certificateAuthorities ?? []).map((path) => ({ path, source: "the settings" }));
	// Node reads the first of them at its own start only, and the second never.
	for (const source of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]) {
		const path = settings.environment[source];
		if (path !== undefined && path !== "") files.push({ path, source });
	}
	const added = (await Promise.all(files.map(({ path, source }) => readAuthorities(path, source)))).flat();
	if (settings.trustSystem === true) added.push(...authoritiesOfSystem().map((text) => text.trim()));
	const byDefault = new Set(authoritiesOf("default").map((text) => text.trim()));
	const all = new Set([...byDefault, ...added]);
	if (all.size === byDefault.size) return undefined;
	// One context for all connections, and one text: reading hundreds of certificates takes long, one by one still longer.
	return tls.createSecureContext({ ca: [...all].join("\n") });
}

async function readAuthorities(path: string, source: string): Promise<readonly string[]> {
	const failed = (why: string, cause?: unknown): HostError =>
		new HostError("start-failed", `The certificate authorities in ${path} (named by ${source}) ${why}.`, { cause });
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		throw failed(`cannot be read: ${messageOf(error)}`, error);
	});
	const blocks = text.match(pemBlock) ?? [];
	if (blocks.length === 0) throw failed("cannot be used: the file contains no certificate in PEM format");
	try {
		// As one text each, so that those that Node trusts anyway are recognised.
		return blocks.map((block) => new X509Certificate(block).toString().trim());
	} catch (error) {
		throw failed("cannot be used: a certificate in the file is damaged", error);
	}
}

let ofSystem: readonly string[] | undefined;

/** Asked for once: the answer can take long, and only a restart changes it. */
function authoritiesOfSystem(): readonly string[] {
	ofSystem ??= authoritiesOf("system");
	return ofSystem;
}

function authoritiesOf(kind: "default" | "system"): readonly string[] {
	const builtIn = kind === "default" ? tls.rootCertificates : [];
	// Missing before Node 22.15 and where the editor's Node is built without it.
	if (typeof tls.getCACertificates !== "function") return builtIn;
	try {
		return tls.getCACertificates(kind);
	} catch {
		return builtIn;
	}
}
