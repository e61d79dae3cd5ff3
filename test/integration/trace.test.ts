import { describe, expect, it } from "vitest";
import { HostError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { Exchange } from "../../src/records/trace/exchange.ts";
import { startHttpServer } from "../servers/httpServer.ts";
import { checkProtocol } from "../../src/surfaces/trace/protocolCheck.ts";
import { bodiesOf } from "../../src/surfaces/trace/messages.ts";
import { faultyConfig, packageConfig, smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The exchanges of a method, or of a tool by its name. */
function find(host: TestHost, method: string, target?: string): readonly Exchange[] {
	return host.trace
		.snapshot(0)
		.exchanges.filter((one) => one.method === method && (target === undefined || one.target === target));
}

function only(host: TestHost, method: string, target?: string): Exchange {
	const [one, another] = find(host, method, target);
	expect(another).toBeUndefined();
	if (one === undefined) throw new Error(`No ${method} ${target ?? ""} was recorded.`);
	return one;
}

describe("The trace of messages", () => {
	it.each(["legacy", "modern"] as const)(
		"has a call with its answer as one exchange, and the user's time separately (TRC-01, TRC-02): %s",
		async (era) => {
			await using host = new TestHost();
			host.traceLevel = "bodies";
			const session = await host.run("small", smallConfig(era));
			await expect.poll(() => session.tools.get("elicit")).toBeDefined();
			// A request of the host itself is one exchange as well, with its messages.
			await expect.poll(() => only(host, "tools/list").bytesIn).toBeGreaterThan(40);
			expect(only(host, "tools/list")).toMatchObject({ origin: "host", outcome: { kind: "ok" } });
			const answer = Promise.withResolvers<void>();
			host.user.elicit = async () => {
				await answer.promise;
				return { action: "accept", content: { name: "Ann", nights: 3 } };
			};
			const running = session.callTool("elicit", {}, { asker: "model" });
			await expect.poll(() => host.user.asked.length).toBe(1);
			await expect.poll(() => only(host, "tools/call", "elicit").durations.user).toBeGreaterThan(20);
			expect(only(host, "tools/call", "elicit").outcome).toEqual({ kind: "waiting", on: "user" });
			answer.resolve();
			await running;
			const call = only(host, "tools/call", "elicit");
			expect(call).toMatchObject({
				server: session.definition.id,
				origin: "model",
				era,
				transport: "stdio",
				outcome: { kind: "ok" },
			});
			expect(call.bytesOut).toBeGreaterThan(40);
			expect(call.bytesIn).toBeGreaterThan(40);
			const { total, user, server, own } = call.durations;
			expect(user + server + own).toBeCloseTo(total, 3);
			expect(user).toBeGreaterThan(20);
			const kinds = call.children.map(({ kind }) => kind);
			expect(kinds).toContain(era === "legacy" ? "serverRequest" : "round");
			const body = host.trace.body(call.id);
			expect(body?.request).toMatchObject({
				kind: "whole",
				value: { method: "tools/call", params: { name: "elicit" } },
			});
			expect(body?.response).toMatchObject({ kind: "whole", value: { result: { content: expect.anything() } } });
		},
	);

	it("has the handshake, the lists and the failing call with their messages by default (TRC-03)", async () => {
		await using host = new TestHost();
		const session = await host.run("small", smallConfig("legacy"));
		await expect.poll(() => find(host, "tools/list")[0]?.outcome.kind).toBe("ok");
		await session.callTool("fail", {});
		for (const [method, said] of [
			["initialize", "protocolVersion"],
			["tools/list", "inputSchema"],
			["tools/call", "isError"],
		] as const) {
			const exchange = find(host, method)[0];
			expect(JSON.stringify(host.trace.body(exchange?.id ?? 0)?.response)).toContain(said);
		}
	});

	it("keeps no contents where only metadata are wanted, and nothing at all where it is off (TRC-03)", async () => {
		await using host = new TestHost();
		host.traceLevel = "metadata";
		const session = await host.run("small", smallConfig("both"));
		await session.callTool("echo", { text: "private" });
		const call = only(host, "tools/call", "echo");
		expect(call).toMatchObject({ outcome: { kind: "ok" }, origin: "user", hasBodies: false });
		expect(host.trace.body(call.id)).toBeUndefined();
		// An exchange that began before is recorded to its end.
		for (const list of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
			await expect.poll(() => find(host, list)[0]?.outcome.kind).toBe("ok");
		host.traceLevel = "off";
		host.trace.reconsider();
		const { revision } = host.trace.snapshot(0);
		await session.callTool("echo", { text: "private" });
		expect(host.trace.snapshot(revision).exchanges).toEqual([]);
	});

	it("has the HTTP attempts of an exchange, with their statuses and sizes (TRC-05)", async () => {
		await using server = await startHttpServer({ speaks: "legacy" });
		await using host = new TestHost();
		host.traceLevel = "bodies";
		const session = await host.run("small", {
			url: server.url,
			headers: { Authorization: "Bearer abcdef-0123456789" },
		});
		await session.callTool("echo", { text: "hello" });
		const call = only(host, "tools/call", "echo");
		expect(call).toMatchObject({ transport: "http", outcome: { kind: "ok" } });
		expect(call.bytesIn).toBeGreaterThan(20);
		const attempt = call.children.find(({ kind }) => kind === "httpAttempt");
		expect(attempt).toMatchObject({ status: 200, outcome: { kind: "ok" } });
		const headers = host.trace.body(call.id, attempt?.bodyId);
		expect(headers?.requestHeaders?.["authorization"]).toBe("Bearer ⟦configured value⟧");
		expect(JSON.stringify(headers)).not.toContain("abcdef-0123456789");
	});

	it("shows a server's errors, and a request that was never answered", async () => {
		await using host = new TestHost();
		const session = await host.run("small", smallConfig("both"));
		const failure: unknown = await session.readResource("small://nowhere").catch((error: unknown) => error);
		const read = only(host, "resources/read");
		expect(read.outcome.kind).toBe("rpc-error");
		// Its mentions link to it (TRC-40).
		expect(HostError.is(failure, "protocol") && failure.exchange).toBe(host.trace.nameOf(read.id));
		const running = session.callTool("slow", { steps: 1000, delayMs: 50 }).catch(() => undefined);
		await expect.poll(() => find(host, "tools/call", "slow").length).toBe(1);
		await session.stop();
		await running;
		expect(only(host, "tools/call", "slow").outcome).toEqual({ kind: "unanswered" });
	});

	it("names the last request to a server that did not start (TRC-40)", async () => {
		await using host = new TestHost();
		const session = await host.start("acme", faultyConfig("badVersion"));
		if (session.state.kind !== "failed") throw new Error("It started.");
		const asked = host.trace.get(host.trace.find(session.state.exchange ?? "") ?? 0);
		expect(asked).toMatchObject({ server: session.definition.id, method: "initialize" });
		// If nothing was requested this time, nothing of an earlier time is shown instead.
		const { state } = await host.start("acme", { command: "/no/such/program" });
		expect([state.kind, Object.hasOwn(state, "exchange")]).toEqual(["failed", false]);
	});

	it("folds a burst of one notification into one row (TRC-06)", async () => {
		await using host = new TestHost();
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		const args: JsonObject = { duration: 0.3, steps: 60 };
		await expect.poll(() => session.tools.get("trigger-long-running-operation")).toBeDefined();
		await session.callTool("trigger-long-running-operation", args, { onProgress: () => undefined });
		const call = only(host, "tools/call");
		const progress = call.children.filter(({ kind }) => kind === "progress");
		expect(progress.length).toBeLessThanOrEqual(20);
		expect(progress.reduce((sum, { count }) => sum + count, 0)).toBe(60);
	});

	it.each([
		["small, legacy", smallConfig("legacy")],
		["small, modern", smallConfig("modern")],
		["server-everything", packageConfig("everything", "stdio")],
	])("finds no violation of the protocol in the messages of a sound server (TRC-45): %s", async (name, config) => {
		await using host = new TestHost();
		host.traceLevel = "bodies";
		const session = await host.run("sound", config);
		await expect.poll(() => session.tools.items.length).toBeGreaterThan(0);
		await expect.poll(() => session.resources.items.length).toBeGreaterThan(0);
		await session.callTool("echo", { text: "hello", message: "hello" });
		if (name !== "server-everything") {
			host.user.elicit = async () => ({ action: "accept", content: { name: "Ann", nights: 3 } });
			await session.callTool("elicit", {});
		}
		await session.readResource(session.resources.items[0]?.uri ?? "");
		let checked = 0;
		for (const exchange of host.trace.snapshot(0).exchanges)
			for (const child of [undefined, ...exchange.children.keys()]) {
				const verdict = await checkProtocol(bodiesOf(host.trace, { exchange, child }), { exchange, child });
				expect(verdict?.misfits ?? [], `${exchange.method} ${exchange.target}`).toEqual([]);
				if (verdict?.revision !== undefined) checked++;
			}
		expect(checked).toBeGreaterThan(5);
	});
});
