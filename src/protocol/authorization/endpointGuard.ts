import type { FetchLike } from "@modelcontextprotocol/client";
import { lookup as systemLookup } from "node:dns/promises";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { NetworkInit } from "../http/network.ts";
import { isProtected, literalRange, rangeOf, type AddressRange } from "../../base/addresses.ts";

/** Resolves a host name to all its addresses; rejects when it has none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** How long a metadata, registration or token request may take, in milliseconds. */
const requestTimeoutMs = 30_000;
/** How long a name server is waited for, in milliseconds. */
const lookupTimeoutMs = 3000;

/** From where to where a server may send us: never further in than it is itself. */
const reach: Readonly<Record<AddressRange, readonly AddressRange[]>> = {
	public: ["public"],
	private: ["public", "private"],
	loopback: ["public", "private", "loopback"],
	forbidden: [],
};

/**
 * Decides which addresses a server may name for its authorization: `https:`, or `http:` between loopback addresses, and
 * no network that the server itself is not in (AUT-01, AUT-03). Names are looked up as far as this machine can, and
 * their addresses are checked again on connecting; behind a proxy the proxy decides.
 */
export class EndpointGuard {
	private readonly server: URL;
	private readonly lookup: Lookup;
	private readonly leads: string;
	private serverRange: Promise<AddressRange> | undefined;
	/** The range of the server, once it is known. */
	private from: AddressRange | undefined;
	/**
	 * Checked for each address on connecting: a name may resolve to another one by then, or may not have resolved in
	 * time.
	 */
	private readonly mayConnect = (address: string): boolean =>
		this.from !== undefined && reach[this.from].includes(rangeOf(address));

	/** `leads`: the beginning of the message about a refused address. */
	constructor(server: URL, lookup: Lookup = lookupAll, leads = "The server sends the sign-in to") {
		this.server = server;
		this.lookup = lookup;
		this.leads = leads;
	}

	/** @throws HostError `denied` that names the address, which is a stranger's text, on one line. */
	async check(url: URL): Promise<void> {
		const refuse = (why: string): never => {
			throw new HostError(
				"denied",
				`${this.leads} ${oneLine(url.origin === "null" ? url.href : url.origin, 100)}, ${why}. Nothing was sent there.`,
			);
		};
		if (url.protocol !== "https:" && url.protocol !== "http:") refuse("which is not a web address");
		if (url.username !== "" || url.password !== "") refuse("with a user name in the address");
		// A server that also has an outside address gets no access further inside.
		this.serverRange ??= this.rangeOf(this.server, outermost);
		const [from, to] = await Promise.all([this.serverRange, this.rangeOf(url, innermost)]);
		this.from = from;
		if (!isProtected(url)) refuse("which is not encrypted (https)");
		if (!reach[from].includes(to)) refuse("an address on this machine or in its network, although the server is not");
	}

	/**
	 * A fetch that calls `check` first, and for the address that is then connected to. For all requests that do not go to
	 * the server itself. See `limited`.
	 */
	guarding(fetch: FetchLike, signal?: AbortSignal): FetchLike {
		const inTime = limited(fetch, signal);
		return async (input, init) => {
			await this.check(new URL(input));
			const guarded: NetworkInit = { ...init, mayConnect: this.mayConnect };
			return inTime(input, guarded);
		};
	}

	/** The same for one request: returns what a fetch to this address needs, so that it connects to no other. */
	async admit(url: URL): Promise<Pick<NetworkInit, "mayConnect">> {
		await this.check(url);
		return { mayConnect: this.mayConnect };
	}

	/**
	 * The first range of an order that the addresses of a name are in; unknown for a name that does not resolve in time.
	 */
	private async rangeOf(url: URL, order: readonly AddressRange[]): Promise<AddressRange> {
		const literal = literalRange(url);
		if (literal !== undefined) return literal;
		const addresses = await this.lookup(url.hostname).catch((): readonly string[] => []);
		const ranges = new Set(addresses.map(rangeOf));
		return order.find((range) => ranges.has(range)) ?? "public";
	}
}

/**
 * A fetch that gives up after a while, or when the signal is aborted. The error names who does not answer.
 * @throws HostError `unreachable`; anything else that the fetch throws.
 */
export function limited(fetch: FetchLike, signal?: AbortSignal): FetchLike {
	return async (input, init) => {
		const signals = [AbortSignal.timeout(requestTimeoutMs)];
		for (const other of [signal, init?.signal]) if (other instanceof AbortSignal) signals.push(other);
		try {
			return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
		} catch (error) {
			if (!HostError.is(error, "unreachable")) throw error;
			const { host } = new URL(input);
			throw new HostError("unreachable", `${host} cannot be reached to sign in. ${error.message}`, { cause: error });
		}
	};
}

const innermost: readonly AddressRange[] = ["forbidden", "loopback", "private"];
const outermost: readonly AddressRange[] = ["public", "private", "loopback", "forbidden"];

async function lookupAll(hostname: string): Promise<readonly string[]> {
	const { promise, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new Error("The name server is too slow.")), lookupTimeoutMs);
	try {
		const found = await Promise.race([systemLookup(hostname, { all: true }), promise]);
		return found.map(({ address }) => address);
	} finally {
		clearTimeout(timer);
	}
}
