import { exactNumber } from "../../base/exactJson.ts";
import { oneLine } from "../../base/text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { newCallId } from "../callIds.ts";
import { meantTools } from "../meantTool.ts";
import type { CallPart } from "../model.ts";
import { keptOfCall, withPiece } from "./keptPieces.ts";
import { WrittenName } from "./writtenName.ts";

/** A tool call as a model wrote it; `malformed` when its arguments are not a JSON object. */
export interface WrittenArguments {
	readonly arguments: JsonObject;
	readonly malformed?: string;
	/** The problem of them, besides not being an object. */
	readonly problem?: string;
}

/** A tool call while its pieces arrive. */
interface PartialCall {
	readonly id: string;
	/** The id and the index that the endpoint gave it, if any. */
	readonly givenId: string | undefined;
	readonly index: Json | undefined;
	readonly name: WrittenName;
	text: string;
	/** A number that was lost before it was received here. */
	lost: string | undefined;
	/** Pieces with another id or index belong to it. */
	hasStrays?: true;
	/** The data that the endpoint needs back with it. */
	fields: JsonObject;
}

/** The content of a call's piece. */
interface Piece {
	readonly name: string;
	readonly arguments: Json | undefined;
}

/**
 * The tool calls of one answer, joined from the pieces of its stream in the dialects of endpoints: pieces without index
 * or id, one index or one id for several calls, an own id or index for each piece, whole calls in one piece, arguments
 * as an object, names in parts or repeated in every piece. A name is used when it is complete, according to the offered
 * tools.
 */
export class ToolCallPieces {
	private readonly calls: PartialCall[] = [];
	private readonly offered: ReadonlySet<string>;

	constructor(offered: readonly string[]) {
		this.offered = new Set(offered);
	}

	get count(): number {
		return this.calls.length;
	}

	/**
	 * Adds an element of `delta.tool_calls`, or the older `delta.function_call`. Returns the call that it belongs to so
	 * far, once it has a name.
	 */
	add(piece: unknown): CallPart | undefined {
		if (!isJsonObject(piece)) return undefined;
		const { id, index } = piece;
		const givenId = typeof id === "string" && id !== "" ? id : undefined;
		const details = isJsonObject(piece["function"]) ? piece["function"] : piece;
		const more = details["arguments"];
		const written: Piece = { name: typeof details["name"] === "string" ? details["name"] : "", arguments: more };
		const known = this.find(givenId, index);
		const goesOn =
			known === undefined ? this.continued(written) : this.beginsAnother(known, written) ? undefined : known;
		const call = goesOn ?? this.begin(givenId, index);
		call.name.add(written.name);
		if (typeof more === "string") call.text += more;
		else if (isJsonObject(more)) {
			call.text = JSON.stringify(more);
			call.lost ??= doubtfulNumber(more);
		}
		call.fields = withPiece(call.fields, keptOfCall(piece));
		return call.name.isEmpty ? undefined : { callId: call.id, name: call.name.reading.name, text: call.text };
	}

	/** The calls in the order in which they began, each with an id of its own. `isCut`: the answer broke off at its limit. */
	*finished(
		isCut: boolean,
		hasEnd = true,
	): Generator<{ readonly id: string; readonly name: string } & WrittenArguments> {
		const calls = this.calls.filter((call, place) => !this.isAnnouncement(call, this.calls[place + 1]));
		for (const { id, name: written, text, lost } of calls) {
			const { name, problem } = written.reading;
			const isLast = id === calls.at(-1)?.id && text.trim() === "";
			const isHalf = isLast && (isCut || (!hasEnd && written.isBeginning));
			const doubt = isHalf ? "The call is incomplete: its arguments are missing. Send it again." : problem;
			if (doubt !== undefined) yield { id, name, arguments: {}, malformed: text, problem: doubt };
			else yield { id, name, ...(lost === undefined ? parseArguments(text) : inexact(text, lost)) };
		}
	}

	/** The data that the endpoint needs back with the calls, for those that have any. */
	get kept(): readonly { readonly callId: string; readonly fields: JsonObject }[] {
		const calls = this.calls.map(({ id, fields }) => ({ callId: id, fields }));
		return calls.filter(({ fields }) => Object.keys(fields).length > 0);
	}

	private find(givenId: string | undefined, index: Json | undefined): PartialCall | undefined {
		const isIndexed = typeof index === "number";
		if (givenId !== undefined) {
			return this.calls.findLast(
				(call) => call.givenId === givenId && (!isIndexed || typeof call.index !== "number" || call.index === index),
			);
		}
		return isIndexed ? this.calls.findLast((call) => call.index === index) : this.calls.at(-1);
	}

	private begin(givenId: string | undefined, index: Json | undefined): PartialCall {
		// Results are identified by the id: a missing or repeated one is replaced.
		const isUsable = givenId !== undefined && !this.calls.some(({ id }) => id === givenId);
		const id = isUsable ? givenId : newCallId();
		const call: PartialCall = {
			id,
			givenId,
			index,
			name: new WrittenName(this.offered),
			text: "",
			lost: undefined,
			fields: {},
		};
		this.calls.push(call);
		return call;
	}

	/** The call that is being written, if a piece with its own id or index continues it. */
	private continued({ name, arguments: more }: Piece): PartialCall | undefined {
		const current = this.calls.at(-1);
		if (current === undefined || !this.goesOn(current, name, more)) return undefined;
		current.hasStrays = true;
		return current;
	}

	private goesOn({ givenId, index, name: written, text }: PartialCall, name: string, more: Json | undefined): boolean {
		const isOpen = text.trim() !== "" && !isComplete(text);
		if (name === "") return isOpen || text.trim() === "" || isBlank(more);
		if (text.trim() !== "" && !isOpen) return false;
		const isSame = name === written.reading.name;
		// The beginning of an object is followed by the rest of it, with any name beside it, except that of another tool.
		if (isOpen) return isSame || !this.isWhole(name);
		if (written.isEmpty || (!opens(more) && !isBlank(more))) return true;
		if (isSame) return givenId === undefined && index === undefined;
		return !this.isWhole(name) || !this.isWhole(written.reading.name);
	}

	/** Whether a piece for a call that is known begins another one: that one is complete, or the two have names of their own. */
	private beginsAnother({ name: written, text }: PartialCall, { name, arguments: more }: Piece): boolean {
		if (name === "" || written.isEmpty) return false;
		const isOther = name !== written.reading.name && this.isWhole(name) && this.isWhole(written.reading.name);
		if (text.trim() === "") return isOther && !this.offered.has(written.joinedTo(name)) && !this.isGrown(written, name);
		// Some repeat the name in every piece: looking at the whole each time would take ever longer.
		return (opens(more) || name !== written.reading.name) && isComplete(text);
	}

	/** Whether a piece is the name so far with more of it. */
	private isGrown(written: WrittenName, name: string): boolean {
		return name.startsWith(written.reading.name);
	}

	private isWhole(name: string): boolean {
		return this.offered.size === 0 || meantTools(name, this.offered).length === 1;
	}

	/** Whether a call without arguments only announced the next one, whose pieces each have an id of their own. */
	private isAnnouncement({ name, text }: PartialCall, next: PartialCall | undefined): boolean {
		return text.trim() === "" && next?.hasStrays === true && next.name.reading.name === name.reading.name;
	}
}

function opens(more: Json | undefined): boolean {
	return isJsonObject(more) || (typeof more === "string" && more.trimStart().startsWith("{"));
}

function isBlank(more: Json | undefined): boolean {
	return !isJsonObject(more) && (typeof more !== "string" || more.trim() === "");
}

/** Whether a text is all of the arguments. */
function isComplete(text: string): boolean {
	if (!/["}]\s*$/.test(text.slice(-20))) return false;
	const { malformed, problem } = parseArguments(text);
	return malformed === undefined || problem !== undefined;
}

/**
 * A number in arguments that arrived as an object, which may have been another one in the text: the text was not kept.
 */
function doubtfulNumber(value: Json | undefined): string | undefined {
	if (typeof value === "number") {
		const digits = String(value).replace(/e.*$/, "").replaceAll(/[-.]/g, "").replace(/^0+/, "");
		return (Number.isInteger(value) && !Number.isSafeInteger(value)) || digits.length >= 17 ? String(value) : undefined;
	}
	if (typeof value !== "object" || value === null) return undefined;
	for (const inner of Object.values(value) as readonly (Json | undefined)[]) {
		const found = doubtfulNumber(inner);
		if (found !== undefined) return found;
	}
	return undefined;
}

function parseArguments(text: string): WrittenArguments {
	// A call without arguments is an empty text with many endpoints.
	if (text.trim() === "") return { arguments: {} };
	const inexactNumbers: string[] = [];
	let value: unknown = text;
	// Some models write the object as a text within the text.
	for (let depth = 0; depth < 2 && typeof value === "string"; depth++) value = parseJson(value, inexactNumbers);
	if (!isJsonObject(value)) return { arguments: {}, malformed: text };
	const [number] = inexactNumbers;
	return number === undefined ? { arguments: value } : inexact(text, number);
}

function inexact(text: string, number: string): WrittenArguments {
	const problem = `The number ${oneLine(number, 60)} cannot be sent exactly. Use a shorter number, or a string if the tool accepts one.`;
	return { arguments: {}, malformed: text, problem };
}

/**
 * Parses JSON, and collects the numbers that this host would send as other ones: the user must confirm exactly what the
 * model wrote. Undefined for text that is not JSON; the caller reports that to the model.
 */
function parseJson(text: string, inexact: string[]): unknown {
	const check = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
		if (typeof value === "number" && context?.source !== undefined && exactNumber(context.source) === undefined) {
			inexact.push(context.source);
		}
		return value;
	};
	try {
		return JSON.parse(text, check);
	} catch {
		return undefined;
	}
}
