import { describe, expect, it } from "vitest";
import { completionSchema, longestKey, answerSchemas } from "../../../../src/protocol/connection/answerSchemas.ts";
import { initialized, startSessionServer } from "../../../servers/sessionServer.ts";
import { turnsDuring } from "../../base/turns.ts";
import { control, http, Scene } from "./connectScene.ts";

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

/** The result of a page of tools, and the log. */
async function check(page: unknown): Promise<{ readonly result: unknown; readonly refused: readonly string[] }> {
	const refused: string[] = [];
	const schema = answerSchemas((why) => refused.push(why)).tools;
	return { result: await schema["~standard"].validate(page), refused };
}

describe("a page of a list", () => {
	it.each([
		[{ tools: [tool("a")] }, undefined],
		[{ tools: [tool("a")], nextCursor: "" }, ""],
		// As some servers write that there is no next page.
		[{ tools: [tool("a")], nextCursor: null }, undefined],
	])("is read from %j", async (page, nextCursor) => {
		expect(await check(page)).toEqual({
			result: { value: { items: [expect.objectContaining({ name: "a" })], nextCursor } },
			refused: [],
		});
	});

	it.each([[{}], [{ tools: {} }], [[]], [null], [{ tools: [], nextCursor: 7 }]])("is refused as %j", async (page) => {
		expect((await check(page)).result).toHaveProperty("issues");
	});

	it("leaves out entries that break the protocol, and reports them", async () => {
		const { result, refused } = await check({ tools: [tool("a"), { name: "no\u001B[2Jne" }, null, tool("b")] });
		expect(result).toMatchObject({ value: { items: [{ name: "a" }, { name: "b" }] } });
		expect(refused).toEqual([
			expect.stringMatching(
				/^2 of 4 tools do not follow the protocol and are left out\. The first one: no\\u001B\[2Jne: inputSchema /,
			),
		]);
	});

	it("leaves out entries with a name or URI of any length, reports them, and keeps the others (TRN-56)", async () => {
		const longest = tool("/".repeat(longestKey));
		const tooLong = tool("/".repeat(longestKey + 1));
		const { result, refused } = await check({ tools: [tool("a"), tooLong, longest, tooLong] });
		expect(result).toEqual({ value: { items: [tool("a"), longest], nextCursor: undefined } });
		expect(refused).toEqual(["2 of 4 tools have a name or URI of more than 65536 characters and are left out."]);
		const why: string[] = [];
		const { resources } = answerSchemas((one) => why.push(one));
		await resources["~standard"].validate({ resources: [{ uri: "x:".padEnd(100_000, "/"), name: "a" }] });
		expect(why).toHaveLength(1);
	});

	it("lets other work run, for any length", async () => {
		const page = { tools: Array.from({ length: 1000 }, (_unused, index) => tool(`t${index}`)) };
		const { turns, result } = await turnsDuring(() => check(page));
		expect(result.result).toMatchObject({ value: { items: { length: 1000 } } });
		expect(turns).toBeGreaterThan(50);
	});

	it("is useful with one bad tool among good ones, as the whole connection shows", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({
			methods: {
				initialize: () => initialized({ tools: {} }),
				"tools/list": () => ({
					result: {
						tools: [
							{ name: null, title: "bad" },
							{ name: "good", inputSchema: { type: "object" } },
						],
					},
				}),
			},
		});
		const connection = await scene.connect(http(server.url), { verdict: { kind: "legacy" } });
		const { items } = await connection.listTools(undefined, control());
		expect(items.map(({ name }) => name)).toEqual(["good"]);
		expect(scene.host.troubles).toContainEqual(expect.stringContaining("1 of 2 tools"));
	});
});

const checkCompletion = (completion: unknown): unknown => completionSchema["~standard"].validate({ completion });
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `value ${index}`);

describe("the answer to a completion", () => {
	it("is unchanged when it is correct", async () => {
		const completion = { values: ["Ann", "Bob"], total: 2, hasMore: false };
		expect(await checkCompletion(completion)).toMatchObject({ value: { completion } });
	});

	it("PRM-05: keeps the first hundred of more values than the protocol allows, and reports how many there were", async () => {
		const values = many(100_000);
		const kept = { values: values.slice(0, 100), total: 100_000, hasMore: true };
		expect(await checkCompletion({ values })).toMatchObject({ value: { completion: kept } });
		const told = { values, total: 250_000, hasMore: false };
		expect(await checkCompletion(told)).toMatchObject({ value: { completion: { total: 250_000, hasMore: true } } });
	});

	it("PRM-05: leaves out a value that is too long, for a part of it would be another one", async () => {
		const values = ["short", "v".repeat(10_001), "v".repeat(10_000)];
		expect(await checkCompletion({ values })).toMatchObject({
			value: { completion: { values: [values[0], values[2]] } },
		});
	});

	it("may have null for missing counts, as some servers write them", async () => {
		const completion = { values: ["Ann"], total: null, hasMore: null };
		expect(await checkCompletion(completion)).toEqual({ value: { completion: { values: ["Ann"] } } });
	});

	it.each([undefined, {}, { values: "Ann" }])("is refused as %j", async (completion) => {
		expect(await checkCompletion(completion)).toHaveProperty("issues");
	});
});
