import { describe, expect, test } from "vitest";
import { attachmentsForModel, type Attachment, resourceLabel } from "../../../../src/surfaces/chat/references.ts";
import type { Session } from "../../../../src/servers/sessions/session.ts";
import type { ModelPart } from "../../../../src/models/model.ts";
import { KeptResults, readingLimits, ResultReading } from "../../../../src/features/tools/results/resultReading.ts";
import { png } from "../../features/tools/media.ts";

const image = Buffer.from(png, "base64");
const model = { maxInputTokens: 8000, supportsTools: true, supportsImages: true };

function tell(attachments: readonly Attachment[], supportsImages = true, kept = new KeptResults()) {
	const reading = new ResultReading(kept, readingLimits(model));
	return attachmentsForModel(attachments, { supportsImages }, reading);
}

const textsOf = (parts: readonly ModelPart[]): readonly string[] =>
	parts.map((part) => (part.type === "text" ? part.text : part.type));

describe("an attachment of a user", () => {
	test("is a resource by its URI and its server's name, never by an id with a path of this machine", () => {
		const id = "user-settings:/home/me/.config/Code/User/mcp.json#travel";
		const get = (server: string) =>
			server === id ? ({ definition: { id, name: "travel\u202E" } } as unknown as Session) : undefined;
		const uri = "travel://hotels/1";
		expect(resourceLabel({ server: id, uri }, { get })).toBe(`${uri} (of the server travel\\u202E)`);
		expect(resourceLabel({ server: `${id}2`, uri }, { get })).toBe(`${uri} (of a server that is no longer configured)`);
	});

	test("is labelled, as text or image by its content", () => {
		const { parts, notes } = tell([
			{ label: "src/a.ts", content: { bytes: Buffer.from("let a = 'é';") } },
			{ label: "a.ts, lines 1 to 2", content: { text: "let a" } },
			{ label: "photo.txt", content: { bytes: image } },
		]);
		expect(parts).toEqual([
			{ type: "text", text: "Attached: src/a.ts\nlet a = 'é';" },
			{ type: "text", text: "Attached: a.ts, lines 1 to 2\nlet a" },
			{ type: "text", text: "Attached: photo.txt" },
			{ type: "image", mimeType: "image/png", data: png },
		]);
		expect(notes).toEqual([]);
	});

	test.each<[string, Attachment["content"], boolean, RegExp]>([
		["a binary file", { bytes: Buffer.from([1, 0, 2]) }, true, /left out: a binary file \(3 bytes\)/],
		["an unreadable file", { problem: "it does not exist" }, true, /could not be read: it does not exist/],
		["an image for a model that sees none", { bytes: image }, false, /does not read images/],
		[
			"an image that is too large",
			{ bytes: Buffer.concat([image, Buffer.alloc(5_000_000)]) },
			true,
			/4\.8 MB, which is too large/,
		],
		["a disguised program", { bytes: Buffer.from("MZ\u0000\u0001") }, true, /binary/],
	])("is named to model and user when it is left out: %s", (_name, content, supportsImages, words) => {
		const { parts, notes } = tell([{ label: "it\n\u202E", content }], supportsImages);
		expect(textsOf(parts).join()).toMatch(words);
		expect(notes.join()).toMatch(words);
		expect(notes.join()).not.toMatch(/[\n\u202E]/);
	});

	test("is shortened when it is long, reported to both, and the model can read the rest", () => {
		const kept = new KeptResults();
		const { parts, notes } = tell(
			[{ label: "big.log", content: { bytes: Buffer.from("line\n".repeat(1_000_000)) } }],
			true,
			kept,
		);
		const [text = ""] = textsOf(parts);
		expect(text.length).toBeLessThan(6000);
		expect(text).toContain(
			"of 5,000,000 characters follow. The whole result is 1,000,000 lines of text. To read more, call read_result",
		);
		expect(notes).toEqual(["big.log is too long to send at once. The model received its beginning."]);
		expect(kept.isEmpty).toBe(false);
	});

	test("is limited together", () => {
		const long = { label: "long", content: { text: "x".repeat(100_000) } };
		expect(JSON.stringify(tell(Array.from({ length: 10 }, () => long)).parts).length).toBeLessThan(40_000);
	});
});
