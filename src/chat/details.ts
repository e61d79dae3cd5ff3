import { assertNever } from "../base/assert.ts";
import { oneLine, showHidden } from "../base/text.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import type { ToolOutcome } from "../tools/call.ts";
import { exactJson } from "../tools/exactJson.ts";
import type { ResultPart } from "../tools/result.ts";

/** The scheme of the read-only documents that show a call in full. */
export const detailsScheme = "mcphost-call";

/** A call that was made and came back. */
export interface FinishedCall {
	readonly entry: ToolEntry;
	readonly outcome: Extract<ToolOutcome, { kind: "done" }>;
}

/** How many calls can still be opened from the chat; the others live in the server's log only. */
const mostRemembered = 200;

/** The calls of this window whose details can be opened, the latest ones. */
export class FinishedCalls {
	private readonly calls = new Map<string, FinishedCall>();

	/** Remembers a call and returns the opaque id under which it can be opened. */
	add(call: FinishedCall): string {
		const id = crypto.randomUUID();
		this.calls.set(id, call);
		const [oldest] = this.calls.keys();
		if (this.calls.size > mostRemembered && oldest !== undefined) this.calls.delete(oldest);
		return id;
	}

	get(id: string): FinishedCall | undefined {
		return this.calls.get(id);
	}
}

/** A call in full as a plain text: what was sent and everything that came back, hidden characters shown. */
export function detailsText({ entry, outcome }: FinishedCall): string {
	const { result, sent, milliseconds, isEdited } = outcome;
	return [
		`Server     ${oneLine(entry.session.definition.name)}`,
		`Tool       ${oneLine(entry.tool.name)}`,
		`Duration   ${Math.round(milliseconds).toLocaleString("en-US")} ms`,
		`Verdict    ${result.isError ? "the tool reported an error" : "success"}`,
		"",
		isEdited ? "Arguments (changed by you)" : "Arguments",
		exactJson(sent),
		"",
		...result.forPerson.flatMap((part, index) => [
			`Result ${index + 1} of ${result.forPerson.length}`,
			describe(part),
			"",
		]),
	].join("\n");
}

function describe(part: ResultPart): string {
	switch (part.kind) {
		case "text":
			return showHidden(part.text);
		case "media":
			return `${oneLine(part.mimeType)}, base64\n${showHidden(part.data)}`;
		case "link":
			return `${oneLine(part.name)}\n${showHidden(part.uri)}`;
		case "resource":
			return `${showHidden(part.uri)} ${oneLine(part.mimeType ?? "")}\n${showHidden(part.text ?? "(binary)")}`;
		case "structured":
			return exactJson(part.value);
		default:
			return assertNever(part);
	}
}
