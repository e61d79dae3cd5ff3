import { isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { textOf } from "./data.ts";
import { exportTarget, type ExportTarget } from "./exportTargets.ts";
import type { ForeignHostId } from "./hosts.ts";
import { longestLink } from "./installLinks.ts";
import { type ExportedServer, writeEntry } from "./writeEntry.ts";
import type { WrittenServers } from "./writeConfiguration.ts";

/** A host that servers are installed in by a link. */
export interface LinkTarget {
	readonly id: string;
	readonly label: string;
	/** The host whose words the link holds. */
	readonly host: ForeignHostId;
	/** The link; undefined if it cannot express the entry. */
	readonly link: (name: string, entry: JsonObject, inputs: readonly JsonObject[]) => string | undefined;
}

const json = (value: unknown): string => JSON.stringify(value);
const base64 = (value: unknown): string => Buffer.from(json(value)).toString("base64");
const query = (pairs: readonly (readonly [string, string])[]): string =>
	pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
const plain =
	(address: string, write: (value: unknown) => string): LinkTarget["link"] =>
	(name, entry) =>
		`${address}?${query([
			["name", name],
			["config", write(entry)],
		])}`;
const withInputs = (name: string, entry: JsonObject, inputs: readonly JsonObject[]): string =>
	query([["name", name], ["config", json(entry)], ...(inputs.length === 0 ? [] : [["inputs", json(inputs)] as const])]);

/**
 * The hosts with install links that are read here as well. Pages accept only web addresses as links, so VS Code's own
 * addresses go through `vscode.dev/redirect`, which opens VS Code.
 */
export const linkTargets: readonly LinkTarget[] = [
	{
		id: "mcp-host",
		label: "MCP Host",
		host: "vscode",
		// Letters, digits and dashes only: intermediaries may decode the link any number of times.
		link: (name, entry, inputs) => {
			const config = Buffer.from(json({ name, ...entry, ...(inputs.length === 0 ? {} : { inputs }) }));
			const link = `vscode://mcp-host.mcp-host/install?config=${config.toString("base64url")}`;
			return `https://vscode.dev/redirect?url=${encodeURIComponent(link)}`;
		},
	},
	{
		id: "vscode",
		label: "VS Code",
		host: "vscode",
		link: (...server) => `https://vscode.dev/redirect/mcp/install?${withInputs(...server)}`,
	},
	{ id: "cursor", label: "Cursor", host: "cursor", link: plain("https://cursor.com/en/install-mcp", base64) },
	{ id: "lm-studio", label: "LM Studio", host: "lm-studio", link: plain("https://lmstudio.ai/install-mcp", base64) },
	{ id: "kiro", label: "Kiro", host: "kiro", link: plain("https://kiro.dev/launch/mcp/add", json) },
	{ id: "goose", label: "Goose", host: "goose", link: gooseLink },
];

/** Writes servers as badges: a line of Markdown each, whose link installs the server in a host that the user has. */
export function writeBadges(servers: readonly ExportedServer[], target: LinkTarget): WrittenServers {
	const changes: { server: string; what: string }[] = [];
	const lines: string[] = [];
	const host = exportTarget(target.host);
	const words: ExportTarget = {
		...host,
		label: target.label,
		...(target.id === "mcp-host" ? { isHere: true } : {}),
		// Its links have no member for a description.
		...(target.id === "goose" ? { keeps: [] } : {}),
	};
	for (const server of servers) {
		const written = writeEntry({ ...server, isOff: false }, words);
		const link = written.entry && target.link(server.name, whole(written.entry), server.inputs);
		const isFit = link !== undefined && link.length <= longestLink;
		const off = server.isOff ? ["It is switched off here, but will be on where the link installs it."] : [];
		if (isFit) changes.push(...[...off, ...written.changes].map((what) => ({ server: server.name, what })));
		else {
			const why =
				link === undefined ? `an install link of ${target.label} cannot represent it` : "the link would be too long";
			changes.push({ server: server.name, what: `It was left out: ${why}.` });
			continue;
		}
		const title = `Install ${server.name} in ${target.label}`;
		const image = `https://img.shields.io/badge/${encodeURIComponent(target.label.replaceAll("-", "--"))}-Install-0078d4`;
		lines.push(`[![${escapeMarkdown(title)}](${image})](${inMarkdown(link)})`);
	}
	return { text: lines.length === 0 ? "" : `${lines.join("\n")}\n`, changes, count: lines.length };
}

/** An entry in which the program and its arguments are clearly separated. */
function whole(entry: JsonObject): JsonObject {
	return typeof own(entry, "command") === "string" && own(entry, "args") === undefined ? { ...entry, args: [] } : entry;
}

/** `goose://extension?cmd=…&arg=…&env=NAME=description`, or `url=…` for a remote server. */
function gooseLink(name: string, entry: JsonObject): string | undefined {
	const args = own(entry, "args");
	const envs = own(entry, "envs");
	const headers = own(entry, "headers");
	const keys = own(entry, "env_keys");
	// Such a link contains no values: the user who opens it is asked for each.
	if ((isJsonObject(envs) && Object.keys(envs).length > 0) || isJsonObject(headers)) return undefined;
	const url = textOf(own(entry, "uri"));
	const list = (key: string, values: unknown): readonly (readonly [string, string])[] =>
		(Array.isArray(values) ? values : []).map((value: unknown) => [key, textOf(value) ?? ""] as const);
	return `goose://extension?${query([
		...(url === undefined
			? [["cmd", textOf(own(entry, "cmd")) ?? ""] as const, ...list("arg", args)]
			: [["url", url] as const, ["type", textOf(own(entry, "type")) ?? ""] as const]),
		...list("env", keys),
		["id", name],
		["name", name],
	])}`;
}

/** An address that ends where it ends: brackets in it would end the link of the page. */
function inMarkdown(link: string): string {
	return link.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("'", "%27");
}
