import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { readConfigText } from "../../base/configText.ts";
import { comparedPath, isWithin } from "../../base/folderPaths.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { showHidden } from "../../base/text.ts";
import type { ForeignServers } from "../formats/foreignServer.ts";
import { hostOf } from "../formats/hosts.ts";
import { readConfiguration } from "../formats/readConfiguration.ts";
import { insideFolders, realPath } from "../../protocol/stdio/insideFolders.ts";
import type { ConfigOrigin, ConfigProblem, ParsedConfig } from "./config.ts";
import { parseConfig } from "./parseConfig.ts";

/** Most files of other hosts that are followed. */
const maxFiles = 50;
/** The maximum length of a text whose places are looked for; longer ones contain history. */
const maxPlaced = 1_000_000;

/** The absolute paths in the setting `mcpHost.followedFiles`, each once; other values are left out. */
export function followedPaths(setting: unknown, home: string = homedir()): readonly string[] {
	const texts = Array.isArray(setting) ? setting.filter((text) => typeof text === "string") : [];
	const paths = texts.map((text) => (/^~(?:[\\/]|$)/.test(text) ? join(home, text.slice(1)) : text));
	const absolute = paths.filter((path) => isAbsolute(path)).map((path) => resolve(path));
	const known = new Set<string>();
	const isNew = (path: string): boolean => !known.has(comparedPath(path)) && known.add(comparedPath(path)) === known;
	return absolute.filter(isNew).slice(0, maxFiles);
}

/**
 * The file of another host as an origin of servers. A file in an open folder belongs to that workspace, no matter who
 * follows it: the workspace's trust applies to its contents.
 */
export async function followedOrigin(
	path: string,
	folders: readonly string[],
	home: string = homedir(),
): Promise<ConfigOrigin> {
	const real = await realPath(path);
	let within: string | undefined;
	for (const folder of folders) {
		const { isInside } = await insideFolders([folder]);
		if (isInside(path) || isInside(real)) within = folder;
	}
	const host = hostOf(path)?.label;
	const shown = showHidden(isWithin(path, home) ? join("~", path.slice(home.length)) : path);
	return {
		kind: "followed",
		label: host === undefined ? shown : `${host}, ${shown}`,
		file: path,
		...(within === undefined ? {} : { folder: within }),
		isWorkspace: within !== undefined,
	};
}

/**
 * The contents of another host's file, by the rules of its own entries: only its servers, never its permissions for
 * tools. Internal parts of that host are left out. An entry that cannot be translated is a problem at its place, and so
 * is a server for which `whyNot` returns a reason. Never throws.
 */
export function parseFollowed(
	origin: ConfigOrigin,
	text: string,
	whyNot: (server: { readonly name: string; readonly entry: JsonObject }) => string | undefined = () => undefined,
): ParsedConfig {
	const path = origin.file ?? "";
	const problems: ConfigProblem[] = [];
	// A program that writes a file may empty it first (CFG-20).
	if (text.trim() === "") return { definitions: [], problems, isIntact: false };
	const found = readConfiguration(text, path);
	if (found === undefined || found.isBroken === true) {
		const message = found?.refused[0]?.reason ?? `MCP Host found no servers in ${basename(path)}.`;
		problems.push({ origin, path: [], message, severity: "warning" });
		return { definitions: [], problems, isIntact: found === undefined };
	}
	const places = found.format.endsWith("(JSON)") && text.length <= maxPlaced ? readConfigText(text) : undefined;
	const report = (
		at: ConfigProblem["path"],
		message: string,
		severity: ConfigProblem["severity"],
		server?: string,
		more: Pick<ConfigProblem, "isByPolicy"> = {},
	): void => {
		const range = places?.rangeOf(at);
		const about = { ...(range === undefined ? {} : { range }), ...(server === undefined ? {} : { server }) };
		problems.push({ origin, path: at, message, severity, ...about, ...more });
	};
	for (const { name, reason, path: at = [], isNoLoss } of found.refused)
		if (isNoLoss !== true) report(at, `MCP Host cannot use this server: ${reason}`, "warning", name);
	const { entries, inputs, paths } = entriesOf(found);
	for (const [name, entry] of entries) {
		const why = whyNot({ name, entry });
		if (why === undefined) continue;
		report(paths.get(name) ?? [], why, "warning", name, { isByPolicy: true });
		entries.delete(name);
	}
	const parsed = parseConfig({ origin, content: { value: Object.fromEntries(entries), inputs } });
	for (const {
		path: [name = ""],
		message,
		severity,
		server,
	} of parsed.problems)
		report(paths.get(String(name)) ?? [], message, severity, server);
	return { definitions: parsed.definitions, problems, isIntact: true };
}

/** The servers that the other host uses everywhere, by their names; the first one of a name counts. */
function entriesOf({ servers }: ForeignServers) {
	const entries = new Map<string, JsonObject>();
	const inputs = new Map<string, Json>();
	const paths = new Map<string, ConfigProblem["path"]>();
	for (const server of servers) {
		const { name, entry, isOff, path = [], folder } = server;
		if (name === undefined || folder !== undefined || entries.has(name)) continue;
		entries.set(name, isOff ? { ...entry, disabled: true } : entry);
		paths.set(name, path);
		for (const input of server.inputs) if (typeof input["id"] === "string") inputs.set(input["id"], input);
	}
	return { entries, inputs: [...inputs.values()], paths };
}
