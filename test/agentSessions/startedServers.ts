import type { Json, JsonObject } from "../../src/base/json.ts";
import { isJsonObject } from "../../src/base/json.ts";
import {
	cellOf,
	startPlaces,
	type EditorAccess,
	type PlaceId,
	type Starter,
} from "../../src/servers/otherHosts/startFacts.ts";
import { smallEntry } from "../e2e/fixtures/serverEntries.ts";
import { parentsOf } from "../realServers/census.ts";
import { readReceived } from "../servers/received.ts";
import type { FilledPlaces } from "./agentWindow.ts";

/** A start of a server: the client in its handshake, and the programs that its process descends from. */
export interface Start {
	/** The place of the server, which gives it its name. */
	readonly server: PlaceId;
	readonly pid: number;
	/** Undefined until the client has named itself, which one that is ended at once never does. */
	readonly client: string | undefined;
	readonly parents: string;
}

/** Every place with one server each, which has the name of its place, writes to a log of that name and is marked. */
export function filledPlaces(logOf: (place: PlaceId) => string, mark: string): FilledPlaces {
	const entry = (place: PlaceId): object => ({ ...smallEntry(logOf(place)), env: { MCP_HOST_MARK: mark } });
	const servers = (place: PlaceId, key = "mcpServers"): object => ({ [key]: { [place]: entry(place) } });
	const { command, args } = smallEntry(logOf("codex"));
	return {
		workspace: {
			".vscode/mcp.json": servers("vscode", "servers"),
			".mcp.json": servers("root"),
			".github/mcp.json": servers("github"),
		},
		home: {
			".copilot/mcp-config.json": servers("copilot"),
			".claude.json": servers("claude"),
			".codex/config.toml": `[mcp_servers.codex]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
`,
		},
		user: servers("user", "servers"),
		extension: entry("extension"),
	};
}

/** The starts that the servers recorded, place by place, each with its client as soon as it has named itself. */
export class StartedServers {
	private readonly logOf: (place: PlaceId) => string;
	/** Parents are looked up as soon as a start is seen: the process may be gone later. */
	private readonly known = new Map<number, string>();
	private told = new Set<number>();

	constructor(logOf: (place: PlaceId) => string) {
		this.logOf = logOf;
	}

	/** Every start so far. */
	all(): readonly Start[] {
		return startPlaces.flatMap(({ id: server }) => {
			const received = readReceived(this.logOf(server));
			return received
				.filter(({ kind }) => kind === "start")
				.map(({ pid }) => {
					const parents = this.known.get(pid) ?? parentsOf(pid).join(" ← ");
					this.known.set(pid, parents);
					const messages = received.flatMap((one) => (one.kind === "message" && one.pid === pid ? [one.message] : []));
					return { server, pid, client: clientOf(messages), parents };
				});
		});
	}

	/** The starts since the last call. */
	fresh(): readonly Start[] {
		const fresh = this.all().filter(({ pid }) => !this.told.has(pid));
		for (const { pid } of fresh) this.told.add(pid);
		return fresh;
	}
}

/** The hosts that are observed. */
export type SeenHost = Extract<Starter, "local" | "copilot">;

const clients: Readonly<Record<string, SeenHost | "here">> = {
	"copilot-cli": "copilot",
	"code-server": "local",
	"mcp-host": "here",
};

/** The host of a start by the name of its client, or by its runtime before that; undefined for an unknown one. */
export function hostOf({ client = "", parents }: Start): SeenHost | "here" | undefined {
	return clients[client.split(" ", 1).join()] ?? (parents.startsWith("copilot-runtime") ? "copilot" : undefined);
}

/** Whether a host starts the server of a place without a registry, by docs/who-starts-what.md. */
export function isDocumented(place: PlaceId, host: SeenHost, access: EditorAccess): boolean {
	const found = startPlaces.find(({ id }) => id === place);
	return found !== undefined && !["–", "off", "not seen", "only of the registry"].includes(cellOf(found, host, access));
}

/** The name of a client in any revision of the protocol. */
function clientOf(messages: readonly JsonObject[]): string | undefined {
	for (const { params } of messages) {
		if (!isJsonObject(params)) continue;
		const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
		const info: Json | undefined = params["clientInfo"] ?? meta["io.modelcontextprotocol/clientInfo"];
		if (isJsonObject(info)) return `${String(info["name"])} ${String(info["version"])}`;
	}
	return undefined;
}
