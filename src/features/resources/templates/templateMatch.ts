import {
	encodeReserved,
	expandTemplate,
	type Expression,
	type Operator,
	type TemplateValue,
	type UriTemplate,
	type VariableSpec,
} from "./template.ts";

/** A pattern with more variables, repeated ones included, would take long to compile. */
const mostSpecs = 100;
/** How many variables of an expression may be the first one that is there. */
const mostBeginnings = 5;

/** The characters of an encoded value, as the inside of a class. */
const encoded = String.raw`\w.~%\-`;

/**
 * The values with which a template makes a URI that `encodeReserved` has written; undefined if there are none. The values
 * make the same URI, apart from equivalent encodings of a character (RFC 3986, 6.2.2).
 *
 * RFC 6570 leaves matching open (1.4). If several values fit, variables of an expression take as little as they can and
 * the last one the rest; one item is a text. Values that a pattern cannot recognize are not found: a prefix or a repeated
 * name next to another variable. A hostile template can make this slow, so it belongs into a time limit.
 */
export function matchEncoded(template: UriTemplate, text: string): ReadonlyMap<string, TemplateValue> | undefined {
	const [first] = template.parts;
	// Most templates differ in their beginnings.
	if (typeof first === "string" && !text.startsWith(first)) return undefined;
	if (template.parts.reduce((sum, part) => sum + (typeof part === "string" ? 0 : part.specs.length), 0) > mostSpecs)
		return undefined;
	const pattern = template.parts.map((part) => (typeof part === "string" ? escaped(part) : patternOf(part))).join("");
	const groups = new RegExp(`^${pattern}$`, "s").exec(text)?.slice(1);
	const values = groups && valuesOf(template, groups);
	return values && canonical(expandTemplate(template, values)) === canonical(text) ? values : undefined;
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The pattern of an expression: nothing, or at least one variable, each with a group of its own. */
function patternOf({ operator, specs }: Expression): string {
	const { isNamed } = operator;
	const [first, separator] = [escaped(operator.first), escaped(operator.separator)];
	const patterns = specs.map((spec, index) => variablePattern(operator, spec, index === specs.length - 1));
	const all = (before: string, from = 0): string =>
		patterns
			.slice(from)
			.map((pattern) => `(?:${before}${pattern})?`)
			.join("");
	if (first === separator) return all(separator);
	// No value has the first character of those with names.
	if (isNamed) return `(?:${first}${all(`(?:(?<=${first})|${separator})`)}(?<!${first}))?`;
	const begins = beginnings(operator, specs).map((index) => `${patterns[index]}${all(separator, index + 1)}`);
	return `(?:${first}(?:${begins.join("|")}))?`;
}

/** Which variables may be the first one that is there, without names: the first, or one whose items are pairs. */
function beginnings({ keepsReserved }: Operator, specs: readonly VariableSpec[]): readonly number[] {
	return specs
		.map((_, index) => index)
		.filter((index) => index === 0 || (!keepsReserved && specs[index]?.isExploded === true && index < mostBeginnings));
}

/** The pattern of a variable. Where more variables follow, it takes as few items as it can. */
function variablePattern(
	{ separator, isNamed, ifEmpty, keepsReserved }: Operator,
	spec: VariableSpec,
	isLast: boolean,
): string {
	const most = isLast ? "*" : "*?";
	if (keepsReserved) return `(.${most})`;
	const value = `[${encoded}]*`;
	const assigned = ifEmpty === "" && isNamed ? `(?:=${value})?` : `=${value}`;
	const name = escaped(spec.name);
	if (!spec.isExploded) {
		const values = `[${encoded},]${most}`;
		return isNamed ? `${name}(${ifEmpty === "" ? `(?:=${values})?` : `=${values}`})` : `(${values})`;
	}
	const several = (item: string): string => `${item}(?:${escaped(separator)}${item})${most}`;
	if (isNamed) return `(${several(`${name}${assigned}`)}|${several(`[^=${separator}]*${assigned}`)})`;
	// A dot between items may also be in one of them.
	const pairs = separator === "." ? `${value}=[${encoded}=]${most}` : several(`${value}=${value}`);
	return `([${encoded}${escaped(separator)}]${most}|${pairs})`;
}

/** The values in the groups of a match; undefined when the encoding of one is not a text. */
function valuesOf(
	{ parts }: UriTemplate,
	groups: readonly (string | undefined)[],
): ReadonlyMap<string, TemplateValue> | undefined {
	const own = parts
		.filter((part) => typeof part !== "string")
		.flatMap(({ operator, specs }) => {
			const all = specs.map((spec) => ({ operator, spec }));
			if (operator.isNamed || operator.first === operator.separator) return all;
			return beginnings(operator, specs).flatMap((index) => all.slice(index));
		})
		.map(({ operator, spec }, index) => ({ operator, spec, text: groups[index] }))
		// A prefix is not the whole value: it counts only if nothing else is known.
		.toSorted((one, other) => Number(one.spec.prefix !== undefined) - Number(other.spec.prefix !== undefined));
	const values = new Map<string, TemplateValue>();
	try {
		for (const { operator, spec, text } of own)
			if (text !== undefined && !values.has(spec.name)) values.set(spec.name, valueOf(operator, spec, text));
	} catch (error) {
		if (error instanceof URIError) return undefined;
		throw error;
	}
	return values;
}

function valueOf(
	{ separator, isNamed, keepsReserved }: Operator,
	{ name, isExploded }: VariableSpec,
	text: string,
): TemplateValue {
	const decode = keepsReserved ? String : decodeURIComponent;
	if (!isExploded) {
		const value = isNamed ? text.replace(/^=/, "") : text;
		return ofItems(keepsReserved ? [value] : value.split(",").map(decode));
	}
	const hasName = (item: string): boolean => item === name || item.startsWith(`${name}=`);
	// Of dots between pairs, the first one after a value ends it.
	const items = text.split(separator === "." && text.includes("=") ? /(?<==[^.=]*)\.(?=[^=]*=)/ : separator);
	if (isNamed ? items.every(hasName) : keepsReserved || !text.includes("="))
		return ofItems(items.map((item) => decode(isNamed ? item.slice(name.length + 1) : item)));
	return {
		pairs: items.map((item) => {
			const [literal = ""] = item.split("=", 1);
			return [isNamed ? nameOf(literal) : decode(literal), decode(item.slice(literal.length + 1))];
		}),
	};
}

function ofItems([only = "", ...others]: readonly string[]): TemplateValue {
	return others.length === 0 ? only : [only, ...others];
}

/** The name of a pair in the form of a literal: decoded if that is the same name. */
function nameOf(literal: string): string {
	const name = decodeURIComponent(literal);
	return encodeReserved(name) === literal ? name : literal;
}

/** One way to write a URI: hexadecimal digits in upper case, and nothing encoded that need not be. */
function canonical(uri: string): string {
	return uri.replace(/%[0-9A-Fa-f]{2}/g, (triplet) => {
		const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
	});
}
