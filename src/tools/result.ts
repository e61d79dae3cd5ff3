import { canonicalJson, isJsonObject, type Json } from "../base/json.ts";
import { cap } from "../base/text.ts";
import type { ModelPart } from "../models/model.ts";
import type { ContentBlock } from "../servers/session.ts";

/** A piece of a result for people. All texts and addresses are the server's: untrusted. `data` is base64. */
export type ResultPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "media"; readonly mimeType: string; readonly data: string }
	| { readonly kind: "link"; readonly uri: string; readonly name: string }
	| {
			readonly kind: "resource";
			readonly uri: string;
			readonly mimeType: string | undefined;
			readonly text: string | undefined;
	  }
	| { readonly kind: "structured"; readonly value: Json };

/** A tool's result, once for the model and once for the person, each as its audience allows (spec.md T8). */
export interface ToolResult {
	readonly isError: boolean;
	readonly forModel: readonly ModelPart[];
	readonly forPerson: readonly ResultPart[];
}

/** What `tools/call` gives, as far as it is read here: nothing about it is certain (security.md TOL-13). */
export interface RawToolResult {
	readonly content?: readonly ContentBlock[];
	/** Any JSON value since 2026-07-28 (spec.md T10). */
	readonly structuredContent?: unknown;
	readonly isError?: boolean | undefined;
}

/** Caps for the model's context (security.md TOL-15). The person's part is complete. */
export const modelLimits = { characters: 60_000, media: 8, mediaCharacters: 7_000_000 };

/** Reads a result. Never throws: what is not understood is named. */
export function readResult(raw: RawToolResult): ToolResult {
	const blocks = Array.isArray(raw.content)
		? (raw.content as readonly ContentBlock[]).filter((block) => isJsonObject(block))
		: [];
	const structured = readStructured(raw, blocks);
	const forPerson = blocks.filter((block) => isFor(block, "user")).map(toResultPart);
	const forModel = blocks.map((block) => (isFor(block, "assistant") ? toModelPart(block) : withheld));
	return {
		isError: raw.isError === true,
		forPerson: structured === undefined ? forPerson : [...forPerson, { kind: "structured", value: structured }],
		forModel: limit(structured === undefined ? forModel : [...forModel, text(JSON.stringify(structured))]),
	};
}

const withheld = text("(A part of the result is meant for the person only and was shown to them.)");

/** The structured content, unless a text of the result says the same (spec.md T8: servers repeat it for older hosts). */
function readStructured(raw: RawToolResult, blocks: readonly ContentBlock[]): Json | undefined {
	if (raw.structuredContent === undefined) return undefined;
	const value = raw.structuredContent as Json;
	const canonical = canonicalJson(value);
	const isRepeated = blocks.some((block) => {
		if (block.type !== "text") return false;
		try {
			return canonicalJson(JSON.parse(block.text)) === canonical;
		} catch {
			return false;
		}
	});
	return isRepeated ? undefined : value;
}

function isFor(block: ContentBlock, audience: "user" | "assistant"): boolean {
	const audiences = block.annotations?.audience;
	return !Array.isArray(audiences) || audiences.length === 0 || audiences.includes(audience);
}

function toResultPart(block: ContentBlock): ResultPart {
	switch (block.type) {
		case "text":
			return { kind: "text", text: block.text };
		case "image":
		case "audio":
			return { kind: "media", mimeType: block.mimeType, data: block.data };
		case "resource_link":
			return { kind: "link", uri: block.uri, name: block.title ?? block.name };
		case "resource": {
			const { uri, mimeType } = block.resource;
			if ("text" in block.resource) return { kind: "resource", uri, mimeType, text: block.resource.text };
			const isMedia = mimeType !== undefined && /^(image|audio)\//.test(mimeType);
			return isMedia
				? { kind: "media", mimeType, data: block.resource.blob }
				: { kind: "resource", uri, mimeType, text: undefined };
		}
		default:
			return { kind: "text", text: unknownBlock(block) };
	}
}

function toModelPart(block: ContentBlock): ModelPart {
	const part = toResultPart(block);
	switch (part.kind) {
		case "text":
			return text(part.text);
		case "media":
			return { type: part.mimeType.startsWith("audio/") ? "audio" : "image", data: part.data, mimeType: part.mimeType };
		case "link":
			return text(`(Link to the resource ${part.uri}, named "${part.name}". It has not been read.)`);
		case "resource":
			return text(`Resource ${part.uri}:\n${part.text ?? `(binary, ${part.mimeType ?? "of unknown type"}: left out)`}`);
		case "structured":
			return text(JSON.stringify(part.value));
		default: {
			const unreachable: never = part;
			return unreachable;
		}
	}
}

/** Shows what a later revision of the protocol, or a faulty server, sends. */
function unknownBlock(block: never): string {
	return `(Content of an unknown kind: ${cap(JSON.stringify(block) ?? "nothing", 500)})`;
}

/** Keeps a model's context from being flooded; says what is left out. */
function limit(parts: readonly ModelPart[]): readonly ModelPart[] {
	let characters = modelLimits.characters;
	let media = modelLimits.media;
	let mediaCharacters = modelLimits.mediaCharacters;
	return parts.flatMap((part): ModelPart[] => {
		if (part.type === "text") {
			if (characters <= 0) return [];
			const kept = cap(showSmuggled(part.text), characters);
			characters -= part.text.length;
			if (characters >= 0) return [text(kept)];
			return [text(`${kept}\n(The result was cut here: it is too long. The person sees all of it.)`)];
		}
		if (part.type !== "image" && part.type !== "audio") return [part];
		if (media <= 0 || part.data.length > mediaCharacters)
			return [text(`(${part.mimeType} left out: too large or too many)`)];
		media--;
		mediaCharacters -= part.data.length;
		return [part];
	});
}

/**
 * Characters that carry text for models which no person can read: tags, bidirectional controls and lone zero-width
 * spaces (security.md TOL-08). Joiners and variation selectors stay, since emoji are made of them.
 */
function showSmuggled(value: string): string {
	return value.replace(
		/[\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
		(character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
	);
}

function text(value: string): ModelPart {
	return { type: "text", text: value };
}
