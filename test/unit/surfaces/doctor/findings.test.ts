import { describe, expect, it } from "vitest";
import type { Departure } from "../../../../src/protocol/departure.ts";
import { noteDepartures } from "../../../../src/protocol/departure.ts";
import { type Finding, grouped } from "../../../../src/surfaces/doctor/finding.ts";
import { checkConduct } from "../../../../src/surfaces/doctor/protocolChecks.ts";
import { refusedSchemas } from "../../../../src/surfaces/doctor/schemaFamilies.ts";

const none = { departures: [], answers: [], misfits: [], lists: [] };
const stopped = { kind: "stopped" } as const;

describe("The findings of Check Server", () => {
	it("are one where many are of the same rule, with all places (DOC-08)", () => {
		const finding = (rule: string, at: string): Finding => ({
			layer: "definitions",
			weight: "note",
			rule,
			at,
			what: "No.",
		});
		const few = [finding("a", "1"), finding("b", "2"), finding("a", "3")];
		expect(grouped(few)).toEqual(few);
		const many = ["1", "2", "3", "4", "5"].map((at) => finding("a", at));
		expect(grouped([...many, finding("b", "6")])).toEqual([
			{
				layer: "definitions",
				weight: "note",
				rule: "a",
				what: "No. The same was found in 4 more places.",
				evidence: ["1: No.", "2: No.", "3: No.", "4: No.", "5: No."],
				evidenceTitle: "All Places",
			},
			finding("b", "6"),
		]);
	});

	it("contain a fault once, whether it was noted as it passed or seen in a kept message (DOC-08)", () => {
		const departures: Departure[] = [
			{ rule: "left-out", what: "It is left out.", message: "tools/list", path: "result.tools[2].name" },
		];
		const misfits = [
			{ message: "tools/list", place: "/result/tools/2/name", what: "It is missing." },
			{ message: "tools/list", place: "/result/tools/4/title", what: "Must be text, but is a number." },
		];
		const findings = checkConduct({ state: stopped, conduct: { ...none, departures, misfits } });
		expect(findings.map(({ rule, at }) => [rule, at])).toEqual([
			["left-out", "tools/list: result.tools[2].name"],
			["schema", "tools/list: result.tools[4].title"],
		]);
		expect(findings[0]?.clause?.url).toBe("https://modelcontextprotocol.io/specification/2025-11-25/server/tools");
	});

	it("contain the lists that cannot be read or are not whole (DOC-08)", () => {
		const lists = [
			{ method: "tools/list", status: { kind: "failed", message: "It broke." } as const },
			{ method: "prompts/list", status: { kind: "ready", truncated: "only the first 5 are shown" } as const },
			{ method: "resources/list", status: { kind: "ready" } as const },
		];
		expect(checkConduct({ state: stopped, conduct: { ...none, lists } }).map(({ at, what }) => [at, what])).toEqual([
			["tools/list", "The list cannot be read: It broke."],
			["prompts/list", "The list is not whole: only the first 5 are shown."],
		]);
	});
});

it("A list of departures has each once, without secrets, and ends somewhere (DOC-08)", () => {
	const list: Departure[] = [];
	const redact = (text: string): string => text.replaceAll("hunter2", "⟦password⟧");
	for (let turn = 0; turn < 2; turn++) noteDepartures(list, [{ rule: "stdout", what: "It wrote hunter2." }], redact);
	expect(list).toEqual([{ rule: "stdout", what: "It wrote ⟦password⟧." }]);
	noteDepartures(
		list,
		Array.from({ length: 1000 }, (_, index) => ({ rule: "trouble" as const, what: String(index) })),
		redact,
	);
	expect(list).toHaveLength(200);
});

it("Schemas that model families refuse are found at their places, in a bounded time (DOC-09)", () => {
	const schema = {
		type: "object",
		properties: {
			"a b": { type: "string" },
			ids: { type: "array" },
			deep: { type: "object", properties: { far: { $ref: "https://example.com/x.json" } } },
		},
		oneOf: [],
	};
	expect(refusedSchemas(schema).map(({ path }) => path)).toEqual([
		"",
		".properties",
		".properties.ids",
		".properties.deep.properties.far",
	]);
	let nested: object = { type: "array" };
	for (let level = 0; level < 10_000; level++) nested = { type: "object", properties: { a: nested } };
	expect(refusedSchemas({ ...nested })).toEqual([]);
});
