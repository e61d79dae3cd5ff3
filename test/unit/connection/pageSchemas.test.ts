import { describe, expect, it } from "vitest";
import { pageSchemas } from "../../../src/connection/pageSchemas.ts";
import { initialized, startSessionServer } from "../../servers/sessionServer.ts";
import { control, http, Scene } from "./connectScene.ts";

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

/** What a page of tools becomes, and what the log is told. */
async function check(page: unknown): Promise<{ readonly result: unknown; readonly refused: readonly string[] }> {
	const refused: string[] = [];
	const schema = pageSchemas((why) => refused.push(why)).tools;
	return { result: await schema["~standard"].validate(page), refused };
}

describe("a page of a list", () => {
	it.each([
		[{ tools: [tool("a")] }, undefined],
		[{ tools: [tool("a")], nextCursor: "" }, ""],
		// As some servers write that there is no next page.
		[{ tools: [tool("a")], nextCursor: null }, undefined],
	])("is taken over from %j", async (page, nextCursor) => {
		expect(await check(page)).toEqual({
			result: { value: { items: [expect.objectContaining({ name: "a" })], nextCursor } },
			refused: [],
		});
	});

	it.each([[{}], [{ tools: {} }], [[]], [null], [{ tools: [], nextCursor: 7 }]])("is refused as %j", async (page) => {
		expect((await check(page)).result).toHaveProperty("issues");
	});

	it("leaves out what breaks the protocol, and says what it was", async () => {
		const { result, refused } = await check({ tools: [tool("a"), { name: "no\u001B[2Jne" }, null, tool("b")] });
		expect(result).toMatchObject({ value: { items: [{ name: "a" }, { name: "b" }] } });
		expect(refused).toEqual([
			expect.stringMatching(/^2 of 4 tools break the protocol and are left out\. First no\\u001B\[2Jne: inputSchema /),
		]);
	});

	it("lets others have their turn, however long it is", async () => {
		const page = { tools: Array.from({ length: 20_000 }, (_unused, index) => tool(`t${index}`)) };
		let turns = 0;
		const timer = setInterval(() => turns++, 0);
		expect((await check(page)).result).toMatchObject({ value: { items: { length: 20_000 } } });
		clearInterval(timer);
		expect(turns).toBeGreaterThan(1);
	});

	it("is of use with one bad tool among good ones, as the whole connection shows", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({
			methods: {
				initialize: () => initialized({ tools: {} }),
				"tools/list": () => ({
					result: { tools: [{ name: "bad" }, { name: "good", inputSchema: { type: "object" } }] },
				}),
			},
		});
		const connection = await scene.connect(http(server.url), { verdict: { kind: "legacy" } });
		const { items } = await connection.listTools(undefined, control());
		expect(items.map(({ name }) => name)).toEqual(["good"]);
		expect(scene.host.troubles).toEqual([expect.stringContaining("1 of 2 tools")]);
	});
});
