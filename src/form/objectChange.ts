import { isJsonObject } from "../base/json.ts";
import { inputLimit } from "./formInput.ts";
import type { NodeAction, ObjectChange } from "./objectProtocol.ts";

const actions: readonly NodeAction[] = ["add", "remove", "null", "replace", "reset", "up", "down"];

/** What the view sent as a change, or undefined when it is none (security.md UI-06). */
export function parseChange(raw: unknown): ObjectChange | undefined {
	if (!isJsonObject(raw)) return undefined;
	const { kind, id, index, tab, action, input, name, text } = raw;
	if (kind === "reset") return { kind };
	if (kind === "tab") return tab === "form" || tab === "json" ? { kind, tab } : undefined;
	if (kind === "json") return isText(text) ? { kind, text } : undefined;
	if (typeof id !== "number") return undefined;
	if (kind === "toggle" || kind === "addItem") return { kind, id };
	if (kind === "addMember") return isText(name) ? { kind, id, name } : undefined;
	if (kind === "input") return isText(input) ? { kind, id, input } : undefined;
	if (kind === "variant") return typeof index === "number" ? { kind, id, index } : undefined;
	const known = actions.find((one) => one === action);
	return kind === "action" && known !== undefined ? { kind, id, action: known } : undefined;
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value.length <= inputLimit;
}
