import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Keeper, keepLimits, recordedMedia } from "../../../../src/records/activity/keeper.ts";
import { isSamplingContents } from "../../../../src/records/activity/samplingRecord.ts";
import { arrival, finish, RecordScene, requestsIn, review } from "./recordScene.ts";

function sha256(data: string | Buffer): string {
	return createHash("sha256").update(data).digest("hex");
}

test("a request is kept whole: system prompt, texts and parameters (BLT-19)", () => {
	const { request, parameters } = arrival();
	const received = new Keeper("full").received({ during: "askTool, your turn", request, parameters });
	expect(received).toEqual({ during: "askTool, your turn", request, parameters });
	expect(isSamplingContents({ received })).toBe(true);
});

test("of a too long text the beginning, the length and the hash are kept", () => {
	const long = `${"a".repeat(49_999)}\u{1F600}${"b".repeat(100_000)}`;
	const { request } = new Keeper("full").received(arrival({ request: [{ place: "system", original: long }] }));
	expect(request).toEqual([
		{
			place: "system",
			// The pair of surrogates at the limit is not cut in two.
			original: "a".repeat(49_999),
			originalWhole: { length: long.length, sha256: sha256(long) },
		},
	]);
});

test("a request of megabytes takes the space of a few, and each of its texts has its beginning and hash", () => {
	const texts = Array.from({ length: 5000 }, (_, index) => ({
		place: `message.${index}.part.0`,
		original: `${index} ${"x".repeat(10_000)}`,
		edited: `${index} ${"y".repeat(10_000)}`,
	}));
	const keeper = new Keeper("full");
	const entry = keeper.received(arrival({ request: texts }));
	expect(entry.request).toHaveLength(keepLimits.texts);
	expect(entry.moreTexts).toBe(3000);
	expect(entry.request.at(-1)?.original).toMatch(/^1999 x+$/);
	expect(entry.request.at(-1)?.editedWhole?.sha256).toBe(sha256(texts[1999]?.edited ?? ""));
	const attempt = keeper.attempt({ at: 1, request: texts, completion: [{ place: "text", original: "z".repeat(1e6) }] });
	expect(JSON.stringify({ ...entry, attempt }).length).toBeLessThan(3_000_000);
	expect(isSamplingContents({ received: entry, attempt })).toBe(true);
});

test("unchanged texts are not kept twice", () => {
	const { request } = new Keeper("full").attempt({
		at: 1,
		request: [
			{ place: "system", original: "same" },
			{ place: "maxTokens", original: "100", edited: "100" },
			{ place: "message.0.part.0", original: "before", edited: "after" },
			{ place: "message.1.part.0", original: "gone", edited: null },
			{ place: "context", original: "", edited: "added" },
		],
	});
	expect(request.map(({ place, edited }) => [place, edited])).toEqual([
		["message.0.part.0", "after"],
		["message.1.part.0", null],
		["context", "added"],
	]);
});

test("of images and recordings no byte is kept", () => {
	const data = Buffer.from("not really a picture");
	const part = { type: "image", data: data.toString("base64"), mimeType: "image/png\u202E" } as const;
	const media = [recordedMedia("message.0.part.1", part)];
	expect(new Keeper("full").received(arrival({ media })).media).toEqual([
		{
			place: "message.0.part.1",
			kind: "image",
			mimeType: "image/png\\u202E",
			bytes: data.length,
			sha256: sha256(data),
		},
	]);
	expect(new Keeper("without texts").received(arrival({ media })).media?.[0]).not.toHaveProperty("sha256");
});

test("without texts, no text reaches the disk; requester, time, usage and decider do", async () => {
	await using scene = await RecordScene.begin();
	scene.mode = "without texts";
	const window = scene.window();
	const secret = "SECRET";
	const entry = arrival({
		during: `a tool, your turn “${secret}”`,
		request: [{ place: "system", original: secret, edited: `${secret}!` }],
		media: [recordedMedia("message.0.part.1", { type: "audio", data: "AAAA", mimeType: "audio/wav" })],
		parameters: { maxTokens: 9, stopSequences: [secret], tools: [{ description: secret }], metadata: { a: secret } },
	});
	const open = window.log.open(entry);
	open.attempt({ at: 1, request: [{ place: "system", original: secret, edited: null }], failure: `no ${secret}` });
	open.attempt({
		at: 2,
		model: { id: "m", name: "model" },
		why: `the server's hint “${secret}” fits`,
		request: [],
		completion: [{ place: "text", original: secret }],
		inputTokens: 3,
		cost: 0.5,
	});
	open.close({
		kind: "rejected",
		by: "you",
		reason: secret,
		returned: [{ place: "text", original: secret, edited: secret }],
	});
	expect(scene.disk).not.toContain(secret);
	const [kept] = await requestsIn(window.journal);
	expect(kept).toMatchObject({
		server: "weather",
		request: [{ place: "system", original: "", originalWhole: { length: 6 }, edited: "", editedWhole: { length: 7 } }],
		parameters: { maxTokens: 9, stopSequences: ["(6 characters)"] },
		attempts: [{ failure: "(its text is not kept)" }, { inputTokens: 3, cost: 0.5, model: { name: "model" } }],
		end: { kind: "rejected", by: "you" },
	});
});

test("turned off, no contents are written; open entries continue", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const entry = arrival();
	const open = window.log.open(entry);
	scene.mode = "off";
	review(window.log);
	finish(open, entry.at);
	expect((await requestsIn(window.journal)).map(({ id, attempts, end }) => [id, attempts.length, end?.kind])).toEqual([
		[expect.any(String), 0, "returned"],
		[entry.id, 1, "returned"],
	]);
});

test.each([
	[7],
	[{ received: {} }],
	[{ received: { request: [{ place: "system", original: 7 }], parameters: {} } }],
	[{ received: { request: [], parameters: {}, media: [{ place: "x", kind: "video", mimeType: "", bytes: 1 }] } }],
	[{ attempt: { at: Number.NaN, request: [] } }],
	[{ attempt: { at: 1, request: [], cost: "free" } }],
	[{ end: { returned: "nothing" } }],
])("%o is no contents of a step", (value) => {
	expect(isSamplingContents(value)).toBe(false);
});
