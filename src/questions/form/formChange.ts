import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { FieldInput, FormChange, NodeAction } from "./formProtocol.ts";

/** The maximum number of characters of a form; beyond it a message of the view is ignored. */
export const inputLimit = 10_000_000;

const actions: readonly NodeAction[] = ["add", "empty", "remove", "null", "replace", "reset", "up", "down"];

/** A change from the view; undefined when it is invalid (UI-06). */
export function parseChange(raw: unknown): FormChange | undefined {
	if (!isJsonObject(raw)) return undefined;
	const { kind, id, index, tab, action, input, name, text } = raw;
	if (kind === "reset") return { kind };
	if (kind === "tab") return tab === "form" || tab === "json" ? { kind, tab } : undefined;
	if (kind === "json") return isText(text) ? { kind, text } : undefined;
	if (typeof id !== "number") return undefined;
	if (kind === "toggle" || kind === "addItem") return { kind, id };
	if (kind === "addMember") return isText(name) ? { kind, id, name } : undefined;
	if (kind === "input") return isInput(input) ? { kind, id, input } : undefined;
	if (kind === "variant") return typeof index === "number" ? { kind, id, index } : undefined;
	const known = actions.find((one) => one === action);
	return kind === "action" && known !== undefined ? { kind, id, action: known } : undefined;
}

/** How many characters a member of a form's value may hold beside what the others hold. */
export function roomFor(value: JsonObject, name: string): number {
	return Object.entries(value).reduce(
		(left, [other, member]) => (other === name ? left : left - (typeof member === "string" ? member.length : 0)),
		inputLimit,
	);
}

function isInput(value: unknown): value is FieldInput {
	return typeof value === "boolean" || isText(value) || (Array.isArray(value) && value.every(isText));
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value.length <= inputLimit;
}
