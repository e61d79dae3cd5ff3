import { type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isObject } from "../../servers/formats/data.ts";
import type { OptionalValue } from "../../servers/formats/foreignServer.ts";

/** Why a server cannot be taken over, in our sentence. */
export class Unusable extends Error {}

/** Most arguments, variables and headers of one way to run a server. */
const most = 100;
const longest = 4000;

/**
 * Makes texts of an `mcp.json` of the inputs of a `server.json` (schema 2025-12-11, `Input`, `InputWithVariables`).
 * Fixed values stay, required values become inputs, and optional ones are left out: a variable or a header is then
 * offered, and an argument is mentioned.
 */
export class ServerInputs {
	private readonly found = new Map<string, JsonObject>();
	private readonly offered: OptionalValue[] = [];
	private readonly sentences = new Set<string>();

	/** The variables and headers that may be given. */
	get optional(): readonly OptionalValue[] {
		return this.offered;
	}

	/** The `inputs` that the texts refer to. */
	get inputs(): readonly JsonObject[] {
		return [...this.found.values()];
	}

	/** The parts that were left out, and notes: our sentences. */
	get remarks(): readonly string[] {
		return [...this.sentences];
	}

	/**
	 * Command-line arguments in their order.
	 * @throws Unusable for an invalid argument.
	 */
	args(list: unknown): readonly string[] {
		return items(list).flatMap((item): readonly string[] => {
			const isNamed = own(item, "type") === "named";
			const name = isNamed ? plain(own(item, "name"), "The name of an argument") : undefined;
			if (isNamed && (name === undefined || !/^-{1,2}[\w.-]+$/.test(name)))
				throw new Unusable("One of its arguments has an invalid name.");
			const hint = textOf(own(item, "valueHint")) ?? name ?? "value";
			if (own(item, "isRepeated") === true)
				this.sentences.add(`${shown(hint)} may be given several times; here, it is given once.`);
			const value = this.value(hint.replace(/^-+/, ""), item, name !== undefined);
			if (value === undefined) {
				// A flag that asks for nothing has nothing to be given.
				if (!isFlagAlone(item))
					this.sentences.add(`${shown(hint.replace(/^-+/, ""))} is optional and was left out${says(item)}.`);
				return [];
			}
			return name === undefined ? [value] : value === "" ? [name] : [name, value];
		});
	}

	/**
	 * Variables of an environment, or headers, by their names.
	 * @throws Unusable for invalid ones.
	 */
	pairs(list: unknown, what: "variable" | "header"): Readonly<Record<string, string>> {
		const pairs = items(list).flatMap((item): readonly (readonly [string, string])[] => {
			const name = plain(own(item, "name"), `The name of a ${what}`) ?? "";
			const isName = what === "header" ? /^[\w!#$%&'*+.^`|~-]{1,200}$/ : /^[A-Za-z_][\w.-]{0,200}$/;
			if (!isName.test(name)) throw new Unusable(`One of its ${what}s has an invalid name.`);
			const value = this.value(name, item, false);
			if (value !== undefined) return [[name, value]];
			const kind = what === "header" ? "header" : "env";
			this.offered.push({ kind, name, about: aboutOf(item), isSecret: own(item, "isSecret") === true });
			return [];
		});
		return Object.fromEntries(pairs);
	}

	/**
	 * A text with `{name}` in it, each a variable with a definition; others stay unchanged.
	 * @throws Unusable if it would be read differently.
	 */
	filled(text: unknown, variables: unknown, what: string): string {
		const found = plain(text, what);
		if (found === undefined) throw new Unusable(`${what} is not a string.`);
		if (!isObject(variables)) return found;
		const values = new Map<string, string>();
		const valueOf = (whole: string, name: string): string => {
			const definition = own(variables, name);
			if (!isObject(definition)) return whole;
			// Inside of a text nothing can be left out.
			const value = values.get(name) ?? this.value(name, { ...definition, isRequired: true }, false) ?? whole;
			values.set(name, value);
			return value;
		};
		const variable = /\{([A-Za-z_][\w-]{0,100})\}/g;
		// Joined parts may form a variable that no single part contains; our own inputs are excepted.
		plain(
			found.replace(variable, (whole, name: string) => valueOf(whole, name).replaceAll(/\$\{input:[^{}]*\}/g, "input")),
			what,
		);
		return found.replace(variable, valueOf);
	}

	/** The text for an input; undefined where it may be left out, empty for a flag without a value. */
	private value(label: string, input: JsonObject, isFlag: boolean): string | undefined {
		if (own(input, "value") !== undefined)
			return this.filled(own(input, "value"), own(input, "variables"), shown(label));
		const fallback = plain(own(input, "default"), `The default of ${shown(label)}`);
		const isSecret = own(input, "isSecret") === true;
		const description = textOf(own(input, "description"));
		if (fallback !== undefined && fallback !== "" && !isSecret) return fallback;
		const isRequired = own(input, "isRequired") === true;
		// A flag that asks for nothing is there or not.
		if (isFlag && isFlagAlone(input)) return isRequired || own(input, "isRequired") === undefined ? "" : undefined;
		if (!isRequired) return undefined;
		return this.ask(label, description, isSecret, own(input, "choices"));
	}

	private ask(label: string, description: string | undefined, isSecret: boolean, choices: unknown): string {
		const id = label.replace(/[^\w.-]+/g, "-").slice(0, 80) || "value";
		const options = Array.isArray(choices)
			? choices.filter((one): one is string => typeof one === "string").slice(0, most)
			: [];
		this.found.set(id, {
			type: options.length > 0 ? "pickString" : "promptString",
			id,
			description: description === undefined || description === "" ? label : description.slice(0, 300),
			...(isSecret ? { password: true } : {}),
			...(options.length > 0 ? { options } : {}),
		});
		return `\${input:${id}}`;
	}
}

/** A literal text: it must not be read as a variable of this machine. */
export function plain(value: unknown, what: string): string | undefined {
	const text = textOf(value);
	if (text === undefined) return undefined;
	if (text.length > longest) throw new Unusable(`${what} is longer than ${longest} characters.`);
	// Such as ${env:TOKEN}, which would reveal data of this machine.
	if (text.includes("${"))
		throw new Unusable(`${what} contains “${oneLine(text, 60)}”, which would be read as a variable.`);
	if (/\p{Cc}/u.test(text)) throw new Unusable(`${what} contains control characters.`);
	return text;
}

/** Whether an argument with a name has no value of its own. */
function isFlagAlone(input: JsonObject): boolean {
	return (
		own(input, "type") === "named" &&
		["description", "placeholder", "format", "choices"].every((key) => own(input, key) === undefined)
	);
}

/** The purpose of an input, its example, and its permitted values; in one line, empty if there are none. */
function aboutOf(input: JsonObject): string {
	const { description, placeholder, choices } = Object.fromEntries(
		["description", "placeholder", "choices"].map((key) => [key, own(input, key)]),
	);
	const listed = Array.isArray(choices) ? choices.filter((one) => typeof one === "string").slice(0, 10) : [];
	const parts = [
		oneLine(textOf(description) ?? "", 200),
		listed.length > 0 ? `One of ${oneLine(listed.join(", "), 120)}` : "",
		typeof placeholder === "string" && placeholder !== "" ? `Such as ${oneLine(placeholder, 80)}` : "",
	];
	return parts
		.filter((part) => part !== "")
		.map((part) => part.replace(/\.$/, ""))
		.join(". ");
}

function says(input: JsonObject): string {
	const about = aboutOf(input);
	return about === "" ? "" : `: ${about}`;
}

function textOf(value: unknown): string | undefined {
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	return typeof value === "string" ? value : undefined;
}

function items(list: unknown): readonly JsonObject[] {
	if (list === undefined || list === null) return [];
	if (!Array.isArray(list) || !list.every(isObject))
		throw new Unusable("Its arguments, variables or headers are not a list.");
	if (list.length > most) throw new Unusable(`It has more than ${most} arguments, variables or headers.`);
	return list;
}

function shown(label: string): string {
	return `“${oneLine(label, 60)}”`;
}
