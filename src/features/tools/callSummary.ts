import { escapeHidden, exactName } from "../../base/exactJson.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { CallPlaceSize, CallSummary } from "../../questions/decisions/decision.ts";
import { badgeLine, destructive } from "../../permissions/catalog/annotations.ts";
import type { QuestionNotice, ToolCall } from "./approval.ts";

/** How much of the first argument is in a row. */
const longestFirst = 60;
/**
 * Up to which length the hover of a row, and a chat without scrolling, show arguments completely, in characters of
 * JSON.
 */
const longestInRow = 600;
const longestInChat = 2000;
/** The same for the number of arguments, each of which is a line. */
const mostInRow = 12;

/** The row of a call in a list of waiting questions, and from where it may be allowed with one key (UI-20, UI-21). */
export function summaryOf(call: ToolCall, notice: QuestionNotice): CallSummary {
	const length = lengthOf(call.arguments);
	const isWhole = length <= longestInRow && Object.keys(call.arguments).length <= mostInRow;
	return {
		about: firstArgument(call.arguments),
		exactly: [...linesOf(call.arguments, isWhole), badgeLine(call.entry.tool.annotations)].join("\n"),
		fitsIn: length > longestInChat ? "form" : placeOf(call, notice, isWhole),
	};
}

/** The length of the arguments in JSON; a text that alone is too long for every place is not measured exactly. */
function lengthOf(args: JsonObject): number {
	const isLong = Object.values(args).some((value) => typeof value === "string" && value.length > longestInChat);
	return isLong ? Infinity : JSON.stringify(args).length;
}

function firstArgument(args: JsonObject): string {
	const [first, ...others] = Object.entries(args);
	if (first === undefined) return "no arguments";
	const [name, value] = first;
	const text = typeof value === "string" ? oneLine(value, longestFirst) : jsonOf(value, longestFirst);
	return `${exactName(name, 40)}: ${text}${others.length === 0 ? "" : `, ${others.length} more`}`;
}

/** The arguments as they are sent, as far as a hover can show them. */
function linesOf(args: JsonObject, isWhole: boolean): readonly string[] {
	const entries = Object.entries(args).slice(0, mostInRow);
	if (entries.length === 0) return ["No arguments"];
	const lines = entries.map(
		([name, value]) => `${exactName(name, isWhole ? Infinity : 120)}: ${jsonOf(value, isWhole ? Infinity : 120)}`,
	);
	return isWhole ? lines : [...lines, "Not shown in full. Review it to see everything"];
}

/** A value in JSON up to a length, in which every character can be seen. */
function jsonOf(value: Json | undefined, length: number): string {
	const json = JSON.stringify(typeof value === "string" ? value.slice(0, length) : value) ?? "";
	const isCut = json.length > length || (typeof value === "string" && value.length > length);
	return escapeHidden(isCut ? `${json.slice(0, length)}…` : json);
}

/**
 * A call that may delete something is allowed only where its arguments are visible, and a changed or warned one only
 * where all of it is. The server's hints can make this stricter, but never more lenient than for a tool without hints
 * (specification, "Tool Annotations": untrusted).
 */
function placeOf({ entry }: ToolCall, { pin, warnings }: QuestionNotice, isWhole: boolean): CallPlaceSize {
	if (pin.kind === "changed" || warnings.some(({ isNote }) => !isNote)) return "form";
	// A user who sees a tool for the first time reads its whole description in the chat (TOL-01).
	const isUnknown = pin.kind === "new" || destructive(entry.tool.annotations) === "stated";
	return isUnknown || !isWhole ? "chat" : "row";
}
