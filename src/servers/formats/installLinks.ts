import { isJsonObject, type JsonObject, objectsIn, parseJson } from "../../base/json.ts";
import type { ForeignServers } from "./foreignServer.ts";
import { readNamed } from "./namedConfiguration.ts";

/** Longest link that is read: more than any configuration of one server takes. */
export const longestLink = 20_000;
/** Links in a text, as buttons of a README hold them. */
const links = /(?:vscode(?:-insiders)?|vscodium|cursor|lmstudio|goose|kiro|https):\/{0,2}[^\s<>"'`)\]]{1,20000}/gi;

/** A kind of link: how it is recognized, and its host's name for it. */
interface LinkKind {
	readonly format: string;
	/** On `scheme:host/path`, in small letters, without slashes at the end. */
	readonly pattern: RegExp;
	readonly host: string;
	/** How the configuration is written in it. */
	readonly holds: "json" | "query" | "goose";
}

/**
 * The install links of hosts: https://code.visualstudio.com/api/extension-guides/ai/mcp (VS Code),
 * https://cursor.com/docs/mcp/install-links, https://lmstudio.ai/docs/app/mcp/deeplink,
 * https://kiro.dev/docs/mcp/share, https://block.github.io/goose/docs/getting-started/using-extensions.
 */
const kinds: readonly LinkKind[] = [
	{
		format: "VS Code install link",
		pattern: /^vscode(?:-insiders)?:mcp\/install$|^https:vs-open\.link\/mcp-install$/,
		host: "vscode",
		holds: "json",
	},
	{
		format: "VS Code install link",
		pattern: /^https:(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install$/,
		host: "vscode",
		holds: "query",
	},
	{
		format: "Cursor install link",
		pattern:
			/^cursor:anysphere\.cursor-deeplink\/mcp\/install$|^https:(?:www\.)?cursor\.com\/(?:[a-z-]{2,5}\/)?(?:install-mcp|link\/mcp\/install)$/,
		host: "cursor",
		holds: "query",
	},
	{
		format: "LM Studio install link",
		pattern: /^lmstudio:add_mcp$|^https:lmstudio\.ai\/install-mcp$/,
		host: "lm-studio",
		holds: "query",
	},
	{
		format: "Kiro install link",
		pattern: /^https:kiro\.dev\/launch\/mcp\/add$|^kiro:kiro\.mcp\/add$/,
		host: "kiro",
		holds: "query",
	},
	{ format: "Goose install link", pattern: /^goose:extension$/, host: "goose", holds: "goose" },
	{
		format: "MCP Host install link",
		pattern: /^(?:vscode|vscode-insiders|vscodium):mcp-host\.mcp-host\/install$/,
		host: "vscode",
		holds: "query",
	},
];

/** The install links that a text holds, in order, each once. */
export function linksIn(text: string): readonly string[] {
	const found = [...text.matchAll(links)].map(([link]) => link).filter((link) => kindOf(link) !== undefined);
	return [...new Set(found)];
}

/** Reads an install link of any host; undefined for other links. Nothing is opened or fetched. */
export function readInstallLink(link: string): ForeignServers | undefined {
	const text = link.trim();
	const kind = kindOf(text);
	if (kind === undefined) return undefined;
	const { format, host, holds } = kind;
	const refuse = (reason: string): ForeignServers => ({ format, servers: [], refused: [{ reason }] });
	if (text.length > longestLink) return refuse("The link is too long to be an install link for a server.");
	const [, query = ""] = /\?([^#]*)/s.exec(redirected(text)) ?? [];
	const parameters = new URLSearchParams(query);
	if (holds === "goose") return readGoose(format, parameters);
	const config = holds === "json" ? decoded(query) : configOf(parameters.get("config") ?? "");
	if (config === undefined) return refuse("The configuration in the link is not a JSON object.");
	const listed = parseJson(parameters.get("inputs") ?? "[]");
	const { name: own, inputs = listed, ...entry } = config;
	const name = parameters.get("name") ?? (typeof own === "string" ? own : undefined);
	return readNamed(
		format,
		{
			entry,
			inputs: objectsIn(inputs),
			...(name === undefined ? {} : { name }),
		},
		host,
	);
}

function kindOf(link: string): LinkKind | undefined {
	const [, scheme = "", rest = ""] = /^([a-z-]{3,20}):(?:\/\/)?([^?#]{1,200})/i.exec(redirected(link)) ?? [];
	const place = `${scheme}:${rest}`.toLowerCase().replace(/\/{1,3}$/, "");
	return kinds.find(({ pattern }) => pattern.test(place));
}

/** `https://vscode.dev/redirect?url=vscode:mcp/install?…` leads to the link in it. */
function redirected(link: string): string {
	const [, target] = /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/?\?url=([^&]+)/i.exec(link) ?? [];
	return target === undefined ? link : (unescaped(target) ?? link);
}

/** `goose://extension?cmd=…&arg=…&env=NAME=description`, or `url=…` for a remote server. */
function readGoose(format: string, parameters: URLSearchParams): ForeignServers {
	const name = parameters.get("name") ?? parameters.get("id") ?? undefined;
	const inputs: JsonObject[] = [];
	const asked = (pair: string): readonly [string, string] => {
		const equals = pair.indexOf("=");
		const [key, words] = equals === -1 ? [pair, pair] : [pair.slice(0, equals), pair.slice(equals + 1)];
		inputs.push({ id: key, type: "promptString", description: words, password: true });
		return [key, `\${input:${key}}`];
	};
	const env = Object.fromEntries(parameters.getAll("env").map(asked));
	const headers = Object.fromEntries(parameters.getAll("header").map(asked));
	const url = parameters.get("url");
	const entry: JsonObject =
		url === null
			? { type: "stdio", command: parameters.get("cmd") ?? "", args: parameters.getAll("arg"), env }
			: { type: parameters.get("type") === "sse" ? "sse" : "http", url, headers };
	return readNamed(format, { entry, inputs, ...(name === undefined ? {} : { name }) }, "vscode");
}

/**
 * The install link of MCP Host with this query, as editors pass it on: most decode it once, so that the characters of a
 * JSON text in it look like those between parameters. Text that is still encoded, or base64, stays.
 */
export function ownInstallLink(query: string): string {
	const pairs: string[] = [];
	for (let at = 0; at < query.length;) {
		const equals = query.indexOf("=", at);
		if (equals === -1) break;
		const start = equals + 1;
		const isJson = query[start] === "{" || query[start] === "[";
		const next = isJson ? endOfJson(query, start) : query.indexOf("&", start);
		const end = next === -1 ? query.length : next;
		const value = query.slice(start, end);
		const isEncoded = /%[\dA-F]{2}/i.test(value) && unescaped(value) !== undefined;
		pairs.push(`${query.slice(at, equals)}=${isEncoded && !isJson ? value : encodeURIComponent(value)}`);
		at = end + 1;
	}
	return `vscode://mcp-host.mcp-host/install?${pairs.join("&")}`;
}

/** Where a JSON text ends that begins at an index: the brackets in its texts do not count. */
function endOfJson(text: string, start: number): number {
	let depth = 0;
	let isText = false;
	for (let at = start; at < text.length; at++) {
		const sign = text[at];
		if (isText && sign === "\\") at++;
		else if (sign === '"') isText = !isText;
		else if (!isText && (sign === "{" || sign === "[")) depth++;
		else if (!isText && (sign === "}" || sign === "]") && --depth === 0) return at + 1;
	}
	return -1;
}

/** A configuration as JSON, or as base64 of JSON. */
function configOf(text: string): JsonObject | undefined {
	// In a query a plus is a blank, and links are made without heed to it.
	const base64 = text.replaceAll(" ", "+").replaceAll("-", "+").replaceAll("_", "/");
	const read = parseJson(text) ?? decoded(text) ?? parseJson(Buffer.from(base64, "base64").toString("utf8"));
	if (!isJsonObject(read)) return undefined;
	// Some links wrap the entry in its name.
	const [only, ...more] = Object.entries(read);
	if (only === undefined || more.length > 0 || !isJsonObject(only[1])) return read;
	return { name: only[0], ...only[1] };
}

function decoded(text: string): JsonObject | undefined {
	const plain = unescaped(text);
	const value = plain === undefined ? undefined : parseJson(plain);
	return isJsonObject(value) ? value : undefined;
}

function unescaped(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
