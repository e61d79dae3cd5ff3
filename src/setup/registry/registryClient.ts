import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Network } from "../../protocol/http/network.ts";
import { EndpointGuard } from "../../protocol/authorization/endpointGuard.ts";
import { askJson } from "../../protocol/http/askJson.ts";
import { narrowed } from "./narrowed.ts";
import type { RegistryCache } from "./registryCache.ts";
import { readPage, readServer, type RegistryPage, type RegistryServer } from "../serverJson/registryServer.ts";

/** The dependencies of asking a registry. */
export interface RegistryServices {
	/** Its address, without the path of the API. */
	readonly url: string;
	readonly network: Pick<Network, "fetch">;
	readonly cache: RegistryCache;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** How long an answer may take, in milliseconds. */
	readonly timeoutMs?: number;
}

/** Servers that a registry lists, and since when that is known where the registry cannot be asked. */
export interface FoundServers extends RegistryPage {
	/** Why it was not asked, and the age of these servers; undefined for a current answer. */
	readonly offline: { readonly reason: string; readonly at: number } | undefined;
}

/** The number of servers per request. */
const pageSize = 30;
/** How long an answer counts without asking again, in milliseconds. */
const freshMs = 10 * 60 * 1000;

/**
 * Asks an MCP registry (API v0.1, https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/api).
 * Answers are stored, requested again by their tags, and used if the registry cannot be reached. Only the search text
 * is sent.
 */
export class RegistryClient {
	private readonly services: RegistryServices;
	private readonly guard: EndpointGuard;

	constructor(services: RegistryServices) {
		this.services = services;
		this.guard = new EndpointGuard(new URL(services.url), undefined, "The registry is not asked at");
	}

	/**
	 * The latest versions of the servers that a registry finds for a text, or the part of them after `cursor`.
	 * @throws HostError that describes the problem of its answer, or says that it cannot be reached and nothing is
	 * stored; the reason of `signal`.
	 */
	async search(text: string, cursor: string | undefined, signal: AbortSignal): Promise<FoundServers> {
		const words = text.trim().slice(0, 200);
		const query = new URLSearchParams({ limit: String(pageSize), version: "latest" });
		if (words !== "") query.set("search", words);
		if (cursor !== undefined) query.set("cursor", cursor);
		const url = `${this.base}/v0.1/servers?${query.toString()}`;
		try {
			return { ...this.pageOf(await this.ask(url, readPage, signal)), offline: undefined };
		} catch (error) {
			signal.throwIfAborted();
			if (!HostError.is(error, "unreachable")) throw error;
			const kept = await this.services.cache.get(url);
			const page = kept === undefined ? undefined : readPage(kept.body);
			if (kept !== undefined && page !== undefined) return { ...page, offline: { reason: error.message, at: kept.at } };
			const offline = await this.searchKept(words, cursor);
			if (offline === undefined) throw error;
			return { ...offline, offline: { reason: error.message, at: offline.at } };
		}
	}

	/** When the first version of a server was published; undefined where the registry does not say. Rejects with `signal` alone. */
	async firstPublished(server: RegistryServer, signal: AbortSignal): Promise<number | undefined> {
		try {
			const url = `${this.base}/v0.1/servers/${encodeURIComponent(server.name)}/versions`;
			const { servers } = this.pageOf(await this.ask(url, readPage, signal));
			const times = servers.flatMap(({ name, publishedAt }) =>
				name === server.name && publishedAt !== undefined ? [publishedAt] : [],
			);
			return times.length === 0 ? undefined : Math.min(...times);
		} catch {
			signal.throwIfAborted();
			return undefined;
		}
	}

	/**
	 * The latest version of a server; undefined where the registry has none of this name.
	 * @throws HostError as `search`.
	 */
	async latest(name: string, signal: AbortSignal): Promise<RegistryServer | undefined> {
		const url = `${this.base}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
		const server = readServer(await this.ask(url, readServer, signal));
		return server?.name === name ? server : undefined;
	}

	/** The names of known servers that still exist; only stored answers are used. */
	async known(holds: (server: RegistryServer) => boolean): Promise<readonly string[]> {
		const answers = await this.services.cache.all(`${this.base}/v0.1/servers?`);
		const found = answers.flatMap(({ body }) => readPage(body)?.servers ?? []).filter(holds);
		return [...new Set(found.map(({ name }) => name))];
	}

	private get base(): string {
		return this.services.url.replace(/\/$/, "");
	}

	/** The stored entries of this registry that contain the words, if it cannot be asked. */
	private async searchKept(
		words: string,
		cursor: string | undefined,
	): Promise<(RegistryPage & { readonly at: number }) | undefined> {
		if (cursor !== undefined) return undefined;
		const answers = await this.services.cache.all(`${this.base}/v0.1/servers?`);
		const [latest] = answers;
		if (latest === undefined) return undefined;
		const byName = new Map<string, RegistryServer>();
		for (const { body } of answers)
			for (const server of readPage(body)?.servers ?? []) if (!byName.has(server.name)) byName.set(server.name, server);
		return { servers: narrowed([...byName.values()], words), next: undefined, at: latest.at };
	}

	private pageOf(body: unknown): RegistryPage {
		const page = readPage(body);
		if (page === undefined) throw this.unusable("did not answer with a list of servers (registry API v0.1)");
		return page;
	}

	/** An answer in which `read` finds nothing is not stored: it would replace a real one for as long as it is fresh. */
	private async ask(url: string, read: (body: unknown) => unknown, signal: AbortSignal): Promise<unknown> {
		const { network, cache, now, timeoutMs } = this.services;
		const kept = await cache.get(url);
		if (kept !== undefined && now() - kept.at < freshMs && now() >= kept.at) return kept.body;
		const answer = await askJson(url, {
			network,
			...(await this.guard.admit(new URL(url))),
			who: `The registry ${this.name}`,
			signal,
			headers: kept?.etag === undefined ? {} : { "if-none-match": kept.etag },
			missing: "does not provide the registry API v0.1 at this address",
			moved: "redirects to another address, which MCP Host does not follow. Set that address in mcpHost.registry.url",
			...(timeoutMs === undefined ? {} : { timeoutMs }),
		});
		if (answer === undefined && kept === undefined) throw this.unusable("answered with status 304");
		const fresh = answer ?? { body: kept?.body, etag: kept?.etag };
		if (read(fresh.body) !== undefined) await cache.keep({ url, at: now(), ...fresh });
		return fresh.body;
	}

	private unusable(what: string): HostError {
		return new HostError("invalid", `The registry ${this.name} ${what}.`);
	}

	private get name(): string {
		return oneLine(new URL(this.services.url).host, 80);
	}
}
