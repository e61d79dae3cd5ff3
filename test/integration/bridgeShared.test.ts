/** Several agents and the window use the same servers: one process each, one activity, which is whole. */
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { execFile } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../../src/permissions/catalog/catalog.ts";
import { runCall } from "../../src/features/tools/call.ts";
import { processesOf, readReceived } from "../servers/received.ts";
import { entriesOf, JournalScene } from "../unit/records/activity/journal/scene.ts";
import { BridgeScene, RawAgent, textIn, toolNames } from "./bridgeScene.ts";
import { smallConfig } from "./fixtures.ts";

const names = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];

describe("eight servers of a window with three agents", () => {
	it("are eight processes, and every call is in one activity that verifies (GST-11)", async () => {
		await using activity = await JournalScene.begin();
		await using scene = new BridgeScene();
		const journal = activity.window();
		const logs = names.map((name) => scene.host.path(`${name}.log`));
		await scene.host.configure(
			Object.fromEntries(names.map((name, index) => [name, smallConfig("both", logs[index] ?? "")])),
		);
		for (const name of names) await scene.host.host.start(scene.host.session(name).definition.id);
		await scene.open("work", journal);

		const modern = await scene.connect("modern");
		await expect.poll(async () => (await toolNames(modern)).filter((name) => name.endsWith("_echo"))).toHaveLength(8);
		const former = new FormerClient({ name: "former", version: "1" });
		await former.connect(new FormerTransport({ ...scene.command(), stderr: "ignore" }));
		await expect.poll(async () => (await former.listTools()).tools.length).toBeGreaterThan(8);
		const raw = RawAgent.start(scene);
		await raw.initialize("raw");
		await expect.poll(async () => JSON.stringify((await raw.request("tools/list", {})).result)).toContain("ant_echo");

		for (const name of names) {
			const call = { name: `${name}_echo`, arguments: { text: `from all: ${name}` } };
			const all = [
				modern.callTool(call),
				former.callTool(call),
				raw.request("tools/call", call),
				own(scene, call.name),
			];
			const [one, two, three] = await Promise.all(all);
			for (const result of [one, two, (three as { result?: object }).result])
				expect(textIn(result ?? {})).toBe(`from all: ${name}`);
		}
		for (const log of logs) expect(processesOf(readReceived(log))).toHaveLength(1);

		const entries = (await entriesOf(journal)).flatMap((entry) => (entry.kind === "call" ? [entry] : []));
		for (const server of names) {
			const sent = entries.filter((entry) => entry.server === server && entry.phase === "sent");
			const clients = sent.map(({ client }) => client?.split(" ")[0] ?? "the window");
			expect(clients.toSorted()).toEqual(["former", "modern", "raw", "the window"]);
			expect(entries.filter((entry) => entry.server === server && entry.phase === "answered")).toHaveLength(4);
		}
		expect((await activity.verify(journal, [], journal)).findings).toEqual([]);
		await former.close();
		await raw.end();
	});
});

/** Makes a call of the window itself. */
async function own({ host, user, sink }: BridgeScene, modelName: string): Promise<object> {
	const entry = readCatalog(host.host.registry).find(modelName);
	if (entry === undefined) throw new Error(`No tool ${modelName} is offered.`);
	const { signal } = new AbortController();
	const { approvals, pins } = user;
	const policy = {
		decide: () => ({ decision: "allow", by: { kind: "rule", label: "a rule of the test" } }) as const,
		onDidChange: () => ({ dispose: () => undefined }),
	};
	const noting = { notes: sink, origin: "user" } as const;
	const call = { callId: "own", entry, arguments: { text: "own" } };
	const events = runCall(call, { approvals, policy, pins, signal, noting });
	for (;;) {
		const { done, value } = await events.next();
		if (done === true) return value;
	}
}

describe("another user of the machine (GST-10)", () => {
	// Only an administrator can become somebody else.
	it.skipIf(process.getuid?.() !== 0)("cannot look into the folder, and cannot connect to the socket", async () => {
		await using scene = new BridgeScene();
		await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
		await scene.open();
		chmodSync(scene.host.folder, 0o755);
		const socket = readdirSync(scene.folder).find((name) => name.endsWith(".sock")) ?? "";
		const as = async (program: string, ...args: readonly string[]): Promise<string> => {
			const run = promisify(execFile)(program, args, { uid: 65534, gid: 65534, cwd: "/" });
			return run.then(
				({ stdout }) => stdout,
				(error: { readonly stderr?: string }) => error.stderr ?? "",
			);
		};
		expect(await as("ls", scene.host.folder)).toContain("meeting");
		expect(await as("ls", scene.folder)).toContain("Permission denied");
		const script = `require("net").connect("${scene.folder}/${socket}").on("error", ({ code }) => console.log(code))`;
		expect(await as(process.execPath, "-e", script)).toContain("EACCES");
		expect([scene.programs, scene.bridges[0]?.clients]).toEqual([[], 0]);
	});
});
