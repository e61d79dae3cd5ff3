import { readConfigText, type ConfigText, type JsonPath, type TextRange } from "../../base/configText.ts";
import { isJsonObject, type JsonObject, objectsIn } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import { meantKey, meantType } from "../../servers/definitions/meantKeys.ts";
import { changeTexts, ownTexts, variablesAround } from "../../servers/definitions/entryTexts.ts";
import { maxTextLength } from "../../servers/definitions/parseConfig.ts";
import { isUnpinned, packageOf, withVersion } from "../../servers/definitions/packageOf.ts";
import { variablesIn } from "../../servers/definitions/variableNames.ts";
import { entriesOf, isSettings, pathsOf } from "./editable.ts";
import { bindTitle, unboundPackage } from "./latestVersion.ts";
import { asInput, secretValuesOf, type SecretValue } from "./secretValues.ts";
import { idOf } from "../entryInputs.ts";
import { withInputs } from "./writeServers.ts";
import { valueAt, withKey, withValue } from "./jsonEdit.ts";

/** The action of a hint by one click. */
export type HintFix =
	/** Makes another text of the configuration, without a question. */
	| { readonly kind: "edit"; readonly title: string; readonly edit: (text: string) => string }
	/** Has the value at a place kept in the secret store, as an input of the server. */
	| { readonly kind: "keep-secret"; readonly title: string; readonly place: SecretPlace }
	/** Asks for the value of a variable, which becomes an input of the server. */
	| { readonly kind: "set-variable"; readonly title: string; readonly server: string; readonly variable: string }
	/** Has a package of an entry bound to its latest version, which its registry is asked for. */
	| { readonly kind: "bind-version"; readonly title: string; readonly server: string };

/** Whether a value is a fix that does more than edit the text, as the command behind it gets it. */
export function isHintFix(value: unknown): value is HintFix {
	const { kind, place, server, variable } = jsonObjectOf(value);
	if (kind === "keep-secret") return isJsonObject(place) && typeof place["server"] === "string";
	if (kind === "set-variable" && typeof variable !== "string") return false;
	return (kind === "set-variable" || kind === "bind-version") && typeof server === "string";
}

/** A value of an entry that looks secret, by its place and name. */
export interface SecretPlace extends Pick<SecretValue, "path" | "label"> {
	readonly server: string;
}

/** A valid but probably wrong part of a configuration, at its place. */
export interface ConfigHint {
	readonly range: TextRange;
	readonly message: string;
	/** `hint` is only marked, and does not count as a problem. */
	readonly severity: "warning" | "information" | "hint";
	readonly fixes: readonly HintFix[];
	/** Whether reading the configuration reports it already, so that it is not repeated. */
	readonly isTold?: true;
}

/** The inputs of hints beside the text. */
export interface HintContext {
	/** Whether a variable of the environment is set. */
	readonly isSet: (name: string) => boolean;
}

/**
 * Finds likely mistakes in a configuration's text: keys without a meaning here, secrets in plain text, missing inputs
 * and variables. Empty if the text is not JSON. Values are never repeated, because they may be secret.
 */
export function hintsOf(origin: ConfigOrigin, text: string, context: HintContext): readonly ConfigHint[] {
	if (text.length > maxTextLength) return [];
	const read = readConfigText(text);
	if (read.faults.length > 0 || !isJsonObject(read.value)) return [];
	const paths = pathsOf(origin, text);
	const inputs = valueAt(text, paths.inputs);
	const known = new Set(objectsIn(inputs).map(idOf));
	const hints = isSettings(origin.kind) ? [] : topKeyHints(origin, read);
	for (const [name, entry] of Object.entries(entriesOf(origin, text))) {
		// An entry that is off needs no hints.
		if (!isJsonObject(entry) || entry["disabled"] === true) continue;
		const server: EntryPlace = { origin, read, name, entry, path: [...paths.servers, name] };
		hints.push(
			...keyHints(server),
			...secretHints(server),
			...inputHints(server, known),
			...variableHints(server, context),
			...versionHints(server),
		);
	}
	return hints;
}

interface EntryPlace {
	readonly origin: ConfigOrigin;
	readonly read: ConfigText;
	readonly name: string;
	readonly entry: JsonObject;
	readonly path: JsonPath;
}

function topKeyHints({ kind }: ConfigOrigin, read: ConfigText): ConfigHint[] {
	const own = kind === "dot-mcp-json" ? "mcpServers" : "servers";
	const other = own === "servers" ? "mcpServers" : "servers";
	if (!isJsonObject(read.value) || !(other in read.value) || own in read.value) return [];
	const range = read.keyRangeOf([other]);
	if (range === undefined) return [];
	const who = own === "servers" ? "VS Code's own MCP host reads" : "Claude Code and others read";
	return [
		{
			range,
			message: `${who} "${own}" in this file. MCP Host also accepts "${other}", but other hosts do not.`,
			severity: "warning",
			fixes: [renaming([other], own)],
		},
	];
}

/** `parseConfig` reports these as well; their remedies are here. */
function keyHints({ read, entry, path }: EntryPlace): readonly ConfigHint[] {
	const hints: ConfigHint[] = [];
	const add = (range: TextRange | undefined, meant: string, fix: HintFix): void => {
		if (range === undefined) return;
		hints.push({ range, message: `Did you mean "${meant}"?`, severity: "warning", fixes: [fix], isTold: true });
	};
	for (const key of Object.keys(entry)) {
		const meant = meantKey(key);
		if (meant === undefined || Object.hasOwn(entry, meant)) continue;
		add(read.keyRangeOf([...path, key]), meant, renaming([...path, key], meant));
	}
	const { type } = entry;
	const meant = typeof type === "string" ? meantType(type) : undefined;
	if (meant === undefined) return hints;
	const edit = (text: string): string => withValue(text, [...path, "type"], meant);
	add(read.rangeOf([...path, "type"]), meant, { kind: "edit", title: `Change to "${meant}"`, edit });
	return hints;
}

function renaming(path: JsonPath, key: string): HintFix {
	return { kind: "edit", title: `Change to "${key}"`, edit: (text) => withKey(text, path, key) };
}

function secretHints({ origin, read, name: server, entry, path }: EntryPlace): readonly ConfigHint[] {
	const shared = origin.isWorkspace ? ", which may be shared or tracked by Git" : "";
	return secretValuesOf(entry).flatMap(({ path: within, label }): readonly ConfigHint[] => {
		const range = read.rangeOf([...path, ...within]);
		if (range === undefined) return [];
		const place: SecretPlace = { server, path: within, label };
		return [
			{
				range,
				message: `"${oneLine(label, 60)}" looks secret, and is in plain text in this file${shared}.`,
				severity: origin.isWorkspace ? "warning" : "information",
				fixes: [{ kind: "keep-secret", title: "Move to Secret Store", place }],
			},
		];
	});
}

function inputHints(
	{ origin, read, name, entry, path }: EntryPlace,
	known: ReadonlySet<string>,
): readonly ConfigHint[] {
	return variablesIn(entry).flatMap((variable): readonly ConfigHint[] => {
		const [, id] = /^input:(.+)$/.exec(variable) ?? [];
		const range = id === undefined || known.has(id) ? undefined : read.rangeOf(placeOf(entry, variable, path));
		if (id === undefined || range === undefined) return [];
		const where = isSettings(origin.kind) ? '"mcpHost.inputs"' : '"inputs"';
		const input = { type: "promptString", id, description: `${id} of ${name}`, password: true };
		const edit = (text: string): string => withInputs(text, pathsOf(origin, text), [input]);
		return [
			{
				range,
				message: `${where} does not define "${oneLine(id, 60)}", so the server cannot start.`,
				severity: "warning",
				fixes: [{ kind: "edit", title: "Add Input", edit }],
			},
		];
	});
}

function variableHints({ read, name, entry, path }: EntryPlace, { isSet }: HintContext): readonly ConfigHint[] {
	const around = variablesAround(ownTexts(entry), (texts) => {
		changeTexts({ ...entry, env: undefined }, (text) => texts.text(text));
		texts.environment();
	});
	return around.flatMap((variable): readonly ConfigHint[] => {
		// With a default it need not be set.
		const [, key] = /^env:([^:]+)$/.exec(variable) ?? [];
		const range = key === undefined || isSet(key) ? undefined : read.rangeOf(placeOf(entry, variable, path));
		if (key === undefined || range === undefined) return [];
		return [
			{
				range,
				message: `The environment variable ${oneLine(key, 60)} is not set in the environment of VS Code, so the server cannot start.`,
				severity: "warning",
				fixes: [{ kind: "set-variable", title: "Set Variable…", server: name, variable: key }],
			},
		];
	});
}

/** Packages whose version may change at each start. One can be bound if it is from npm's or PyPI's own registry. */
function versionHints({ read, name, entry, path }: EntryPlace): readonly ConfigHint[] {
	const { command, args } = entry;
	const launched =
		typeof command === "string" && Array.isArray(args) ? packageOf(command, args.map(String)) : undefined;
	if (launched === undefined || !isUnpinned(launched)) return [];
	const unbound = unboundPackage(entry);
	const range = read.rangeOf([...path, "args", launched.index]);
	if (range === undefined) return [];
	return [
		{
			range,
			message: `"${oneLine(launched.name, 80)}" has no fixed version. Each start may run a different version.`,
			severity: "hint",
			fixes: unbound === undefined ? [] : [{ kind: "bind-version", title: bindTitle(unbound), server: name }],
		},
	];
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

/** The first place in a value at which a variable is used. */
function placeOf(value: unknown, variable: string, path: JsonPath): JsonPath {
	if (Array.isArray(value) || isJsonObject(value)) {
		for (const [key, part] of Object.entries(value)) {
			if (variablesIn(part).includes(variable))
				return placeOf(part, variable, [...path, Array.isArray(value) ? Number(key) : key]);
		}
	}
	return path;
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

function idsIn(text: string, path: JsonPath): ReadonlySet<string> {
	const inputs = valueAt(text, path);
	return new Set(objectsIn(inputs).map(idOf));
}
