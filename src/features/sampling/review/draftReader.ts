import { isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import { exactJson, exactNumber } from "../../../base/exactJson.ts";
import { readJsonText } from "../../../base/jsonText.ts";
import type { ModelMessage, ModelPart } from "../../../models/model.ts";
import { callPlace, type DraftProblem, isOneText, lineOf, partPlace } from "../fields.ts";
import { isEmptyResult, stopLimits, type ToolChoice } from "../request.ts";
import type { ReviewPlace, RequestDraft } from "./reviewProtocol.ts";
import { parseTools, type SamplingTool } from "../samplingTools.ts";
import { findImbalance } from "../toolBalance.ts";

/** The texts of a request as they were shown, by place: with secrets as marks, or not. */
export type ShownTexts = ReadonlyMap<ReviewPlace, string>;

/** The parts of a draft that define the request; the others are about how it is sent. */
export type Edits = Pick<RequestDraft, "changes" | "removed" | "sendsMetadata">;

/** The metadata that OpenAI accepts; the others accept less, or anything. */
const metadataLimits = { pairs: 16, key: 64, value: 512 };

/**
 * Reads the places of a draft one by one: the shown text with the user's change, or the original value if it is
 * unchanged. Keeps the first problem, which prevents sending.
 */
export class DraftReader {
	problem: DraftProblem | undefined;
	private readonly shown: ShownTexts;
	private readonly draft: Edits;
	private readonly removed: ReadonlySet<ReviewPlace>;

	constructor(shown: ShownTexts, draft: Edits) {
		this.shown = shown;
		this.draft = draft;
		this.removed = new Set(draft.removed);
	}

	text(place: ReviewPlace, own: string): string {
		const { changes } = this.draft;
		return (Object.hasOwn(changes, place) ? changes[place] : this.shown.get(place)) ?? own;
	}

	messages(own: readonly ModelMessage[]): readonly ModelMessage[] {
		const kept: { readonly message: ModelMessage; readonly place: ReviewPlace }[] = [];
		for (const [index, { role, content }] of own.entries()) {
			const place = partPlace(index);
			if (this.removed.has(place)) continue;
			const parts = content.flatMap((part, at) =>
				this.removed.has(partPlace(index, at)) ? [] : [this.part(part, index, at)],
			);
			if (parts.length > 0) kept.push({ message: { role, content: parts }, place });
		}
		if (kept.length === 0) this.fail({ problem: "At least one message must remain." });
		const messages = kept.map(({ message }) => message);
		const imbalance = findImbalance(messages);
		const place = kept[imbalance?.message ?? -1]?.place;
		if (imbalance !== undefined && place !== undefined) {
			const what = `The remaining messages do not match: ${imbalance.error.toLowerCase()}`;
			this.fail({ problem: `${what}. Remove tool calls together with their results.`, place });
		}
		return messages;
	}

	maxTokens(own: number, cap: number): number {
		const text = this.text("maxTokens", String(own)).trim();
		const most = Math.min(own, cap);
		const value = Number(text);
		if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
		const why = cap < own ? "your limit" : "the number that the server requested";
		this.fail({ problem: `Max tokens must be a whole number from 1 to ${most}, ${why}.`, place: "maxTokens" });
		return most;
	}

	number(place: ReviewPlace, own: number | undefined, most: number): number | undefined {
		const text = this.text(place, own === undefined ? "" : String(own)).trim();
		if (text === "") return undefined;
		const value = exactNumber(text);
		if (value !== undefined && value >= 0 && value <= most) return value;
		const range = most === Number.POSITIVE_INFINITY ? "that is not negative" : `from 0 to ${most}`;
		this.fail({ problem: `This must be a number ${range}, or empty.`, place });
		return undefined;
	}

	/** JSON strings with commas between them. */
	line(place: ReviewPlace, own: readonly string[]): readonly string[] | undefined {
		const read = readJsonText(`[${this.text(place, lineOf(own))}]`);
		const list: readonly Json[] = "value" in read && Array.isArray(read.value) ? (read.value as readonly Json[]) : [0];
		const texts = list.filter((item) => typeof item === "string");
		if (texts.length === list.length) return texts;
		this.fail({ problem: 'Enter JSON strings separated by commas, such as "END", "\\n\\n".', place });
		return undefined;
	}

	stopSequences(own: readonly string[]): readonly string[] {
		const place = "stopSequences";
		const texts = this.line(place, own) ?? [];
		if (texts.includes("")) this.fail({ problem: "A stop sequence must not be empty.", place });
		const { count, characters } = stopLimits;
		if (texts.length > count) this.fail({ problem: `There may be at most ${count} stop sequences.`, place });
		if (texts.some(({ length }) => length > characters)) {
			this.fail({ problem: `A stop sequence may have at most ${characters} characters.`, place });
		}
		return texts;
	}

	tools(own: readonly SamplingTool[]): readonly SamplingTool[] {
		if (own.length === 0) return [];
		const shown = own.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
		const value = this.json("tools", shown);
		// The very objects whose form for models is known already.
		if (value === shown || value === undefined) return own;
		const read = parseTools(value);
		if (!("problem" in read)) return read;
		this.fail({ problem: `${read.problem.replace(/\.$/, "")}.`, place: "tools" });
		return own;
	}

	toolChoice(own: ToolChoice | undefined, tools: readonly SamplingTool[]): ToolChoice | undefined {
		const place = "toolChoice";
		const text = this.text(place, own ?? "auto");
		const choice = (["auto", "required", "none"] as const).find((mode) => mode === text);
		if (choice === undefined) this.fail({ problem: "Tool choice must be auto, required or none.", place });
		if (choice === "required" && tools.length === 0) {
			this.fail({ problem: "Tool choice is “required”, but there are no tools. Choose auto or none.", place });
		}
		return tools.length === 0 || (own === undefined && choice === "auto") ? undefined : choice;
	}

	metadata(own: JsonObject | undefined): JsonObject | undefined {
		if (own === undefined || !this.draft.sendsMetadata) return undefined;
		const value = this.json("metadata", own);
		if (value === undefined) return undefined;
		const entries = isJsonObject(value) ? Object.entries(value) : undefined;
		const { pairs, key: longestKey, value: longest } = metadataLimits;
		const isSendable = (entries ?? []).every(
			([key, item]) => key.length <= longestKey && typeof item === "string" && item.length <= longest,
		);
		if (isJsonObject(value) && isSendable && Object.keys(value).length <= pairs) return value;
		const shape = `at most ${pairs} strings of at most ${longest} characters, under names of at most ${longestKey}`;
		this.fail({ problem: `Providers accept metadata only as a JSON object of ${shape}.`, place: "metadata" });
		return undefined;
	}

	private part(part: ModelPart, message: number, index: number): ModelPart {
		const place = partPlace(message, index);
		if (part.type === "text") return { type: "text", text: this.text(place, part.text) };
		if (part.type !== "tool-call" && part.type !== "tool-result") return part;
		// With secrets as marks, of which a hash is sent: no model accepts them in a name or an id.
		const callId = this.shown.get(callPlace(place, "id")) ?? part.callId;
		if (part.type === "tool-call") {
			const value = this.json(place, part.arguments);
			const name = this.shown.get(callPlace(place, "name")) ?? part.name;
			if (isJsonObject(value)) return { ...part, callId, name, arguments: value };
			if (value !== undefined) this.fail({ problem: "Arguments must be a JSON object.", place });
			return part;
		}
		const content = isOneText(part.content)
			? part.content.map((piece) => this.piece(piece, place))
			: part.content.map((piece, at) => this.piece(piece, partPlace(message, index, at)));
		const kept = content.filter((piece) => piece !== undefined);
		if (isEmptyResult(kept)) {
			this.fail({ problem: "A tool result must not be empty. Enter text, or remove it with its call.", place });
		}
		return { ...part, callId, content: kept };
	}

	private piece(piece: ModelPart, place: ReviewPlace): ModelPart | undefined {
		if (piece.type === "text") return { type: "text", text: this.text(place, piece.text) };
		return this.removed.has(place) ? undefined : piece;
	}

	/** The original value if its text is unchanged; undefined, and a problem, if the text is not JSON. */
	private json(place: ReviewPlace, own: Json): Json | undefined {
		const asCame = exactJson(own);
		const text = this.text(place, asCame);
		if (text === asCame) return own;
		const read = readJsonText(text);
		if ("value" in read) return read.value;
		this.fail({ problem: `This JSON cannot be sent. ${read.problems[0] ?? ""}`, place });
		return undefined;
	}

	private fail(problem: DraftProblem): void {
		this.problem ??= problem;
	}
}
