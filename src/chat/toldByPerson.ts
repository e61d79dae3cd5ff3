import { oneLine } from "../base/text.ts";
import type { ModelMessage, ModelPart } from "../models/model.ts";
import type { ToolCall } from "../tools/approval.ts";
import type { ToolOutcome } from "../tools/call.ts";

/** How much of what the person had read or run is kept for the turns after it, in characters. */
const longest = 16_000;

/** What later turns know of a tool that the person ran in the chat; empty when it gave nothing. */
export function toldOfCall({ entry }: Pick<ToolCall, "entry">, outcome: ToolOutcome): readonly ModelMessage[] {
	if (outcome.kind !== "done") return [];
	const { result, sent } = outcome;
	const name = `${oneLine(entry.tool.name)} of the server ${oneLine(entry.session.definition.name)}`;
	const verdict = result.isError ? "It reported an error:" : "It answered:";
	const head = `The person ran the tool ${name} by hand, with ${JSON.stringify(sent)}. ${verdict}`;
	return [{ role: "user", content: [text(head), ...bounded(result.forModel)] }];
}

/** What later turns know of a resource that the person had read in the chat. */
export function toldOfResource(server: string, uri: string, contents: string): readonly ModelMessage[] {
	const head = `The person attached the resource ${oneLine(uri, 2000)} of the server ${oneLine(server)}:`;
	return [{ role: "user", content: [text(head), ...bounded([text(contents)])] }];
}

/** Texts only, up to what a turn may keep; the rest is named. */
function bounded(parts: readonly ModelPart[]): readonly ModelPart[] {
	let left = longest;
	return parts.flatMap((part) => {
		if (part.type !== "text") return [text(part.type === "image" || part.type === "audio" ? `(${part.mimeType})` : "")];
		if (left <= 0) return [];
		const kept = part.text.slice(0, left);
		left -= kept.length;
		return [text(kept === part.text ? kept : `${kept}\n(The rest was left out: it is too long.)`)];
	});
}

function text(value: string): ModelPart {
	return { type: "text", text: value };
}
