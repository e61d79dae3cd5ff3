import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { readConfigText, type ConfigText, type JsonPath } from "../../base/configText.ts";
import type {
	ConfigOrigin,
	ConfigProblem,
	ConfigSource,
	InputDefinition,
	ParsedConfig,
	RawSource,
	ServerConfig,
	ServerDefinition,
	ServerId,
} from "./config.ts";
import { parseRoots } from "./parseRoots.ts";
import { parseDev } from "./parseDev.ts";
import { parseInputs } from "./parseInputs.ts";
import type { RootsRule } from "./rootsRule.ts";
import { parseEntry } from "./parseEntry.ts";
import { hasSandboxRules, noSandbox, sandboxKey } from "./sandboxRequest.ts";
import { claimsOrigin } from "./serverNames.ts";
import { variablesOf } from "./entryTexts.ts";

/** Largest configuration text that is read, in characters (CFG-18). */
export const maxTextLength = 1_000_000;
/** The settings that hold servers, and the inputs that those of the same scope refer to. */
export const serversSetting = "mcpHost.servers";
export const inputsSetting = "mcpHost.inputs";
/** Most servers of one source. */
const maxServers = 500;

type Report = (path: JsonPath, message: string, severity?: ConfigProblem["severity"]) => void;

/**
 * Reads one source of configuration. JSON with comments and trailing commas is accepted; a faulty entry becomes a
 * problem at its place and the valid ones are kept. Never throws for any text of a user.
 */
export function parseConfig(source: ConfigSource): ParsedConfig {
	return "parsed" in source ? source.parsed : parse(source);
}

function parse(source: RawSource): ParsedConfig {
	const problems: ConfigProblem[] = [];
	let text: ConfigText | undefined;
	const reportOf =
		(about: { readonly server?: string }): Report =>
		(path, message, severity = "error") => {
			const range = text?.rangeOf(path);
			const where = range === undefined ? {} : { range };
			problems.push({ origin: source.origin, path, message, severity, ...where, ...about });
		};
	const report = reportOf({});
	const nothing = (isIntact: boolean): ParsedConfig => ({ definitions: [], problems, isIntact });

	if ("text" in source.content) {
		if (source.content.text.length > maxTextLength) {
			report([], `This file has more than ${maxTextLength.toLocaleString("en-US")} characters and was not read.`);
			return nothing(false);
		}
		text = readConfigText(source.content.text);
		for (const { offset, length, message } of text.faults) {
			const range = { offset, length };
			problems.push({
				origin: source.origin,
				path: [],
				range,
				message: `Not valid JSON: ${message}.`,
				severity: "error",
			});
		}
		for (const path of text.repeated) {
			report(path, `"${oneLine(String(path.at(-1)), 40)}" is given more than once; the last one is used.`, "warning");
		}
	}
	const isIntact = text === undefined || text.faults.length === 0;
	const root = "text" in source.content ? text?.value : source.content.value;
	if (root === undefined) {
		// An empty text is a fault of JSON, but not in a new, empty file.
		if ("text" in source.content && source.content.text.trim() === "")
			return { definitions: [], problems: [], isIntact: true };
		return nothing(isIntact);
	}
	if (!isJsonObject(root)) {
		report([], "Expected an object.");
		return nothing(isIntact);
	}

	const { content } = source;
	const inputs =
		"text" in content
			? parseInputs(own(root, "inputs"), "inputs", report)
			: parseInputs(content.inputs, inputsSetting, report);
	const { key, servers } = findServers(source, root, report);
	const definitions: ServerDefinition[] = [];
	const names = Object.keys(servers);
	if (names.length > maxServers)
		report([key], `This file defines ${names.length} servers. Only the first ${maxServers} are used.`);
	for (const name of names.slice(0, maxServers)) {
		const path = key === "" ? [name] : [key, name];
		if (name.trim() === "") {
			report(path, "A server needs a name.");
			continue;
		}
		// Approvals are shown by lines, and two names that differ only in invisible characters would be confused.
		if (/[\p{Cc}\u2028\u2029]/u.test(name)) {
			report(path, "The name of a server may not contain line breaks or other control characters.");
			continue;
		}
		const entry = servers[name];
		const isOff = isJsonObject(entry) && own(entry, "disabled") === true;
		// Problems in an entry that is off are not reported.
		const reportServer = isOff ? () => undefined : reportOf({ server: name });
		if (text?.isHalfRead(path) === true) {
			reportServer(path, "This entry could only be read in part, so it is not used as a server. Fix its text first.");
			continue;
		}
		const config = parseEntry(entry, path, source.origin.kind === "dot-mcp-json", reportServer);
		if (config === undefined || !isJsonObject(entry)) continue;
		const roots = parseRoots(own(entry, "roots"), source.origin, (place, message, severity) =>
			reportServer([...path, "roots", ...place], message, severity),
		);
		const { watch, debug } = parseDev(own(entry, "dev"), (place, message) =>
			reportServer([...path, "dev", ...place], message, "warning"),
		);
		const isLocal = config.kind === "stdio";
		if ((watch ?? debug) !== undefined && !isLocal)
			reportServer([...path, "dev"], `"dev" is for servers with "command" and is ignored here.`, "warning");
		const asked = config.kind === "stdio" ? sandboxKey(entry) : undefined;
		if (asked !== undefined) reportServer([...path, asked], noSandbox, "warning");
		definitions.push({
			...define(name, isLocal && debug ? { ...config, debug } : config, source.origin, inputs, roots),
			...(isLocal && watch ? { watch } : {}),
			...(asked === undefined ? {} : { wantsSandbox: true as const }),
			...(isOff ? { isOff } : {}),
		});
	}
	const local = definitions.filter(({ config }) => config.kind === "stdio");
	if (hasSandboxRules(root) && key !== "" && local.length > 0 && !local.some(({ wantsSandbox }) => wantsSandbox)) {
		report(["sandbox"], noSandbox, "warning");
	}
	return { definitions, problems, isIntact };
}

/** The id of the server that is configured at a place under this name. */
export function idOf(origin: ConfigOrigin, name: string): ServerId {
	return `${origin.kind}:${origin.file ?? origin.folder ?? ""}#${name}`;
}

/** Makes a definition with its id and its hash; the only place where either is made. */
export function define(
	name: string,
	config: ServerConfig,
	origin: ConfigOrigin,
	inputs: readonly InputDefinition[] = [],
	roots?: RootsRule,
): ServerDefinition {
	const used = new Set(variablesOf(config));
	const usedInputs = inputs.filter((input) => used.has(`input:${input.id}`));
	const id = idOf(origin, name);
	// Every field counts, and so does the place: the same words elsewhere are another server (CFG-02, CFG-03, CFG-23).
	const hash = createHash("sha256")
		.update(canonicalJson({ id, folder: origin.folder ?? null, config, inputs: usedInputs }))
		.digest("hex");
	const definition = { id, name: oneLine(name, 80), config, origin, inputs: usedInputs, hash };
	return roots === undefined ? definition : { ...definition, roots };
}

/**
 * Joins the definitions of all sources, in order. Equal names are distinguished by their origin in `name`, so that a
 * user, a log line or a model never confuses two servers; so is a name that itself mentions another origin. `held` are
 * the current names of servers: a running server keeps its name when another entry with that name is added.
 */
export function mergeDefinitions(
	sources: readonly (readonly ServerDefinition[])[],
	held: ReadonlyMap<ServerId, string> = new Map(),
): readonly ServerDefinition[] {
	const all = sources.flat();
	// A server that is off does not take a name from one that is on.
	const used = Map.groupBy(
		all.filter(({ isOff }) => isOff !== true),
		({ name }) => name,
	);
	const taken = new Set(all.flatMap(({ id }) => held.get(id) ?? []));
	return all.map((definition) => {
		const own = held.get(definition.id);
		if (own !== undefined) return renamed(definition, own);
		const isShared = (used.get(definition.name)?.length ?? 0) + (definition.isOff === true ? 1 : 0) > 1;
		const isTold = isShared || claimsOrigin(definition.name, definition.origin.label);
		const wanted = isTold ? `${definition.name} (${definition.origin.label})` : definition.name;
		let name = wanted;
		// Two keys of one file may look the same, and a file may use the name that another was given here.
		for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
		taken.add(name);
		return renamed(definition, name);
	});
}

function renamed(definition: ServerDefinition, name: string): ServerDefinition {
	return name === definition.name ? definition : { ...definition, name };
}

/** The object that maps names to servers: `servers` in mcp.json, `mcpServers` in .mcp.json, a setting's whole value. */
function findServers(source: RawSource, root: JsonObject, report: Report): { key: string; servers: JsonObject } {
	if ("value" in source.content) return { key: "", servers: root };
	const key = serversKey(source.origin.kind, root);
	if (key !== undefined) {
		const servers = own(root, key);
		if (isJsonObject(servers)) return { key, servers };
		report([key], `"${key}" must be an object that maps names to servers.`);
		return { key, servers: {} };
	}
	const [usual] = serversKeys(source.origin.kind);
	if (Object.keys(root).length > 0) report([], `"${usual}" is missing, so this file defines no server.`, "warning");
	return { key: usual, servers: {} };
}

/** The key of a file whose object maps names to servers; undefined where it has none. */
export function serversKey(kind: ConfigOrigin["kind"], root: JsonObject): string | undefined {
	return serversKeys(kind).find((key) => own(root, key) !== undefined);
}

/** The accepted keys of a file, its own first. */
function serversKeys(kind: ConfigOrigin["kind"]): readonly [string, string] {
	return kind === "dot-mcp-json" ? ["mcpServers", "servers"] : ["servers", "mcpServers"];
}
