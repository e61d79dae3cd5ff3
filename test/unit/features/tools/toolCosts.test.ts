import { afterEach, describe, expect, test } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import type { SessionDirectory, Tool } from "../../../../src/servers/sessions/session.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { describeTokens, ToolCosts } from "../../../../src/features/tools/toolCosts.ts";
import { toolTokens } from "../../../../src/models/tokens.ts";
import { FakeDirectory, FakeSession } from "../resources/fakeSession.ts";
import { corpusTools } from "./toolCorpus.ts";
import { tool } from "./toolSession.ts";

class Limit {
	current = 10_000;
	readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;
}

let costs: ToolCosts | undefined;
afterEach(() => costs?.dispose());

/** Costs that record the announced servers. */
function follow(
	directory: SessionDirectory,
	limit = new Limit(),
): { costs: ToolCosts; announced: string[]; limit: Limit } {
	const followed = new ToolCosts(directory, limit);
	costs = followed;
	const announced: string[] = [];
	followed.onDidChange(({ server }) => announced.push(server));
	return { costs: followed, announced, limit };
}

/** A running server with these tools. */
async function serve(name: string, ...tools: readonly Tool[]): Promise<FakeSession> {
	const session = new FakeSession(name);
	await session.run({ tools });
	return session;
}

const sum = (directory: SessionDirectory): number =>
	readCatalog(directory).offered.reduce((total, one) => total + toolTokens(one), 0);

describe("the cost of tools", () => {
	test("is the sum of the definitions for models, by server, without those that they are never offered", async () => {
		const github = await serve("github", ...corpusTools("github"), {
			...tool("broken"),
			inputSchema: { type: "object" as const, $schema: "https://example.org/own" },
		});
		const directory = new FakeDirectory(github, new FakeSession("stopped"));
		const { costs: known, announced } = follow(directory);
		expect(known.of(github)).toBeUndefined();
		await expect.poll(() => known.of(github)).toEqual({ offered: 7, tokens: sum(directory), hidden: 1 });
		expect(announced).toEqual([github.definition.id]);
		expect(known.isLazy(github)).toBe(false);
	});

	test("follows changes of lists, and forgets servers that stop", async () => {
		const server = await serve("s", tool("one"));
		const directory = new FakeDirectory(server);
		const { costs: known, announced } = follow(directory);
		await expect.poll(() => known.of(server)?.tokens).toBe(sum(directory));
		await server.run({ tools: [tool("one"), tool("two")] });
		await expect.poll(() => known.of(server)?.tokens).toBe(sum(directory));
		server.setState({ kind: "stopped" });
		await expect.poll(() => known.of(server)).toBeUndefined();
		expect(announced).toHaveLength(3);
	});

	test("makes tools lazy above the limit, except for those of small servers, and shows the state of each tool and why", async () => {
		const [one, two] = [
			await serve("one", ...corpusTools("github")),
			await serve("two", tool("echo"), tool("resources/read")),
		];
		const directory = new FakeDirectory(one, two);
		const { costs: known, announced, limit } = follow(directory);
		await expect.poll(() => known.of(two)).toBeDefined();
		const [echo, read] = two.tools.items;
		if (echo === undefined || read === undefined) throw new Error("no tools");
		expect(known.standingOf(two, echo)).toMatchObject({ offered: "always", modelName: "two_echo" });
		announced.length = 0;
		limit.current = sum(directory) - 1;
		limit.changed.fire();
		// The small server's tools are sent to models nevertheless.
		expect(announced).toEqual([one.definition.id]);
		expect([known.isLazy(one), known.isLazy(two)]).toEqual([true, false]);
		limit.current = 100;
		limit.changed.fire();
		expect(announced).toEqual([one.definition.id, two.definition.id]);
		expect([known.isLazy(one), known.isLazy(two)]).toEqual([true, true]);
		expect(known.standingOf(two, echo)).toMatchObject({ offered: "when needed" });
		expect(known.standingOf(two, read)).toEqual({
			offered: "never",
			why: "its name is reserved for a request of the host",
		});
		limit.current = 0;
		expect(known.isLazy(one)).toBe(false);
	});

	test("is shown roughly, as the estimate that it is", () => {
		expect([0, 7, 42, 637, 12_345, 987_654].map(describeTokens)).toEqual([
			"~0 tokens",
			"~7 tokens",
			"~42 tokens",
			"~640 tokens",
			"~12,000 tokens",
			"~990,000 tokens",
		]);
	});
});
