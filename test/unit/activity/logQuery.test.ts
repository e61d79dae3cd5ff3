import { expect, test } from "vitest";
import { exportName, toJsonLines, everything, findEntries, readQuery } from "../../../src/activity/logQuery.ts";
import { isEntry } from "../../../src/activity/entryLines.ts";
import type { LogQuery } from "../../../src/activity/logProtocol.ts";
import { listOf } from "../../../src/activity/logRows.ts";
import type { SamplingEntry } from "../../../src/activity/samplingRecord.ts";
import { arrival } from "./recordScene.ts";

const day = 24 * 60 * 60 * 1000;

const entries: readonly SamplingEntry[] = [
	{ ...arrival({ id: "open", at: 4 * day, serverId: "a", server: "travel" }), attempts: [] },
	{
		...arrival({
			id: "returned",
			at: 3 * day,
			serverId: "b",
			server: "weather",
			request: [
				{ place: "system", original: "Straße (a|b) [x] ^$ \\d+ {2} . * ? / -" },
				{ place: "message.0.part.0", role: "user", original: "first question" },
				{ place: "message.1.part.0", role: "assistant", original: "first answer" },
			],
		}),
		attempts: [
			{ at: 1, model: { id: "x/large", name: "large" }, request: [], inputTokens: 1000, outputTokens: 10, cost: 0.25 },
			{ at: 2, request: [{ place: "system", original: "a", edited: "edited here" }], completion: [] },
			{ at: 3, model: { id: "x/free", name: "free" }, request: [], inputTokens: 5, outputTokens: 5, isEstimated: true },
		],
		end: { at: 4, kind: "returned", by: "you", returned: [{ place: "text", original: "came", edited: "went back" }] },
	},
	{
		...arrival({
			id: "rejected",
			at: 2 * day,
			serverId: "c",
			server: "weather",
			parameters: { metadata: { tag: "Ünique" } },
		}),
		attempts: [{ at: 1, model: { id: "x/large", name: "large" }, request: [], failure: "quota is used up" }],
		end: { at: 4, kind: "rejected", by: "you", reason: "too long" },
	},
	{
		...arrival({ id: "refused", at: day, serverId: "a", server: "travel" }),
		attempts: [],
		end: { at: 4, kind: "refused", by: "At most 20 requests a minute" },
	},
];

function found(query: Partial<LogQuery>): readonly string[] {
	return findEntries(entries, { ...everything, ...query }).map(({ id }) => id);
}

test.each<[Partial<LogQuery>, readonly string[]]>([
	[{}, ["open", "returned", "rejected", "refused"]],
	[{ text: "   " }, ["open", "returned", "rejected", "refused"]],
	[{ text: "EDITED here" }, ["returned"]],
	[{ text: "went back" }, ["returned"]],
	[{ text: "quota" }, ["rejected"]],
	[{ text: "too LONG" }, ["rejected"]],
	[{ text: "ünique" }, ["rejected"]],
	[{ text: "at most 20" }, ["refused"]],
	[{ text: "weather" }, ["returned", "rejected"]],
	[{ text: "weather", server: "c" }, ["rejected"]],
	[{ server: "a" }, ["open", "refused"]],
	[{ model: "large" }, ["returned", "rejected"]],
	[{ model: "by hand" }, ["returned"]],
	[{ standing: "open" }, ["open"]],
	[{ standing: "interrupted" }, []],
	[{ by: "you", standing: "rejected" }, ["rejected"]],
	[{ from: 2 * day, to: 3 * day }, ["rejected"]],
	[{ from: 2 * day }, ["open", "returned", "rejected"]],
])("%o finds %o", (query, ids) => {
	expect(found(query)).toEqual(ids);
});

test("every character that is looked for stands for itself", () => {
	const text = "(a|b) [x] ^$ \\d+ {2} . * ? / -";
	for (let from = 0; from < text.length; from++) {
		for (let to = from + 1; to <= text.length; to++) {
			const part = text.slice(from, to);
			if (part.trim() !== "") expect(found({ text: part }), part).toContain("returned");
		}
	}
	expect(found({ text: "(a|c)" })).toEqual([]);
	expect(found({ text: "f.rst" })).toEqual([]);
	expect(found({ text: "\uD800" })).toEqual([]);
});

test("a list tells what the found entries took, and what can be looked for in all", () => {
	const list = listOf(entries, { ...everything, server: "b" }, ["A notice."]);
	expect(list.totals).toEqual({
		requests: 1,
		sentence: "1 request · about 1,005 tokens in, 15 out · $0.25 and more, of which the price is unknown",
	});
	expect(list.rows).toMatchObject([
		{
			id: "returned",
			decision: "Returned by you",
			excerpt: "first question",
			details:
				"free · 3 attempts · edited · about 1,005 tokens in, 15 out · $0.25 and more, of which the price is unknown",
		},
	]);
	expect(list).toMatchObject({ all: 4, notices: ["A notice."] });
	// Two servers of one name are told apart.
	expect(list.servers.map(({ label }) => label)).toEqual(["travel", "weather (b)", "weather (c)"]);
	expect(list.models.map(({ value }) => value)).toEqual(["by hand", "free", "large"]);
	expect(list.deciders.map(({ value }) => value)).toEqual(["At most 20 requests a minute", "you"]);
	expect(listOf(entries, { ...everything, standing: "refused" }, []).totals.sentence).toBe("1 request");
});

test.each([
	undefined,
	{},
	{ ...everything, text: 7 },
	{ ...everything, text: "x".repeat(10_001) },
	{ ...everything, standing: "approved" },
	{ ...everything, from: "yesterday" },
	{ ...everything, to: Number.NaN },
])("%o is no query (UI-06)", (value) => {
	expect(readQuery(value)).toBeUndefined();
});

test("an export is JSON Lines that read back as the very same entries, the oldest first", () => {
	const strange = {
		...arrival({ request: [{ place: "system", original: 'a\nb\u2028c\r\n"\u0000\uD800 \u{1F600}' }] }),
		attempts: [],
	};
	const text = toJsonLines([...entries, strange]);
	const lines = text.split("\n");
	expect(lines.pop()).toBe("");
	const read = lines.map((line) => JSON.parse(line) as unknown);
	expect(read).toEqual([strange, ...entries.toReversed()]);
	expect(read.every(isEntry)).toBe(true);
	expect(toJsonLines([])).toBe("");
	expect(exportName(new Date(Date.UTC(2026, 10, 22)))).toBe("mcp-sampling-log-2026-11-22.jsonl");
});
