import { isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { isObject } from "../../servers/formats/data.ts";

/** A version of a server as a registry lists it. Every text is its publisher's. */
export interface RegistryServer {
	/** `NAMESPACE/NAME`, of which the registry checked the namespace. */
	readonly name: string;
	readonly title: string | undefined;
	readonly description: string;
	readonly version: string;
	readonly repository: string | undefined;
	readonly website: string | undefined;
	/** When this version was published, in milliseconds since the epoch. */
	readonly publishedAt: number | undefined;
	/** Why it is deprecated; undefined if it is not. */
	readonly deprecated: string | undefined;
	/** `packages` and `remotes` of its `server.json`, as received. */
	readonly packages: readonly JsonObject[];
	readonly remotes: readonly JsonObject[];
}

/** A part of a list. */
export interface RegistryPage {
	readonly servers: readonly RegistryServer[];
	/** The cursor of the next part; undefined for the last one. */
	readonly next: string | undefined;
}

/** The form of names that the API prescribes. */
const nameForm = /^[a-zA-Z0-9.-]{1,100}\/[a-zA-Z0-9._-]{1,100}$/;
const meta = "io.modelcontextprotocol.registry/official";
/** The maximum number of entries of one part, and of packages and remotes of each: a larger answer is invalid. */
const most = { servers: 200, ways: 20 } as const;
const longest = { title: 100, description: 500, version: 255, address: 2000, cursor: 1000 } as const;

/**
 * Reads an answer of `GET /v0.1/servers` or `…/versions` (registry API v0.1, `ServerList`). Invalid and deleted entries
 * are left out; of several with one name and version the first counts. Undefined if it is not such an answer.
 */
export function readPage(value: unknown): RegistryPage | undefined {
	if (!isObject(value)) return undefined;
	const listed = own(value, "servers");
	// One that has none may say null.
	if (listed !== null && !Array.isArray(listed)) return undefined;
	const known = new Set<string>();
	const servers = ((listed ?? []) as readonly unknown[]).slice(0, most.servers).flatMap((one) => {
		const server = readServer(one);
		const key = server === undefined ? "" : `${server.name.toLowerCase()} ${server.version}`;
		if (server === undefined || known.has(key)) return [];
		known.add(key);
		return [server];
	});
	const metadata = own(value, "metadata");
	const next = isObject(metadata) ? text(metadata, "nextCursor", longest.cursor) : undefined;
	return { servers, next: next === "" ? undefined : next };
}

/** Reads one entry of such an answer, or the answer for one version (`ServerResponse`); undefined if it is invalid. */
export function readServer(value: unknown): RegistryServer | undefined {
	if (!isObject(value)) return undefined;
	const server = own(value, "server");
	if (!isObject(server)) return undefined;
	const found = own(value, "_meta");
	const official = isObject(found) ? own(found, meta) : undefined;
	const about: JsonObject = isObject(official) ? official : {};
	const name = text(server, "name", 201);
	const status = own(about, "status");
	if (name === undefined || !nameForm.test(name) || status === "deleted") return undefined;
	const repository = own(server, "repository");
	return {
		name,
		title: text(server, "title", longest.title),
		description: text(server, "description", longest.description) ?? "",
		version: text(server, "version", longest.version) ?? "",
		repository: isObject(repository) ? address(repository, "url") : undefined,
		website: address(server, "websiteUrl"),
		publishedAt: time(about, "publishedAt"),
		deprecated: status === "deprecated" ? (text(about, "statusMessage", longest.description) ?? "") : undefined,
		packages: objects(server, "packages"),
		remotes: objects(server, "remotes"),
	};
}

/** A text, cut if it is longer than the API allows; undefined for any other value. */
function text(object: JsonObject, key: string, limit: number): string | undefined {
	const found = own(object, key);
	return typeof found === "string" ? found.slice(0, limit) : undefined;
}

function address(object: JsonObject, key: string): string | undefined {
	const found = text(object, key, longest.address);
	return found !== undefined && /^https:\/\//i.test(found) && URL.canParse(found) ? found : undefined;
}

function time(object: JsonObject, key: string): number | undefined {
	const found = Date.parse(text(object, key, 40) ?? "");
	return Number.isNaN(found) ? undefined : found;
}

function objects(object: JsonObject, key: string): readonly JsonObject[] {
	const found = own(object, key);
	return Array.isArray(found) ? found.slice(0, most.ways).filter(isJsonObject) : [];
}
