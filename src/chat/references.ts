import { cap, oneLine } from "../base/text.ts";
import type { ModelPart } from "../models/model.ts";

/** Something that the person attached to what they say: a file, a selection, a resource, or a text. */
export interface Attachment {
	/** What the person knows it as, such as a path or a URI. */
	readonly label: string;
	/** What it holds, or why it could not be read. */
	readonly content: { readonly bytes: Uint8Array } | { readonly text: string } | { readonly problem: string };
}

/** How much of attachments a model is told: of each, and of all together. */
export const attachmentLimits = { each: 60_000, all: 200_000, imageBytes: 5_000_000 };

/** The images that models read, by the bytes that they begin with; what a file is called proves nothing. */
const imageKinds: readonly { readonly mimeType: string; readonly begins: string }[] = [
	{ mimeType: "image/png", begins: "89504e47" },
	{ mimeType: "image/jpeg", begins: "ffd8ff" },
	{ mimeType: "image/gif", begins: "47494638" },
	{ mimeType: "image/webp", begins: "52494646" },
];

/** Attachments as parts of a message, each labelled; those that cannot be sent are named, never dropped in silence. */
export function toParts(attachments: readonly Attachment[], supportsImages: boolean): readonly ModelPart[] {
	let left = attachmentLimits.all;
	return attachments.flatMap((attachment) => {
		const parts = toPart(attachment, supportsImages, Math.max(0, Math.min(attachmentLimits.each, left)));
		for (const part of parts) if (part.type === "text") left -= part.text.length;
		return parts;
	});
}

function toPart({ label, content }: Attachment, supportsImages: boolean, limit: number): readonly ModelPart[] {
	const name = oneLine(label, 500);
	const note = (text: string): readonly ModelPart[] => [{ type: "text", text: `Attached: ${name}\n(${text})` }];
	if ("problem" in content) return note(`could not be read: ${content.problem}`);
	if (limit === 0) return note("left out: the attachments are too long together");
	if ("text" in content) return [{ type: "text", text: `Attached: ${name}\n${cap(content.text, limit)}` }];
	const data = Buffer.from(content.bytes);
	const image = imageKinds.find(({ begins }) => data.subarray(0, 4).toString("hex").startsWith(begins));
	if (image !== undefined) {
		if (!supportsImages) return note(`${image.mimeType} left out: this model does not read images`);
		if (data.length > attachmentLimits.imageBytes) return note(`${image.mimeType} left out: too large`);
		return [
			{ type: "text", text: `Attached: ${name}` },
			{ type: "image", mimeType: image.mimeType, data: data.toString("base64") },
		];
	}
	if (data.subarray(0, 8000).includes(0)) return note("left out: a binary file");
	return [{ type: "text", text: `Attached: ${name}\n${cap(data.toString("utf8"), limit)}` }];
}
