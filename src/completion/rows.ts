import { cap, showHidden } from "../base/text.ts";
import type { ArgumentStep } from "./wizard.ts";

/** A row below the input of an argument. Choosing it enters `value`. The texts hold no icons but ours. */
export interface ArgumentRow {
	readonly value: string;
	readonly label: string;
	readonly description: string;
	readonly detail: string;
}

/** What is shown while an argument is asked for. */
export interface ArgumentView {
	readonly step: ArgumentStep;
	/** What is typed. */
	readonly text: string;
	readonly completions: readonly string[];
	/** Why the last attempt to go on was refused, until something is typed. */
	readonly refusal: string | undefined;
}

/**
 * A server's text for a label of a pick: icon syntax in it stays text.
 * VS Code renders `$(name)` in labels as an icon unless a backslash stands before it.
 */
export function withoutIcons(text: string): string {
	return text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");
}

/** The hint in the empty input: `destination (required)`. */
export function placeholderOf(step: ArgumentStep): string {
	return step.isRequired ? `${step.label} (required)` : `${step.label} (optional, Enter to skip)`;
}

/**
 * The first row says what Enter does with the typed text, so that nothing is chosen by accident; it also carries the
 * argument's description. The server's suggestions follow, without the one that equals the typed text. They stand in
 * the description, not the label: VS Code would sort rows whose label matches to the top and make one of them active
 * while somebody types, before this code hears of it.
 */
export function argumentRows({ step, text, completions, refusal }: ArgumentView): readonly ArgumentRow[] {
	const suggestions = completions.filter((value) => value !== text);
	return [
		{ value: text, detail: withoutIcons(step.description), ...enterTexts(step, text, suggestions.length > 0, refusal) },
		...suggestions.map((value) => ({ value, label: "", description: label(value), detail: "" })),
	];
}

function enterTexts(
	step: ArgumentStep,
	text: string,
	hasSuggestions: boolean,
	refusal: string | undefined,
): { label: string; description: string } {
	const advice = hasSuggestions ? "type a value or choose one below" : "type a value";
	if (refusal !== undefined) return { label: `$(error) ${withoutIcons(refusal)}`, description: advice };
	if (text !== "") return { label: label(text), description: "Enter to use this text" };
	if (step.isRequired) return { label: capitalized(advice), description: `${withoutIcons(step.label)} is required` };
	return { label: "Skip", description: hasSuggestions ? "or choose a value below" : "" };
}

function label(value: string): string {
	return withoutIcons(cap(showHidden(value.replace(/\n/g, "⏎")), 200));
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
