import { oneLine } from "../../base/text.ts";
import type { ModelInfo, ModelPart } from "../../models/model.ts";
import { imageTypeOf, looksLikeText } from "../../base/media.ts";
import { readableSize } from "../../base/amounts.ts";
import type { ResourceAddress } from "../../features/resources/uri.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { ResultReading } from "../../features/tools/results/resultReading.ts";

/** An attachment of the user's message: a file, a selection, a resource, or a text. */
export interface Attachment {
	/** The user's name for it, such as a path or a URI. */
	readonly label: string;
	/** Its content, or why it could not be read. */
	readonly content: { readonly bytes: Uint8Array } | { readonly text: string } | { readonly problem: string };
}

/**
 * The name of a server's resource: its URI and the server's configured name. A server's id is not used, because it
 * names the file that configures it, which is local data.
 */
export function resourceLabel(
	{ server, uri }: Pick<ResourceAddress, "server" | "uri">,
	directory: Pick<SessionDirectory, "get">,
): string {
	const name = directory.get(server)?.definition.name;
	return `${uri} (${name === undefined ? "of a server that is no longer configured" : `of the server ${oneLine(name, 100)}`})`;
}

/** Attachments in the form for a model. */
export interface SentAttachments {
	/** Each is labelled; those that are not sent are named, never dropped in silence. */
	readonly parts: readonly ModelPart[];
	/** For the user: omitted or cut parts, one sentence each. */
	readonly notes: readonly string[];
}

/** The largest image that is sent, in bytes: most endpoints accept no larger one. */
const mostImageBytes = 5_000_000;

/** Attachments as parts of a message. Long ones are cut as results are, and the model can read on in them. */
export function attachmentsForModel(
	attachments: readonly Attachment[],
	{ supportsImages }: Pick<ModelInfo, "supportsImages">,
	reading: Pick<ResultReading, "fit">,
): SentAttachments {
	const notes: string[] = [];
	const parts = attachments.flatMap(({ label, content }): readonly ModelPart[] => {
		const name = oneLine(label, 500);
		const sent = sentOf(content, supportsImages);
		if ("problem" in sent) {
			notes.push(`${name}: ${sent.problem}.`);
			return [{ type: "text", text: `Attached: ${name}\n(${sent.problem})` }];
		}
		if ("image" in sent) return [{ type: "text", text: `Attached: ${name}` }, sent.image];
		// The user chose it for the model, so it gets as much of it as there is room for.
		const fitted = reading.fit([{ type: "text", text: sent.text }], Infinity);
		// A cut one has two parts: a note about the cut, and the beginning.
		if (fitted.length > 1) notes.push(`${name} is too long to send at once. The model received its beginning.`);
		const text = fitted.map((part) => (part.type === "text" ? part.text : "")).join("\n");
		return [{ type: "text", text: `Attached: ${name}\n${text}` }];
	});
	return { parts, notes };
}

type Sent = { readonly text: string } | { readonly image: ModelPart } | { readonly problem: string };

function sentOf(content: Attachment["content"], supportsImages: boolean): Sent {
	if ("problem" in content) return { problem: `could not be read: ${oneLine(content.problem, 300)}` };
	if ("text" in content) return content;
	const { bytes } = content;
	const mimeType = imageTypeOf(bytes);
	if (mimeType === undefined) {
		return looksLikeText(bytes)
			? { text: new TextDecoder().decode(bytes) }
			: { problem: `left out: a binary file (${readableSize(bytes.length)})` };
	}
	if (!supportsImages) return { problem: `left out: ${mimeType}, and this model does not read images` };
	if (bytes.length > mostImageBytes) {
		return { problem: `left out: ${mimeType} of ${readableSize(bytes.length)}, which is too large for a model` };
	}
	return { image: { type: "image", mimeType, data: Buffer.from(bytes).toString("base64") } };
}
