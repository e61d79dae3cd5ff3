import { createHash } from "node:crypto";
import { oneLine } from "../base/text.ts";
import type { ModelPart } from "../models/model.ts";
import type { RecordedMedia } from "./samplingRecord.ts";

/** What is written down of an image or a recording at a place of a request: its type, size and hash, and no byte. */
export function recordedMedia(
	place: string,
	{ type, data, mimeType }: Extract<ModelPart, { readonly type: "image" | "audio" }>,
): RecordedMedia {
	const bytes = Buffer.from(data, "base64");
	return {
		place,
		kind: type,
		mimeType: oneLine(mimeType, 100),
		bytes: bytes.length,
		sha256: createHash("sha256").update(bytes).digest("hex"),
	};
}
