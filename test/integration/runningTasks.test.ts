/** Tasks that outlive their call, their window and their server, through the whole core. */
import { describe, expect, it } from "vitest";
import { Emitter } from "../../src/base/event.ts";
import type { KeyValue, Secrets } from "../../src/base/storage.ts";
import { KeptTasks } from "../../src/features/tasks/keptTasks.ts";
import { RunningTasks, type TaskRow } from "../../src/features/tasks/runningTasks.ts";
import { startModernServer, type ModernServer } from "../servers/modernServer.ts";
import { StoredTask, taskId } from "../servers/taskStore.ts";
import { TestHost } from "./testHost.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";

/** The data that a workspace keeps across its windows. */
class Workspace {
	readonly state = new Map<string, unknown>();
	readonly secretValues = new Map<string, string>();
	readonly memento: KeyValue = {
		get: (key) => structuredClone(this.state.get(key)) as never,
		update: async (key, value) => void this.state.set(key, structuredClone(value)),
	};
	readonly secrets: Secrets = {
		get: async (key) => this.secretValues.get(key),
		store: async (key, value) => void this.secretValues.set(key, value),
		delete: async (key) => void this.secretValues.delete(key),
		keys: async () => [...this.secretValues.keys()],
	};
}

/** One window of a workspace, with one server. */
class Window implements AsyncDisposable {
	readonly host = new TestHost();
	readonly tasks: RunningTasks;
	readonly ended: TaskRow[] = [];
	readonly accountChanged = new Emitter<void>();
	account = "";
	private readonly server: ModernServer;

	constructor(workspace: Workspace, server: ModernServer) {
		this.server = server;
		this.tasks = new RunningTasks({
			directory: this.host.host.registry,
			kept: new KeptTasks(workspace.memento, workspace.secrets),
			accountOf: () => this.account,
			onDidChangeAccount: this.accountChanged.event,
			log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
		});
		const { user } = this.host;
		this.host.answerWith({
			createMessage: (_session, _params, context) => user.sample(context),
			elicit: (_session, _params, context) => user.elicit(context),
			onTask: this.tasks.onTask,
		});
		this.tasks.onDidEnd((row) => this.ended.push(row));
	}

	async open(env: { readonly headers?: Record<string, string> } = {}): Promise<ServerSession> {
		await this.tasks.restore();
		const session = await this.host.run("works", { type: "http", url: this.server.url, ...env });
		await expect.poll(() => session.tools.get("research")).toBeDefined();
		return session;
	}

	get states(): readonly string[] {
		return this.tasks.all.map(({ state }) => state);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.host[Symbol.asyncDispose]();
		this.tasks.dispose();
	}
}

const resultOf = ({ end }: TaskRow): unknown => (end?.kind === "result" ? end.result.content : end);

describe("a task", () => {
	it("is in the list while its call waits, and gone with the result (TSK-09)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		const workspace = new Workspace();
		await using window = new Window(workspace, server);
		const session = await window.open();
		const call = session.callTool("research", { topic: "x" });
		await expect.poll(() => window.tasks.all[0]?.statusMessage).toBe("Reading…");
		expect(window.states).toEqual(["called"]);
		stored.complete("found");
		await call;
		await expect.poll(() => window.states).toEqual([]);
		await expect.poll(() => workspace.secretValues.size).toBe(0);
		expect(window.ended).toEqual([]);
	});

	it("survives a new window: its question is asked there, and its result arrives (TSK-09, TSK-10)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		const workspace = new Workspace();
		{
			await using window = new Window(workspace, server);
			const session = await window.open();
			const lost = session.callTool("research", { topic: "x" }).catch((error: unknown) => error);
			await expect.poll(() => workspace.secretValues.size).toBe(1);
			await window.host.host.shutdown();
			expect(await lost).toMatchObject({ code: "outcome-unknown" });
			expect(window.states).toEqual(["waiting"]);
		}
		expect(server.paramsOf("tasks/cancel")).toEqual([]);
		expect(JSON.stringify([...workspace.state])).not.toContain(taskId);
		stored.askForName();
		await using window = new Window(workspace, server);
		window.host.user.elicit = () => Promise.resolve({ action: "accept", content: { name: "Ada" } });
		await window.open();
		await expect
			.poll(() => window.ended.map(resultOf))
			.toEqual([[{ type: "text", text: 'asked and answered: {"who":{"action":"accept","content":{"name":"Ada"}}}' }]]);
		expect(window.ended[0]?.reference).toMatchObject({ tool: "research", arguments: { topic: "x" } });
		expect(window.states).toEqual(["ended"]);
		// Its result can be read until the user has seen it.
		expect(workspace.secretValues.size).toBe(1);
		await window.tasks.forget(window.ended[0]?.key ?? "");
		expect(workspace.secretValues.size).toBe(0);
		expect(window.host.log.join("\n")).not.toContain(taskId);
	});

	it("is followed again after a restart of its server (TSK-10)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		await using window = new Window(new Workspace(), server);
		const session = await window.open();
		const lost = session.callTool("research", {}).catch((error: unknown) => error);
		await expect.poll(() => window.states).toEqual(["called"]);
		await session.restart();
		await lost;
		await expect.poll(() => window.states).toEqual(["followed"]);
		stored.complete("found");
		await expect.poll(() => window.ended.map(resultOf)).toEqual([[{ type: "text", text: "found" }]]);
		expect(server.paramsOf("tasks/cancel")).toEqual([]);
	});

	it("is not asked for by another definition or another account (TSK-11)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		const workspace = new Workspace();
		{
			await using window = new Window(workspace, server);
			window.account = "ada";
			const session = await window.open();
			session.callTool("research", {}).catch(() => undefined);
			await expect.poll(() => workspace.secretValues.size).toBe(1);
		}
		const asked = server.paramsOf("tasks/get").length;
		{
			await using window = new Window(workspace, server);
			window.account = "ada";
			await window.open({ headers: { "x-other": "1" } });
			expect(window.states).toEqual(["waiting"]);
		}
		await using window = new Window(workspace, server);
		window.account = "bob";
		await window.open();
		expect([window.states, server.paramsOf("tasks/get").length]).toEqual([["waiting"], asked]);
		stored.complete("found");
		window.account = "ada";
		window.accountChanged.fire();
		await expect.poll(() => window.ended.map(resultOf)).toEqual([[{ type: "text", text: "found" }]]);
	});

	it("can be cancelled in the list, also one that no call waits for (TSK-12)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		const workspace = new Workspace();
		await using window = new Window(workspace, server);
		const session = await window.open();
		const lost = session.callTool("research", {}).catch((error: unknown) => error);
		await expect.poll(() => window.states).toEqual(["called"]);
		await session.restart();
		await lost;
		await expect.poll(() => window.states).toEqual(["followed"]);
		expect(window.tasks.cancel(window.tasks.all[0]?.key ?? "")).toBe(true);
		await expect.poll(() => server.paramsOf("tasks/cancel").length).toBe(1);
		await expect.poll(() => window.states).toEqual([]);
		await expect.poll(() => workspace.secretValues.size).toBe(0);
		expect(window.ended).toEqual([]);
	});

	it("goes on when the wait for it is ended, and its result is announced (TSK-13)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		await using window = new Window(new Workspace(), server);
		const session = await window.open();
		let leave: (() => void) | undefined;
		const call = session.callTool("research", {}, { onTask: (task) => (leave = () => task.leave()) });
		await expect.poll(() => leave).toBeDefined();
		leave?.();
		await expect(call).rejects.toMatchObject({ code: "cancelled" });
		await expect.poll(() => window.states).toEqual(["followed"]);
		stored.complete("found");
		await expect.poll(() => window.ended.map(resultOf)).toEqual([[{ type: "text", text: "found" }]]);
		expect(server.paramsOf("tasks/cancel")).toEqual([]);
	});

	it("has failed when its server no longer knows it (TSK-10)", async () => {
		const stored = new StoredTask();
		await using server = await startModernServer(stored.methods);
		const workspace = new Workspace();
		{
			await using window = new Window(workspace, server);
			const session = await window.open();
			session.callTool("research", {}).catch(() => undefined);
			await expect.poll(() => workspace.secretValues.size).toBe(1);
		}
		stored.isForgotten = true;
		await using window = new Window(workspace, server);
		await window.open();
		await expect
			.poll(() => window.ended.map(({ end }) => end))
			.toEqual([{ kind: "failed", message: expect.stringContaining("no longer knows the task") }]);
	});
});
