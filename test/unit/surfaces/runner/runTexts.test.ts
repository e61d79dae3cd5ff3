import { expect, test } from "vitest";
import { readResult } from "../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../src/permissions/catalog/catalog.ts";
import { callMessageOf, copiedResult, textOf } from "../../../../src/surfaces/runner/runTexts.ts";
import { readRunAction, readRunText } from "../../../../src/surfaces/runner/runPort.ts";
import { runRow } from "../../../../src/surfaces/runner/runRows.ts";
import { ToolRun } from "../../../../src/surfaces/runner/toolRun.ts";
import { toRunView } from "../../../../src/surfaces/runner/runView.ts";
import { directoryOf, serve, tool } from "../../features/tools/toolSession.ts";
import { entryOf } from "./runScene.ts";

async function runWith(raw: RawToolResult): Promise<ToolRun> {
	const run = new ToolRun(entryOf(await serve("travel", tool("echo"))), { text: "a\u200Bb" });
	const sent = run.arguments;
	run.end({ kind: "done", result: readResult(raw), wanted: sent, sent, isEdited: false, milliseconds: 5 }, 5);
	return run;
}

test("plain texts are copied exactly; everything else is copied as JSON", async () => {
	const text = "exact \u202E\r\nbytes";
	expect(
		copiedResult(
			await runWith({
				content: [
					{ type: "text", text },
					{ type: "text", text: "two" },
				],
			}),
		),
	).toBe(`${text}\ntwo`);
	const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
	const mixed = copiedResult(await runWith({ content: [{ type: "text", text }, image] }));
	expect(JSON.parse(mixed)).toEqual({ content: [{ type: "text", text }, image] });
	expect(mixed).toContain("\\u202E");
});

test.each([{}, { content: "no list" }, { content: [null, 3, { type: "text" }] }, { content: [{}] }])(
	"a result like %j is shown and copied nevertheless (TOL-13)",
	async (raw) => {
		const run = await runWith(raw as unknown as RawToolResult);
		expect(copiedResult(run)).toBeTypeOf("string");
		expect(JSON.parse(textOf(run, "result"))).toEqual(raw);
		expect(() => textOf(run, "structured")).toThrow("The result has no structured content.");
		expect(toRunView(run, directoryOf()).standing).toBe("done");
	},
);

test("texts to open are whole, and nothing in them is hidden", async () => {
	const run = await runWith({ structuredContent: { rows: ["x".repeat(500_000)] } });
	expect(textOf(run, "request")).toContain('"a\\u200Bb"');
	expect(textOf(run, "structured").length).toBeGreaterThan(500_000);
});

test("the history names a run by tool, server, state, duration, time and arguments", async () => {
	const run = await runWith({ isError: true, content: [] });
	run.begin(0);
	expect(runRow(run, () => "noon")).toMatchObject({
		icon: "warning",
		label: "echo",
		description: "travel · tool error · noon",
		detail: '{ "text": "a\\u200Bb" }',
	});
});

test.each(["delete", "", 7, undefined, { toString: () => "cancel" }])("a view may not request %j (UI-06)", (asked) => {
	expect(readRunAction(asked)).toBeUndefined();
	expect(readRunText(asked)).toBeUndefined();
});

test("a read that a model requested is shown as the original request", async () => {
	const session = await serve("travel");
	const read = tool("resources/read", { uri: { type: "string" } });
	const perform = async (): Promise<RawToolResult> => ({});
	const run = new ToolRun(
		{ session, tool: read, modelName: "read_resource", hidden: undefined, perform },
		{ uri: "x://1" },
	);
	const view = toRunView(run, directoryOf(session));
	expect(JSON.parse(view.request)).toEqual({ method: "resources/read", params: { uri: "x://1" } });
	expect(callMessageOf(run)).toMatchObject({ method: "resources/read", params: { uri: "x://1" } });
});
