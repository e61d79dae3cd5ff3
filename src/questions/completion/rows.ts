import { cap, showHidden, withoutIcons } from "../../base/text.ts";
import { describeText, type FillOffer } from "./fills.ts";
import { lineOf } from "./lineInput.ts";
import type { ArgumentStep } from "./wizard.ts";

/** The texts of a row. They hold no icons but ours. */
interface RowTexts {
	readonly label: string;
	readonly description: string;
	readonly detail: string;
}

/** A row below the input of an argument: choosing it enters its value, or one from the place that it names. */
export type ArgumentRow = RowTexts &
	(
		| { readonly kind: "enter" | "suggestion" | "recent"; readonly value: string }
		| { readonly kind: "fill"; readonly source: string }
	);

/** What is shown while an argument is asked for. */
export interface ArgumentView {
	readonly step: ArgumentStep;
	/** The exact text so far. */
	readonly text: string;
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
 * The first row says what Enter does with the text so far, so that nothing is chosen by accident; it also carries the
 * argument's description. The server's suggestions follow, without the one that equals the text, then values entered
 * before, then places to take a value from. All stand in the description, not the label: VS Code would sort rows whose
 * label matches to the top and make one of them active while somebody types, before this code hears of it.
 */
export function argumentRows(view: ArgumentView): readonly ArgumentRow[] {
	const { step, text, fills } = view;
	const suggestions = view.completions.filter((value) => value !== text);
	const isFitting = (value: string): boolean => value !== text && value.toLowerCase().includes(text.toLowerCase());
	const recent = view.recent.filter((value) => isFitting(value) && !suggestions.includes(value));
	const hasChoice = suggestions.length + recent.length + fills.length > 0;
	return [
		{ kind: "enter", value: text, detail: withoutIcons(step.description), ...enterTexts(view, hasChoice) },
		...suggestions.map((value) => valueRow("suggestion", value)),
		...recent.map((value) => valueRow("recent", value)),
		...fills.map(fillRow),
	];
}

function valueRow(kind: "suggestion" | "recent", value: string): ArgumentRow {
	// While somebody types, the editor shows no headings.
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

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
