import { BlockList, isIP } from "node:net";
import { isThisMachine } from "../../base/addresses.ts";
import { HostError } from "../../base/errors.ts";
import type { NetworkSettings } from "../limits.ts";

/** Chromium's and the editor's word for "this machine, too" in a list of exceptions. */
const includeLoopback = "<-loopback>";
const protocols: ReadonlySet<string> = new Set(["http:", "https:", "socks:", "socks5:"]);

/** The proxies that are configured, and what is reached without them. */
export interface Proxies {
	readonly http: URL | undefined;
	readonly https: URL | undefined;
	/** The entries of `NO_PROXY`. */
	readonly exceptions: readonly string[];
}

/**
 * The proxies of the settings, otherwise of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY in either case.
 * @throws HostError `start-failed` that names the source of an invalid address.
 */
export function configuredProxies(settings: NetworkSettings): Proxies {
	const variable = (name: string): { source: string; text: string } | undefined => {
		for (const source of [name.toLowerCase(), name]) {
			const text = settings.environment[source];
			if (text !== undefined && text !== "") return { source, text };
		}
		return undefined;
	};
	const { proxy } = settings;
	const set = proxy === undefined || proxy === "" ? undefined : { source: "the settings", text: proxy };
	const exceptions = settings.noProxy ?? (variable("NO_PROXY")?.text ?? "").split(/[\s,]+/);
	return {
		http: parseProxy(set ?? variable("HTTP_PROXY") ?? variable("ALL_PROXY")),
		https: parseProxy(set ?? variable("HTTPS_PROXY") ?? variable("ALL_PROXY")),
		exceptions: exceptions.filter((entry) => entry !== ""),
	};
}

/** The proxy by which an address is reached. This machine is reached directly unless `<-loopback>` is an exception. */
export function proxyFor(target: URL, proxies: Proxies): URL | undefined {
	const proxy = target.protocol === "https:" ? proxies.https : proxies.http;
	if (proxy === undefined) return undefined;
	if (isThisMachine(target) && !proxies.exceptions.includes(includeLoopback)) return undefined;
	return proxies.exceptions.some((entry) => matches(target, entry)) ? undefined : proxy;
}

/** Whether an entry of `NO_PROXY` means a host: `*`, `example.com` with all below it, `host:8080`, an address, a network. */
function matches(target: URL, entry: string): boolean {
	if (entry === "*") return true;
	const host = target.hostname.replace(/^\[|\]$/g, "");
	const [, network, bits] = /^\[?([\da-f.:]+)\]?\/(\d+)$/i.exec(entry) ?? [];
	if (network !== undefined) return isInNetwork(host, network, Number(bits));
	const [, name = entry, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
	const ownPort = target.port === "" ? (target.protocol === "https:" ? "443" : "80") : target.port;
	if (port !== undefined && port !== ownPort) return false;
	const wanted = name
		.toLowerCase()
		.replace(/^\[|\]$/g, "")
		.replace(/^\*?\./, "");
	return host === wanted || host.endsWith(`.${wanted}`);
}

function isInNetwork(host: string, network: string, bits: number): boolean {
	const family = isIP(network);
	if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
	const type = family === 4 ? "ipv4" : "ipv6";
	const list = new BlockList();
	list.addSubnet(network, bits, type);
	return list.check(host, type);
}

function parseProxy(configured: { readonly source: string; readonly text: string } | undefined): URL | undefined {
	if (configured === undefined) return undefined;
	const { source, text } = configured;
	// Many write only host and port.
	const url = URL.parse(text.includes("://") ? text : `http://${text}`);
	// The text may hold a password, so it is not repeated.
	if (url === null || !protocols.has(url.protocol) || url.hostname === "") {
		throw new HostError("start-failed", `The proxy in ${source} is not an address such as http://proxy.example:8080.`);
	}
	return url;
}
