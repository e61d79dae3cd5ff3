import { HostError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/text.ts";

// Own code, because the libraries that were tried do less. The best maintained one, `url-template` 3.1.1, passes the
// RFC's examples, but fails 5 of the 42 public extended tests (empty lists, names and values with a percent sign),
// throws on a prefix that ends within a surrogate pair, accepts every malformed template silently, and does not list
// variables.

/** Names with values, in their order; a name may be repeated. */
export interface TemplatePairs {
	readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** A value of a template variable: text, a list, or names with values. Empty lists and pairs count as undefined. */
export type TemplateValue = string | readonly string[] | TemplatePairs;

/** One variable within an expression (RFC 6570, section 2.3), with its modifier (2.4). */
export interface VariableSpec {
	readonly name: string;
	/** The most characters of the value that are used. */
	readonly prefix: number | undefined;
	readonly isExploded: boolean;
}

/** A part of a template between braces. */
export interface Expression {
	/** As written, with its braces. */
	readonly source: string;
	readonly operator: Operator;
	readonly specs: readonly VariableSpec[];
}

/** A variable to ask for. */
export interface TemplateVariable {
	readonly name: string;
	/** Whether it takes several values: it is exploded somewhere. */
	readonly isList: boolean;
	/** Whether the URI is whole without it: only simple expansion (`{name}`) leaves a hole. */
	readonly isOptional: boolean;
}

/** A parsed URI template. */
export interface UriTemplate {
	readonly text: string;
	/** Each variable once, in the order of the text. */
	readonly variables: readonly TemplateVariable[];
	readonly parts: readonly (string | Expression)[];
}

/** How an expression type expands (RFC 6570, appendix A). */
export interface Operator {
	readonly first: string;
	readonly separator: string;
	readonly isNamed: boolean;
	/** The text after a name whose value is empty. */
	readonly ifEmpty: string;
	/** Whether reserved characters and percent-encoded text stay unchanged. */
	readonly keepsReserved: boolean;
}

/** The maximum length of a template; no honest template is longer. */
const limits = { length: 8192, variables: 100 };

const simple: Operator = { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false };

const operators: Readonly<Record<string, Operator>> = {
	"": simple,
	"+": { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: true },
	"#": { first: "#", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: true },
	".": { first: ".", separator: ".", isNamed: false, ifEmpty: "", keepsReserved: false },
	"/": { first: "/", separator: "/", isNamed: false, ifEmpty: "", keepsReserved: false },
	";": { first: ";", separator: ";", isNamed: true, ifEmpty: "", keepsReserved: false },
	"?": { first: "?", separator: "&", isNamed: true, ifEmpty: "=", keepsReserved: false },
	"&": { first: "&", separator: "&", isNamed: true, ifEmpty: "=", keepsReserved: false },
};

/** A variable with its modifier. Hyphens in names are not in the RFC, but servers write them. */
const variableSpec =
	/^(?<name>(?:\w|%[0-9A-Fa-f]{2})(?:[\w.-]|%[0-9A-Fa-f]{2})*)(?:(?<explode>\*)|:(?<prefix>[1-9]\d{0,3}))?$/;

/**
 * Parses a URI template up to level 4 of RFC 6570, in time linear in its length. Characters that a literal may not hold
 * are encoded on expansion rather than refused.
 * @throws HostError `invalid` that says where the template is malformed, or that it is too large.
 */
export function parseTemplate(text: string): UriTemplate {
	if (text.length > limits.length) throw malformed(text, `more than ${limits.length} characters`);
	const parts: (string | Expression)[] = [];
	for (let position = 0; position < text.length;) {
		const open = text.indexOf("{", position);
		const literal = text.slice(position, open === -1 ? undefined : open);
		if (literal.includes("}")) throw malformed(text, "a closing brace without an opening one");
		if (literal !== "") parts.push(encodeReserved(literal));
		if (open === -1) break;
		const close = text.indexOf("}", open);
		if (close === -1) throw malformed(text, "an opening brace without a closing one");
		parts.push(parseExpression(text, text.slice(open + 1, close)));
		position = close + 1;
	}
	const variables = variablesOf(parts);
	if (variables.length > limits.variables) throw malformed(text, `more than ${limits.variables} variables`);
	return { text, parts, variables };
}

/**
 * The URI that a template and values make. Variables without a value are left out, as the RFC says.
 * @throws HostError `invalid` for a list or object where the template takes a prefix of a text (RFC 6570, 2.4.1).
 */
export function expandTemplate(template: UriTemplate, values: ReadonlyMap<string, TemplateValue>): string {
	return template.parts.map((part) => (typeof part === "string" ? part : expandExpression(part, values))).join("");
}

/** The URI so far: simple expressions, which would leave a gap, stay as written until all of them have a value. */
export function previewTemplate(template: UriTemplate, values: ReadonlyMap<string, TemplateValue>): string {
	return template.parts
		.map((part) => {
			if (typeof part === "string") return part;
			const hasHole = part.operator === simple && part.specs.some(({ name }) => isEmpty(values.get(name)));
			return hasHole ? part.source : expandExpression(part, values);
		})
		.join("");
}

/** The variables without which the URI would have a hole and that have no value, or an empty one. */
export function missingVariables(
	{ variables }: UriTemplate,
	values: ReadonlyMap<string, TemplateValue>,
): readonly TemplateVariable[] {
	return variables.filter(({ name, isOptional }) => !isOptional && isEmpty(values.get(name)));
}

function isEmpty(value: TemplateValue | undefined): boolean {
	return value === undefined || (typeof value === "object" && "pairs" in value ? value.pairs : value).length === 0;
}

function parseExpression(text: string, body: string): Expression {
	const symbol = /^[+#./;?&]/.exec(body)?.[0] ?? "";
	const operator = operators[symbol];
	if (operator === undefined) throw malformed(text, `the unknown operator ${symbol}`);
	const specs = body
		.slice(symbol.length)
		.split(",")
		.map((part): VariableSpec => {
			const groups = variableSpec.exec(part)?.groups;
			if (groups === undefined) throw malformed(text, `"${part}", which is not a variable,`);
			const prefix = groups["prefix"] === undefined ? undefined : Number(groups["prefix"]);
			return { name: groups["name"] ?? "", prefix, isExploded: groups["explode"] !== undefined };
		});
	return { source: `{${body}}`, operator, specs };
}

function malformed(text: string, what: string): HostError {
	return new HostError("invalid", `The URI template ${oneLine(text)} has ${what} and cannot be used (RFC 6570).`);
}

function variablesOf(parts: readonly (string | Expression)[]): readonly TemplateVariable[] {
	const variables = new Map<string, TemplateVariable>();
	for (const part of parts) {
		if (typeof part === "string") continue;
		const isOptional = part.operator !== simple;
		for (const { name, isExploded } of part.specs) {
			const known = variables.get(name);
			variables.set(name, {
				name,
				isList: isExploded || known?.isList === true,
				isOptional: isOptional && known?.isOptional !== false,
			});
		}
	}
	return [...variables.values()];
}

function expandExpression({ operator, specs }: Expression, values: ReadonlyMap<string, TemplateValue>): string {
	const expanded = specs.flatMap((spec) => {
		const value = values.get(spec.name);
		return value === undefined ? [] : expandVariable(operator, spec, value);
	});
	return expanded.length === 0 ? "" : operator.first + expanded.join(operator.separator);
}

/** The pieces that a variable adds between the separators; none when it is empty in the sense of undefined. */
function expandVariable(operator: Operator, spec: VariableSpec, value: TemplateValue): string[] {
	const encode = operator.keepsReserved ? encodeReserved : encodeUnreserved;
	if (typeof value === "string") {
		const text = spec.prefix === undefined ? value : firstCharacters(value, spec.prefix);
		return [named(operator, spec.name, encode(text))];
	}
	if (spec.prefix !== undefined) {
		throw new HostError(
			"invalid",
			`The variable ${spec.name} has a length limit, so it takes one text, not several values.`,
		);
	}
	if ("pairs" in value) {
		const pairs = value.pairs.map(([name, item]) => [name, encode(item)] as const);
		if (pairs.length === 0) return [];
		if (!spec.isExploded) {
			return [named(operator, spec.name, pairs.flatMap(([name, item]) => [encode(name), item]).join(","))];
		}
		return pairs.map(([name, item]) =>
			operator.isNamed ? named(operator, encodeReserved(name), item) : `${encode(name)}=${item}`,
		);
	}
	if (value.length === 0) return [];
	const items = value.map(encode);
	if (!spec.isExploded) return [named(operator, spec.name, items.join(","))];
	return items.map((item) => named(operator, spec.name, item));
}

/** A prefix counts characters, not code units (RFC 6570, 2.4.1). */
function firstCharacters(text: string, count: number): string {
	// More code units are never needed: the rest of a long text is ignored.
	return Array.from(text.slice(0, 2 * count))
		.slice(0, count)
		.join("");
}

function named(operator: Operator, name: string, value: string): string {
	if (!operator.isNamed) return value;
	return value === "" ? name + operator.ifEmpty : `${name}=${value}`;
}

/** Keeps unreserved characters and percent-encodes all others (RFC 6570, 3.2.1). */
function encodeUnreserved(text: string): string {
	return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, percent);
}

/** Keeps unreserved and reserved characters and percent-encoded text (RFC 6570, 3.2.1). */
export function encodeReserved(text: string): string {
	return text
		.toWellFormed()
		.replace(/%[0-9A-Fa-f]{2}|[^\w.~:/?#[\]@!$&'()*+,;=-]/gu, (found) =>
			found.length === 3 && found.startsWith("%") ? found : encodeURIComponent(found),
		);
}

function percent(character: string): string {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
