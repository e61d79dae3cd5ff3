import { exactNumber } from "../../base/exactJson.ts";
import { oneLine } from "../../base/text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { newCallId } from "../callIds.ts";
import type { CallPart } from "../model.ts";
import { keptOfCall, withPiece } from "./keptPieces.ts";

/** A tool call as a model wrote it; `malformed` when its arguments are no JSON object. */
export interface WrittenArguments {
	readonly arguments: JsonObject;
	readonly malformed?: string;
	/** What is wrong with them, beside not being an object. */
	readonly problem?: string;
}

/** A tool call while its pieces arrive. */
interface PartialCall {
	readonly id: string;
	/** The id and the index that the endpoint gave it, if any. */
	readonly givenId: string | undefined;
	readonly index: Json | undefined;
	name: string;
	text: string;
	/** What the endpoint wants back with it. */
	fields: JsonObject;
}

/**
 * The tool calls of one answer, joined from the pieces of its stream in the dialects that endpoints speak: pieces without
 * index or id, one index or one id for several calls, whole calls in one piece, arguments as an object, names repeated in
 * every piece.
 */
export class ToolCallPieces {
	private readonly calls: PartialCall[] = [];

	get count(): number {
		return this.calls.length;
	}

	/**
	 * Adds an element of `delta.tool_calls`, or what stands in the older `delta.function_call`. Gives the call that it belongs to as
	 * far as it goes, once it has a name.
	 */
	add(piece: unknown): CallPart | undefined {
		if (!isJsonObject(piece)) return undefined;
		const { id, index } = piece;
		const givenId = typeof id === "string" && id !== "" ? id : undefined;
		const details = isJsonObject(piece["function"]) ? piece["function"] : piece;
		const { name, arguments: more } = details;
		const known = this.find(givenId, index);
		const call = known === undefined || beginsAnother(known, name, more) ? this.begin(givenId, index) : known;
		if (call.name === "" && typeof name === "string") call.name = name;
		if (typeof more === "string") call.text += more;
		else if (isJsonObject(more)) call.text = JSON.stringify(more);
		call.fields = withPiece(call.fields, keptOfCall(piece));
		return call.name === "" ? undefined : { callId: call.id, name: call.name, text: call.text };
	}

	/** The calls in the order in which they began, each with an id of its own. */
	*finished(): Generator<{ readonly id: string; readonly name: string } & WrittenArguments> {
		for (const { id, name, text } of this.calls) yield { id, name, ...parseArguments(text) };
	}

	/** What the endpoint wants back with the calls, of those that have any. */
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
		// Results are told apart by the id: one that is missing or used twice is replaced.
		const isUsable = givenId !== undefined && !this.calls.some(({ id }) => id === givenId);
		const call = { id: isUsable ? givenId : newCallId(), givenId, index, name: "", text: "", fields: {} };
		this.calls.push(call);
		return call;
	}
}

/** Whether a piece that names a tool and opens an object cannot go on with a call whose arguments are complete. */
function beginsAnother(call: PartialCall, name: Json | undefined, more: Json | undefined): boolean {
	if (typeof name !== "string" || name === "" || call.name === "") return false;
	const opens = isJsonObject(more) || (typeof more === "string" && more.trimStart().startsWith("{"));
	// Some repeat the name in every piece: looking at the whole each time would take ever longer.
	if (!opens || call.text.trim() === "") return false;
	const { malformed, problem } = parseArguments(call.text);
	return malformed === undefined || problem !== undefined;
}

function parseArguments(text: string): WrittenArguments {
	// A call without arguments is an empty text with many endpoints.
	if (text.trim() === "") return { arguments: {} };
	const inexact: string[] = [];
	let value: unknown = text;
	// Some models write the object as a text within the text.
	for (let depth = 0; depth < 2 && typeof value === "string"; depth++) value = parseJson(value, inexact);
	if (!isJsonObject(value)) return { arguments: {}, malformed: text };
	const [number] = inexact;
	if (number === undefined) return { arguments: value };
	const problem = `The number ${oneLine(number, 60)} cannot be sent without loss. Write a shorter one, or a string if the tool takes one.`;
	return { arguments: {}, malformed: text, problem };
}

/**
 * Parses JSON, and collects the numbers that this host would send as other ones: what a person confirms has to be what
 * the model wrote. Undefined for what is no JSON; that is told to the model by the one who runs the call.
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
