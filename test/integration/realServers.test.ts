import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { packageConfig, startEverything, textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** Reaches server-everything; over HTTP it runs in a process of its own. */
type Reach = () => Promise<{ readonly config: JsonObject } & AsyncDisposable>;

const overHttp =
	(transport: "streamableHttp" | "sse", path: string): Reach =>
	async () => {
		const server = await startEverything(transport);
		return {
			config: { url: `http://127.0.0.1:${server.port}/${path}` },
			[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
		};
	};

describe.each<{ name: string; transport: string; reach: Reach }>([
	{
		name: "stdio",
		transport: "stdio",
		reach: async () => ({ config: packageConfig("everything", "stdio"), async [Symbol.asyncDispose]() {} }),
	},
	{ name: "Streamable HTTP", transport: "http", reach: overHttp("streamableHttp", "mcp") },
	// Not declared as SSE: the host detects it.
	{ name: "HTTP+SSE", transport: "sse", reach: overHttp("sse", "sse") },
])("server-everything over $name", ({ transport, reach }) => {
	it("shows its lists and supports every kind of call", async () => {
		await using host = new TestHost();
		await using everything = await reach();
		host.openFolders("first");
		const session = await host.run("everything", everything.config);
		expect(factsOf(session)).toMatchObject({ transport, protocolVersion: "2025-11-25", era: "legacy" });
		for (const list of [session.tools, session.resources, session.resourceTemplates, session.prompts]) {
			await expect.poll(() => list.status).toEqual({ kind: "ready" });
			expect(list.items).not.toEqual([]);
		}
		// It registers these tools only for a client that declares the capability.
		const names = (): readonly string[] => session.tools.items.map(({ name }) => name);
		await expect
			.poll(names)
			.toEqual(expect.arrayContaining(["get-roots-list", "trigger-sampling-request", "trigger-elicitation-request"]));

		expect(textOf(await session.callTool("echo", { message: "hello" }))).toContain("hello");
		expect(await session.callTool("get-structured-content", { location: "New York" })).toMatchObject({
			structuredContent: { temperature: expect.any(Number) },
		});
		const roots = textOf(await session.callTool("get-roots-list", {}));
		expect(roots).toContain(pathToFileURL(host.path("first")).href);

		const progress: number[] = [];
		await session.callTool(
			"trigger-long-running-operation",
			{ duration: 0.4, steps: 4 },
			{ onProgress: ({ progress: done }) => progress.push(done) },
		);
		// The first is reported at once; of steps that arrive together the last one is.
		expect(progress[0]).toBe(1);
		expect(progress.length).toBeGreaterThan(1);
		expect(progress).toEqual([1, 2, 3, 4].filter((step) => progress.includes(step)));
	});

	it("gets the user's completion and form", async () => {
		await using host = new TestHost();
		await using everything = await reach();
		const session = await host.run("everything", everything.config);
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		expect(textOf(await session.callTool("trigger-sampling-request", { prompt: "Why?", maxTokens: 5 }))).toContain(
			"Because.",
		);
		expect(host.user.asked[0]).toMatchObject({ kind: "sampling", params: { maxTokens: 5 } });
		host.user.elicit = () => Promise.resolve({ action: "decline" });
		expect(textOf(await session.callTool("trigger-elicitation-request", {}))).toMatch(/declined/i);
	});

	it("completes arguments, given those that are known already", async () => {
		await using host = new TestHost();
		await using everything = await reach();
		const session = await host.run("everything", everything.config);
		const prompt = { type: "ref/prompt", name: "completable-prompt" } as const;
		const departments = await session.complete(prompt, { name: "department", value: "S" });
		expect(departments.values).toEqual(expect.arrayContaining(["Sales", "Support"]));
		const names = await session.complete(prompt, { name: "name", value: "" }, { department: "Sales" });
		expect(names.values).not.toEqual([]);
		const messages = await session.getPrompt("completable-prompt", {
			department: "Sales",
			name: names.values[0] ?? "",
		});
		expect(messages.messages).not.toEqual([]);
	});
});

describe("server-filesystem", () => {
	it("serves exactly the workspace folders, and follows them within a second", async () => {
		await using host = new TestHost();
		host.openFolders("ws1", "ws2");
		mkdirSync(host.path("outside"));
		for (const name of ["ws1", "ws2", "outside"]) writeFileSync(host.path(name, "note.txt"), `note of ${name}`);
		// The arguments name no folder: all that it may read comes from the roots.
		const session = await host.run("filesystem", packageConfig("filesystem"));
		const allowed = async (): Promise<readonly string[]> =>
			textOf(await session.callTool("list_allowed_directories", {}))
				.split("\n")
				.slice(1)
				.sort();
		const read = async (name: string): Promise<{ isError?: boolean | undefined; text: string }> => {
			const result = await session.callTool("read_text_file", { path: host.path(name, "note.txt") });
			return { isError: result.isError, text: textOf(result) };
		};
		await expect.poll(allowed).toEqual([host.path("ws1"), host.path("ws2")]);
		expect(await read("ws2")).toMatchObject({ text: "note of ws2" });
		expect(await read("outside")).toMatchObject({ isError: true, text: expect.stringContaining("Access denied") });

		host.openFolders("ws1", "outside");
		await expect.poll(allowed).toEqual([host.path("outside"), host.path("ws1")]);
		expect(await read("outside")).toMatchObject({ text: "note of outside" });
		expect(await read("ws2")).toMatchObject({ isError: true });
	});
});

describe("server-memory", () => {
	it("keeps one session's data for the next, at the path in its environment", async () => {
		await using host = new TestHost();
		const env = { MEMORY_FILE_PATH: host.path("memory.jsonl") };
		const session = await host.run("memory", { ...packageConfig("memory"), env });
		const entities = [{ name: "Ann", entityType: "person", observations: ["likes trains"] }];
		await session.callTool("create_entities", { entities });
		await session.restart();
		expect(factsOf(session).server?.name).toContain("memory");
		expect(textOf(await session.callTool("search_nodes", { query: "trains" }))).toContain("Ann");
	});
});
