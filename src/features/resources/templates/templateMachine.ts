import type { Expression, Operator, UriTemplate, VariableSpec } from "./template.ts";

/** How the items of a variable are written in a URI: one text, several, or names with values. */
export type Shape = "text" | "list" | "pairs";

/** The events on the way through a URI: an item begins, the name of a pair ends, the item ends. */
export type Note =
	| { readonly kind: "begin"; readonly expression: Expression; readonly spec: VariableSpec; readonly shape: Shape }
	| { readonly kind: "name-end" }
	| { readonly kind: "end" };

/** A state of a machine that reads a URI from left to right. A fork prefers `next` to `other`. */
export type State = { readonly index: number } & (
	| { readonly kind: "character"; readonly accepts: ReadonlySet<string>; readonly next: State }
	| { readonly kind: "fork"; readonly next: State; readonly other: State }
	| { readonly kind: "note"; readonly note: Note; readonly next: State }
	| { readonly kind: "end" }
);

/**
 * A machine that reads the URIs a template can make, and some more. States that are reached without a character precede
 * their source in `states`, so one pass over them settles a position.
 */
export interface TemplateMachine {
	readonly states: readonly State[];
	readonly start: State;
}

/** The machine of a template. Its states are at most some twenty times as many as the template's characters. */
export function compileTemplate({ parts }: UriTemplate): TemplateMachine {
	const builder = new Builder();
	const start = parts.reduceRight<State>(
		(next, part) => (typeof part === "string" ? builder.text(part, next) : builder.expression(part, next)),
		builder.end,
	);
	return { states: builder.states, start };
}

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
const reserved = ":/?#[]@!$&'()*+,;=";
const hexadecimal = new Set("0123456789ABCDEFabcdef");

/** The characters that an item of a list contains unencoded. */
const itemCharacters = new Set(unreserved);

/** Whether an item may hold the separator itself, as with the dots of `{.name*}`: then it ends at the first one it can. */
const isAmongItems = (separator: string): boolean => itemCharacters.has(separator);

/** The characters that reserved expansion leaves unchanged, except these. */
function allCharactersBut(excluded: string): ReadonlySet<string> {
	return new Set(Array.from(unreserved + reserved).filter((character) => !excluded.includes(character)));
}

const rawCharacters = allCharactersBut("");
const rawItemCharacters = allCharactersBut(",");
/** The characters of a name before its value, by the separator. */
const rawNameCharacters = new Map(["&", ";"].map((separator) => [separator, allCharactersBut(`=${separator}`)]));

/** The part before `next`. */
type Before = (next: State) => State;

/** Builds states from the end of the template to its beginning: each function prepends to its argument. */
class Builder {
	readonly end: State = { kind: "end", index: 0 };
	readonly states: State[] = [this.end];

	text(text: string, next: State): State {
		return Array.from(text).reduceRight((after, character) => this.character(new Set([character]), after), next);
	}

	/** Nothing, or the operator's first character and at least one variable. */
	expression(expression: Expression, out: State): State {
		const { operator, specs } = expression;
		let first: State | undefined;
		for (const spec of specs.toReversed()) {
			const after: State = first === undefined ? out : this.fork(this.text(operator.separator, first), out);
			const own = this.variable(expression, spec, first === undefined, after);
			// A variable may be missing; without names, those that are there are taken to be the first ones that fit.
			first = first === undefined ? own : this.fork(own, first);
		}
		return first === undefined ? out : this.fork(this.text(operator.first, first), out);
	}

	private variable(expression: Expression, spec: VariableSpec, isLast: boolean, next: State): State {
		const { operator } = expression;
		const begin = (shape: Shape): Note => ({ kind: "begin", expression, spec, shape });
		if (!spec.isExploded) {
			return this.assigned(operator, spec.name, begin("text"), next, (after) =>
				this.value(operator, begin("text"), isLast, after),
			);
		}
		// Where more variables follow, each takes as few items as it can.
		const several = (item: Before): State => this.repeated(operator.separator, item, isLast, next);
		if (operator.keepsReserved) {
			// Pairs look like a list here, because an equals sign may be part of a value.
			return several((after) => this.item(begin("list"), rawItemCharacters, true, after));
		}
		const list = several((again) =>
			this.assigned(operator, spec.name, begin("list"), again, (after) =>
				this.item(begin("list"), itemCharacters, !isAmongItems(operator.separator), after),
			),
		);
		const nameCharacters = (operator.isNamed && rawNameCharacters.get(operator.separator)) || itemCharacters;
		const pairs = several((again) => {
			const end = this.note({ kind: "end" }, again);
			const value = this.text("=", this.many(itemCharacters, !isAmongItems(operator.separator), end));
			const rest = operator.isNamed && operator.ifEmpty === "" ? this.fork(value, end) : value;
			return this.note(begin("pairs"), this.many(nameCharacters, true, this.note({ kind: "name-end" }, rest)));
		});
		return this.fork(list, pairs);
	}

	/** A value with its name, if the operator names it; the name of an empty value may have no equals sign. */
	private assigned(operator: Operator, name: string, begin: Note, next: State, value: Before): State {
		if (!operator.isNamed) return value(next);
		const full = this.text("=", value(next));
		const isBarePossible = operator.ifEmpty === "";
		const after = isBarePossible ? this.fork(full, this.note(begin, this.note({ kind: "end" }, next))) : full;
		return this.text(name, after);
	}

	/** The value of a variable that is not exploded: a text, or, where a comma would be encoded, a list with commas. */
	private value(operator: Operator, begin: Note, isLast: boolean, next: State): State {
		if (operator.keepsReserved) return this.item(begin, rawCharacters, isLast, next);
		const isGreedy = isLast || !isAmongItems(operator.separator);
		const item: Before = (after) => this.item(begin, itemCharacters, isGreedy, after);
		return this.repeated(",", item, isLast || operator.separator !== ",", next);
	}

	/** One item, or several with separators between them. */
	private repeated(separator: string, item: Before, isGreedy: boolean, next: State): State {
		const more = this.loop(new Set([separator]));
		const start = item(isGreedy ? this.fork(more, next) : this.fork(next, more));
		more.next = start;
		return start;
	}

	private item(begin: Note, accepts: ReadonlySet<string>, isGreedy: boolean, next: State): State {
		return this.note(begin, this.many(accepts, isGreedy, this.note({ kind: "end" }, next)));
	}

	/** Any number of characters, percent-encoded ones among them. */
	private many(accepts: ReadonlySet<string>, isGreedy: boolean, next: State): State {
		const plain = this.loop(accepts);
		const encoded = this.loop(hexadecimal);
		const one = this.fork(plain, this.text("%", this.character(hexadecimal, encoded)));
		const start = isGreedy ? this.fork(one, next) : this.fork(next, one);
		plain.next = start;
		encoded.next = start;
		return start;
	}

	/** A character after which the machine continues at a state that is made later. */
	private loop(accepts: ReadonlySet<string>): State & { next: State } {
		return this.add({ kind: "character" as const, accepts, next: this.end, index: this.states.length });
	}

	private character(accepts: ReadonlySet<string>, next: State): State {
		return this.add({ kind: "character", accepts, next, index: this.states.length });
	}

	private fork(next: State, other: State): State {
		return this.add({ kind: "fork", next, other, index: this.states.length });
	}

	private note(note: Note, next: State): State {
		return this.add({ kind: "note", note, next, index: this.states.length });
	}

	private add<T extends State>(state: T): T {
		this.states.push(state);
		return state;
	}
}
