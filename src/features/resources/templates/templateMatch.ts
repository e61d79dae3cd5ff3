import { assertNever } from "../../../base/assert.ts";
import {
	encodeReserved,
	expandTemplate,
	type Operator,
	type TemplateValue,
	type UriTemplate,
	type VariableSpec,
} from "./template.ts";
import { compileTemplate, type TemplateMachine, type Shape, type State } from "./templateMachine.ts";

/** How much work may still be done: each look at one state at one position of a URI is a step. */
export interface StepBudget {
	left: number;
}

/** The most steps for one template, which is also the memory that it takes, in bytes. */
const stepLimit = 1_000_000;

/**
 * The values with which a template makes a URI; undefined if there are none, or if the budget is exceeded. The values
 * make the same URI, apart from equivalent encodings of a character (RFC 3986, 6.2.2).
 *
 * RFC 6570 leaves matching open (1.4). If several values fit, variables of an expression take one item each and the
 * last one the rest; one item is a text. No path is tried twice: the time is at most the product of both lengths.
 * Values that a machine without memory cannot recognize are not found: a prefix or a repeated name next to another
 * variable.
 */
export function matchTemplate(
	template: UriTemplate,
	uri: string,
	budget: StepBudget = { left: stepLimit },
): ReadonlyMap<string, TemplateValue> | undefined {
	return matchEncoded(template, encodeReserved(uri), budget);
}

/** The same for a URI that `encodeReserved` has written already, so that a search through many templates does so once. */
export function matchEncoded(
	template: UriTemplate,
	text: string,
	budget: StepBudget,
): ReadonlyMap<string, TemplateValue> | undefined {
	const [first] = template.parts;
	// Most templates differ in their beginnings.
	if (typeof first === "string" && !text.startsWith(first)) return undefined;
	if (budget.left <= 0) return undefined;
	const machine = compileTemplate(template);
	const steps = machine.states.length * (text.length + 1);
	// Building the machine was work as well.
	budget.left -= machine.states.length;
	if (steps > Math.min(stepLimit, budget.left)) return undefined;
	const leadsToEnd = lookAhead(machine, text, budget);
	if (!leadsToEnd(machine.start, 0)) return undefined;
	const values = valuesOf(walk(machine.start, text, leadsToEnd));
	return values !== undefined && canonical(expandTemplate(template, values)) === canonical(text) ? values : undefined;
}

type LookAhead = (state: State, position: number) => boolean;

/** From which states the rest of the text leads to the end, for each position from the last to the first. */
function lookAhead({ states }: TemplateMachine, text: string, budget: StepBudget): LookAhead {
	const width = states.length;
	const table = new Uint8Array(width * (text.length + 1));
	const leadsToEnd: LookAhead = ({ index }, position) => table[position * width + index] === 1;
	for (let position = text.length; position >= 0; position--) {
		for (const state of states) {
			budget.left--;
			if (goesOn(state, text, position, leadsToEnd)) table[position * width + state.index] = 1;
		}
	}
	return leadsToEnd;
}

function goesOn(state: State, text: string, position: number, leadsToEnd: LookAhead): boolean {
	switch (state.kind) {
		case "end":
			return position === text.length;
		case "character":
			return state.accepts.has(text.charAt(position)) && leadsToEnd(state.next, position + 1);
		case "fork":
			return leadsToEnd(state.next, position) || leadsToEnd(state.other, position);
		case "note":
			return leadsToEnd(state.next, position);
		default:
			return assertNever(state);
	}
}

/** An item of a variable, as written in the URI. */
interface Item {
	readonly spec: VariableSpec;
	readonly operator: Operator;
	readonly shape: Shape;
	/** The name of a pair. */
	readonly name: string;
	readonly text: string;
}

/** Goes from the start to the end without ever having to turn back. */
function walk(start: State, text: string, leadsToEnd: LookAhead): readonly Item[] {
	const items: Item[] = [];
	let item: Omit<Item, "text"> | undefined;
	let position = 0;
	let begin = 0;
	for (let state = start; state.kind !== "end";) {
		if (state.kind === "fork") {
			state = leadsToEnd(state.next, position) ? state.next : state.other;
			continue;
		}
		if (state.kind === "character") {
			position++;
		} else if (state.note.kind === "begin") {
			const { spec, shape, expression } = state.note;
			item = { spec, shape, operator: expression.operator, name: "" };
			begin = position;
		} else if (item !== undefined) {
			const passed = text.slice(begin, position);
			if (state.note.kind === "end") items.push({ ...item, text: passed });
			else item = { ...item, name: passed };
		}
		state = state.next;
	}
	return items;
}

/** The values of the items; undefined when the encoding of one is not a text. */
function valuesOf(items: readonly Item[]): ReadonlyMap<string, TemplateValue> | undefined {
	const bySpec = new Map<VariableSpec, Item[]>();
	for (const item of items) {
		const own = bySpec.get(item.spec);
		if (own === undefined) bySpec.set(item.spec, [item]);
		else own.push(item);
	}
	const values = new Map<string, TemplateValue>();
	// A prefix is not the whole value: it counts only if nothing else is known.
	const specs = [...bySpec].toSorted(
		([one], [other]) => Number(one.prefix !== undefined) - Number(other.prefix !== undefined),
	);
	try {
		for (const [spec, own] of specs) {
			if (!values.has(spec.name)) values.set(spec.name, valueOf(own));
		}
	} catch (error) {
		if (error instanceof URIError) return undefined;
		throw error;
	}
	return values;
}

function valueOf(items: readonly Item[]): TemplateValue {
	if (items[0]?.shape === "pairs") {
		return {
			pairs: items.map(({ text, name, operator }) => [
				operator.isNamed ? nameOf(name) : decodeURIComponent(name),
				// The text after the name begins with an equals sign, if there is any.
				decodeURIComponent(text.slice(name.length + 1)),
			]),
		};
	}
	const texts = items.map(({ text, operator }) => (operator.keepsReserved ? text : decodeURIComponent(text)));
	const [only = "", ...others] = texts;
	return others.length === 0 ? only : texts;
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
