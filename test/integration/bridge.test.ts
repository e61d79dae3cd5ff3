/** Other agents use the servers of a window through `mcp-host serve`: real processes of the shipped command line. */
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { readdirSync, realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import { BridgeScene, RawAgent, textIn, toolNames } from "./bridgeScene.ts";
import { smallConfig } from "./fixtures.ts";

describe("an agent that starts the command", () => {
	it("lists and calls the tools of the window's servers, one process each for agents of three generations (GST-07, GST-11)", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		await scene.host.run("small", smallConfig("both", log));
		await scene.open();

		const modern = await scene.connect("modern");
		await expect.poll(() => toolNames(modern)).toContain("small_echo");
		expect(modern.getNegotiatedProtocolVersion()).toBe("2026-07-28");
		expect(textIn(await modern.callTool({ name: "small_echo", arguments: { text: "one" } }))).toBe("one");

		const former = new FormerClient({ name: "former", version: "1" });
		await former.connect(new FormerTransport({ ...scene.command(), stderr: "ignore" }));
		await expect.poll(async () => (await former.listTools()).tools.length).toBeGreaterThan(5);
		expect(textIn(await former.callTool({ name: "small_echo", arguments: { text: "two" } }))).toBe("two");
		await former.close();

		const raw = RawAgent.start(scene);
		const { result } = await raw.request("initialize", {
			protocolVersion: "2025-06-18",
			capabilities: {},
			clientInfo: { name: "raw", version: "1" },
		});
		expect(result).toMatchObject({ protocolVersion: "2025-06-18", capabilities: { tools: { listChanged: true } } });
		raw.notify("notifications/initialized");
		await raw.request("tools/list", {});
		await expect.poll(() => scene.programs.length).toBe(3);
		const called = await raw.request("tools/call", { name: "small_add", arguments: { a: 1, b: 2 } });
		expect(textIn(called.result ?? {})).toContain("3");
		await raw.end();

		expect(readReceived(log).filter(({ kind }) => kind === "start")).toHaveLength(1);
		expect(scene.questions.map(({ question }) => question.call.arguments)).toEqual([
			{ text: "one" },
			{ text: "two" },
			{ a: 1, b: 2 },
		]);
	});

	it("is recorded with its name, process and parents in each entry of the activity and in the trace (GST-07)", async () => {
		await using scene = new BridgeScene();
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		await scene.open();
		const client = await scene.connect("agent");
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		await client.callTool({ name: "small_echo", arguments: { text: "hello" } });
		const calls = scene.notes.flatMap((note) => (note.kind === "call" ? [note] : []));
		expect(calls.map(({ phase }) => phase)).toEqual(["asked", "allowed", "sent", "answered"]);
		const words = /^agent 1\.0\.0 \(process \d+: \S*dist\/cli\.js ← .*\)$/;
		for (const { origin, client: program } of calls) {
			expect(origin).toBe("agent");
			expect(program).toMatch(words);
		}
		const [asked] = scene.questions;
		expect(asked?.agent.name).toBe("The program “agent”");
		expect(asked?.question.decision.subject.during).toMatch(/^a call of agent 1\.0\.0 \(process/);
		const { exchanges } = scene.host.trace.snapshot(-1);
		expect(exchanges.find(({ method }) => method.startsWith("tools/call"))?.client).toMatch(words);
	});

	it("gets no tool, and no call is made, until the user has allowed it; then it is notified (GST-08)", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		await scene.host.run("small", smallConfig("both", log));
		scene.allowsProgram = undefined;
		await scene.open();
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		expect((await raw.request("tools/list", {})).result).toEqual({ tools: [] });
		expect(scene.programs).toHaveLength(1);
		const early = await raw.request("tools/call", { name: "small_echo", arguments: { text: "x" } });
		expect(early.result).toMatchObject({ isError: true });
		expect(textIn(early.result ?? {})).toContain("has not allowed this program");
		const [program] = scene.programs;
		if (program !== undefined) scene.consents?.decide(program, true);
		await raw.notified("notifications/tools/list_changed");
		expect(JSON.stringify((await raw.request("tools/list", {})).result)).toContain("small_echo");
		scene.consents?.decide(program ?? { name: "", chain: [], isProven: false }, false);
		expect((await raw.request("tools/list", {})).result).toEqual({ tools: [] });
		const denied = await raw.request("tools/call", { name: "small_echo", arguments: { text: "x" } });
		expect(textIn(denied.result ?? {})).toContain("does not allow this program");
		expect([scene.questions, messagesOf(readReceived(log), "tools/call")]).toEqual([[], []]);
		await raw.end();
	});

	it("that the user allowed is asked about again under another name (GST-08)", async () => {
		await using scene = new BridgeScene();
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		await scene.open();
		for (const name of ["one", "one", "two"]) {
			const client = await scene.connect(name);
			await expect.poll(() => toolNames(client)).toContain("small_echo");
		}
		expect(scene.programs.map(({ name }) => name)).toEqual(["one", "two"]);
	});

	it("has a call denied by the user, without a second question, and nothing is sent (GST-07)", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		await scene.host.run("small", smallConfig("both", log));
		await scene.open();
		scene.answer = { kind: "deny" };
		const client = await scene.connect();
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		for (let round = 0; round < 3; round++) {
			const result = await client.callTool({ name: "small_echo", arguments: { text: "no" } });
			expect(result.isError).toBe(true);
			expect(textIn(result)).toContain("the user denied it");
		}
		expect(scene.questions).toHaveLength(1);
		expect(messagesOf(readReceived(log), "tools/call")).toEqual([]);
	});
});

describe("a server behind the bridge (GST-09)", () => {
	it("does not start for a client or a list, and starts at its first call", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		const session = await scene.host.run("small", smallConfig("both", log));
		await scene.open();
		const client = await scene.connect();
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		await session.stop();
		expect(await toolNames(client)).toContain("small_echo");
		expect(await toolNames(await scene.connect("second"))).toEqual([]);
		await expect.poll(async () => toolNames(await scene.connect("second"))).toContain("small_echo");
		expect(session.state.kind).toBe("stopped");
		expect(textIn(await client.callTool({ name: "small_echo", arguments: { text: "woken" } }))).toBe("woken");
		expect(readReceived(log).filter(({ kind }) => kind === "start")).toHaveLength(2);
	});

	it("that is not approved any more does not start, and the refusal says why", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		const session = await scene.host.run("small", smallConfig("both", log));
		await scene.open();
		const client = await scene.connect();
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		await scene.host.host.revoke(session.definition.id);
		expect(await toolNames(client)).toEqual([]);
		const result = await client.callTool({ name: "small_echo", arguments: { text: "no" } });
		expect(textIn(result)).toContain("There is no tool named");
		expect(readReceived(log).filter(({ kind }) => kind === "start")).toHaveLength(1);
	});

	it("has its questions answered in the window, never by the client; progress and cancellation pass (GST-11)", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		await scene.host.run("small", smallConfig("legacy", log));
		await scene.open();
		const client = await scene.connect();
		let forwarded = 0;
		client.setRequestHandler("elicitation/create", () => {
			forwarded++;
			return { action: "cancel" };
		});
		await expect.poll(() => toolNames(client)).toContain("small_elicit");
		await client.callTool({ name: "small_elicit", arguments: { mode: "form" } });
		await client.callTool({ name: "small_ask", arguments: { question: "why?" } });
		expect(scene.host.user.asked.map(({ kind }) => kind)).toEqual(["elicitation", "sampling"]);
		expect(forwarded).toBe(0);

		const steps: number[] = [];
		const onprogress = ({ progress }: { readonly progress: number }): void => void steps.push(progress);
		await client.callTool({ name: "small_slow", arguments: { steps: 3, stepMs: 60 } }, { onprogress });
		expect(steps.length).toBeGreaterThan(0);
		const controller = new AbortController();
		const running = client.callTool(
			{ name: "small_slow", arguments: { steps: 1000, stepMs: 100 } },
			{ signal: controller.signal },
		);
		await expect.poll(() => messagesOf(readReceived(log), "tools/call").length).toBe(4);
		controller.abort();
		await expect(running).rejects.toThrow();
		await expect.poll(() => messagesOf(readReceived(log), "notifications/cancelled").length).toBe(1);
	});
});

describe("the window behind the command (GST-12)", () => {
	it("may be missing: the handshake succeeds, no tool is listed, and a call is refused in words", async () => {
		await using scene = new BridgeScene();
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		expect((await raw.request("tools/list", {})).result).toEqual({ tools: [] });
		const refused = await raw.request("tools/call", { name: "small_echo", arguments: {} });
		expect(refused.result).toMatchObject({ isError: true });
		expect(textIn(refused.result ?? {})).toContain("No VS Code window with MCP Host that shares its servers is open");
		// It opens later, and the client is notified without asking.
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		await scene.open();
		await raw.notified("notifications/tools/list_changed");
		await expect.poll(async () => JSON.stringify((await raw.request("tools/list", {})).result)).toContain("small_echo");
		await raw.end();
	});

	it("may stop sharing: calls are refused, the next window is used, and nothing is left behind", async () => {
		await using scene = new BridgeScene();
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		const bridge = await scene.open();
		const client = await scene.connect();
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		await bridge.turn(false);
		await expect.poll(() => readdirSync(scene.host.folder).includes("meeting")).toBe(false);
		const result = await client.callTool({ name: "small_echo", arguments: { text: "x" } });
		expect(textIn(result)).toContain("No VS Code window");
		await bridge.turn(true);
		const again = await client.callTool({ name: "small_echo", arguments: { text: "again" } });
		expect(textIn(again)).toBe("again");
	});

	it("is the one whose folder holds the working directory", async () => {
		await using scene = new BridgeScene();
		await scene.openElsewhere("two");
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		const one = await scene.open("one");
		expect(await toolNames(await scene.connect("agent", "two/inner"))).toEqual([]);
		expect(one.clients).toBe(0);
		const client = await scene.connect("agent", "one/inner");
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		expect(one.clients).toBe(1);
		await client.callTool({ name: "small_echo", arguments: { text: "x" } });
		expect(scene.questions[0]?.agent.during).not.toContain(" in ");
	});

	it("is the last focused one for an agent in no window's folder, and questions name that folder (GST-07)", async () => {
		await using scene = new BridgeScene();
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		await scene.open();
		const client = await scene.connect("agent", "elsewhere");
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		await client.callTool({ name: "small_echo", arguments: { text: "x" } });
		const place = realpathSync(scene.host.path("elsewhere"));
		expect(scene.questions[0]?.agent.during).toContain(` in ${place}: `);
		const clients = scene.notes.flatMap((note) => (note.kind === "call" ? [note.client] : []));
		expect(clients[0]).toContain(` in ${place}: `);
	});

	it("may be another one meanwhile: the client is notified, and returns when that of its folder opens", async () => {
		await using scene = new BridgeScene();
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		const bridge = await scene.open();
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		const listed = async (): Promise<string> => JSON.stringify((await raw.request("tools/list", {})).result);
		await expect.poll(listed).toContain("small_echo");
		await scene.openElsewhere("other");
		await bridge.turn(false);
		const call = async (): Promise<string> => {
			const { result } = await raw.request("tools/call", { name: "small_echo", arguments: { text: "here" } });
			return textIn(result ?? {});
		};
		raw.received.length = 0;
		await expect.poll(call).toContain("There is no tool named");
		await raw.notified("notifications/tools/list_changed");
		expect(await listed()).not.toContain("small_echo");
		await bridge.turn(true);
		await expect.poll(listed).toContain("small_echo");
		expect(await call()).toBe("here");
		await raw.end();
	});

	it("may be killed: its calls end in words, its socket is removed by the next window, and the client goes on", async () => {
		await using scene = new BridgeScene();
		const killed = await scene.openElsewhere("work");
		const client = await scene.connect();
		expect(await toolNames(client)).toEqual([]);
		killed.kill("SIGKILL");
		await expect.poll(() => killed.signalCode).toBe("SIGKILL");
		expect(readdirSync(scene.folder)).toHaveLength(2);
		const result = await client.callTool({ name: "small_echo", arguments: { text: "x" } });
		expect(textIn(result)).toContain("No VS Code window");
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		await scene.open();
		expect(readdirSync(scene.folder)).toHaveLength(2);
		await expect.poll(() => toolNames(client)).toContain("small_echo");
	});
});
