import { describe, expect, it } from "vitest";
import { cannedAnswers, startHttpServer } from "../servers/httpServer.ts";
import { messagesOf } from "../servers/received.ts";
import { freePort, textOf } from "./fixtures.ts";
import { factsOf, failureOf, TestHost } from "./testHost.ts";

describe("a server over HTTP", () => {
	it("gets the configured headers with every request", async () => {
		await using host = new TestHost();
		const requiredHeader = { name: "X-Team", value: "red" };
		await using server = await startHttpServer({ requiredHeader });
		const session = await host.run("guarded", { url: server.url, headers: { "X-Team": "red" } });
		expect(textOf(await session.callTool("echo", { text: "in" }))).toBe("in");
		expect(server.received.every((entry) => entry.kind === "http" && entry.headers["x-team"] === "red")).toBe(true);
	});

	it("is notified that the user leaves its session", async () => {
		await using host = new TestHost();
		await using server = await startHttpServer({ speaks: "legacy" });
		const session = await host.run("legacy", { url: server.url });
		await session.stop();
		expect(server.received).toContainEqual(
			expect.objectContaining({
				method: "DELETE",
				headers: expect.objectContaining({ "mcp-session-id": expect.any(String) }),
			}),
		);
	});

	it("receives the capabilities that a surface of this host uses, and no others", async () => {
		await using host = new TestHost();
		await using server = await startHttpServer({ speaks: "legacy" });
		await host.run("legacy", { url: server.url });
		expect(messagesOf(server.received, "initialize")).toMatchObject([
			{
				params: {
					capabilities: expect.toSatisfy((capabilities: object) => {
						expect(Object.keys(capabilities).toSorted()).toEqual(["elicitation", "extensions", "roots", "sampling"]);
						return true;
					}),
				},
			},
		]);
	});

	it("gets a new session when it lost the old one", async () => {
		await using host = new TestHost();
		await using server = await startHttpServer({ speaks: "legacy" });
		const session = await host.run("forgetful", { url: server.url });
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		server.loseSessions();
		expect(textOf(await session.callTool("echo", { text: "again" }))).toBe("again");
		expect(messagesOf(server.received, "initialize")).toHaveLength(2);
		expect(factsOf(session).era).toBe("legacy");
	});

	it.each([
		{ name: "a port where nothing listens", says: /connection refused/, canned: undefined },
		{ name: "an error of the server", says: /500/, canned: cannedAnswers.serverError },
		{ name: "the page of a captive portal", says: /text\/html/, canned: cannedAnswers.html },
	])("fails with a readable reason at $name", async ({ canned, says }) => {
		await using host = new TestHost();
		await using server = canned === undefined ? undefined : await startHttpServer({ canned });
		const url = server?.url ?? `http://127.0.0.1:${await freePort()}/mcp`;
		const session = await host.start("web", { url });
		expect(failureOf(session)).toMatch(says);
		// A failed start is no reason to try again repeatedly.
		expect(server?.received.length ?? 0).toBeLessThanOrEqual(3);
	});

	it("that is gone fails its calls, and can be started again when it is back", async () => {
		await using host = new TestHost({ requestMs: 3000 });
		const server = await startHttpServer({ speaks: "modern" });
		const session = await host.run("web", { url: server.url });
		await server[Symbol.asyncDispose]();
		await expect(session.callTool("echo", { text: "?" })).rejects.toThrow(/^web: /);
		// From here on it is running, however slow the machine.
		host.timeouts.requestMs = 30_000;
		await using back = await startHttpServer({ speaks: "modern", port: server.port });
		await session.restart();
		expect(textOf(await session.callTool("echo", { text: "back" }))).toBe("back");
		expect(back.received.length).toBeGreaterThan(0);
	});

	it("configured as sse is not asked for Streamable HTTP first", async () => {
		await using host = new TestHost();
		await using server = await startHttpServer({ speaks: "sse" });
		const session = await host.run("old", { type: "sse", url: server.url });
		expect(factsOf(session).transport).toBe("sse");
		expect(server.received[0]).toMatchObject({ method: "GET", path: "/sse" });
	});
});
