import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { parseCallQuery, parseResourceQuery } from "../../../../src/surfaces/chat/directQueries.ts";
import { followupMetadata, followupsOf } from "../../../../src/surfaces/chat/followups.ts";
import { demoModelInfo } from "../../../../src/models/demoModelInfo.ts";
import { toolList } from "../../../../src/surfaces/chat/lists.ts";
import {
	readResourceText,
	resourceParts,
	messagesOfCall,
	messagesOfResource,
} from "../../../../src/surfaces/chat/directResults.ts";
import { readResult } from "../../../../src/features/tools/results/result.ts";
import { entryOf } from "../runner/runScene.ts";
import { directoryOf, User, serve, tool } from "../../features/tools/toolSession.ts";

describe("/call", () => {
	test.each([
		["", undefined],
		["  ", undefined],
		["travel/book", { tool: "travel/book", arguments: undefined }],
		['travel/book {"nights": 3}', { tool: "travel/book", arguments: { nights: 3 } }],
		['travel/book{"nights": 3}', { tool: "travel/book", arguments: { nights: 3 } }],
		['"my server/a tool" {"a":\n1}', { tool: "my server/a tool", arguments: { a: 1 } }],
	])("reads %j", (text, expected) => {
		expect(parseCallQuery(text)).toEqual(expected);
	});

	test.each(["travel/book {nights: 3}", "travel/book nights=3", "travel/book [1]"])(
		"explains the errors of the arguments of %j, so that the form can help",
		(text) => {
			expect(parseCallQuery(text)).toMatchObject({ tool: "travel/book", arguments: undefined, problem: /JSON/ });
		},
	);

	test("explains its syntax", () => {
		expect(() => parseCallQuery('{"a": 1}')).toThrow(/Write \/call server\/tool/);
	});

	test("includes the user's run in later turns, as far as the model may see it, and shortened", async () => {
		const entry = entryOf(await serve("travel", tool("book")));
		const result = readResult({
			content: [
				{ type: "text", text: "for both" },
				{ type: "text", text: "between us", annotations: { audience: ["user"] } },
				{ type: "text", text: "z".repeat(100_000) },
			],
		});
		const outcome = { kind: "done", result, wanted: {}, sent: { a: 1 }, isEdited: false, milliseconds: 1 } as const;
		const told = JSON.stringify(messagesOfCall({ entry }, outcome));
		expect(told).toContain("The user ran the tool book of the server travel directly");
		expect(told).toContain("for both");
		expect(told).not.toContain("between us");
		expect(told.length).toBeLessThan(20_000);
		expect(messagesOfCall({ entry }, { kind: "cancelled" })).toEqual([]);
	});
});

describe("/resource", () => {
	test("takes a server and a URI, or a URI that one server lists", async () => {
		const travel = await serve("travel");
		const other = await serve("other");
		await travel.run({
			resources: [
				{ uri: "a://1", name: "one" },
				{ uri: "b://1", name: "both" },
			],
		});
		await other.run({ resources: [{ uri: "b://1", name: "both" }] });
		const directory = directoryOf(travel, other);
		expect(parseResourceQuery(directory, "")).toBeUndefined();
		expect(parseResourceQuery(directory, "other urn:x y")).toEqual({ session: other, uri: "urn:x y" });
		expect(parseResourceQuery(directory, '"travel" a://2')).toEqual({ session: travel, uri: "a://2" });
		expect(parseResourceQuery(directory, "a://1")).toEqual({ session: travel, uri: "a://1" });
		expect(() => parseResourceQuery(directory, "b://1")).toThrow(/Several servers list/);
		expect(() => parseResourceQuery(directory, "c://1")).toThrow(/No running server lists/);
		expect(() => parseResourceQuery(directory, "nowhere a://1")).toThrow(HostError);
	});

	test("shows the beginning as plain text (UI-01 to UI-04)", async () => {
		const travel = await serve("travel");
		const text = `# Title ![](https://canary.example) <b>\n${"line\n".repeat(100)}`;
		travel.onRead = async (uri) => ({ contents: [{ uri, mimeType: "text/markdown", text }] });
		const read = await readResourceText(travel, "a://1", AbortSignal.timeout(20_000));
		const [part] = resourceParts(travel, "a://1", read);
		expect(part).toMatchObject({ kind: "text", markdown: expect.stringContaining("\\!\\[\\]\\(https") });
		expect(JSON.stringify(part)).not.toContain("<b>");
		expect(JSON.stringify(part).length).toBeLessThan(3000);
		expect(JSON.stringify(messagesOfResource("travel", "a://1", read.text))).toContain("# Title");
	});

	test("shows nothing of bytes", async () => {
		const travel = await serve("travel");
		travel.onRead = async (uri) => ({ contents: [{ uri, mimeType: "image/png", blob: "AAAA" }] });
		const read = await readResourceText(travel, "a://1", AbortSignal.timeout(20_000));
		expect(read).toMatchObject({ text: "", summary: "image/png, 3 bytes, no text" });
	});
});

describe("/tools", () => {
	const marks = new User({ kind: "deny" }).pins;

	test("counts, filters by words, and explains which tools models are not offered", async () => {
		const travel = await serve(
			"travel",
			tool("book", {}, { description: "Books a *hotel*.", annotations: { destructiveHint: true } }),
			tool("view", {}, { _meta: { ui: { visibility: ["app"] } } }),
		);
		const weather = await serve("weather", tool("forecast", {}, { title: "Weather Forecast" }));
		const directory = directoryOf(travel, weather);
		const all = toolList(directory, marks);
		expect(all).toContain("3 tools · 1 not offered to models");
		expect(all).toContain("**travel** · 2 tools");
		expect(all).toContain("Books a \\*hotel\\*\\.");
		expect(all).toMatch(/not offered to models\\: the server offers it only to its apps/);
		const found = toolList(directory, marks, "FORECAST weather");
		expect(found).toContain("1 of 3 tools");
		expect(found).not.toContain("book");
		expect(toolList(directory, marks, "nothing [x](y)")).toBe("No match for “nothing \\[x\\]\\(y\\)” in 3 tools.");
	});

	test("a thousand tools do not flood the chat", async () => {
		const many = Array.from({ length: 1000 }, (_, index) => tool(`t${index}`));
		const list = toolList(directoryOf(await serve("big", ...many)), marks);
		expect(list).toContain("900 more are not shown");
		expect(list.length).toBeLessThan(20_000);
	});
});

describe("follow-ups", () => {
	test.each([
		[undefined, []],
		[{}, []],
		[{ mcpHost: { ending: "complete" } }, []],
		[{ mcpHost: { ending: "limit" } }, ["Continue"]],
		[{ mcpHostNothingListed: true }, ["Show the servers and their state"]],
		[{ mcpHost: "limit", mcpHostNothingListed: "text of a model" }, []],
	])("after %j there are %j", (metadata, labels) => {
		expect(followupsOf(metadata).map(({ label }) => label)).toEqual(labels);
	});

	test("after the demo's script there are its next scenes, and after no real model all of them (FST-02)", () => {
		const call = { type: "tool-call", callId: "demo-1", name: "travel_checkWeather", arguments: {} };
		const answered = (...calls: readonly object[]) => ({
			mcpHost: { ending: "complete", messages: calls.map((one) => ({ role: "assistant", content: [one] })) },
		});
		const labelsOf = (metadata: object): readonly string[] => followupsOf(metadata).map(({ label }) => label);
		const demo = followupMetadata(demoModelInfo);
		expect(labelsOf({ ...answered(call), ...demo })[0]).toBe("Plan a long weekend in Barcelona for two");
		expect(labelsOf({ ...answered(call, call), ...demo })).toEqual([
			"Check the weather in Lisbon",
			"Look for flights to Rome for two",
			"Show the tools of all servers",
		]);
		expect(labelsOf({ ...answered(call), ...followupMetadata({ ...demoModelInfo, id: "ollama/qwen3" }) })).toEqual([]);
		expect(labelsOf({ mcpHost: { ending: "limit" }, ...demo })).toEqual(["Continue"]);
		expect(labelsOf({ mcpHost: { ending: "cancelled" }, ...demo })).toEqual([]);
		expect(labelsOf({ mcpHost: { ending: "complete", messages: [null, { content: 3 }] }, ...demo })).toHaveLength(3);
	});
});
