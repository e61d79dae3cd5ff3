import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An entry of a registry, in the shape of `ServerResponse` of its API. */
export type RegistryEntry = Readonly<Record<string, unknown>>;

/** A registry on this machine that lists the given entries. */
export interface TestRegistry extends AsyncDisposable {
	readonly url: string;
	/** The requests, without its own address. */
	readonly asked: string[];
	/** The tags of requests that asked whether something changed. */
	readonly tags: (string | undefined)[];
	entries: readonly RegistryEntry[];
	/** Files that it serves beside its API, by their paths. */
	readonly files: Map<string, Uint8Array>;
	/** Answers in place of the list. */
	answer: ((response: ServerResponse) => void) | undefined;
	/** Stops listening, like a machine without a network. */
	close(): Promise<void>;
}

const day = 24 * 60 * 60 * 1000;

/**
 * An entry in the shape that https://registry.modelcontextprotocol.io/v0.1/servers gives (OpenAPI document 2025-12-01 of
 * modelcontextprotocol/registry, `ServerResponse`), published so many days ago.
 */
export function registryEntry(name: string, more: object, daysOld = 100, status = "active"): RegistryEntry {
	const publishedAt = new Date(Date.now() - daysOld * day).toISOString();
	return {
		server: {
			$schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
			name,
			description: `What ${name} does`,
			repository: { url: `https://github.com/${name.replace(/^[^/]*\//, "acme/")}`, source: "github" },
			version: "1.2.0",
			...more,
		},
		_meta: {
			"io.modelcontextprotocol.registry/official": { status, publishedAt, updatedAt: publishedAt, isLatest: true },
		},
	};
}

/** An npm package of a `server.json`. */
export function npmPackage(identifier: string, more: object = {}): object {
	return { registryType: "npm", identifier, version: "1.2.0", transport: { type: "stdio" }, ...more };
}

function nameOf(entry: RegistryEntry): string {
	return (entry["server"] as { readonly name: string }).name;
}

/** Starts a registry with the API v0.1: lists, searches by name, pages, tags. */
export async function startRegistry(entries: readonly RegistryEntry[] = []): Promise<TestRegistry> {
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "/", "http://registry");
		registry.asked.push(`${url.pathname}${url.search}`);
		registry.tags.push(request.headers["if-none-match"]);
		if (registry.answer !== undefined) {
			registry.answer(response);
			return;
		}
		const file = registry.files.get(url.pathname);
		if (file !== undefined) {
			const type = url.pathname.endsWith(".json") ? "application/json" : "application/octet-stream";
			response.writeHead(200, { "content-type": type }).end(file);
			return;
		}
		const latest = /^\/v0\.1\/servers\/([^/]+)\/versions\/latest$/.exec(url.pathname)?.[1];
		const entry = latest && registry.entries.find((one) => nameOf(one) === decodeURIComponent(latest));
		if (typeof entry === "object") {
			response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(entry));
			return;
		}
		const versions = /^\/v0\.1\/servers\/([^/]+)\/versions$/.exec(url.pathname)?.[1];
		if (versions === undefined && url.pathname !== "/v0.1/servers") {
			response.writeHead(404, { "content-type": "application/problem+json" }).end("{}");
			return;
		}
		const search = url.searchParams.get("search") ?? "";
		const found = registry.entries.filter((entry) =>
			versions === undefined ? nameOf(entry).includes(search) : nameOf(entry) === decodeURIComponent(versions),
		);
		const start = Number(url.searchParams.get("cursor") ?? 0);
		const end = start + Number(url.searchParams.get("limit") ?? 30);
		const metadata = { count: found.length, ...(end < found.length ? { nextCursor: String(end) } : {}) };
		const body = JSON.stringify({ servers: found.slice(start, end), metadata });
		const tag = `"${body.length}-${start}-${search}"`;
		if (request.headers["if-none-match"] === tag) response.writeHead(304).end();
		else response.writeHead(200, { "content-type": "application/json", etag: tag }).end(body);
	});
	server.listen(0, "127.0.0.1");
	await new Promise<void>((resolve) => server.once("listening", () => resolve()));
	const close = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise<void>((resolve) => server.close(() => resolve()));
	};
	const registry: TestRegistry = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked: [],
		tags: [],
		entries,
		files: new Map(),
		answer: undefined,
		close,
		[Symbol.asyncDispose]: close,
	};
	return registry;
}
