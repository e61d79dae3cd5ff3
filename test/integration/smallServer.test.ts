import { describe, expect, it } from "vitest";
import { HostError } from "../../src/base/errors.ts";
import { once } from "../../src/base/once.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { fileUri } from "../../src/servers/roots/roots.ts";
import { startHttpServer, type HttpServer } from "../servers/httpServer.ts";
import { messagesOf, readReceived, type Received } from "../servers/received.ts";
import { smallConfig, textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** A small server by any transport: its configuration, and its received messages. */
interface Reached extends AsyncDisposable {
	readonly config: JsonObject;
	received(): readonly Received[];
}

function overStdio(era: "legacy" | "modern") {
	return async (host: TestHost): Promise<Reached> => {
		const log = host.path("small.log");
		const received = (): readonly Received[] => readReceived(log);
		return { config: smallConfig(era, log, "--page-size", "2"), received, async [Symbol.asyncDispose]() {} };
	};
}

function overHttp(speaks: "legacy" | "modern" | "sse") {
	return async (): Promise<Reached> => {
		const server: HttpServer = await startHttpServer({ speaks });
		return {
			config: { url: server.url },
			received: () => server.received,
			[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
		};
	};
}

describe.each([
	{ name: "stdio, legacy", transport: "stdio", version: "2025-11-25", reach: overStdio("legacy") },
	{ name: "stdio, modern", transport: "stdio", version: "2026-07-28", reach: overStdio("modern") },
	{ name: "Streamable HTTP, legacy", transport: "http", version: "2025-11-25", reach: overHttp("legacy") },
	{ name: "Streamable HTTP, modern", transport: "http", version: "2026-07-28", reach: overHttp("modern") },
	{ name: "HTTP+SSE", transport: "sse", version: "2025-11-25", reach: overHttp("sse") },
])("the small server over $name", ({ transport, version, reach }) => {
	it("shows and uses every primitive", async () => {
		await using host = new TestHost();
		await using small = await reach(host);
		host.openFolders("first", "second");
		const session = await host.run("small", small.config);

		expect(factsOf(session)).toMatchObject({ transport, protocolVersion: version, instructions: expect.any(String) });
		for (const list of [session.tools, session.resources, session.resourceTemplates, session.prompts]) {
			await expect.poll(() => list.status).toEqual({ kind: "ready" });
		}
		expect(session.tools.items).toHaveLength(10);
		expect(session.resources.items.map(({ uri }) => uri)).toContain("urn:isbn:0451450523");
		expect(session.resourceTemplates.items).toHaveLength(2);
		expect(session.prompts.items.map(({ name }) => name)).toEqual(["greet", "plain", "attached"]);

		expect(await session.callTool("add", { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
		expect(await session.callTool("fail", {})).toMatchObject({ isError: true });
		await expect(session.callTool("fail", { how: "protocol" })).rejects.toThrow(/small: The fixture failed as asked/);

		const opaque = await session.readResource("urn:isbn:0451450523");
		expect(opaque.contents).toMatchObject([{ text: "The Last Unicorn" }]);
		expect((await session.readResource("small://two-parts")).contents).toHaveLength(2);
		await expect(session.readResource("small://nowhere")).rejects.toSatisfy((error) => HostError.is(error, "protocol"));

		const city = { name: "city", value: "b" };
		const completed = await session.complete({ type: "ref/prompt", name: "greet" }, city, { country: "Spain" });
		expect(completed.values).toEqual(["Barcelona"]);
		const prompt = await session.getPrompt("greet", { country: "Spain", city: "Barcelona" });
		expect(prompt.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);

		const roots = JSON.parse(textOf(await session.callTool("roots", {}))) as readonly { name: string; uri: string }[];
		expect(roots.map(({ name }) => name)).toEqual(["first", "second"]);
		expect(roots[0]?.uri).toBe(fileUri(host.path("first")));
	});

	it("asks the user for sampling and elicitation, and gets their answers", async () => {
		await using host = new TestHost();
		await using small = await reach(host);
		const session = await host.run("small", small.config);
		const answer = await session.callTool("ask", { question: "Why?", maxTokens: 17 });
		expect(JSON.parse(textOf(answer))).toMatchObject({ role: "assistant", content: { text: "Because." } });
		expect(host.user.asked[0]).toMatchObject({
			kind: "sampling",
			params: { maxTokens: 17, systemPrompt: "Answer in one sentence.", messages: [{ content: { text: "Why?" } }] },
			context: { during: "tools/call ask", protocolVersion: version },
		});

		// Exactly what the user sent: the form shows defaults (SEP-1034), and nothing restores one that they cleared.
		const filled = JSON.parse(textOf(await session.callTool("elicit", {}))) as unknown;
		expect(filled).toEqual(["accept", { name: "Ann", nights: 3 }]);
		host.user.elicit = () => Promise.resolve({ action: "decline" });
		expect(JSON.parse(textOf(await session.callTool("elicit", { mode: "url" })))).toEqual(["decline", null]);
		expect(host.user.asked.at(-1)).toMatchObject({
			params: { mode: "url", url: "https://shop.example/sign-in?from=small" },
		});
	});

	it("reports progress, and is notified when the user cancels", async () => {
		await using host = new TestHost();
		await using small = await reach(host);
		const session = await host.run("small", small.config);
		const controller = new AbortController();
		const steps: string[] = [];
		const call = session.callTool(
			"slow",
			{ steps: 1000, stepMs: 10 },
			{
				signal: controller.signal,
				onProgress({ message = "" }) {
					steps.push(message);
					if (steps.length === 3) controller.abort();
				},
			},
		);
		await expect(call).rejects.toSatisfy((error) => HostError.is(error, "cancelled"));
		// Steps that follow one another immediately are reported as one.
		expect(steps).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
		const numbers = steps.map((step) => Number(/^step (\d+) of 1000$/.exec(step)?.[1]));
		expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
		// On Streamable HTTP of revision 2026-07-28 the closed stream is the message.
		if (!(transport === "http" && version === "2026-07-28")) {
			await expect.poll(() => messagesOf(small.received(), "notifications/cancelled")).toHaveLength(1);
		}
		expect(textOf(await session.callTool("echo", { text: "still here" }))).toBe("still here");
	});

	it("follows changed lists and subscribed resources", async () => {
		await using host = new TestHost();
		await using small = await reach(host);
		const session = await host.run("small", small.config);
		await expect.poll(() => session.prompts.status.kind).toBe("ready");
		for (const what of ["tools", "prompts", "resources"]) await session.callTool("change", { what });
		await expect.poll(() => session.tools.items.length).toBe(11);
		await expect.poll(() => session.prompts.items.length).toBe(4);
		await expect.poll(() => session.resources.items.length).toBe(7);

		const updated: string[] = [];
		session.onDidUpdateResource((uri) => updated.push(uri));
		const acknowledged = once(session.onDidSubscribeResource);
		const subscription = session.subscribe("small://counter");
		await acknowledged;
		const subscribing = version === "2026-07-28" ? "subscriptions/listen" : "resources/subscribe";
		expect(JSON.stringify(messagesOf(small.received(), subscribing))).toContain("small://counter");
		await session.callTool("change", { what: "resource" });
		await expect.poll(() => updated).toEqual(["small://counter"]);
		expect((await session.readResource("small://counter")).contents).toMatchObject([{ text: "count 000001" }]);
		subscription.dispose();
	});
});
