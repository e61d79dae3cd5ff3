import type { JsonPath } from "../../base/configText.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { type JsonObject, isJsonObject } from "../../base/json.ts";
import { hasHiddenCharacters, oneLine } from "../../base/text.ts";
import type { ConfigOrigin, ServerConfig, ServerDefinition } from "../../servers/definitions/config.ts";
import { changeTexts, ownTexts, variablesAround } from "../../servers/definitions/entryTexts.ts";
import { meantKey, meantType } from "../../servers/definitions/meantKeys.ts";
import { isUnpinned, packageOf } from "../../servers/definitions/packageOf.ts";
import { variablesIn } from "../../servers/definitions/variableNames.ts";
import { warningsFor } from "../../servers/review/review.ts";
import { isSettings, pathsOf } from "./editable.ts";
import { bindTitle, unboundPackage } from "./latestVersion.ts";
import { secretValuesOf } from "./secretValues.ts";
import { valueAt, withKey, withValue } from "./jsonEdit.ts";
import type { EntryFix } from "./entryFix.ts";
import { keyOf } from "./serverEdits.ts";
import { withInputs } from "./writeServers.ts";

/**
 * Something about an entry that the user should know: the one list that the editor, *Check Server* and the review show.
 * Values are never repeated, because they may be secret.
 */
export interface EntryFinding {
	readonly rule: "hidden" | "secret" | "input" | "variable" | "version" | "risk";
	/** `cause`: the server cannot start. `note`: it is only marked, and counts as no problem. */
	readonly weight: "cause" | "warning" | "information" | "note";
	/** Its place, from the entry on. */
	readonly path: JsonPath;
	/** The fact, in one sentence. */
	readonly what: string;
	/** Its meaning and what to do. */
	readonly why?: string;
	readonly fix?: EntryFix;
}

/** An entry as it is written, or as it was read. */
export interface WrittenEntry {
	readonly origin: ConfigOrigin;
	/** Its key. */
	readonly name: string;
	readonly entry: JsonObject;
	/** Its definition, if it is valid. */
	readonly config: ServerConfig | undefined;
	/** The ids of the inputs that it may refer to. */
	readonly inputs: ReadonlySet<unknown>;
}

/** Whether a variable of the environment is set. */
export type IsSet = (name: string) => boolean;

/** Finds what is likely wrong or risky in an entry that can be read. */
export function entryFindings(written: WrittenEntry, isSet: IsSet): readonly EntryFinding[] {
	return [
		...hiddenTexts(written.entry),
		...plainSecrets(written),
		...undefinedInputs(written),
		...unsetVariables(written, isSet),
		...unfixedVersion(written),
		...risks(written),
	];
}

/** The same for a server as it was read. */
export function definitionFindings(definition: ServerDefinition, isSet: IsSet): readonly EntryFinding[] {
	const { config, origin, inputs } = definition;
	const ids = new Set(inputs.map(({ id }) => id));
	return entryFindings({ origin, name: keyOf(definition), entry: jsonObjectOf(config), config, inputs: ids }, isSet);
}

/** The findings that the review of a server shows beside its rows and the risks of its command. */
export function reviewNotes(definition: ServerDefinition, isSet: IsSet): readonly string[] {
	return definitionFindings(definition, isSet).flatMap(({ rule, what, why = "" }) =>
		rule === "hidden" || rule === "risk" ? [] : [`${what} ${why}`.trimEnd()],
	);
}

/**
 * The fix of a problem that was found when an entry was read, if another key or type is near; `path` leads to it from
 * the root of the text, and `at` to the entry.
 */
export function fixOfProblem(text: string, path: JsonPath, at: JsonPath): EntryFix | undefined {
	const entry = valueAt(text, at);
	const key = path.at(-1);
	if (path.length !== at.length + 1 || typeof key !== "string" || !isJsonObject(entry)) return undefined;
	if (key !== "type") {
		const meant = meantKey(key);
		return meant === undefined || Object.hasOwn(entry, meant) ? undefined : renaming(path, meant);
	}
	const type = typeof entry["type"] === "string" ? meantType(entry["type"]) : undefined;
	if (type === undefined) return undefined;
	return { kind: "edit", title: `Change to "${type}"`, edit: (now) => withValue(now, path, type) };
}

/** The fix that gives a key another name. */
export function renaming(path: JsonPath, key: string): EntryFix {
	return { kind: "edit", title: `Change to "${key}"`, edit: (text) => withKey(text, path, key) };
}

/** How many texts with hidden characters are named. */
const mostHidden = 3;

/** Characters that are invisible or only look like quotes, as in copied text. */
function hiddenTexts(entry: JsonObject): readonly EntryFinding[] {
	const found: EntryFinding[] = [];
	const add = (path: JsonPath, what: string, why: string): void =>
		void found.push({ rule: "hidden", weight: "warning", path, what: `${nameOf(path)} contains ${what}.`, why });
	const look = (text: string, path: JsonPath): void => {
		if (hasHiddenCharacters(text) || /[\u00A0\u2000-\u200A\u202F\u3000]/.test(text))
			add(path, "hidden characters", "They are used unchanged, and are often copied by mistake. Type the text again.");
		else if (/[\u201C\u201D\u201E\u2018\u2019]/.test(text) || /^[\u2013\u2014]\w/.test(text))
			add(
				path,
				"typographic quotes or dashes",
				"Programs do not treat them as quotes or dashes. Write ' and \" and -- instead.",
			);
	};
	const collect = (part: unknown, path: JsonPath): void => {
		if (typeof part === "string") look(part, path);
		else if (Array.isArray(part)) for (const [index, item] of part.entries()) collect(item, [...path, index]);
		else if (isJsonObject(part))
			for (const [key, item] of Object.entries(part)) {
				if (key === "env" || key === "headers") continue;
				look(key, [...path, key]);
				collect(item, [...path, key]);
			}
	};
	collect(entry, []);
	return found.slice(0, mostHidden);
}

/** The name of an entry's member; its value may be a secret. */
function nameOf([key = "", ...rest]: JsonPath): string {
	const at = rest.map((part) => (typeof part === "number" ? ` ${part + 1}` : ` ${oneLine(part, 60)}`)).join("");
	return `“${oneLine(String(key), 60)}${at}” of the entry`;
}

function plainSecrets({ origin, name: server, entry }: WrittenEntry): readonly EntryFinding[] {
	const shared = origin.isWorkspace ? ", which may be shared or tracked by Git" : "";
	return secretValuesOf(entry).map(({ path, label }): EntryFinding => {
		return {
			rule: "secret",
			weight: origin.isWorkspace ? "warning" : "information",
			path,
			what: `"${oneLine(label, 60)}" looks secret, and is in plain text in ${oneLine(origin.label, 100)}${shared}.`,
			why: `Move it to the secret store.${origin.isWorkspace ? " If the file was shared, replace the secret as well." : ""}`,
			fix: { kind: "keep-secret", title: "Move to Secret Store", place: { server, path, label } },
		};
	});
}

function undefinedInputs({ origin, name: server, entry, inputs }: WrittenEntry): readonly EntryFinding[] {
	return variablesIn(entry).flatMap((variable): readonly EntryFinding[] => {
		const [, id] = /^input:(.+)$/.exec(variable) ?? [];
		if (id === undefined || inputs.has(id)) return [];
		const where = isSettings(origin.kind) ? '"mcpHost.inputs"' : '"inputs"';
		const input = { type: "promptString", id, description: `${id} of ${server}`, password: true };
		const edit = (text: string): string => withInputs(text, pathsOf(origin, text), [input]);
		return [
			{
				rule: "input",
				weight: "cause",
				path: placeOf(entry, variable),
				what: `${where} does not define "${oneLine(id, 60)}", so the server cannot start.`,
				fix: { kind: "edit", title: "Add Input", edit },
			},
		];
	});
}

function unsetVariables({ name: server, entry }: WrittenEntry, isSet: IsSet): readonly EntryFinding[] {
	const around = variablesAround(ownTexts(entry), (texts) => {
		changeTexts({ ...entry, env: undefined }, (text) => texts.text(text));
		texts.environment();
	});
	return around.flatMap((expression): readonly EntryFinding[] => {
		// With a default it need not be set.
		const [, variable] = /^env:([^:]+)$/.exec(expression) ?? [];
		if (variable === undefined || isSet(variable)) return [];
		return [
			{
				rule: "variable",
				weight: "cause",
				path: placeOf(entry, expression),
				what: `The environment variable ${oneLine(variable, 60)} is not set in the environment of VS Code, so the server cannot start.`,
				why: "VS Code has the variables of your shell only if it was started from a terminal.",
				fix: { kind: "set-variable", title: "Set Variable…", server, variable },
			},
		];
	});
}

/** A package whose version may change at each start. It can be bound if it is from npm's or PyPI's own registry. */
function unfixedVersion({ name: server, entry }: WrittenEntry): readonly EntryFinding[] {
	const { command, args } = entry;
	const launched =
		typeof command === "string" && Array.isArray(args) ? packageOf(command, args.map(String)) : undefined;
	if (launched === undefined || !isUnpinned(launched)) return [];
	const unbound = unboundPackage(entry);
	return [
		{
			rule: "version",
			weight: "note",
			path: ["args", launched.index],
			what: `"${oneLine(launched.name, 80)}" has no fixed version.`,
			why: "Each start may run a different version.",
			...(unbound === undefined ? {} : { fix: { kind: "bind-version", title: bindTitle(unbound), server } }),
		},
	];
}

function risks({ config }: WrittenEntry): readonly EntryFinding[] {
	if (config === undefined) return [];
	const path = [config.kind === "stdio" ? "command" : "url"];
	return warningsFor(config).map((what) => ({ rule: "risk", weight: "note", path, what }));
}

/** The first place in a value at which a variable is used. */
export function placeOf(value: unknown, variable: string, path: JsonPath = []): JsonPath {
	if (Array.isArray(value) || isJsonObject(value)) {
		for (const [key, part] of Object.entries(value)) {
			if (variablesIn(part).includes(variable))
				return placeOf(part, variable, [...path, Array.isArray(value) ? Number(key) : key]);
		}
	}
	return path;
}
