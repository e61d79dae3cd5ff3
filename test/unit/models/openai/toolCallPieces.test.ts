import { describe, expect, test } from "vitest";
import { randomNumbers } from "../../features/sampling/redaction/samples.ts";
import { ToolCallPieces } from "../../../../src/models/openai/toolCallPieces.ts";

interface Written {
	readonly index?: number;
	readonly id?: string;
	readonly name?: string;
	readonly args?: string | object;
}

/** Each call as `name {arguments}`, or `name: problem` for one that must not be made. */
function callsOf(
	pieces: readonly Written[],
	offered: readonly string[],
	{ isCut = false, hasEnd = true } = {},
): string[] {
	const calls = new ToolCallPieces(offered);
	for (const { index, id, name, args } of pieces) {
		calls.add({
			...(index === undefined ? {} : { index }),
			...(id === undefined ? {} : { id }),
			type: "function",
			function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
		});
	}
	return [...calls.finished(isCut, hasEnd)].map(({ name, arguments: args, malformed, problem }) =>
		malformed === undefined ? `${name} ${JSON.stringify(args)}` : `${name}: ${problem ?? "malformed"}`,
	);
}

/** A call of `odd_echo` in pieces of one character. `with`: the further members of each piece beside its arguments. */
function inCharacters(
	further: (number: number) => Written,
	first: Written = { index: 0, id: "101" },
): readonly Written[] {
	const args = Array.from('{"text":"frag"}');
	return [
		{ ...first, name: "odd_echo", args: "" },
		...args.map((sign, number) => Object.assign({}, further(number), { args: sign })),
	];
}

describe("pieces belong to the call that is being written", () => {
	const ways: readonly (readonly [string, (number: number) => Written])[] = [
		["a new id and an empty name", (number) => ({ index: 0, id: `${200 + number}`, name: "" })],
		["a new id, a new index and no name", (number) => ({ index: number + 1, id: `${200 + number}` })],
		["a new id and no index", (number) => ({ id: `${200 + number}` })],
		["a new index and no id", (number) => ({ index: number + 1 })],
		["a new id and the name again", (number) => ({ index: 0, id: `${200 + number}`, name: "odd_echo" })],
		[
			"a new id, a new index and the name again",
			(number) => ({ index: number + 1, id: `${200 + number}`, name: "odd_echo" }),
		],
		["the same id and a new index", (number) => ({ index: number + 1, id: "101" })],
		["the same id and the name again", () => ({ index: 0, id: "101", name: "odd_echo" })],
		["an empty id", () => ({ index: 0, id: "", name: "" })],
		["nothing", () => ({})],
	];
	test.each(ways)("with %s each", (_what, further) => {
		for (const first of [{ index: 0, id: "101" }, {}, { id: "101" }])
			expect(callsOf(inCharacters(further, first), ["odd_echo", "other"])).toEqual(['odd_echo {"text":"frag"}']);
	});

	test("also where the pieces are objects within the arguments", () => {
		const pieces = ['{"a":', '{"b":1}', ',"c":', "{}", "}"].map((args, number) => ({
			id: `${number}`,
			name: "odd_echo",
			args,
		}));
		expect(callsOf(pieces, ["odd_echo"])).toEqual(['odd_echo {"a":{"b":1},"c":{}}']);
	});

	test("adjacent calls stay separate", () => {
		const two = (more: Partial<Written>): readonly Written[] => [
			{ index: 0, id: "a", name: "one", args: '{"x":1}' },
			{ index: 0, id: "b", name: "two", args: '{"y":2}', ...more },
		];
		for (const more of [{}, { index: 1 }, { id: "a" }])
			expect(callsOf(two(more), ["one", "two"])).toEqual(['one {"x":1}', 'two {"y":2}']);
	});

	test("calls without arguments stay separate by their names", () => {
		for (const ids of [
			["a", "b"],
			["a", "a"],
			[undefined, undefined],
		] as const) {
			const [first, second] = ids;
			const pieces: readonly Written[] = [
				{ index: 0, ...(first === undefined ? {} : { id: first }), name: "list", args: "" },
				{ index: 0, ...(second === undefined ? {} : { id: second }), name: "get", args: '{"id":1}' },
			];
			expect(callsOf(pieces, ["list", "get"])).toEqual(["list {}", 'get {"id":1}']);
		}
	});

	test("the same tool twice at once is two calls", () => {
		const pieces: readonly Written[] = [
			{ index: 0, id: "a", name: "one", args: "" },
			{ index: 1, id: "b", name: "one", args: "" },
			{ index: 0, args: '{"x":1}' },
			{ index: 1, args: '{"x":2}' },
		];
		expect(callsOf(pieces, ["one"])).toEqual(['one {"x":1}', 'one {"x":2}']);
	});
});

describe("a name in pieces is used when it is complete", () => {
	const offered = ["delete", "delete_draft", "draft", "other"];
	const later: readonly (readonly [string, Written])[] = [
		["the same id", { index: 0, id: "a" }],
		["no id", { index: 0 }],
		["nothing", {}],
		["a new id", { index: 0, id: "b" }],
		["a new id and a new index", { index: 1, id: "b" }],
	];
	test.each(later)("the second piece with %s", (_what, place) => {
		const pieces = (names: readonly string[]): readonly Written[] => [
			...names.map((name, number) => ({ ...(number === 0 ? { index: 0, id: "a" } : place), name, args: "" })),
			{ ...place, args: '{"id":1}' },
		];
		expect(callsOf(pieces(["delete", "_draft"]), offered)).toEqual(['delete_draft {"id":1}']);
		expect(callsOf(pieces(["delete_", "draft"]), offered)).toEqual(['delete_draft {"id":1}']);
		expect(callsOf(pieces(["delete", "_draft"]), ["delete"])).toEqual(['delete_draft {"id":1}']);
		expect(callsOf(pieces(["del", "ete_", "draft"]), offered)).toEqual(['delete_draft {"id":1}']);
	});

	test("a name that grows from piece to piece is its last", () => {
		const pieces = ["delete", "delete_", "delete_draft"].map((name) => ({ index: 0, id: "a", name, args: "" }));
		expect(callsOf([...pieces, { index: 0, args: "{}" }], offered)).toEqual(["delete_draft {}"]);
	});

	test("an answer that is cut after a name calls nothing", () => {
		const begun = [{ index: 0, id: "a", name: "delete", args: "" }];
		expect(callsOf(begun, offered, { isCut: true })).toEqual([
			expect.stringMatching(/^delete: The call is incomplete/),
		]);
		expect(callsOf(begun, offered, { hasEnd: false })).toEqual([
			expect.stringMatching(/^delete: The call is incomplete/),
		]);
		expect(callsOf(begun, offered)).toEqual(["delete {}"]);
	});

	test("with two readings nothing is called", () => {
		const pieces = ["ab", "ab"].map((name) => ({ index: 0, id: "a", name, args: "" }));
		expect(callsOf(pieces, ["ab", "abab"])).toEqual([expect.stringMatching(/unclear whether "ab" and "ab" or "abab"/)]);
	});

	test.each<readonly [string, Written]>([
		["no ids", {}],
		["one index", { index: 0 }],
		["one id", { index: 0, id: "a" }],
	])("two tools whose names together are a third one: nothing is called with %s", (_what, place) => {
		const pieces: readonly Written[] = [
			{ ...place, name: "a", args: "" },
			{ ...place, name: "b", args: "{}" },
		];
		const unclear = expect.stringMatching(/^ab: It is unclear whether "a" and "b" or "ab" was called/) as unknown;
		expect(callsOf(pieces, ["a", "b", "ab"])).toEqual([unclear]);
		expect(callsOf(pieces, ["a", "b"])).toEqual(["a {}", "b {}"]);
		expect(callsOf(pieces, ["a", "ab"])).toEqual(["ab {}"]);
		expect(callsOf([...pieces, { ...place, name: "c", args: "{}" }], ["a", "b", "ab", "c"])).toEqual([unclear, "c {}"]);
	});

	test("two tools with an index each are two calls, although both names together are a third one", () => {
		const pieces: readonly Written[] = [
			{ index: 0, id: "1", name: "a", args: "" },
			{ index: 1, id: "2", name: "b", args: "{}" },
		];
		expect(callsOf(pieces, ["a", "b", "ab"])).toEqual(["a {}", "b {}"]);
	});
});

describe("numbers are exact", () => {
	test.each([
		["an object", { id: 12_345_678_901_234_567_000 }],
		["an object within", { list: [{ id: 9_007_199_254_740_992 }] }],
		["a decimal", { price: 0.12345678901234568 }],
	])("%s whose number was lost is returned to the model", (_what, args) => {
		expect(callsOf([{ index: 0, id: "a", name: "one", args }], ["one"])).toEqual([
			expect.stringContaining("cannot be sent exactly"),
		]);
	});

	test.each([
		['{"id":12345678901234567890}', /^one: The number 12345678901234567890 cannot/],
		['"{\\"id\\":12345678901234567890}"', /^one: The number 12345678901234567890 cannot/],
		['{"a":{"b":[0.1234567890123456789]}}', /^one: The number 0.1234567890123456789 cannot/],
		['{"price":19.99,"rate":1e-7,"id":9007199254740991}', /^one {"price":19.99,"rate":1e-7,"id":9007199254740991}$/],
	])("arguments %s", (args, end) => {
		expect(callsOf([{ index: 0, id: "a", name: "one", args }], ["one"])).toEqual([expect.stringMatching(end)]);
	});
});

test("in no dialect is a tool called that the model did not call, whatever the pieces of its name are", () => {
	const next = randomNumbers(9);
	const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(next() * list.length)] ?? list[0];
	const sets: readonly [readonly [string, ...string[]], ...(readonly [string, ...string[]])[]] = [
		["delete", "delete_draft", "draft"],
		["srv_delete", "srv_delete_draft", "delete_draft"],
		["get", "get_all", "get_all_users"],
	];
	const parts = (name: string, isWhole: boolean): readonly string[] => {
		const cuts = Array.from({ length: Math.floor(next() * 4) }, () => 1 + Math.floor(next() * (name.length - 1)));
		const ends = [...new Set([...cuts, name.length])].toSorted((one, other) => one - other);
		return ends.map((end, at) => name.slice(isWhole ? 0 : (ends[at - 1] ?? 0), end));
	};
	for (let round = 0; round < 10_000; round++) {
		const offered = pick(sets);
		const calls = Array.from({ length: 1 + Math.floor(next() * 2) }, () => ({
			name: pick(offered),
			args: pick(["{}", '{"x":1}', "", '{"a":{"b":"}"}}']),
		}));
		const [hasIndex, ids, grows] = [next() < 0.5, pick(["each", "first", "none"]), next() < 0.5];
		const pieces = calls.flatMap(({ name, args }, call): Written[] => {
			const cut = Math.floor(next() * (args.length + 1));
			const bare: Written[] = [
				...parts(name, grows).map((one) => ({ name: one })),
				{ args: args.slice(0, cut) },
				{ args: args.slice(cut) },
			];
			return bare.map((piece, at) =>
				Object.assign(
					piece,
					hasIndex && { index: call },
					(ids === "each" || (ids === "first" && at === 0)) && { id: `call${call}` },
				),
			);
		});
		const written = calls.map(({ name, args }) => `${name} ${args === "" ? "{}" : args}`);
		for (const made of callsOf(pieces, offered)) {
			const isOffered = offered.some((name) => made.startsWith(`${name} {`));
			if (isOffered) expect(written, JSON.stringify(pieces)).toContain(made);
		}
	}
});
