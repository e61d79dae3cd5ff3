import { isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { hasHiddenCharacters, oneLine } from "../../base/text.ts";
import type { ConfigOrigin } from "./config.ts";
import type { JsonPath } from "../../base/configText.ts";
import { variablesIn } from "./variableNames.ts";
import { isAddress, type RootsRule } from "./rootsRule.ts";

/**
 * Receives the problem at a place below the rule. The server stays in use: a faulty part of the rule only shows it
 * less.
 */
export type RootsReport = (path: JsonPath, message: string, severity: "error" | "warning") => void;

const knownKeys: ReadonlySet<string> = new Set(["folders", "extra", "allowNonFile"]);
/** Most patterns, and most further roots, of one rule. */
const maxItems = 100;
/** Longest pattern, path or address, in characters. */
const maxLength = 2000;
const none: RootsRule = { folders: [], extra: [] };

/**
 * Reads which roots a server is offered: `true` as without a rule, `false` none, or an object of `folders`, `extra` and
 * `allowNonFile`. Undefined when there is nothing. An invalid rule shows the server nothing.
 */
export function parseRoots(value: unknown, origin: ConfigOrigin, report: RootsReport): RootsRule | undefined {
	if (value === undefined || value === null) return undefined;
	if (value === true) return { extra: [] };
	if (value === false) return none;
	if (!isJsonObject(value)) {
		report([], `"roots" must be true, false or an object, so the server sees no roots.`, "error");
		return none;
	}
	for (const key of Object.keys(value)) {
		if (knownKeys.has(key)) continue;
		report([key], `"${oneLine(key, 40)}" is not a known key of "roots" and is ignored.`, "warning");
	}
	const allowNonFile = own(value, "allowNonFile");
	if (allowNonFile !== undefined && typeof allowNonFile !== "boolean")
		report(["allowNonFile"], `"allowNonFile" must be true or false.`, "error");
	const folders = texts(value, "folders", "the server sees no workspace folder", report);
	const extra = (texts(value, "extra", "it is ignored", report) ?? []).flatMap(([text, index]) => {
		const fault = faultOf(text, origin, allowNonFile === true);
		if (fault === undefined) return [text];
		report(["extra", index], fault, "error");
		return [];
	});
	return { ...(folders === undefined ? {} : { folders: folders.map(([text]) => text) }), extra };
}

/** The texts of a list with their places; undefined when there is none, empty when it is not a list. */
function texts(
	value: JsonObject,
	key: string,
	consequence: string,
	report: RootsReport,
): readonly (readonly [string, number])[] | undefined {
	const list = own(value, key);
	if (list === undefined || list === null) return undefined;
	if (!Array.isArray(list)) {
		report([key], `"${key}" must be a list of strings, so ${consequence}.`, "error");
		return [];
	}
	if (list.length > maxItems) report([key], `Only the first ${maxItems} items of "${key}" are used.`, "warning");
	return list.slice(0, maxItems).flatMap((item: unknown, index): readonly (readonly [string, number])[] => {
		if (typeof item === "string" && item.trim() !== "" && item.length <= maxLength) return [[item, index]];
		const message = `Item ${index + 1} of "${key}" must be a string of 1 to ${maxLength} characters, and is ignored.`;
		report([key, index], message, "error");
		return [];
	});
}

/** The problem of a text in `extra`; undefined when it may be used. */
function faultOf(text: string, origin: ConfigOrigin, allowNonFile: boolean): string | undefined {
	const shown = oneLine(text, 60);
	if (hasHiddenCharacters(text) || /[\n\t]/.test(text)) return `"${shown}" contains hidden characters, and is ignored.`;
	const strange = variablesIn(text).find((name) => !/^(workspaceFolder(:.+)?|userHome)$/s.test(name));
	if (strange !== undefined) {
		const known = "${workspaceFolder}, ${workspaceFolder:name} or ${userHome}";
		return `\${${oneLine(strange, 40)}} cannot be used in roots; use ${known}.`;
	}
	if (isAddress(text)) return faultOfAddress(text, shown, allowNonFile);
	if (/^[a-z][a-z\d+.-]+:(?!\\)/i.test(text) || /^[^/\\@]+@[^/\\:]+:/.test(text))
		return `"${shown}" is neither a path nor a URI with "//", and is ignored.`;
	const isRelative = !/^(~?[/\\]|~$|[a-z]:[/\\]|\$\{)/i.test(text);
	if (isRelative && origin.folder === undefined)
		return `"${shown}" must be an absolute path here, or begin with \${userHome} or \${workspaceFolder}.`;
	return undefined;
}

function faultOfAddress(text: string, shown: string, allowNonFile: boolean): string | undefined {
	if (!URL.canParse(text)) return `"${shown}" is not a valid URI, and is ignored.`;
	const { protocol, username, password, host } = new URL(text);
	// Without the text: it may contain a secret.
	if (username !== "" || password !== "") return "The address may not contain a user name or password, and is ignored.";
	if (protocol === "file:") {
		const isPath = (host === "" || process.platform === "win32") && !/%2f|%5c/i.test(text);
		return isPath ? undefined : `"${shown}" is not a path on this machine, and is ignored.`;
	}
	if (allowNonFile) return undefined;
	return `"${shown}" is not a file: URI, as the protocol requires of a root. Servers may reject it. To offer it anyway, set "allowNonFile" to true.`;
}
