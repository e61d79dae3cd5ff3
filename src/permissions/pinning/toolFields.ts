import { canonicalJson } from "../../base/json.ts";
import { decidingMeta } from "../../protocol/toolPage.ts";
import type { Tool } from "../../servers/sessions/session.ts";
import type { PinChange } from "./pin.ts";

/** The pinned fields of a tool beside its name, in the order in which they are shown. */
export const toolFields = [
	"title",
	"description",
	"annotations",
	"inputSchema",
	"outputSchema",
	"execution",
	"app",
] as const;
/** One of them. */
export type ToolField = (typeof toolFields)[number];

/** A tool's fields as texts, so that equal values are equal texts; those that it does not have are absent. */
export type FieldTexts = ReadonlyMap<ToolField, string>;

/** The fields of a tool: texts unchanged, everything else as JSON with ordered keys. */
export function fieldTexts(tool: Tool): FieldTexts {
	return new Map(
		toolFields.flatMap((field): [ToolField, string][] => {
			const value: unknown = field === "app" ? decidingMeta(tool) : tool[field];
			if (value === undefined) return [];
			return [[field, typeof value === "string" ? value : canonicalJson(value)]];
		}),
	);
}

const fieldNames: Readonly<Record<PinChange["field"], string>> = {
	title: "title",
	description: "description",
	annotations: "annotations",
	inputSchema: "input schema",
	outputSchema: "output schema",
	execution: "execution",
	app: "app and who may call it",
	instructions: "instructions",
};

/** The names of the changed fields: `title, input schema`. */
export function changedFields(changes: readonly PinChange[]): string {
	return changes.map(({ field }) => fieldNames[field]).join(", ");
}
