import { readConfigText, type ConfigText, type JsonPath, type TextRange } from "../../base/configText.ts";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, objectsIn } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import { parseEntry } from "../../servers/definitions/parseEntry.ts";
import { maxTextLength } from "../../servers/definitions/parseConfig.ts";
import { withVersion } from "../../servers/definitions/packageOf.ts";
import { variablesIn } from "../../servers/definitions/variableNames.ts";
import { entriesOf, isSettings, pathsOf } from "./editable.ts";
import { entryFindings, type EntryFinding, fixOfProblem, type IsSet, placeOf, renaming } from "./entryFindings.ts";
import type { EntryFix, Members, SecretPlace } from "./entryFix.ts";
import { unboundPackage } from "./latestVersion.ts";
import { asInput, secretValuesOf } from "./secretValues.ts";
import { idOf } from "../entryInputs.ts";
import { withInputs } from "./writeServers.ts";
import { valueAt, withValue } from "./jsonEdit.ts";

/** A valid but probably wrong part of a configuration, at its place. */
export interface ConfigHint {
	readonly range: TextRange;
	readonly message: string;
	readonly weight: EntryFinding["weight"];
	readonly fix?: EntryFix;
	/** Whether reading the configuration reports it already, so that it is not repeated. */
	readonly isTold?: true;
}

/**
 * The findings about a configuration's text at their places: those about its entries, and keys without a meaning here.
 * Empty if the text is not JSON.
 */
export function hintsOf(origin: ConfigOrigin, text: string, isSet: IsSet): readonly ConfigHint[] {
	if (text.length > maxTextLength) return [];
	const read = readConfigText(text);
	if (read.faults.length > 0 || !isJsonObject(read.value)) return [];
	const paths = pathsOf(origin, text);
	const inputs = new Set(objectsIn(valueAt(text, paths.inputs)).map(idOf));
	const hints = isSettings(origin.kind) ? [] : topKeyHints(origin, read);
	for (const [name, entry] of Object.entries(entriesOf(origin, text))) {
		// An entry that is off needs no hints.
		if (!isJsonObject(entry) || entry["disabled"] === true) continue;
		const path = paths.servers.map(String).concat(name);
		const config = parseEntry(entry, [...path], origin.kind === "dot-mcp-json", (place, message) => {
			const fix = fixOfProblem(text, place, path);
			const range = fix && (place.at(-1) === "type" ? read.rangeOf(place) : read.keyRangeOf(place));
			if (fix !== undefined && range !== undefined)
				hints.push({ range, message, weight: "warning", fix, isTold: true });
		});
		for (const { path: within, what, why = "", weight, fix } of entryFindings(
			{ origin, name, entry, config, inputs },
			isSet,
		)) {
			const range = read.rangeOf([...path, ...within]);
			if (range === undefined) continue;
			hints.push({ range, message: `${what} ${why}`.trimEnd(), weight, ...(fix === undefined ? {} : { fix }) });
		}
	}
	return hints;
}

function topKeyHints({ kind }: ConfigOrigin, read: ConfigText): ConfigHint[] {
	const own = kind === "dot-mcp-json" ? "mcpServers" : "servers";
	const other = own === "servers" ? "mcpServers" : "servers";
	if (!isJsonObject(read.value) || !(other in read.value) || own in read.value) return [];
	const range = read.keyRangeOf([other]);
	if (range === undefined) return [];
	const who = own === "servers" ? "VS Code's own MCP host reads" : "Claude Code and others read";
	const message = `${who} "${own}" in this file. MCP Host also accepts "${other}", but other hosts do not.`;
	return [{ range, message, weight: "warning", fix: renaming([other], own) }];
}

/** The text with the package of a server bound to a version; unchanged if there is no such package any more. */
export function bindVersion(
	origin: ConfigOrigin,
	text: string,
	server: string,
	{ name, version }: { readonly name: string; readonly version: string },
): string {
	const entry = entriesOf(origin, text)[server];
	const launched = isJsonObject(entry) ? unboundPackage(entry) : undefined;
	if (launched?.name !== name) return text;
	const path = [...pathsOf(origin, text).servers, server, "args", launched.index];
	const argument = valueAt(text, path);
	return typeof argument === "string" ? withValue(text, path, withVersion(argument, launched, version)) : text;
}

/**
 * The text with the value at a place replaced by an input, and the value to store; undefined if there is no such value.
 */
export function keepSecret(
	origin: ConfigOrigin,
	text: string,
	{ server, path: within, label }: SecretPlace,
): { readonly text: string; readonly id: string; readonly value: string } | undefined {
	const paths = pathsOf(origin, text);
	const entry = entriesOf(origin, text)[server];
	if (!isJsonObject(entry)) return undefined;
	const key = JSON.stringify(within);
	const found = secretValuesOf(entry).find((one) => one.label === label && JSON.stringify(one.path) === key);
	if (found === undefined) return undefined;
	const { input, reference } = asInput(server, label, idsIn(text, paths.inputs));
	const kept = found.text.slice(0, found.start) + reference + found.text.slice(found.end);
	const path = [...paths.servers, server, ...within];
	const edited = withValue(withInputs(text, paths, [input]), path, kept);
	return { text: edited, id: idOf(input), value: found.text.slice(found.start, found.end) };
}

/** The text with a variable of the environment replaced by an input in all of an entry. */
export function variableAsInput(
	origin: ConfigOrigin,
	text: string,
	server: string,
	variable: string,
): { readonly text: string; readonly id: string } {
	const paths = pathsOf(origin, text);
	const { input, reference } = asInput(server, variable, idsIn(text, paths.inputs));
	const id = idOf(input);
	let edited = withInputs(text, paths, [input]);
	const root = [...paths.servers, server];
	for (;;) {
		const entry = valueAt(edited, root);
		if (!variablesIn(entry).includes(`env:${variable}`)) return { text: edited, id };
		const path = placeOf(entry, `env:${variable}`, root);
		const value = valueAt(edited, path);
		// A variable in a key of an object does not count.
		if (typeof value !== "string") return { text: edited, id };
		edited = withValue(edited, path, value.replaceAll(`\${env:${variable}}`, reference));
	}
}

/**
 * The text with members of an entry set, and the id of a new input if `ask` names one.
 * @throws HostError `invalid` if there is no such entry any more.
 */
export function setMembers(
	origin: ConfigOrigin,
	text: string,
	server: string,
	{ set, ask }: { readonly set: Members; readonly ask?: string },
): { readonly text: string; readonly id: string } {
	const paths = pathsOf(origin, text);
	if (!Object.hasOwn(entriesOf(origin, text), server))
		throw new HostError("invalid", `"${oneLine(server, 80)}" is no longer in ${origin.label}. Nothing was written.`);
	const asked = ask === undefined ? undefined : asInput(server, ask, idsIn(text, paths.inputs));
	let edited = asked === undefined ? text : withInputs(text, paths, [asked.input]);
	for (const { path, value } of set) {
		const isAsked = asked !== undefined && typeof value === "string";
		const written = isAsked ? value.replaceAll("${input}", () => asked.reference) : value;
		edited = withValue(edited, [...paths.servers, server, ...path], written);
	}
	return { text: edited, id: asked === undefined ? "" : idOf(asked.input) };
}

function idsIn(text: string, path: JsonPath): ReadonlySet<string> {
	const inputs = valueAt(text, path);
	return new Set(objectsIn(inputs).map(idOf));
}
