import type { GetPromptResult } from "@modelcontextprotocol/client";
import { bytesOfBase64, ordinaryBase64 } from "../../base/base64.ts";
import { imageSize } from "../../base/imageSize.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import type { ContentBlock } from "../../servers/sessions/session.ts";
import { sniffAudio, sniffImage, type ImageType } from "../../base/media.ts";

/** A piece of a message, checked and capped. `data` is base64; `bytes` is the size of the decoded data. */
export type PromptPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "image"; readonly mimeType: ImageType; readonly data: string; readonly bytes: number }
	| { readonly kind: "audio"; readonly mimeType: string; readonly data: string; readonly bytes: number }
	| {
			readonly kind: "link";
			readonly uri: string;
			/** Whether `uri` is the server's, so that it can be read from the server. */
			readonly isExact: boolean;
			readonly name: string;
			readonly about: readonly string[];
	  }
	| { readonly kind: "resource"; readonly uri: string; readonly mimeType: string | undefined; readonly text: string }
	| { readonly kind: "note"; /** In our words: a part that is not taken over. */ readonly text: string };

/** A message of a prompt as it is previewed and sent. Role and order are the server's. */
export interface PromptMessage {
	readonly role: "user" | "assistant";
	readonly parts: readonly PromptPart[];
}

/** Caps against prompts that would fill a model's context or VS Code's memory (PRM-02). */
export interface PromptLimits {
	readonly messages: number;
	/** Characters of all texts together. */
	readonly text: number;
	/** Bytes of one image or recording. */
	readonly media: number;
}

export const defaultPromptLimits: PromptLimits = { messages: 500, text: 1_000_000, media: 10_000_000 };

/** The most pixels of an image: decoded, each takes four bytes. */
const pixelLimit = 50_000_000;

/** The longest URI that is taken over, in characters. */
const uriLimit = 4000;

/**
 * Checks and caps a server's answer to `prompts/get`. Preview, message, editor and clipboard are all made of the value
 * returned here, so that the user sees exactly what is used. Parts that cannot be taken over are replaced by a note.
 */
export function readPrompt(
	result: GetPromptResult,
	limits: PromptLimits = defaultPromptLimits,
): readonly PromptMessage[] {
	let room = limits.text;
	const take = (text: string): string => {
		const taken = cap(text, room);
		room = Math.max(0, room - text.length);
		return taken;
	};
	const messages = result.messages.slice(0, limits.messages).map(({ role, content }): PromptMessage => ({
		role,
		parts: partsOf(content, take, limits.media),
	}));
	const rest = result.messages.length - messages.length;
	if (rest === 0) return messages;
	return [
		...messages,
		{
			role: "user",
			parts: [note(`${rest.toLocaleString("en-US")} more ${rest === 1 ? "message is" : "messages are"} left out`)],
		},
	];
}

/** A size in words: `512 bytes`, `12 KB`, `1.4 MB`. */
export function sizeOf(bytes: number): string {
	if (bytes < 1000) return `${bytes} bytes`;
	return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function partsOf(content: ContentBlock, take: (text: string) => string, mediaLimit: number): readonly PromptPart[] {
	switch (content.type) {
		case "text":
			return [{ kind: "text", text: take(withLineFeeds(content.text)) }];
		case "image":
			return [imageOf(content.data, content.mimeType, mediaLimit)];
		case "audio":
			return [audioOf(content.data, content.mimeType, mediaLimit)];
		case "resource_link": {
			const about = [content.title, content.description, content.mimeType].flatMap((text) =>
				text === undefined || text === "" ? [] : [take(text)],
			);
			if (content.size !== undefined) about.push(sizeOf(content.size));
			const uri = uriOf(content.uri);
			return [{ kind: "link", uri, isExact: uri === content.uri, name: oneLine(content.name), about }];
		}
		case "resource":
			return embedded(content.resource, take, mediaLimit);
		default:
			return [note(`Content of the unknown type "${oneLine((content as { type: string }).type, 40)}" is left out`)];
	}
}

function embedded(
	resource: Extract<ContentBlock, { type: "resource" }>["resource"],
	take: (text: string) => string,
	mediaLimit: number,
): readonly PromptPart[] {
	const uri = uriOf(resource.uri);
	const mimeType = resource.mimeType === undefined ? undefined : typeOf(resource.mimeType);
	if ("text" in resource) return [{ kind: "resource", uri, mimeType, text: take(withLineFeeds(resource.text)) }];
	const image = imageOf(resource.blob, mimeType ?? "", mediaLimit);
	if (image.kind === "image") return [note(`Resource ${uri}, this image:`), image];
	const blob = ordinaryBase64(resource.blob);
	const size = blob === undefined ? "invalid base64" : sizeOf(bytesOfBase64(blob));
	return [note(`Embedded resource ${uri} (${mimeType ?? "unknown type"}, ${size}) is binary and left out`)];
}

/** The image if its bytes are of a supported type, regardless of the server's type (RES-05). */
function imageOf(sent: string, declared: string, limit: number): PromptPart {
	const data = ordinaryBase64(sent);
	const what = `Image (${typeOf(declared)}`;
	if (data === undefined) return note(`${what}) is left out: it is not valid base64`);
	const bytes = bytesOfBase64(data);
	if (bytes > limit) return note(`${what}, ${sizeOf(bytes)}) is left out: it is larger than ${sizeOf(limit)}`);
	const mimeType = sniffImage(data);
	if (mimeType === undefined)
		return note(`${what}, ${sizeOf(bytes)}) is left out: it is not a PNG, JPEG, GIF or WebP image`);
	const size = imageSize(mimeType, Buffer.from(data, "base64"));
	if (size === undefined) return note(`${what}, ${sizeOf(bytes)}) is left out: it does not state its size`);
	const { width, height } = size;
	if (width * height > pixelLimit) {
		const pixels = `${width.toLocaleString("en-US")} × ${height.toLocaleString("en-US")} pixels`;
		return note(`${what}, ${sizeOf(bytes)}) is left out: ${pixels} are more than a window can show`);
	}
	return { kind: "image", mimeType, data, bytes };
}

function audioOf(sent: string, declared: string, limit: number): PromptPart {
	const data = ordinaryBase64(sent);
	const what = `Audio (${typeOf(declared)}`;
	if (data === undefined) return note(`${what}) is left out: it is not valid base64`);
	const bytes = bytesOfBase64(data);
	if (bytes > limit) return note(`${what}, ${sizeOf(bytes)}) is left out: it is larger than ${sizeOf(limit)}`);
	return { kind: "audio", mimeType: sniffAudio(data) ?? typeOf(declared), data, bytes };
}

/** Line breaks as every text area has them, so that a text does not change by being shown in one. */
function withLineFeeds(text: string): string {
	return text.replace(/\r\n/g, "\n");
}

/** A media type fit for a label; other values are labelled as such. */
function typeOf(declared: string): string {
	return /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:;[\w\s.=+"-]{0,60})?$/.test(declared) ? declared : "unknown type";
}

/** A URI as text on one line. It is shown and sent to the model, never opened. */
function uriOf(uri: string): string {
	return cap(showHidden(uri).replace(/\s/g, encodeURIComponent), uriLimit);
}

function note(text: string): PromptPart {
	return { kind: "note", text };
}
