import { jsonOf, jsonObjectOf } from "../../../base/guards.ts";
import { ordinaryBase64 } from "../../../base/base64.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import { sniffAudio, sniffImage } from "../../../base/media.ts";
import { problemSentence, type SchemaChecks } from "../../../base/schema/schema.ts";
import { cap } from "../../../base/text.ts";
import { withoutTerminal, withoutTerminalIn } from "../../../base/terminal.ts";
import type { ModelPart } from "../../../models/model.ts";
import { estimateTokens } from "../../../models/tokens.ts";
import type { ContentBlock, Tool } from "../../../servers/sessions/session.ts";
import type { RawToolResult } from "../../../permissions/catalog/catalog.ts";
import { repetitionOf } from "./resultRepetition.ts";

/**
 * Zero-width, bidirectional and old format characters, variation selectors and tags; and the modifiers of emoji, in a
 * row.
 */
const invisible = new RegExp(
	String.raw`[\u200B\u2060-\u206F\u202A-\u202E\uFE00-\uFE0D\uFEFF\u{E0000}-\u{E0FFF}]|[\u200C\u200D\uFE0E\uFE0F]{3,100}`,
	"gu",
);
/** How many places of a text are shown as escapes: beyond that it says nothing, and millions would take minutes. */
const mostEscaped = 10_000;

/** A piece of a result as user and model read it. All texts and addresses are the server's: untrusted. */
export type ResultPart =
	| { readonly kind: "text"; readonly text: string }
	/** `data` is base64 in the ordinary form, undefined where the server's does not decode. `uri` is that of an embedded resource. */
	| { readonly kind: "media"; readonly mimeType: string; readonly data: string | undefined; readonly uri?: string }
	| { readonly kind: "link"; readonly uri: string; readonly name: string }
	| {
			readonly kind: "resource";
			readonly uri: string;
			readonly mimeType: string | undefined;
			readonly text: string | undefined;
	  };

/** A tool's result, read. */
export interface ToolResult {
	readonly isError: boolean;
	/** Everything that its audience allows the model to see, of any length: `ResultReading` cuts it. */
	readonly forModel: readonly ModelPart[];
	/** About how many tokens the model is spared, because a text that the server repeats is sent once (TOL-28). */
	readonly sparedTokens: number;
	/** The problems of the structured content by the tool's output schema, in our sentences (TOL-14). */
	readonly problems: readonly string[];
	/** The result as the server sent it, for any audience: users see it through `resultParts` and `resultView`. */
	readonly raw: RawToolResult;
}

/**
 * Reads a result; `problems` are added for the model. Never throws: unknown parts are named. The model receives the
 * structured content in place of the texts that repeat it, and the other texts beside it.
 */
export function readResult(raw: RawToolResult, problems: readonly string[] = []): ToolResult {
	const blocks = blocksOf(raw);
	const structured = raw.structuredContent === undefined ? undefined : jsonOf(raw.structuredContent);
	const { parts, spared } =
		structured === undefined ? { parts: blocks.map(partOfBlock), spared: [] } : partsOfStructured(structured, blocks);
	return {
		isError: raw.isError === true,
		forModel: [...problemNote(problems), ...(parts.length === 0 ? [nothing] : parts)],
		sparedTokens: spared.reduce((sum, text) => sum + estimateTokens(text), 0),
		problems,
		raw,
	};
}

/** The valid blocks of a result's content: a server may send any value. */
function blocksOf({ content }: RawToolResult): readonly ContentBlock[] {
	return Array.isArray(content) ? (content as readonly ContentBlock[]).filter(isJsonObject) : [];
}

/** The same, with their places. */
export function contentOf({
	content,
}: RawToolResult): readonly { readonly index: number; readonly block: ContentBlock }[] {
	if (!Array.isArray(content)) return [];
	return (content as readonly ContentBlock[])
		.map((block, index) => ({ index, block }))
		.filter(({ block }) => isJsonObject(block));
}

/** The structured content as user and model read it; undefined if there is none. */
export function structuredOf({ structuredContent }: RawToolResult): Json | undefined {
	return structuredContent === undefined ? undefined : withoutTerminalIn(jsonOf(structuredContent));
}

/** Whether a block is meant for one of the two; with no audience that the specification knows it is for both. */
export function isFor(block: ContentBlock, audience: "user" | "assistant"): boolean {
	const audiences: unknown = block.annotations?.audience;
	if (!Array.isArray(audiences) || audiences.includes(audience)) return true;
	return !audiences.includes("user") && !audiences.includes("assistant");
}

const withheld = text("(Part of the result is for the user only and was shown to them.)");
const nothing = text("(The result is empty.)");

function problemNote(problems: readonly string[]): readonly ModelPart[] {
	if (problems.length === 0) return [];
	return [text(`(${problemTitle(problems)}:\n- ${problems.join("\n- ")}\nThe result follows as the server sent it.)`)];
}

const noData = "The tool has an output schema, but the result has no structured content.";
const unchecked = "The structured content was not checked: the output schema ";

/** Whether a result was held against its tool's output schema, and does not match it. */
export function isMismatch(problems: readonly string[]): boolean {
	return problems.length > 0 && !problems.some((problem) => problem === noData || problem.startsWith(unchecked));
}

/** The heading of a result's problems: a mismatch is only claimed if it was found. */
export function problemTitle(problems: readonly string[]): string {
	return isMismatch(problems)
		? "The result does not match the tool's output schema"
		: "The result could not be checked against the tool's output schema";
}

/** The parts of a result for a model, and the texts that would have repeated them. */
interface ToldOnce {
	readonly parts: readonly ModelPart[];
	readonly spared: readonly string[];
}

/** The structured content takes the place of the first text that repeats it, otherwise the end. */
function partsOfStructured(value: Json, blocks: readonly ContentBlock[]): ToldOnce {
	const repetition = repetitionOf(value);
	const repeats = blocks.map((block) =>
		block.type === "text" && typeof block.text === "string" ? repetition(block.text) : undefined,
	);
	// An unescaped file is more readable than the same file escaped in JSON.
	if (repeats.includes("words")) return { parts: blocks.map(partOfBlock), spared: [JSON.stringify(value)] };
	// Text that the server withholds from the model is not intended as data for it.
	const isWithheld = blocks.some((block, index) => repeats[index] === "whole" && !isFor(block, "assistant"));
	if (isWithheld) return { parts: blocks.map(partOfBlock), spared: [] };
	const place = repeats.findIndex((kind) => kind !== undefined);
	const data = text(JSON.stringify(withoutTerminalIn(value)));
	const parts = blocks.flatMap((block, index) => {
		if (repeats[index] === undefined) return [partOfBlock(block)];
		return index === place ? [data] : [];
	});
	const spared = blocks.flatMap((block, index) =>
		repeats[index] !== undefined && block.type === "text" ? [block.text] : [],
	);
	return { parts: place === -1 ? [...parts, data] : parts, spared };
}

function partOfBlock(block: ContentBlock): ModelPart {
	return isFor(block, "assistant") ? toModelPart(toResultPart(block)) : withheld;
}

/** By block: it is asked for by each view, and may be large. */
const read = new WeakMap<ContentBlock, ResultPart>();

/** A block of content as user and model read it. An unknown block is quoted. Never throws. */
export function toResultPart(block: ContentBlock): ResultPart {
	const known = read.get(block);
	if (known !== undefined) return known;
	const part = readBlock(block);
	read.set(block, part);
	return part;
}

function readBlock(block: ContentBlock): ResultPart {
	// A server may send any value in its place.
	const {
		type,
		text: words,
		data,
		mimeType,
		uri,
		title,
		name,
	}: Readonly<Record<string, unknown>> = jsonObjectOf(block);
	switch (type) {
		case "text":
			return typeof words === "string" ? { kind: "text", text: withoutTerminal(words) } : unreadable(block);
		case "image":
		case "audio":
			if (typeof data !== "string") return unreadable(block);
			return { kind: "media", mimeType: typeof mimeType === "string" ? mimeType : type, data: ordinaryBase64(data) };
		case "resource_link": {
			if (typeof uri !== "string") return unreadable(block);
			const label = [title, name].find((text) => typeof text === "string" && text !== "");
			return { kind: "link", uri, name: typeof label === "string" ? label : uri };
		}
		case "resource":
			return embedded(jsonObjectOf(block)["resource"]) ?? unreadable(block);
		default:
			return unreadable(block);
	}
}

function embedded(resource: unknown): ResultPart | undefined {
	if (!isJsonObject(resource) || typeof resource["uri"] !== "string") return undefined;
	const { uri, mimeType: declared, text: content, blob } = resource;
	const mimeType = typeof declared === "string" ? declared : undefined;
	if (typeof content === "string") return { kind: "resource", uri, mimeType, text: withoutTerminal(content) };
	if (typeof blob !== "string") return undefined;
	const data = ordinaryBase64(blob);
	if (data === undefined) return { kind: "media", mimeType: mimeType ?? "data of unknown type", data, uri };
	const media =
		sniffImage(data) ?? (mimeType !== undefined && /^(image|audio)\//.test(mimeType) ? mimeType : undefined);
	return media === undefined
		? { kind: "resource", uri, mimeType, text: undefined }
		: { kind: "media", mimeType: media, data, uri };
}

/** Shows the content of a later revision of the protocol, or of a faulty server. */
function unreadable(block: unknown): ResultPart {
	return { kind: "text", text: `(Content that this host does not understand: ${cap(JSON.stringify(block), 500)})` };
}

function toModelPart(part: ResultPart): ModelPart {
	switch (part.kind) {
		case "text":
			return text(part.text);
		case "media":
			return partOfMedia(part);
		case "link":
			return text(`(Link to the resource ${part.uri}, named "${part.name}". It has not been read.)`);
		case "resource":
			return text(`Resource ${part.uri}:\n${part.text ?? `(binary, ${part.mimeType ?? "of unknown type"}: left out)`}`);
	}
}

/**
 * An endpoint refuses the whole conversation because of one invalid image, so the bytes must have the declared type.
 */
function partOfMedia({ mimeType, data }: Extract<ResultPart, { kind: "media" }>): ModelPart {
	if (data === undefined) return text(`(${cap(mimeType, 60)} left out: its data is not valid base64.)`);
	const image = sniffImage(data);
	if (image !== undefined) return { type: "image", mimeType: image, data };
	const audio = sniffAudio(data);
	if (audio !== undefined) return { type: "audio", mimeType: audio, data };
	return text(`(${cap(mimeType, 60)} left out: its data is not an image or recording that models accept.)`);
}

function text(value: string): { readonly type: "text"; readonly text: string } {
	return { type: "text", text: visibleText(value) };
}

/**
 * A server's text for a model. Invisible characters that carry text are shown as escapes (TOL-08), and as replacement
 * characters in a text with little else. Joiners and the two variation selectors of emoji stay where they shape their
 * neighbours.
 */
export function visibleText(text: string): string {
	if (text.search(invisible) === -1) return text;
	if (isFlooded(text)) return text.replace(invisible, "\uFFFD");
	return text.replace(invisible, (characters) =>
		Array.from(characters, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`).join(""),
	);
}

function isFlooded(text: string): boolean {
	invisible.lastIndex = 0;
	for (let places = 0; invisible.test(text); places++) if (places >= mostEscaped) return true;
	return false;
}

/**
 * Reads the result of a tool, and checks its structured content against the tool's output schema. A mismatch is
 * reported and hides nothing: the tool has run (specification, "Tools": clients should validate; TOL-14). This is the
 * only place that does so, for both eras. Never throws.
 */
export function judgeResult(checks: SchemaChecks, tool: Tool, raw: RawToolResult): ToolResult {
	return readResult(raw, outputProblems(checks, isJsonObject(tool.outputSchema) ? tool.outputSchema : undefined, raw));
}

/**
 * The problems of a result by its tool's output schema, one sentence each; empty for a tool without one, and for
 * errors, which need not fit.
 */
export function outputProblems(
	checks: SchemaChecks,
	schema: JsonObject | undefined,
	raw: RawToolResult,
): readonly string[] {
	if (schema === undefined || raw.isError === true) return [];
	if (raw.structuredContent === undefined) {
		return [noData];
	}
	const verdict = checks.apply(schema, jsonOf(raw.structuredContent));
	if (verdict.kind === "unusable") return [`${unchecked}${verdict.why}`];
	return verdict.problems.map(({ path, message }) =>
		problemSentence({ path: ["structuredContent", ...path], message }),
	);
}
