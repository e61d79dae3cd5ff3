import type { JsonPath } from "../../base/configText.ts";
import { type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isObject, textsOf } from "./data.ts";
import type { ForeignServer, ForeignServers, RefusedServer } from "./foreignServer.ts";
import { cherryStudio, foreignHost, hostOf, type ForeignHost, type ForeignHostId } from "./hosts.ts";
import { readSyntax } from "./syntax.ts";
import { translateEntry } from "./translateEntry.ts";

/** Servers in one place of a text. */
interface Group {
	/** The keys that lead there. */
	readonly path: JsonPath;
	readonly entries: readonly (readonly [name: string | undefined, entry: unknown])[];
	/** The host whose files have this key; a hint says more. */
	readonly host?: ForeignHostId;
	/** Whether they are in a list, and not under their names. */
	readonly isList?: true;
	/** Whether the path leads to the only entry. */
	readonly isOne?: true;
	readonly inputs?: unknown;
	/** Names that are switched off beside their entries. */
	readonly off?: ReadonlySet<string>;
	/** The only names that are switched on, where they are listed. */
	readonly on?: ReadonlySet<string>;
	/** The folder in which alone its host uses them. */
	readonly folder?: string;
}

/** Most servers that are taken from one text. */
const maxServers = 500;

/**
 * Reads a configuration of any host, whole or in part: JSON with comments, TOML or YAML; wrapped in its host's keys, a
 * bare map of entries, one bare entry, or `"name": {…}` without the braces around it. `hint` is the path or name of the
 * file, or the id of a host. The keys of the text decide, and the hint resolves ambiguities. The result has the form of
 * an `mcp.json`; parts that could not be translated are a remark, or a refusal with its reason. Undefined if the text
 * is not a configuration. Never throws, runs nothing and reads nothing else.
 */
export function readConfiguration(text: string, hint?: string): ForeignServers | undefined {
	if (text.trim() === "") return undefined;
	// A text that the other host cannot read is not read here either.
	const reading = readSyntax(text, hint === undefined);
	const hinted = hostOf(hint);
	if ("fault" in reading) {
		// Any sentence may look like YAML for its first words.
		if (reading.syntax !== "JSON" && hinted === undefined && !/(?:mcp_?servers|extensions|servers)/i.test(text))
			return undefined;
		return {
			format: formatOf(hinted, reading.syntax),
			servers: [],
			refused: [{ reason: reading.fault }],
			isBroken: true,
		};
	}
	const groups = groupsIn(reading.value);
	if (groups.length === 0) return undefined;
	const servers: ForeignServer[] = [];
	const refused: RefusedServer[] = [];
	const host = hinted ?? hostIn(groups);
	for (const group of groups) {
		const inputs = inputsOf(group.inputs);
		for (const [at, [name, entry]] of group.entries.entries()) {
			if (servers.length + refused.length >= maxServers) break;
			const isOff = name !== undefined && (group.off?.has(name) === true || group.on?.has(name) === false);
			const path =
				group.isList === true
					? [...group.path, at]
					: name === undefined || group.isOne === true
						? group.path
						: [...group.path, name];
			const { folder } = group;
			const remarks = [
				...(folder === undefined
					? []
					: [`${host?.label ?? "The other host"} uses it only in ${oneLine(folder, 200)}.`]),
				...repeatedIn(reading.repeated, path),
				...(reading.remark === undefined ? [] : [reading.remark]),
			];
			const where = folder === undefined ? { path } : { path, folder };
			const read = translateEntry(name, entry, { host, inputs, remarks, isOff, ...where });
			if ("reason" in read) refused.push(read);
			else servers.push(read);
		}
	}
	const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
	if (count > maxServers) refused.push({ reason: `Only the first ${maxServers} of its ${count} servers were read.` });
	return { format: formatOf(host, reading.syntax), servers, refused };
}

function formatOf(host: ForeignHost | undefined, syntax: string): string {
	return host === undefined ? `MCP configuration (${syntax})` : `${host.label} configuration (${syntax})`;
}

/** The host by the keys: of the text, or those that only its entries have. */
function hostIn(groups: readonly Group[]): ForeignHost | undefined {
	const byKey = groups.find(({ host }) => host !== undefined)?.host;
	if (byKey !== undefined) return foreignHost(byKey);
	const has = (...keys: readonly string[]): boolean =>
		groups.some(({ entries }) =>
			entries.some(([, entry]) => isObject(entry) && keys.some((key) => Object.hasOwn(entry, key))),
		);
	if (has("httpUrl", "includeTools", "excludeTools")) return foreignHost("gemini");
	if (has("serverUrl")) return foreignHost("windsurf");
	if (has("toolTimeoutMs", "startupTimeoutMs")) return foreignHost("kimi");
	if (has("isActive", "baseUrl", "registryUrl")) return cherryStudio;
	if (has("alwaysAllow", "watchPaths")) return foreignHost("roo");
	return has("bearer_token_env_var", "http_headers", "env_http_headers") ? foreignHost("codex") : undefined;
}

/** The places of servers in a whole text, by the keys that hosts have for them. */
function groupsIn(root: unknown): readonly Group[] {
	if (Array.isArray(root)) return listGroup(root, []);
	if (!isObject(root)) return [];
	const wrapped = wrappedIn(root, []);
	if (wrapped.length > 0) return wrapped;
	if (looksLikeEntry(root)) {
		const name = own(root, "name");
		const { inputs } = root;
		return [{ path: [], entries: [[typeof name === "string" ? name : undefined, root]], inputs }];
	}
	const below = inTools(root);
	if (below.length > 0) return below;
	// A bare map; an invalid entry is no reason to refuse the others.
	const entries = Object.entries(root);
	const isMap = entries.length > 0 && entries.every(([, entry]) => isObject(entry));
	return isMap && entries.some(([, entry]) => looksLikeEntry(entry)) ? [{ path: [], entries }] : [];
}

/** Snippets for agents and for endpoints of models keep servers among the tools, by their names or in a list. */
function inTools(root: JsonObject): readonly Group[] {
	const tools = own(root, "tools");
	if (isObject(tools)) {
		const wrapped = wrappedIn(tools, ["tools"]);
		const entries = Object.entries(tools).filter(([, entry]) => looksLikeEntry(entry));
		return wrapped.length > 0 || entries.length === 0 ? wrapped : [{ path: ["tools"], entries }];
	}
	return (Array.isArray(tools) ? tools : []).flatMap((entry: unknown, at): readonly Group[] => {
		if (!looksLikeEntry(entry) || !isObject(entry)) return [];
		const name = own(entry, "name") ?? own(entry, "server_label");
		return [{ path: ["tools", at], entries: [[typeof name === "string" ? name : undefined, entry]], isOne: true }];
	});
}

function wrappedIn(root: JsonObject, path: JsonPath): readonly Group[] {
	const groups: Group[] = [];
	const add = (key: string, host?: ForeignHostId, more: Partial<Group> = {}): void => {
		const found = own(root, key);
		const at = [...path, key];
		const given = host === undefined ? more : { ...more, host };
		if (Array.isArray(found)) for (const group of listGroup(found, at)) groups.push(Object.assign(group, given));
		else if (isObject(found)) groups.push({ path: at, entries: Object.entries(found), ...given });
	};
	const inputs = own(root, "inputs");
	add("mcpServers", Array.isArray(own(root, "mcpServers")) ? "continue" : undefined, { ...switchesOf(root), inputs });
	for (const key of Object.keys(root)) if (/^[\w-]+\.mcpServers$/.test(key) || key === "mcpHost.servers") add(key);
	add("servers", "vscode", { inputs });
	add("context_servers", "zed");
	add("mcp_servers", Array.isArray(own(root, "mcp_servers")) ? undefined : "codex");
	const extensions = own(root, "extensions");
	const parts = isObject(extensions) || Array.isArray(extensions) ? Object.values(extensions) : [];
	if (parts.some((one) => looksLikeEntry(one) || isGooseKind(one))) add("extensions", "goose");
	groups.push(...belowMcp(root, path), ...inSettings(root, path), ...inProjects(root, path));
	return groups;
}

/** `mcp` holds VS Code's `servers` in settings, opencode's map of entries, and Gemini CLI's rules for servers. */
function belowMcp(root: JsonObject, path: JsonPath): readonly Group[] {
	const mcp = own(root, "mcp");
	if (!isObject(mcp)) return [];
	const inner = wrappedIn(mcp, [...path, "mcp"]);
	// opencode added `servers` as well; its entries have a list for a command. One file may hold both.
	const isOpencode = inner.some(({ entries }) => entries.some(([, entry]) => isOpencodeEntry(entry)));
	const direct = Object.entries(mcp).filter(([, entry]) => looksLikeEntry(entry));
	const groups = isOpencode ? inner.map((group): Group => ({ ...group, host: "opencode" })) : inner;
	return direct.length === 0 ? groups : [...groups, { path: [...path, "mcp"], entries: direct, host: "opencode" }];
}

/** The settings of a `.code-workspace`, and those of a dev container. */
function inSettings(root: JsonObject, path: JsonPath): readonly Group[] {
	const settings = own(root, "settings");
	const customizations = own(root, "customizations");
	const editor = isObject(customizations) ? own(customizations, "vscode") : undefined;
	const container = isObject(editor) ? own(editor, "mcp") : undefined;
	return [
		...(isObject(settings) ? belowMcp(settings, [...path, "settings"]) : []),
		...(isObject(container) ? wrappedIn(container, [...path, "customizations", "vscode", "mcp"]) : []),
	];
}

/** Claude Code keeps servers of single folders beside those of the user. */
function inProjects(root: JsonObject, path: JsonPath): readonly Group[] {
	const projects = own(root, "projects");
	if (!isObject(projects)) return [];
	return Object.entries(projects).flatMap(([folder, project]): readonly Group[] => {
		const servers = isObject(project) ? own(project, "mcpServers") : undefined;
		if (!isObject(project) || !isObject(servers) || Object.keys(servers).length === 0) return [];
		return [
			{
				path: [...path, "projects", folder, "mcpServers"],
				entries: Object.entries(servers),
				host: "claude-code",
				folder,
				...switchesOf(project),
			},
		];
	});
}

/** A list of entries that say their names themselves, as Continue has. */
function listGroup(list: readonly unknown[], path: JsonPath): Group[] {
	const isOne = (entry: unknown): boolean =>
		looksLikeEntry(entry) || isGooseKind(entry) || (isObject(entry) && Object.hasOwn(entry, "uses"));
	if (!list.some(isOne)) return [];
	const entries = list.map((entry) => {
		const name = isObject(entry) ? own(entry, "name") : undefined;
		return [typeof name === "string" ? name : undefined, entry] as const;
	});
	return [{ path, entries, host: "continue", isList: true }];
}

/** The names that are switched off, or the only ones switched on, in keys beside the servers. */
function switchesOf(root: JsonObject): Pick<Group, "off" | "on"> {
	const mcp = own(root, "mcp");
	const rules = isObject(mcp) ? mcp : {};
	const off = ["disabledMcpServers", "disabledMcpjsonServers"].flatMap((key) => textsOf(own(root, key)) ?? []);
	const excluded = textsOf(own(rules, "excluded")) ?? [];
	const allowed = textsOf(own(rules, "allowed"));
	return {
		off: new Set([...off, ...excluded]),
		...(allowed === undefined || allowed.length === 0 ? {} : { on: new Set(allowed) }),
	};
}

function inputsOf(list: unknown): ReadonlyMap<string, JsonObject> {
	const inputs = new Map<string, JsonObject>();
	for (const input of Array.isArray(list) ? (list as readonly unknown[]) : []) {
		const id = isObject(input) ? own(input, "id") : undefined;
		if (isObject(input) && typeof id === "string") inputs.set(id, input);
	}
	return inputs;
}

/** Members of an entry that the text repeats. */
function repeatedIn(repeated: readonly JsonPath[], path: JsonPath): readonly string[] {
	const within = repeated.filter((one) => one.length <= path.length + 2 && path.every((key, at) => one[at] === key));
	return within
		.slice(0, 3)
		.map((one) => `"${oneLine(String(one.at(-1)), 40)}" is given more than once; the last one is used.`);
}

function looksLikeEntry(value: unknown): boolean {
	if (!isObject(value)) return false;
	// Goose once kept all but the switch one level deeper.
	if (isObject(own(value, "config")) && looksLikeEntry(own(value, "config"))) return true;
	const isOne = (key: string): boolean => {
		const found = own(value, key);
		return typeof found === "string" || (key === "command" && (Array.isArray(found) || isObject(found)));
	};
	// The addresses of other objects are not servers.
	const baseUrl = own(value, "baseUrl");
	if (typeof baseUrl === "string" && /^https?:\/\//i.test(baseUrl)) return true;
	return ["command", "cmd", "url", "serverUrl", "httpUrl", "uri", "server_url"].some(isOne);
}

function isOpencodeEntry(value: unknown): boolean {
	return isObject(value) && (Array.isArray(own(value, "command")) || own(value, "type") === "remote");
}

function isGooseKind(value: unknown): boolean {
	const inner = isObject(value) && isObject(own(value, "config")) ? own(value, "config") : value;
	return isObject(inner) && typeof own(inner, "type") === "string" && typeof own(inner, "name") === "string";
}
