import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject } from "../../base/json.ts";
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
import type { ProtocolMode } from "../../protocol/connection.ts";
import { parseRoots } from "./parseRoots.ts";
import { parseInputs } from "./parseInputs.ts";
import type { RootsRule } from "./rootsRule.ts";
import { meantKey, meantType } from "./meantKeys.ts";
import { parseOAuth } from "./parseOAuth.ts";
import { hasSandboxRules, noSandbox, sandboxKey } from "./sandboxRequest.ts";
import { claimsOrigin } from "./serverNames.ts";
import { withShellVariables } from "./shellVariables.ts";
import { variablesOf } from "./variableNames.ts";

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
 * problem at its place and the sound ones are kept. Never throws for what a person may write.
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
		// An empty text is a fault of JSON, but a file that somebody has just made is none of theirs.
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
	if (names.length > maxServers) report([key], `Only the first ${maxServers} of ${names.length} servers are used.`);
	for (const name of names.slice(0, maxServers)) {
		const path = key === "" ? [name] : [key, name];
		if (name.trim() === "") {
			report(path, "A server needs a name.");
			continue;
		}
		// Approvals are kept by lines, and two names that differ only in what nobody sees would be taken for one another.
		if (/[\p{Cc}\u2028\u2029]/u.test(name)) {
			report(path, "The name of a server may not contain line breaks or other control characters.");
			continue;
		}
		const entry = servers[name];
		const isOff = isJsonObject(entry) && own(entry, "disabled") === true;
		// What is wrong with an entry that is off concerns nobody.
		const reportServer = isOff ? () => undefined : reportOf({ server: name });
		const written = parseServer(entry, path, reportServer);
		if (written === undefined || !isJsonObject(entry)) continue;
		const config = source.origin.kind === "dot-mcp-json" ? withShellVariables(written) : written;
		const roots = parseRoots(own(entry, "roots"), source.origin, (place, message, severity) =>
			reportServer([...path, "roots", ...place], message, severity),
		);
		const asked = config.kind === "stdio" ? sandboxKey(entry) : undefined;
		if (asked !== undefined) reportServer([...path, asked], noSandbox, "warning");
		definitions.push({
			...define(name, config, source.origin, inputs, roots),
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
 * Joins the definitions of all sources, in order. Equal names are told apart by their origin in `name`, so that a
 * person, a log line or a model never takes one server for another; so is a name that itself speaks of another origin.
 * `held` are the names that servers go by now: one that runs keeps its name when another of that name is written.
 */
export function mergeDefinitions(
	sources: readonly (readonly ServerDefinition[])[],
	held: ReadonlyMap<ServerId, string> = new Map(),
): readonly ServerDefinition[] {
	const all = sources.flat();
	// One that is off takes no name away from one that is used.
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

function didYouMean(meant: string | undefined): string {
	return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

/** Reads a key as data: inherited members such as `constructor` are absent (CFG-19). */
function own(object: JsonObject, key: string): unknown {
	return Object.hasOwn(object, key) ? object[key] : undefined;
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

/** The keys that are looked for in a file, its own first. */
function serversKeys(kind: ConfigOrigin["kind"]): readonly [string, string] {
	return kind === "dot-mcp-json" ? ["mcpServers", "servers"] : ["servers", "mcpServers"];
}

const protocolModes: readonly ProtocolMode[] = ["auto", "legacy", "modern"];
/** The keys that mean something here, and those of other hosts, which mean nothing here and are no fault either. */
const knownKeys: ReadonlySet<string> = new Set(
	"type command args env envFile cwd url headers protocol roots"
		.split(" ")
		.concat("dev gallery version disabled description sandbox sandboxEnabled oauth auth".split(" ")),
);

function parseServer(value: unknown, path: readonly string[], report: Report): ServerConfig | undefined {
	let isSound = true;
	const fail = (key: string | JsonPath | undefined, message: string): undefined => {
		isSound = false;
		report([...path, ...(typeof key === "string" ? [key] : (key ?? []))], message);
		return undefined;
	};
	if (!isJsonObject(value)) return fail(undefined, "A server must be an object.");
	for (const key of Object.keys(value)) {
		if (knownKeys.has(key)) continue;
		report(
			[...path, key],
			`"${oneLine(key, 40)}" is not a known key and is ignored.${didYouMean(meantKey(key))}`,
			"warning",
		);
	}
	const text = (key: string): string | undefined => {
		const found = own(value, key);
		return found === undefined || typeof found === "string" ? found : fail(key, `"${key}" must be a string.`);
	};
	const texts = (key: string): Record<string, string> => {
		const found = own(value, key);
		if (found === undefined || found === null) return {};
		if (!isJsonObject(found)) return fail(key, `"${key}" must be an object of strings.`) ?? {};
		const result: Record<string, string> = Object.create(null);
		for (const [name, entry] of Object.entries(found)) {
			// The system ends a name at the first sign: it would set another variable than the review says (CFG-27).
			if (key === "env" && !/^[^=\0]+$/.test(name))
				fail([key, name], `"${oneLine(name, 40)}" in "env" is not a valid name of a variable.`);
			else if (typeof entry === "string") result[name] = entry;
			else if (typeof entry === "number" || typeof entry === "boolean") result[name] = String(entry);
			else if (entry !== null) fail([key, name], `"${oneLine(name, 40)}" in "${key}" must be a string.`);
		}
		return result;
	};
	const protocolText = text("protocol") ?? "auto";
	const protocol =
		protocolModes.find((mode) => mode === protocolText) ??
		fail("protocol", `"protocol" must be one of ${protocolModes.join(", ")}.`);
	const command = text("command");
	const url = text("url");
	// What is there but is no text was reported above.
	const isMissing = (key: string): boolean => own(value, key) === undefined;
	const type = text("type") ?? (isMissing("command") ? "http" : "stdio");
	let config: ServerConfig | undefined;
	if (command !== undefined && url !== undefined) fail(undefined, `Give either "command" or "url", not both.`);
	else if (type === "stdio") {
		if (isMissing("command") || command?.trim() === "") fail(undefined, `A server of type "stdio" needs "command".`);
		const args = own(value, "args") ?? [];
		const isTexts = Array.isArray(args) && args.every((item): item is string => typeof item === "string");
		if (!Array.isArray(args)) fail("args", `"args" must be a list of strings.`);
		else if (!isTexts) {
			const index = args.findIndex((item) => typeof item !== "string");
			fail(["args", index], `"args" must be a list of strings; put item ${index + 1} in quotes.`);
		}
		const envFile = text("envFile");
		const cwd = text("cwd");
		config = {
			kind: "stdio",
			command: command ?? "",
			args: isTexts ? args : [],
			env: texts("env"),
			protocol: protocol ?? "auto",
			...(envFile === undefined ? {} : { envFile }),
			...(cwd === undefined ? {} : { cwd }),
		};
	} else if (type === "http" || type === "sse" || type === "streamable-http" || type === "streamableHttp") {
		const kind = type === "sse" ? "sse" : "http";
		if (isMissing("url")) fail(undefined, `A server needs "command" (local) or "url" (remote).`);
		else if (url !== undefined && !/^https?:\/\/|^\$\{/i.test(url))
			fail("url", `"url" must begin with http:// or https://.`);
		const headers = texts("headers");
		const oauth = parseOAuth(value, (place, message, severity) => {
			if (severity === "error") isSound = false;
			report([...path, ...place], message, severity);
		});
		if (oauth !== undefined && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) {
			const message = `The header "Authorization" is sent as it is, so "oauth" is not used.`;
			report([...path, "headers"], message, "warning");
		}
		config = {
			kind,
			url: url ?? "",
			headers,
			protocol: protocol ?? "auto",
			...(oauth === undefined ? {} : { oauth }),
		};
	} else fail("type", `"type" must be stdio, http or sse.${didYouMean(meantType(type))}`);
	return isSound ? config : undefined;
}
