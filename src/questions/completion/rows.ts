import type { RowTexts } from "../listRow.ts";
import { cap, showHidden } from "../../base/text.ts";
import { withoutIcons, capitalized } from "../../base/words.ts";
import { describeText, type FillOffer } from "./fills.ts";
import { lineOf } from "./lineInput.ts";
import type { ArgumentStep } from "./wizard.ts";

/** A row below the input of an argument: choosing it enters its value, or one from the place that it names. */
export type ArgumentRow = RowTexts &
	(
		| { readonly kind: "enter" | "suggestion" | "recent"; readonly value: string }
		| { readonly kind: "fill"; readonly source: string }
	);

/** The content while an argument is asked for. */
export interface ArgumentView {
	readonly step: ArgumentStep;
	/** The exact text so far. */
	readonly text: string;
	/** Whether the user typed it just now: Enter keeps a filled-in value unchanged. */
	readonly isTyped: boolean;
	readonly completions: readonly string[];
	/** Values entered before, the latest first. */
	readonly recent: readonly string[];
	readonly fills: readonly FillOffer[];
	/** Why the last attempt to go on was refused, until something is typed. */
	readonly refusal: string | undefined;
}

/** The hint in the empty input: `destination (required)`. */
export function placeholderOf(step: ArgumentStep): string {
	return step.isRequired ? `${step.label} (required)` : `${step.label} (optional, Enter to skip)`;
}

/**
 * The first row shows the effect of Enter on the current text, and has the argument's description. If the server
 * completes the text, Enter chooses the completion, and the typed text is second; otherwise it takes the text. The
 * server's other suggestions follow, without the one that equals the text, then earlier values, then sources of values.
 * All but the first are in the description, not the label: VS Code would sort rows whose label matches to the top and
 * activate one while the user types, before this code is notified.
 */
export function argumentRows(view: ArgumentView): readonly ArgumentRow[] {
	const { step, text, fills } = view;
	const completion = completionOf(view);
	const suggestions = view.completions.filter((value) => value !== text && value !== completion);
	const isFitting = (value: string): boolean => value !== text && value.toLowerCase().includes(text.toLowerCase());
	const recent = view.recent.filter((value) => isFitting(value) && !view.completions.includes(value));
	const hasChoice = suggestions.length + recent.length + fills.length > 0;
	const detail = withoutIcons(step.description);
	const others = [
		...suggestions.map((value) => valueRow("suggestion", value)),
		...recent.map((value) => valueRow("recent", value)),
		...fills.map(fillRow),
	];
	if (completion === undefined) {
		return [{ kind: "enter", value: text, detail, ...enterTexts(view, hasChoice) }, ...others];
	}
	const completed = { label: label(completion), description: "Enter to use this value", detail };
	const typed = { label: "", description: `${label(text)}  as you typed it`, detail: "" };
	return [{ kind: "suggestion", value: completion, ...completed }, { kind: "enter", value: text, ...typed }, ...others];
}

/**
 * The server's value that begins with the text, case-insensitive. None for a text that is itself a value of the server,
 * or a number: it is complete.
 */
function completionOf({ text, isTyped, completions, refusal }: ArgumentView): string | undefined {
	if (!isTyped || refusal !== undefined || text === "") return undefined;
	if (completions.includes(text) || /^[\d.,]+$/.test(text)) return undefined;
	const typed = text.toLowerCase();
	return completions.find((value) => value.toLowerCase().startsWith(typed));
}

function valueRow(kind: "suggestion" | "recent", value: string): ArgumentRow {
	// While the user types, VS Code shows no headings.
	const mark = kind === "recent" ? "$(history) " : "";
	return { kind, value, label: "", description: `${mark}${label(value)}`, detail: "" };
}

function fillRow({ id, icon, label: name, about }: FillOffer): ArgumentRow {
	const description = `$(${icon}) ${name}${about === "" ? "" : `  ${withoutIcons(about)}`}`;
	return { kind: "fill", source: id, label: "", description, detail: "" };
}

function enterTexts(
	{ step, text, refusal }: ArgumentView,
	hasChoice: boolean,
): { readonly label: string; readonly description: string } {
	const advice = hasChoice ? "type a value or choose one below" : "type a value";
	if (refusal !== undefined) return { label: `$(error) ${withoutIcons(refusal)}`, description: advice };
	if (text.length > longText) return { label: withoutIcons(describeText(text)), description: "Enter to use this text" };
	if (text !== "") return { label: label(text), description: "Enter to use this text" };
	if (step.isRequired) return { label: capitalized(advice), description: `${withoutIcons(step.label)} is required` };
	return { label: "Skip", description: hasChoice ? "or choose a value below" : "" };
}

/** From how many characters on a text is described rather than shown. */
const longText = 200;

function label(value: string): string {
	return withoutIcons(cap(showHidden(lineOf(value)), longText));
}
