import { createHash } from "node:crypto";
import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { decodeBase64 } from "../../base/base64.ts";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { isTextType } from "./mediaTypes.ts";
import { readableSize } from "../../base/amounts.ts";

/** One of the contents that reading a resource gave. */
export interface ResourcePart {
	/** The URI that the server gave to it, which may be another than the one that was asked for (RES-04). */
	readonly uri: string;
	readonly mimeType: string | undefined;
	/** Whether it can be shown as text. */
	readonly isText: boolean;
	readonly bytes: Uint8Array;
}

/**
 * The maximum number of bytes of one read (RES-06): an editor could not hold more. Less is opened without asking
 * (sizeGuard.ts), and the maximum for servers is a setting.
 */
export const sizeLimit = 256 * 1024 * 1024;

/**
 * The contents of an answer to `resources/read`, at least one. `server` is the server's name, for messages.
 * @throws HostError `invalid` for no contents, neither text nor blob, or broken base64; `limit` above `limit` bytes.
 */
export function partsOf(
	result: ReadResourceResult,
	{ server, uri }: { readonly server: string; readonly uri: string },
	limit = sizeLimit,
): readonly ResourcePart[] {
	const name = `"${oneLine(uri)}"`;
	if (result.contents.length === 0) throw new HostError("invalid", `${server} returned no contents for ${name}.`);
	const total = result.contents.reduce((sum, content) => sum + estimatedSize(content), 0);
	if (total > limit) {
		throw new HostError(
			"limit",
			`${name} of ${server} is too large to open: ${readableSize(total)}. The limit is ${readableSize(limit)}.`,
		);
	}
	return result.contents.map((content) => {
		const { mimeType } = content;
		if ("text" in content && typeof content.text === "string") {
			return { uri: content.uri, mimeType, isText: true, bytes: Buffer.from(content.text) };
		}
		if ("blob" in content && typeof content.blob === "string") {
			return {
				uri: content.uri,
				mimeType,
				isText: isTextType(mimeType),
				bytes: bytesOf(content.blob, `${server} returned data for ${name}`),
			};
		}
		throw new HostError("invalid", `${server} returned neither text nor data for ${name}.`);
	});
}

/**
 * The text that an editor shows for a read: the only content unchanged, or all contents as one text in which each is
 * headed by its number, URI and type. Binary ones among several are only named there and are opened one by one.
 */
export function wholeOf(parts: readonly ResourcePart[]): Uint8Array {
	const [only, ...others] = parts;
	if (only !== undefined && others.length === 0) return only.bytes;
	const blocks = parts.map(({ uri, mimeType, isText, bytes }, index) => {
		const facts = [
			`${index + 1} of ${parts.length}`,
			oneLine(uri),
			...(mimeType === undefined ? [] : [oneLine(mimeType)]),
		];
		const body = isText ? new TextDecoder().decode(bytes) : `(${readableSize(bytes.length)} of binary data)`;
		return `──── ${facts.join(" · ")} ────\n${body}`;
	});
	return Buffer.from(`${blocks.join("\n\n")}\n`);
}

/** A text that is equal for equal contents. */
export function digestOfParts(parts: readonly ResourcePart[]): string {
	const hash = createHash("sha256");
	for (const { uri, mimeType, bytes } of parts)
		hash.update(JSON.stringify([uri, mimeType, bytes.length])).update(bytes);
	return hash.digest("base64");
}

/** How many bytes a content will have, without making them. */
function estimatedSize(content: ReadResourceResult["contents"][number]): number {
	if ("text" in content && typeof content.text === "string") return Buffer.byteLength(content.text);
	return "blob" in content && typeof content.blob === "string" ? Math.floor((content.blob.length * 3) / 4) : 0;
}

function bytesOf(data: string, what: string): Uint8Array {
	const bytes = decodeBase64(data);
	if (bytes === undefined) throw new HostError("invalid", `${what} that is not valid base64.`);
	return bytes;
}
