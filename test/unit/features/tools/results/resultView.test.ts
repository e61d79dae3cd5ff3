import { describe, expect, test } from "vitest";
import type { Json } from "../../../../../src/base/json.ts";
import { hasHiddenCharacters } from "../../../../../src/base/text.ts";
import { readResult } from "../../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../../src/permissions/catalog/catalog.ts";
import { bytesOfBlock, uriOfBlock } from "../../../../../src/features/tools/results/resultMedia.ts";
import type { ResultBlock, ResultView } from "../../../../../src/features/tools/results/resultProtocol.ts";
import { isOpenable, resultTable, resultView } from "../../../../../src/features/tools/results/resultView.ts";
import { hugePng, png, wav } from "../media.ts";

const viewOf = (raw: unknown, problems: readonly string[] = []): ResultView =>
	resultView(readResult(raw as RawToolResult, problems));
const blocksOf = (raw: unknown): readonly ResultBlock[] => viewOf(raw).blocks.map(({ block }) => block);
const text = (value: string) => ({ type: "text", text: value });

describe("the view of a result", () => {
	test("has a block for each kind of content, with its place", () => {
		const { blocks, isError } = viewOf({
			content: [
				text("Hello"),
				null,
				{ type: "image", data: png, mimeType: "image/png" },
				{ type: "audio", data: wav, mimeType: "audio/x-thing" },
				{ type: "resource_link", uri: "trips://1", name: "rome", title: "Rome" },
				{ type: "resource", resource: { uri: "x://text", mimeType: "text/plain", text: "inside" } },
				{ type: "resource", resource: { uri: "x://zip", mimeType: "application/zip", blob: "DDDD" } },
				{ type: "resource", resource: { uri: "x://image", blob: png } },
				{ type: "hologram" },
			],
		});
		expect(isError).toBe(false);
		expect(blocks).toMatchObject([
			{ index: 0, block: { kind: "text", text: "Hello", total: 5 } },
			{
				index: 2,
				block: { kind: "image", source: `data:image/png;base64,${png}`, label: "image/png, 29 bytes, 640 × 480" },
			},
			{
				index: 3,
				block: { kind: "audio", label: expect.stringContaining("audio/wav (the server says audio/x-thing)") },
			},
			{ index: 4, block: { kind: "link", uri: "trips://1", label: "Rome", isOpenable: true } },
			{ index: 5, block: { kind: "resource", uri: "x://text", text: "inside", label: "text/plain, 6 bytes" } },
			{ index: 6, block: { kind: "resource", uri: "x://zip", label: "application/zip, binary" } },
			{ index: 7, block: { kind: "image", label: expect.stringContaining("x://image") } },
			{ index: 8, block: { kind: "text", text: expect.stringContaining("hologram") } },
		]);
	});

	test("shows only content that its bytes prove, and nothing that would fill the memory (RES-05, RES-06, UI-10)", () => {
		const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").toString("base64");
		for (const data of [svg, hugePng, "AAAA", "!", Buffer.from("<script>").toString("base64")]) {
			const [block] = blocksOf({ content: [{ type: "image", data, mimeType: "image/png" }] });
			expect(block).toMatchObject({ kind: "media", label: expect.stringContaining("not shown") });
			expect(JSON.stringify(block)).not.toContain("data:");
		}
	});

	test("names the audience of a part, and shows it nevertheless", () => {
		const said = (audience: string[]) =>
			blocksOf({ content: [{ ...text("x"), annotations: { audience } }] })[0]?.audience;
		expect(said(["user"])).toBe("For you, not sent to the model");
		expect(said(["assistant"])).toBe("Meant for the model");
		expect(said(["user", "assistant"])).toBeUndefined();
	});

	test("hides no character of a text, a name or an address (TOL-08)", () => {
		const evil = "a\u202E\u200B\u{E0041}\u0007b";
		const view = viewOf({
			content: [
				text(evil),
				{ type: "resource_link", uri: `x://${evil}`, name: evil },
				{ type: "resource", resource: { uri: evil, mimeType: evil, text: evil } },
				{ type: "image", data: "AAAA", mimeType: evil },
			],
			structuredContent: [{ [evil]: evil }],
		});
		expect(hasHiddenCharacters(JSON.stringify(view).replaceAll("\\n", ""))).toBe(false);
		const texts = [view.raw, view.structured?.json ?? "", ...view.blocks.map(({ block }) => JSON.stringify(block))];
		expect(texts.filter((one) => hasHiddenCharacters(one))).toEqual([]);
	});

	test.each([
		["20 MB of text", { content: [text("x".repeat(20_000_000))] }],
		["500 blocks", { content: Array.from({ length: 500 }, () => text("y".repeat(20_000))) }],
		[
			"200 images",
			{
				content: Array.from({ length: 200 }, () => ({
					type: "image",
					data: png + "A".repeat(400_000),
					mimeType: "image/png",
				})),
			},
		],
		[
			"20 MB of structured content",
			{ structuredContent: Array.from({ length: 100_000 }, (_, index) => ({ index, name: "z".repeat(180) })) },
		],
	])("is bounded: %s (TOL-15)", (_name, raw) => {
		const view = viewOf(raw);
		expect(JSON.stringify(view).length).toBeLessThan(26_000_000);
		expect(view.raw.length).toBeLessThanOrEqual(200_000);
		expect(view.rawTotal).toBeGreaterThan(9_000_000);
		expect(view.blocks.length).toBeLessThanOrEqual(101);
	});

	test("shows how much is left out", () => {
		const { blocks, structured } = viewOf({
			content: Array.from({ length: 500 }, () => text("y".repeat(60_000))),
			structuredContent: Array.from({ length: 1000 }, (_, index) => ({ index })),
		});
		expect(blocks[0]?.block).toMatchObject({ text: "y".repeat(50_000), total: 60_000 });
		expect(blocks.at(-1)).toEqual({ index: -1, block: { kind: "note", text: "400 more parts are not shown here." } });
		expect(structured?.table).toMatchObject({ total: 1000 });
		expect(structured?.table?.rows).toHaveLength(500);
	});

	test("of a result that violates the output schema shows it (TOL-14)", () => {
		expect(viewOf({ structuredContent: 1, isError: false }, ["not an object"]).problems).toEqual(["not an object"]);
	});
});

describe("structured content as a table", () => {
	test.each<[string, Json, unknown]>([
		[
			"a list of objects",
			[
				{ a: 1, b: "x" },
				{ b: "y", c: [1] },
			],
			{
				columns: ["a", "b", "c"],
				rows: [
					["1", "x", ""],
					["", "y", "[1]"],
				],
				total: 2,
			},
		],
		[
			"a wrapped list",
			{ flights: [{ to: "Rome" }], currency: "EUR" },
			{ name: "flights", facts: [["currency", "EUR"]], columns: ["to"], rows: [["Rome"]] },
		],
		[
			"an object of plain members",
			{ n: 1, ok: true, none: null, tags: ["a", "b"] },
			{
				columns: ["Name", "Value"],
				rows: [
					["n", "1"],
					["ok", "true"],
					["none", "null"],
					["tags", '["a","b"]'],
				],
			},
		],
		[
			"names like those of every object",
			[{ constructor: 1, __proto__: 2 }, {}],
			{ columns: ["constructor"], rows: [["1"], [""]] },
		],
	])("%s", (_name, value, expected) => {
		expect(resultTable(value)).toMatchObject(expected as object);
	});

	test.each<[string, Json]>([
		["a text", "x"],
		["null", null],
		["an empty list", []],
		["an empty object", {}],
		["a list of numbers", [1, 2]],
		["a list of objects and others", [{ a: 1 }, 2]],
		["an object in an object", { a: { b: 1 } }],
		["two lists of objects", { a: [{ x: 1 }], b: [{ x: 1 }] }],
	])("is not made of %s", (_name, value) => {
		expect(resultTable(value)).toBeUndefined();
	});

	test("is limited in plain members beside the rows, and shows how much is left out", () => {
		const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, index]));
		const table = resultTable({ ...members, rows: [members] });
		expect([table?.facts.length, table?.totalFacts]).toEqual([100, 10_000]);
		expect([table?.columns.length, table?.totalColumns]).toEqual([24, 10_000]);
		expect(resultTable([{ a: 1 }])).toMatchObject({ totalFacts: 0, totalColumns: 1 });
	});

	test("is limited in rows, columns and cells", () => {
		const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, "x".repeat(1000)]));
		const table = resultTable(Array.from({ length: 2000 }, () => wide));
		expect([table?.rows.length, table?.columns.length, table?.total]).toEqual([500, 24, 2000]);
		expect(table?.rows[0]?.[0]?.length).toBeLessThan(400);
	});
});

describe("a block of a result", () => {
	const raw = {
		content: [
			null,
			{ type: "image", data: png, mimeType: "text/html" },
			{ type: "resource_link", uri: "x://\u202E1", name: "n" },
			{ type: "resource", resource: { uri: "x://2", mimeType: "application/zip", blob: "AAEC" } },
			{ type: "resource", resource: { uri: "x://3", mimeType: "text/plain", text: "é" } },
			text("words"),
		],
	} as unknown as RawToolResult;

	test("returns its bytes, with their type", () => {
		const sizes = [0, 1, 2, 3, 4, 5, 6].map((index) => bytesOfBlock(raw, index)?.bytes.length);
		expect(sizes).toEqual([undefined, 29, undefined, 3, 2, 5, undefined]);
		expect(bytesOfBlock(raw, 1)?.mimeType).toBe("image/png");
		expect(bytesOfBlock(raw, 3)).toMatchObject({ mimeType: "application/zip", uri: "x://2" });
	});

	test("returns the address exactly as the server wrote it", () => {
		expect([0, 1, 2, 3, 4, 9].map((index) => uriOfBlock(raw, index))).toEqual([
			undefined,
			undefined,
			"x://\u202E1",
			"x://2",
			"x://3",
			undefined,
		]);
	});

	test.each([
		["trips://1", true],
		["file:///etc/passwd", true],
		["https://example.com", false],
		["HTTP://example.com", false],
		["no scheme", false],
		["x:", false],
		["x://\u202Egpj.exe", false],
		[`x://${"a".repeat(5000)}`, false],
	])("may be opened through its server: %s %s", (uri, expected) => {
		expect(isOpenable(uri)).toBe(expected);
	});
});
