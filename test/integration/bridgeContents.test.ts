/** Resources, prompts, completion, subscriptions and log messages through the bridge, for clients of all revisions. */
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
	LoggingMessageNotificationSchema,
	ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import { BridgeScene, RawAgent, toolNames } from "./bridgeScene.ts";
import { smallConfig } from "./fixtures.ts";

const counter = "small://counter";

/** A window with the small server, which runs. */
async function opened(scene: BridgeScene, era: "both" | "legacy" | "modern" = "both"): Promise<string> {
	const log = scene.host.path("small.log");
	await scene.host.run("small", smallConfig(era, log));
	await scene.open();
	return log;
}

async function former(scene: BridgeScene): Promise<FormerClient> {
	const client = new FormerClient({ name: "former", version: "1" });
	await client.connect(new FormerTransport({ ...scene.command(), stderr: "ignore" }));
	return client;
}

function reads(log: string): number {
	return messagesOf(readReceived(log), "resources/read").length;
}

describe("a resource behind the bridge (GST-13)", () => {
	it("is listed and read, in the activity and the trace with the client, after the user has allowed the read", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		const client = await scene.connect();
		await expect.poll(async () => (await client.listResources()).resources.length).toBeGreaterThan(4);
		const { resourceTemplates } = await client.listResourceTemplates();
		expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("small://item/{id}");
		const { contents } = await client.readResource({ uri: counter });
		expect(contents).toMatchObject([{ uri: counter, text: "count 000000" }]);
		expect((await client.readResource({ uri: "small://item/7" })).contents).toMatchObject([{ text: "item: 7" }]);
		expect(scene.questions.map(({ question }) => question.call.arguments)).toEqual([
			{ uri: counter },
			{ uri: "small://item/7" },
		]);
		const calls = scene.notes.flatMap((note) => (note.kind === "call" ? [note] : []));
		expect(calls.slice(0, 4)).toMatchObject(
			["asked", "allowed", "sent", "answered"].map((phase) => ({ phase, target: counter, isResource: true })),
		);
		for (const { client: program } of calls) expect(program).toMatch(/^agent 1\.0\.0 \(process/);
		const { exchanges } = scene.host.trace.snapshot(-1);
		expect(exchanges.find(({ method }) => method.startsWith("resources/read"))?.client).toMatch(/^agent 1\.0\.0/);
		expect(reads(log)).toBe(2);
	});

	it("that the user denies, or that no server has, is not read, and the error says so", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		scene.answer = { kind: "deny" };
		const client = await scene.connect();
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		await expect(client.readResource({ uri: counter })).rejects.toThrow("the user denied it");
		await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow("No server lists the resource");
		await expect(client.listResources({ cursor: "elsewhere" })).rejects.toMatchObject({ code: -32602 });
		expect(scene.questions).toHaveLength(1);
		expect(reads(log)).toBe(0);
	});

	it("and its lists are refused until the user has allowed the program", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		scene.allowsProgram = undefined;
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		expect((await raw.request("resources/list", {})).result).toEqual({ resources: [] });
		expect((await raw.request("prompts/list", {})).result).toEqual({ prompts: [] });
		const { error } = await raw.request("resources/read", { uri: counter });
		expect(error?.["message"]).toContain("has not allowed this program");
		const { error: wish } = await raw.request("resources/subscribe", { uri: counter });
		expect(wish?.["message"]).toContain("has not allowed this program");
		expect([scene.questions, reads(log)]).toEqual([[], 0]);
		await raw.end();
	});

	it("is listed from memory without starting its server, and starts it when it is read (GST-09)", async () => {
		await using scene = new BridgeScene();
		const log = scene.host.path("small.log");
		const session = await scene.host.run("small", smallConfig("both", log));
		await scene.open();
		const client = await scene.connect();
		await expect.poll(async () => (await client.listResources()).resources.length).toBeGreaterThan(4);
		const { prompts } = await client.listPrompts();
		await session.stop();
		expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(counter);
		expect((await client.listPrompts()).prompts).toEqual(prompts);
		expect(session.state.kind).toBe("stopped");
		expect((await client.readResource({ uri: "small://item/9" })).contents).toMatchObject([{ text: "item: 9" }]);
		expect(readReceived(log).filter(({ kind }) => kind === "start")).toHaveLength(2);
	});
});

describe("a prompt behind the bridge (GST-13)", () => {
	it("is got and its arguments are completed, as calls that the user allows", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		const client = await scene.connect();
		await expect
			.poll(async () => (await client.listPrompts()).prompts.map(({ name }) => name))
			.toContain("small_greet");
		const args = { country: "France", city: "Paris" };
		const { messages } = await client.getPrompt({ name: "small_greet", arguments: args });
		expect(JSON.stringify(messages)).toContain("in Paris, France");
		const ref = { type: "ref/prompt", name: "small_greet" } as const;
		const { completion } = await client.complete({
			ref,
			argument: { name: "city", value: "p" },
			context: { arguments: { country: "France" } },
		});
		expect(completion.values).toEqual(["Paris"]);
		expect(scene.questions.map(({ question }) => question.call.entry.tool.name)).toEqual([
			"prompts/get",
			"completion/complete",
		]);
		await expect(client.getPrompt({ name: "nothing" })).rejects.toThrow('no prompt named "nothing"');
		// While one completion waits for the user, the others have no values, and no question.
		scene.answer = undefined;
		const controller = new AbortController();
		const argument = { name: "country", value: "F" };
		const waiting = client.complete({ ref, argument }, { signal: controller.signal }).catch(() => "ended");
		await expect.poll(() => scene.questions.length).toBe(3);
		const second = await client.complete({ ref, argument: { name: "country", value: "Fr" } });
		expect(second.completion.values).toEqual([]);
		controller.abort();
		expect(await waiting).toBe("ended");
		expect(messagesOf(readReceived(log), "completion/complete")).toHaveLength(1);
	});
});

describe("news of a server", () => {
	it("reach each client that subscribed and may read the resource, and no other (GST-14)", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene);
		const reader = await scene.connect("reader");
		await expect.poll(() => toolNames(reader)).toContain("small_change");
		const old = await former(scene);
		const heard: string[] = [];
		old.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(`old ${params.uri}`));
		reader.setNotificationHandler(
			"notifications/resources/updated",
			({ params }) => void heard.push(`new ${params.uri}`),
		);
		await expect.poll(async () => (await old.listResources()).resources.length).toBeGreaterThan(4);
		await old.subscribeResource({ uri: counter });
		await reader.listen({ resourceSubscriptions: [counter], promptsListChanged: true });
		const isWatched = (): boolean => JSON.stringify(readReceived(log)).includes("resourceSubscriptions");
		const change = async (): Promise<unknown> =>
			reader.callTool({ name: "small_change", arguments: { what: "resource" } });
		// Nothing was read, so nobody is notified, and the server is not even asked.
		await change();
		expect(messagesOf(readReceived(log), "resources/subscribe")).toEqual([]);
		expect([isWatched(), heard]).toEqual([false, []]);
		await reader.readResource({ uri: counter });
		await expect.poll(async () => (await change(), heard.includes(`new ${counter}`))).toBe(true);
		expect(heard).not.toContain(`old ${counter}`);
		await old.readResource({ uri: counter });
		await expect.poll(async () => (await change(), heard.includes(`old ${counter}`))).toBe(true);
		await old.unsubscribeResource({ uri: counter });
		heard.length = 0;
		await expect.poll(async () => (await change(), heard.includes(`new ${counter}`))).toBe(true);
		expect(heard).not.toContain(`old ${counter}`);
		// After the user revokes one of them, only the other one is notified, also while a rule allows the read.
		await old.subscribeResource({ uri: counter });
		await expect.poll(async () => (await change(), heard.includes(`old ${counter}`))).toBe(true);
		const revoked = scene.consents?.all.filter(({ name }) => name === "former").map(({ key }) => key) ?? [];
		expect(revoked).toHaveLength(1);
		scene.consents?.revoke(revoked);
		heard.length = 0;
		await expect.poll(async () => (await change(), heard.includes(`new ${counter}`))).toBe(true);
		expect(heard).not.toContain(`old ${counter}`);
		await old.close();
	});

	it("about a resource reach a client once a rule of the user lets it read that, and it need not ask again (GST-14)", async () => {
		await using scene = new BridgeScene();
		const log = await opened(scene, "legacy");
		const old = await former(scene);
		const heard: string[] = [];
		old.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
		await expect.poll(async () => (await old.listResources()).resources.length).toBeGreaterThan(4);
		await old.subscribeResource({ uri: counter });
		expect(messagesOf(readReceived(log), "resources/subscribe")).toEqual([]);
		scene.user.rules.set("resources/read", { decision: "allow", by: { kind: "rule", label: "reads are allowed" } });
		scene.user.ruled.fire();
		const change = (): Promise<unknown> => scene.host.session("small").callTool("change", { what: "resource" });
		await expect.poll(async () => (await change(), heard)).toContain(counter);
		await old.close();
	});

	it("about each list reach clients of both eras, as they want it (GST-11)", async () => {
		await using scene = new BridgeScene();
		await opened(scene);
		const raw = RawAgent.start(scene);
		await raw.initialize("agent");
		await expect.poll(async () => JSON.stringify((await raw.request("prompts/list", {})).result)).toContain("greet");
		const modern = await scene.connect("modern");
		await expect.poll(() => toolNames(modern)).toContain("small_change");
		const heard: string[] = [];
		for (const list of ["prompts", "resources"] as const)
			modern.setNotificationHandler(`notifications/${list}/list_changed`, () => void heard.push(list));
		await modern.listen({ promptsListChanged: true, resourcesListChanged: true });
		const before = raw.received.length;
		heard.length = 0;
		for (const what of ["prompts", "resources"]) await modern.callTool({ name: "small_change", arguments: { what } });
		await expect.poll(() => [...new Set(heard)].toSorted()).toEqual(["prompts", "resources"]);
		const methods = (): readonly (string | undefined)[] => raw.received.slice(before).map(({ method }) => method);
		await expect.poll(methods).toContain("notifications/prompts/list_changed");
		await expect.poll(methods).toContain("notifications/resources/list_changed");
		await expect.poll(async () => JSON.stringify((await raw.request("prompts/list", {})).result)).toContain("added-1");
		await raw.end();
	});

	it("reach no program that the user has not allowed, denied or revoked (GST-14)", async () => {
		await using scene = new BridgeScene();
		await opened(scene);
		const allowed = await scene.connect("allowed");
		await expect.poll(() => toolNames(allowed)).toContain("small_change");
		const revoked = RawAgent.start(scene);
		await revoked.initialize("revoked");
		await expect.poll(async () => JSON.stringify((await revoked.request("tools/list", {})).result)).toContain("small");
		const others = [revoked];
		for (const [name, answer] of [
			["denied", false],
			["unanswered", undefined],
		] as const) {
			scene.allowsProgram = answer;
			const other = RawAgent.start(scene);
			others.push(other);
			await other.initialize(name);
			await other.request("tools/list", {});
			await expect.poll(() => scene.programs.map((program) => program.name)).toContain(name);
		}
		const known = scene.consents?.all.filter(({ name }) => name === "revoked").map(({ key }) => key) ?? [];
		const before = others.map(({ received }) => received.length);
		scene.consents?.revoke(known);
		const heard: string[] = [];
		allowed.setNotificationHandler("notifications/prompts/list_changed", () => void heard.push("prompts"));
		await allowed.listen({ promptsListChanged: true });
		await allowed.callTool({ name: "small_change", arguments: { what: "prompts" } });
		await expect.poll(() => heard).toContain("prompts");
		// Each answer comes after all that was sent before it.
		for (const other of others) await other.request("resources/list", {});
		const received = others.map((other, index) => other.received.slice(before[index]).map(({ method }) => method));
		expect(received).toEqual(others.map(() => [undefined]));
		for (const other of others) await other.end();
	});

	it("in its log reach the client whose call runs, at the level that it wants, and no other (GST-14)", async () => {
		await using scene = new BridgeScene();
		await opened(scene, "legacy");
		const [one, two] = [await former(scene), await former(scene)];
		const heard: unknown[] = [];
		one.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
		two.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(["two", params]));
		await expect.poll(async () => (await one.listTools()).tools.length).toBeGreaterThan(4);
		await one.callTool({ name: "small_echo", arguments: { text: "hello" } });
		await expect.poll(() => heard).toEqual([{ level: "info", logger: "small", data: "echo hello" }]);
		await one.setLoggingLevel("warning");
		await one.callTool({ name: "small_echo", arguments: { text: "again" } });
		expect(heard).toHaveLength(1);
		await one.close();
		await two.close();
	});
});
