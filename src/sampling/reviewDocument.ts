import { hasHiddenCharacters, oneLine, showHidden } from "../base/text.ts";
import type { DecisionSubject } from "../decisions/decision.ts";
import type { ModelPart } from "../models/model.ts";
import type { SamplingRequest } from "./request.ts";
import type { PartView, RequestDraft, ReviewDocument } from "./reviewProtocol.ts";

/** The image types that every browser shows and that hold no script. */
const shownImages = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The part of a review that never changes: who asks, and what exactly. */
export function originalView(
	{ server, during }: DecisionSubject,
	request: SamplingRequest,
	original: RequestDraft,
): Omit<ReviewDocument, "draft" | "state"> {
	return {
		heading: `${oneLine(server, 60)} (server) asks for a completion`,
		server,
		...(during === undefined ? {} : { during }),
		messages: request.messages.map(({ role, content }) => ({ role, parts: content.map(partView) })),
		original,
		maxTokens: request.maxTokens,
		notices: noticesOf(request),
		escaped: escapedTexts(original),
	};
}

/** The text with its invisible characters as escapes, if it has any: a reader must see what a model will read. */
export function escapedIfHidden(text: string): { readonly escaped?: string } {
	const lines = text.replace(/\r\n/g, "\n");
	return hasHiddenCharacters(lines) ? { escaped: showHidden(lines) } : {};
}

function escapedTexts({ systemPrompt = "", texts }: RequestDraft): Readonly<Record<string, string>> {
	const places = [["system", systemPrompt] as const, ...texts.map((text, index) => [String(index), text] as const)];
	return Object.fromEntries(
		places.flatMap(([place, text]) => {
			const { escaped } = escapedIfHidden(text);
			return escaped === undefined ? [] : [[place, escaped]];
		}),
	);
}

function noticesOf({ includeContext, metadata }: SamplingRequest): readonly string[] {
	const notices: string[] = [];
	if (includeContext !== "none") {
		const whose = includeContext === "thisServer" ? "this server's context" : "the context of all servers";
		notices.push(`The server asks to include ${whose}. Nothing is included beyond what is shown here.`);
	}
	if (metadata !== undefined && Object.keys(metadata).length > 0) {
		notices.push(
			`The server sent metadata for the provider, which is not passed on: ${oneLine(JSON.stringify(metadata), 500)}`,
		);
	}
	return notices;
}

function partView(part: ModelPart): PartView {
	switch (part.type) {
		case "text":
			return { kind: "text" };
		case "image": {
			const view = { kind: "image", mimeType: oneLine(part.mimeType, 60), size: sizeOf(part.data) } as const;
			// Base64 only, so that nothing else can stand in the URL.
			const isShown = shownImages.has(part.mimeType) && /^[A-Za-z0-9+/]+={0,2}$/.test(part.data);
			return isShown ? { ...view, url: `data:${part.mimeType};base64,${part.data}` } : view;
		}
		case "audio":
			return { kind: "audio", mimeType: oneLine(part.mimeType, 60), size: sizeOf(part.data) };
		case "tool-call":
			return {
				kind: "note",
				label: `calls ${oneLine(part.name, 60)}`,
				text: showHidden(JSON.stringify(part.arguments, null, 2)),
			};
		case "tool-result": {
			const text = part.content.map((inner) => (inner.type === "text" ? inner.text : `[${inner.type}]`)).join("\n");
			return { kind: "note", label: part.isError ? "tool result (error)" : "tool result", text: showHidden(text) };
		}
		default:
			return part satisfies never;
	}
}

/** The size of base64 data in words. */
function sizeOf(base64: string): string {
	const bytes = Math.floor((base64.length * 3) / 4);
	return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024).toLocaleString("en-US")} KB`;
}
