import { describe, expect, test } from "vitest";
import { badgeLine, destructive, toolBadges } from "../../../../src/permissions/catalog/annotations.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, serve, tool, ToolSession } from "../../features/tools/toolSession.ts";

describe("the catalogue", () => {
	test("offers the tools of running servers only, in their order", async () => {
		const stopped = new ToolSession("stopped");
		const directory = directoryOf(await serve("b", tool("two"), tool("one")), stopped, await serve("a", tool("one")));
		expect(readCatalog(directory).offered.map(({ name }) => name)).toEqual(["b_two", "b_one", "a_one"]);
	});

	test("is the same until servers or tools change, with the same definitions for the same tools", async () => {
		const [one, two] = [await serve("one", tool("a")), await serve("two", tool("b"))];
		const directory = directoryOf(one, two);
		const before = readCatalog(directory);
		expect(readCatalog(directory)).toBe(before);
		await two.run({ tools: [...two.tools.items, tool("c")] });
		const after = readCatalog(directory);
		expect(after.offered.map(({ name }) => name)).toEqual(["one_a", "two_b", "two_c"]);
		expect(after.offered[0]).toBe(before.offered[0]);
	});

	test("TOL-04: distinguishes tools of the same name on two servers, and leads each back to its own", async () => {
		const [one, two] = [await serve("same", tool("run")), await serve("same", tool("run"))];
		Object.assign(two.definition, { id: "workspace/same" });
		const catalog = readCatalog(directoryOf(one, two));
		const [first, second] = catalog.offered.map(({ name }) => name);
		expect(first).not.toBe(second);
		expect(catalog.find(first ?? "")?.session).toBe(one);
		expect(catalog.find(second ?? "")?.session).toBe(two);
	});

	test("leads from a model's name back to the server and the tool", async () => {
		const server = await serve("s", tool("admin.tools.list"), tool("plain"));
		const catalog = readCatalog(directoryOf(server));
		for (const { name } of catalog.offered) expect(catalog.find(name)?.session).toBe(server);
		expect(catalog.offered.map(({ name }) => catalog.find(name)?.tool.name)).toEqual(["admin.tools.list", "plain"]);
		expect(catalog.find("s_unknown")).toBeUndefined();
	});

	test("sends models only name, description and input schema", async () => {
		const schema = {
			type: "object" as const,
			properties: { a: { $ref: "#/$defs/x" } },
			$defs: { x: { enum: [1, null] } },
		};
		const whole = tool(
			"t",
			{},
			{
				title: "Trust me",
				description: "Does it",
				inputSchema: schema,
				outputSchema: { type: "object" },
				annotations: { readOnlyHint: true },
			},
		);
		expect(readCatalog(directoryOf(await serve("s", whole))).offered).toEqual([
			{ name: "s_t", description: "Does it", inputSchema: schema },
		]);
	});

	test("hides tools that are not for models, from the list and from the name", async () => {
		const hidden = tool("view", {}, { _meta: { ui: { visibility: ["app"] } } });
		const both = tool("both", {}, { _meta: { ui: { visibility: ["app", "model"] } } });
		const catalog = readCatalog(directoryOf(await serve("s", hidden, both)));
		expect(catalog.offered.map(({ name }) => name)).toEqual(["s_both"]);
		expect(catalog.find("s_view")).toBeUndefined();
		expect(catalog.entries[0]?.hidden).toContain("only to its apps");
	});

	test("leaves out a tool whose schema would flood the model", async () => {
		const properties = Object.fromEntries(
			Array.from({ length: 10_000 }, (_, index) => [`property${index}`, { type: "string" }]),
		);
		const catalog = readCatalog(directoryOf(await serve("s", tool("bomb", properties), tool("fine"))));
		expect(catalog.offered.map(({ name }) => name)).toEqual(["s_fine"]);
		expect(catalog.entries[0]?.hidden).toContain("too large");
	});

	test("shows models the hidden characters of descriptions, and leaves values alone", async () => {
		const poisoned = tool(
			"t",
			{ a: { type: "string", description: "x\u{E0041}y", enum: ["\u202Ekeep"] }, description: { type: "number" } },
			{ description: "Adds.\u200B\u{E0049}gnore" },
		);
		const [offered] = readCatalog(directoryOf(await serve("s", poisoned))).offered;
		expect(offered?.description).toBe("Adds.\\u200B\\u{E0049}gnore");
		expect(offered?.inputSchema["properties"]).toEqual({
			a: { type: "string", description: "x\\u{E0041}y", enum: ["\u202Ekeep"] },
			description: { type: "number" },
		});
	});
});

describe("the badges", () => {
	test("follow the specified defaults if the server declares nothing", () => {
		expect(badgeLine(undefined)).toBe("the server says nothing: treated as destructive and open world");
		expect(badgeLine({})).toBe(badgeLine(undefined));
	});

	test("show the declared values, contradictions included", () => {
		expect(badgeLine({ readOnlyHint: true, openWorldHint: false })).toBe("read-only");
		expect(badgeLine({ readOnlyHint: true, destructiveHint: true, openWorldHint: true })).toBe(
			"read-only · destructive · open world",
		);
		expect(badgeLine({ destructiveHint: false, idempotentHint: true, openWorldHint: false })).toBe(
			"not destructive · idempotent",
		);
	});

	test.each([
		[undefined, "assumed"],
		[{ readOnlyHint: false }, "assumed"],
		[{ readOnlyHint: true }, undefined],
		[{ destructiveHint: false }, undefined],
		[{ destructiveHint: true }, "stated"],
		// A contradiction counts as the worse value.
		[{ readOnlyHint: true, destructiveHint: true }, "stated"],
	] as const)("of %j show whether it may destroy something: %s", (annotations, expected) => {
		expect(destructive(annotations)).toBe(expected);
	});

	test("distinguish declared values from defaults", () => {
		expect(toolBadges({ destructiveHint: true })).toEqual([
			{ label: "destructive", isStated: true },
			{ label: "open world", isStated: false },
		]);
	});
});
