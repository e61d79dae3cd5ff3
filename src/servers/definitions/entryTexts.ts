import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { ServerConfig } from "./config.ts";
import { environmentVariable, variable } from "./variableNames.ts";

/** The maximum length of a resolved text, in characters; the rest of a longer one stays as written. */
const longest = 1_000_000;

/** Texts by name, such as the `env` of an entry. */
type Texts = Readonly<Record<string, string>>;

/**
 * The texts of one entry with their variables replaced. `${env:NAME}` is the value in the entry's own `env`, which is
 * the value that the server finds under that name. All other variables are resolved by `valueOf`, and so is a variable
 * in its own text, as in `"PATH": "/opt/bin:${env:PATH}"`. Replacements are not resolved again; a variable without a
 * value stays.
 */
export class EntryTexts {
	private readonly env: Texts;
	private readonly valueOf: (expression: string) => string | undefined;
	private readonly made = new Map<string, string>();
	/** The names whose texts are being made. */
	private readonly within = new Set<string>();

	constructor(env: Texts, valueOf: (expression: string) => string | undefined) {
		this.env = env;
		this.valueOf = valueOf;
	}

	/** A text outside of `env`. */
	text(text: string): string {
		let result = "";
		let end = 0;
		for (const { 0: whole, 1: expression = "", index } of text.matchAll(variable)) {
			if (result.length > longest) break;
			result += text.slice(end, index) + (this.ownValue(expression) ?? this.valueOf(expression) ?? whole);
			end = index + whole.length;
		}
		return result + text.slice(end);
	}

	/** All of `env`. */
	environment(): Record<string, string> {
		return Object.fromEntries(Object.keys(this.env).map((name) => [name, this.own(name)]));
	}

	private ownValue(expression: string): string | undefined {
		const read = environmentVariable(expression);
		if (read === undefined || this.within.has(read.name) || !Object.hasOwn(this.env, read.name)) return undefined;
		const value = this.own(read.name);
		return value === "" ? (read.fallback ?? value) : value;
	}

	/** The value of a name in `env`; it must be one of its names. */
	own(name: string): string {
		const known = this.made.get(name);
		if (known !== undefined) return known;
		this.within.add(name);
		const value = this.text(this.env[name] ?? "");
		this.within.delete(name);
		this.made.set(name, value);
		return value;
	}
}

/** The texts in the unresolved `env` of an entry; other values are left out. */
export function ownTexts(entry: JsonObject): Texts {
	const env = Object.hasOwn(entry, "env") ? entry["env"] : undefined;
	const pairs = Object.entries(isJsonObject(env) ? env : {});
	return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

/** The variables that `make` asks of an entry's texts and that its own `env` does not set, each once and in order. */
export function variablesAround(env: Texts, make: (texts: EntryTexts) => unknown): readonly string[] {
	const asked = new Set<string>();
	make(
		new EntryTexts(env, (expression) => {
			asked.add(expression);
			return "";
		}),
	);
	return [...asked];
}

/**
 * The external variables of a configuration, such as `env:TOKEN`, without their values. Variables that its own `env`
 * sets are not included, but the variables in their values are.
 */
export function variablesOf(config: ServerConfig): readonly string[] {
	const { kind: _kind, protocol: _protocol, ...rest } = config;
	if (!("env" in rest)) return variablesAround({}, (texts) => changeTexts(rest, (text) => texts.text(text)));
	const { env, ...others } = rest;
	return variablesAround(env, (texts) => {
		changeTexts(others, (text) => texts.text(text));
		texts.environment();
	});
}

/** A value with all its texts changed; names stay. */
export function changeTexts<T>(value: T, change: (text: string) => string): T;
export function changeTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === "string") return change(value);
	if (Array.isArray(value)) return value.map((part: unknown) => changeTexts(part, change));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, part]): [string, unknown] => [key, changeTexts(part, change)]),
	);
}
