import { isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { writeBackslash, type JsonPath } from "../../base/configText.ts";
import { commandFault } from "../../protocol/stdio/commandFault.ts";
import { isBrokenPath, lostBackslash } from "../formats/windowsPaths.ts";
import type { ProtocolMode } from "../../protocol/connection.ts";
import type { ConfigProblem, ServerConfig } from "./config.ts";
import { changeTexts, EntryTexts, ownTexts } from "./entryTexts.ts";
import { meantKey, meantType } from "./meantKeys.ts";
import { parseOAuth } from "./parseOAuth.ts";
import { withShellVariables } from "./shellVariables.ts";

/** Receives the problem at a place. */
export type EntryReport = (path: JsonPath, message: string, severity?: ConfigProblem["severity"]) => void;

const protocolModes: readonly ProtocolMode[] = ["auto", "legacy", "modern"];
/** The keys with a meaning here, and those of other hosts, which have no meaning here but are not errors. */
const knownKeys: ReadonlySet<string> = new Set(
	"type command args env envFile cwd url headers protocol roots"
		.split(" ")
		.concat("dev gallery version disabled description sandbox sandboxEnabled oauth auth".split(" ")),
);

/**
 * Reads the entry of one server; `path` is its place. `isShellFile` says that all its `${NAME}` are variables of the
 * environment, as in an `.mcp.json`. Problems are reported at their places; undefined if no server can be made of the
 * entry.
 */
export function parseEntry(
	value: unknown,
	path: readonly string[],
	isShellFile: boolean,
	report: EntryReport,
): ServerConfig | undefined {
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
	/** The text of a key that is one path, with the home folder for a `~` at its beginning. */
	const place = (key: string): string | undefined => {
		const found = text(key);
		if (found !== undefined && isBrokenPath(found)) return fail(key, lostAt(key));
		return found?.replace(/^~(?=$|[\\/])/, "${userHome}");
	};
	const url = text("url");
	// Other hosts write both, and leave the unused one empty.
	const isMissing = (key: string): boolean =>
		own(value, key) === undefined || (key === "command" && own(value, key) === "" && (url ?? "") !== "");
	const command = isMissing("command") ? undefined : place("command");
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
		const lost = isTexts ? args.findIndex(lostBackslash) : -1;
		if (lost !== -1) fail(["args", lost], lostAt(`item ${lost + 1} of "args"`));
		const fault = commandFault(command ?? "", isTexts && args.length > 0);
		if (fault !== undefined) report([...path, "command"], `"command" ${fault.what}. ${fault.advice}`, "warning");
		const envFile = place("envFile");
		const cwd = place("cwd");
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
	return isSound && config !== undefined ? withOwnVariables(config, value, isShellFile) : undefined;
}

function lostAt(place: string): string {
	const shown = /^[a-z]+$/i.test(place) ? `"${place}"` : place;
	return `${shown} lost the backslashes of its path: ${writeBackslash}.`;
}

/**
 * The configuration with the variables of its entry's own `env` as such. A remote server gets no environment, so that its
 * texts have them replaced here.
 */
function withOwnVariables(config: ServerConfig, entry: JsonObject, isShellFile: boolean): ServerConfig {
	const env = ownTexts(entry);
	const names = isShellFile ? undefined : new Set(Object.keys(env));
	const translated = withShellVariables(config, names);
	if (translated.kind === "stdio") return translated;
	const around = new EntryTexts(withShellVariables(env, names), () => undefined);
	return changeTexts(translated, (text) => around.text(text));
}

function didYouMean(meant: string | undefined): string {
	return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
