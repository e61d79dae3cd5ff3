import type { Json, JsonObject } from "../../base/json.ts";
import { isSecret, secretsIn } from "../../base/secrets/judge.ts";
import { isPlaceholder } from "../../base/secrets/placeholder.ts";
import type { OptionalValue } from "../../servers/formats/foreignServer.ts";

/** How a value is stored: in the configuration, as a variable of the environment, or in the secret store. */
export type ValueKind = "plain" | "environment" | "secret";

/** The place of a value in an entry: a variable, a header, or another text of it, such as `["args", 2]`. */
export type ValueHolder =
	| { readonly kind: "env" | "header"; readonly name: string }
	| { readonly kind: "text"; readonly path: TextPath };

/** The keys and indices that lead to a text of an entry. */
export type TextPath = readonly (string | number)[];

/** A value of an entry for which the user decides how it is stored. */
export interface ValueRow {
	readonly holder: ValueHolder;
	/** Its display name. */
	readonly label: string;
	/** The text before it in a header, such as `Bearer `. */
	readonly before: string;
	/** Its range in the text of its path; the rest stays unchanged. */
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly kind: ValueKind;
	/** For a variable of the environment, its name. */
	readonly variable: string;
	/** The input that the text itself asks for. */
	readonly input?: JsonObject;
	/** The placeholder for the user's own value. */
	readonly placeholder?: string;
	/** Whether it is left out while it is empty. */
	readonly isOptional?: true;
	/** Its purpose, on one line, in the words of the server's author. */
	readonly about?: string;
}

/** Values of names such as `USE_AUTH`. */
const aboutSecrets = /^(?:true|false|yes|no|on|off|none|oauth|basic|bearer|\d{1,5})$/i;
/** The placeholders that the user is to replace, in values that are not secret. */
const toFillIn = /^<[^<>]*>$|\byour[-_ ]|^\/path\/to\b|x{4}/i;

/** Whether a text, such as `/path/to/folder`, is a placeholder for the user's own value. */
export function isToFillIn(text: string): boolean {
	return toFillIn.test(text);
}

/** The text before the secret itself in a header. */
const scheme = /^(?:Bearer|Basic|Token|ApiKey|Api-Key|Bot)[ \t]+/i;
const wholeVariable = /^\$\{(env|input):([^{}]+)\}$/;
/** Bounded, and each part begins with what the one before it cannot hold. */
const queryPart = /[?&]([^=&#?]{1,100})=([^&#]*)/g;
const userInfo = /^[a-z][a-z\d+.-]{1,20}:\/\/[^/?#@:]{0,100}:([^/?#@]{1,1000})@/i;

/** The sources of proposals, beside the entry. */
export interface ValueContext {
	readonly inputs: readonly JsonObject[];
	/** Whether the environment of VS Code has a variable. */
	readonly hasVariable: (name: string) => boolean;
}

/**
 * The values of an entry that a user decides about, with proposals: all of its environment and headers, and the other
 * texts that look secret.
 */
export function valuesOf(entry: JsonObject, context: ValueContext): readonly ValueRow[] {
	return [
		...pairs(entry["env"]).map(([name, text]) => ownValue({ kind: "env", name }, text, context)),
		...pairs(entry["headers"]).map(([name, text]) => ownValue({ kind: "header", name }, text, context)),
		...targetValues(entry, context),
		...memberValues(entry, context),
	];
}

/** Those of the arguments and the URL alone. */
export function targetValues(entry: JsonObject, context: ValueContext): readonly ValueRow[] {
	const { args, url } = entry as { args?: unknown; url?: unknown };
	const texts = Array.isArray(args) ? args.map((word) => (typeof word === "string" ? word : "")) : [];
	const own = new Set(pairs(entry["env"]).map(([name]) => name));
	// A value that the entry sets itself is decided about there.
	const isOwn = ({ kind, text, variable }: ValueRow): boolean => kind !== "plain" && text === "" && own.has(variable);
	return [
		...texts.flatMap((word, index) =>
			argumentValues(texts, word, index, context).filter(
				(row) => !(isOwn(row) && word.includes(`\${env:${row.variable}}`)),
			),
		),
		...(typeof url === "string" ? urlParts(url, { kind: "text", path: ["url"] }, context) : []),
	];
}

/** The value of a variable or a header, apart from the text before a secret in it, such as `Bearer `. */
export function ownValue(
	holder: ValueHolder & { readonly name: string },
	text: string,
	context: ValueContext,
): ValueRow {
	const before = holder.kind === "header" ? (scheme.exec(text)?.[0] ?? "") : "";
	const place = { holder, label: holder.name, before, start: 0, end: 0, text: text.slice(before.length) };
	return proposed(place, before !== "" || isSecretName(holder.name), context);
}

/** A value that may be given, with nothing in it. */
export function optionalValue({ kind, name, about, isSecret }: OptionalValue, context: ValueContext): ValueRow {
	const row = ownValue({ kind, name }, "", context);
	return {
		...row,
		kind: isSecret || row.kind !== "plain" ? "secret" : "plain",
		isOptional: true,
		...(about === "" ? {} : { about }),
	};
}

type ValuePlace = Omit<ValueRow, "kind" | "variable" | "input" | "placeholder">;

function proposed(place: ValuePlace, isNamedSecret: boolean, { inputs, hasVariable }: ValueContext): ValueRow {
	const { text } = place;
	const ownName = variableFor(place.label);
	const [, kind, name = ""] = wholeVariable.exec(text) ?? [];
	if (kind === "input") {
		const input = inputs.find(({ id }) => id === name);
		return input === undefined
			? { ...place, kind: "plain", variable: ownName }
			: { ...place, text: "", kind: "secret", variable: ownName, input };
	}
	if (kind === "env") {
		// The user is asked for a missing secret: otherwise the server would not start.
		const isMissing = isNamedSecret && !hasVariable(name);
		return { ...place, text: "", kind: isMissing ? "secret" : "environment", variable: name };
	}
	if (text.includes("${")) {
		const kept = secretsIn(isNamedSecret ? "secret" : "", text, "entry").length > 0 ? "secret" : "plain";
		return { ...place, kind: kept, variable: ownName };
	}
	if (isNamedSecret && isBlank(text)) {
		const kept = hasVariable(ownName) ? "environment" : "secret";
		return { ...place, text: "", kind: kept, variable: ownName, ...(text.trim() === "" ? {} : { placeholder: text }) };
	}
	const isSecret = (isNamedSecret && !aboutSecrets.test(text)) || secretsIn("", text, "entry").length > 0;
	return {
		...place,
		kind: isSecret ? "secret" : "plain",
		variable: ownName,
		...(isToFillIn(text) ? { placeholder: text } : {}),
	};
}

/** `--api-key VALUE`, `--api-key=VALUE`, `NAME=VALUE`, `Authorization: Bearer VALUE`, addresses with passwords, keys by form. */
function argumentValues(
	words: readonly string[],
	word: string,
	index: number,
	context: ValueContext,
): readonly ValueRow[] {
	const holder = { kind: "text", path: ["args", index] } as const;
	const at = (label: string, start: number, end = word.length): readonly ValueRow[] => {
		const text = word.slice(start, end);
		// The text beside the references.
		const isMixed = text.includes("${") && !wholeVariable.test(text);
		const parts = isMixed ? secretsIn("secret", text, "entry") : [{ start: 0, end: text.length }];
		return parts.map((part) => {
			const place = { start: start + part.start, end: start + part.end, text: text.slice(part.start, part.end) };
			return proposed({ holder, label, before: "", ...place }, true, context);
		});
	};
	const before = words[index - 1] ?? "";
	const option = /^--?([A-Za-z][\w-]{0,60})$/.exec(before)?.[1];
	if (option !== undefined && !word.startsWith("-") && isSecretName(option) && !isAboutHeader(word))
		return at(before, 0);
	const [assigned, name = ""] = /^-{0,2}([A-Za-z][\w.-]{0,60})=/.exec(word) ?? [];
	if (assigned !== undefined && isSecretName(name)) return at(assigned.slice(0, -1), assigned.length);
	const [header, headerName = ""] = /^([A-Za-z][\w-]{0,60}):[ \t]{0,3}(?!\/\/)/.exec(word) ?? [];
	if (header !== undefined && isSecretName(headerName)) {
		const start = header.length + (scheme.exec(word.slice(header.length))?.[0].length ?? 0);
		return at(headerName, start);
	}
	const [address, password] = userInfo.exec(word) ?? [];
	if (address !== undefined && password !== undefined) {
		const end = address.length - 1;
		return at("password in an address", end - password.length, end);
	}
	if (/^https?:\/\//i.test(word)) return urlParts(word, holder, context);
	const label = assigned?.slice(0, -1) ?? `argument ${index + 1}`;
	return secretsIn("", word, "entry").flatMap(({ start, end }) => at(label, start, end));
}

/** A whole argument as a secret, because the user says that it is one. */
export function argumentAsSecret(words: readonly string[], index: number): ValueRow {
	const text = words[index] ?? "";
	const before = words[index - 1] ?? "";
	const label = /^--?[A-Za-z]/.test(before) && !text.startsWith("-") ? before : `argument ${index + 1}`;
	const holder = { kind: "text", path: ["args", index] } as const;
	const place = { holder, label, before: "", start: 0, end: text.length, text };
	return { ...place, kind: "secret", variable: variableFor(label) };
}

/** The keys of an entry whose values are dealt with on their own. */
const ownKeys: ReadonlySet<string> = new Set(["type", "command", "args", "url", "env", "headers"]);

/** Values that look secret in the rest of an entry, such as the client's secret of a sign-in. */
function memberValues(entry: JsonObject, context: ValueContext): readonly ValueRow[] {
	const rows: ValueRow[] = [];
	const look = (value: Json | undefined, path: TextPath): void => {
		if (typeof value === "string") {
			const key = String(path.at(-1));
			if (!isSecretName(key) && !isSecret("", value, "entry")) return;
			const holder = { kind: "text", path } as const;
			rows.push(
				proposed(
					{ holder, label: key, before: "", start: 0, end: value.length, text: value },
					isSecretName(key),
					context,
				),
			);
		} else if (typeof value === "object" && value !== null) {
			for (const [key, part] of Object.entries(value)) look(part, [...path, key]);
		}
	};
	for (const [key, value] of Object.entries(entry)) if (!ownKeys.has(key)) look(value, [key]);
	return rows;
}

function isAboutHeader(word: string): boolean {
	return /^[A-Za-z][\w-]{0,60}:[ \t]/.test(word);
}

/** Parts of the query with names of secrets, and parts of the path that only a machine makes. */
function urlParts(url: string, holder: ValueHolder, context: ValueContext): readonly ValueRow[] {
	const rows: ValueRow[] = [];
	const add = (label: string, start: number, text: string): void => {
		rows.push(proposed({ holder, label, before: "", start, end: start + text.length, text }, true, context));
	};
	for (const { index, 0: whole, 1: name = "", 2: text = "" } of url.matchAll(queryPart)) {
		if (text !== "" && (isSecretName(name) || isSecret("", text, "entry")))
			add(name, index + whole.length - text.length, text);
	}
	for (const { start, end } of secretsIn("", url, "entry"))
		if (!rows.some((row) => row.start < end && start < row.end)) add("part of the URL", start, url.slice(start, end));
	return rows;
}

/** Whether a text is a placeholder for the user's own value. A short text is a real value if it has any meaning. */
function isBlank(text: string): boolean {
	return text.trim() === "" || (isPlaceholder(text) && (new Set(text).size >= 4 || /^[x*.\u2022_-]+$/i.test(text)));
}

/** Whether a name, as of a variable, a header, an option or a part of a query, says that its value is a secret. */
function isSecretName(name: string): boolean {
	return isSecret(name, undefined, "entry") || isSecret(name, undefined, "asked");
}

/** A variable for a name: `X_API_KEY` for the header `X-Api-Key`. */
function variableFor(label: string): string {
	const name = label
		.replace(/([a-z])([A-Z])/g, "$1_$2")
		.replace(/\W+/g, "_")
		.replace(/^[_\d]+|_+$/g, "");
	return label === name ? name : name.toUpperCase();
}

function pairs(value: unknown): readonly (readonly [string, string])[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).map(([name, text]) => [name, String(text)] as const);
}
