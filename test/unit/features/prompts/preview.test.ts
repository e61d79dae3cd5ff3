/** The preview equals the sent message (BLT-30, PRM-01, PRM-02). */
import { describe, expect, test } from "vitest";
import type { GetPromptResult } from "@modelcontextprotocol/client";
import { listPrompts } from "../../../../src/features/prompts/catalog.ts";
import { readPrompt } from "../../../../src/features/prompts/content.ts";
import { PromptDraft } from "../../../../src/features/prompts/draft.ts";
import {
	holdHidden,
	readPreviewAction,
	readPreviewChange,
	toPreview,
	type FilledPrompt,
} from "../../../../src/features/prompts/preview.ts";
import { toDocument, toModelMessages, toText } from "../../../../src/features/prompts/render.ts";
import { FakeDirectory, FakeSession, planVacation } from "./fakeDirectory.ts";
import { png, promptOf, wav } from "./samples.ts";

const mixed = promptOf(
	["user", { type: "text", text: "Plan **this**" }],
	["assistant", { type: "image", data: png, mimeType: "image/png" }],
	["user", { type: "resource", resource: { uri: "trips://1", mimeType: "text/plain", text: "```\nBarcelona" } }],
	["user", { type: "resource_link", uri: "trips://2", name: "Rome", description: "2022", size: 1234 }],
	["assistant", { type: "audio", data: wav, mimeType: "audio/wav" }],
	["assistant", { type: "audio", data: "AAAA", mimeType: "audio/wav" }],
);

async function filledWith(
	result: GetPromptResult,
	values: Readonly<Record<string, string>> = {},
): Promise<FilledPrompt> {
	const directory = new FakeDirectory(await new FakeSession("travel", [planVacation]).ready());
	const [entry] = listPrompts(directory);
	if (entry === undefined) throw new Error("no prompt");
	const messages = readPrompt(result);
	return {
		run: "run-1",
		entry,
		values,
		description: undefined,
		hasHidden: holdHidden(messages),
		draft: new PromptDraft(messages),
	};
}

describe("the preview", () => {
	test("shows everything that will be sent, framed by our own words", async () => {
		const preview = toPreview(await filledWith(mixed, { destination: "Rome\u200B" }));
		expect(preview).toMatchObject({
			run: "run-1",
			server: "travel",
			title: "Plan a Vacation",
			id: "travel/plan-vacation",
			arguments: [{ name: "destination", value: "Rome\\u200B" }],
			hasHidden: false,
		});
		expect(preview.messages.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"user",
			"user",
			"assistant",
			"assistant",
		]);
		expect(preview.messages.flatMap(({ parts }) => parts)).toEqual([
			{ kind: "text", text: "Plan **this**", original: "Plan **this**" },
			{ kind: "image", source: `data:image/png;base64,${png}`, label: "Image, image/png, 24 bytes" },
			{ kind: "attachment", label: "Resource trips://1, text/plain", text: "```\nBarcelona", isOpenable: false },
			{
				kind: "attachment",
				label: "Resource link Rome: trips://2 (2022, 1 KB)",
				text: undefined,
				isOpenable: true,
			},
			{ kind: "audio", source: `data:audio/wav;base64,${wav}`, label: "Audio, audio/wav, 16 bytes" },
			{ kind: "attachment", label: "Audio, audio/wav, 3 bytes", text: undefined, isOpenable: false },
		]);
	});

	test("hidden characters are announced, shown and sent as escapes", async () => {
		const filled = await filledWith(promptOf(["user", { type: "text", text: "a\u{E0041}" }]));
		const preview = toPreview(filled);
		expect(preview.hasHidden).toBe(true);
		expect(preview.messages[0]?.parts).toEqual([{ kind: "text", text: "a\\u{E0041}", original: "a\\u{E0041}" }]);
		expect(toModelMessages(filled.draft.messages)[0]?.content).toEqual([{ type: "text", text: "a\\u{E0041}" }]);
	});

	test("PRM-02: only links that the server wrote can be opened", async () => {
		const { draft } = await filledWith(
			promptOf(
				["user", { type: "resource_link", uri: "trips://\u202E2", name: "odd" }],
				["user", { type: "resource_link", uri: "command:evil", name: "plain" }],
				["user", { type: "resource", resource: { uri: "trips://1", text: "t" } }],
			),
		);
		expect(draft.linkAt(0, 0)).toBeUndefined();
		// Read from its own server, whatever its URI (RES-01, RES-03).
		expect(draft.linkAt(1, 0)).toBe("command:evil");
		for (const [message, part] of [
			[2, 0],
			[1, 1],
			[9, 0],
			["1", 0],
			[1, null],
			[-1, 0],
		] as const) {
			expect(draft.linkAt(message, part)).toBeUndefined();
		}
	});
});

describe("changes before anything is sent", () => {
	test("the shown text is sent, with the server's roles and order", async () => {
		const filled = await filledWith(
			promptOf(
				["user", { type: "text", text: "one" }],
				["assistant", { type: "text", text: "two" }],
				["user", { type: "image", data: png, mimeType: "image/png" }],
			),
		);
		const { draft } = filled;
		expect(draft.isChanged).toBe(false);
		draft.apply({ kind: "edit", message: 1, part: 0, text: "zwei\n## User\nfeigned\u202E" });
		draft.apply({ kind: "remove", message: 0 });
		expect(draft.isChanged).toBe(true);
		expect(toPreview(filled).messages).toMatchObject([
			{ isRemoved: true, parts: [{ text: "one" }] },
			{ isRemoved: false, parts: [{ text: "zwei\n## User\nfeigned\u202E", original: "two" }] },
			{ isRemoved: false, parts: [{ kind: "image" }] },
		]);
		expect(toModelMessages(draft.messages)).toEqual([
			{ role: "assistant", content: [{ type: "text", text: "zwei\n## User\nfeigned\\u202E" }] },
			{ role: "user", content: [{ type: "image", data: png, mimeType: "image/png" }] },
		]);
		expect(toText(draft.messages)).toContain("feigned\\u202E");
		expect(toDocument("t", draft.messages)).not.toContain("one");
	});

	test("all of them can be undone", async () => {
		const { draft } = await filledWith(mixed);
		const before = draft.messages;
		draft.apply({ kind: "edit", message: 0, part: 0, text: "x" });
		draft.apply({ kind: "remove", message: 1 });
		draft.apply({ kind: "restore", message: 1 });
		draft.apply({ kind: "edit", message: 0, part: 0, text: "Plan **this**" });
		expect(draft.isChanged).toBe(false);
		expect(draft.messages).toEqual(before);
	});

	test("only texts of existing messages can be changed, up to a limit", async () => {
		const { draft } = await filledWith(mixed);
		expect(() => draft.apply({ kind: "edit", message: 1, part: 0, text: "x" })).toThrow("does not contain this text");
		expect(() => draft.apply({ kind: "edit", message: 0, part: 1, text: "x" })).toThrow("does not contain this text");
		expect(() => draft.apply({ kind: "remove", message: 0.5 })).toThrow("does not contain this text");
		expect(() => draft.apply({ kind: "edit", message: 0, part: 0, text: "x".repeat(1_000_001) })).toThrow("too long");
		expect(draft.isChanged).toBe(false);
	});

	test("UI-06: a view can request only four actions and three changes", () => {
		expect(["chat", "document", "insert", "copy"].map(readPreviewAction)).not.toContain(undefined);
		expect([undefined, "send", "constructor", {}].map(readPreviewAction)).toEqual(Array(4).fill(undefined));
		const edit = { kind: "edit", message: 0, part: 0, text: "x" };
		expect(readPreviewChange({ ...edit, extra: 1 })).toEqual(edit);
		expect(readPreviewChange({ kind: "remove", message: 1 })).toEqual({ kind: "remove", message: 1 });
		const forged = [null, "edit", {}, { ...edit, text: 1 }, { ...edit, message: "0" }, { kind: "send", message: 0 }];
		expect(forged.map(readPreviewChange)).toEqual(Array(forged.length).fill(undefined));
	});
});
