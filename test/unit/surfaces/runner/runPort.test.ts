import { expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import type { Session } from "../../../../src/servers/sessions/session.ts";
import { RpcEndpoint } from "../../../../src/base/rpc.ts";
import { RunPort, type RunPanelActions, type RunPortServices } from "../../../../src/surfaces/runner/runPort.ts";
import type { RunHostApi, RunView, RunViewApi } from "../../../../src/surfaces/runner/runProtocol.ts";
import type { ToolRun } from "../../../../src/surfaces/runner/toolRun.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, serve, tool, untilAborted, type ToolSession } from "../../features/tools/toolSession.ts";
import { channel } from "../../base/channel.ts";
import { ended, entryOf, RunScene } from "./runScene.ts";

/** A view of a run, as the panel's page holds it. */
function view(server: ToolSession, scene: RunScene, run: ToolRun, sources?: RunPortServices["sources"]) {
	const [hostEnd, viewEnd] = channel();
	const shown: RunView[] = [];
	const nothing = async (): Promise<string> => "";
	const actions: RunPanelActions = {
		act: async (of, action) => {
			if (action === "run-again" || action === "restart-and-run")
				await scene.runner.runAgain(of, action === "restart-and-run");
			if (action === "edit") await scene.runner.editAndRun(of);
			return "";
		},
		openText: async () => undefined,
		openBlock: async () => undefined,
		saveBlock: nothing,
		copyAddress: nothing,
	};
	const more = sources === undefined ? {} : { sources };
	const port = new RunPort(hostEnd, run, { directory: directoryOf(server), actions, close: () => undefined, ...more });
	const host = new RpcEndpoint<RunHostApi, RunViewApi>(viewEnd, {
		show: (one) => void shown.push(one as RunView),
	});
	return { port, host, shown };
}

const echo = tool("echo", { text: { type: "string" } }, { annotations: { readOnlyHint: true } });

test("two quick presses of Run Again make one call", async () => {
	const server = await serve("travel", echo);
	const scene = new RunScene([server]);
	const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
	const { host } = view(server, scene, run);
	const answers = [host.call("act", run.id, "run-again"), host.call("act", run.id, "run-again")];
	expect((await Promise.all(answers)).sort()).toEqual(["", expect.stringContaining("already running")]);
	await ended(scene.runs.all[0]);
	expect(server.received).toHaveLength(2);
	// One after the other each counts.
	await host.call("act", run.id, "run-again");
	await ended(scene.runs.all[0]);
	expect(server.received).toHaveLength(3);
});

test("a form that is open is not opened twice", async () => {
	const server = await serve("travel", echo);
	const scene = new RunScene([server]);
	const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
	const { host } = view(server, scene, run);
	await Promise.all([host.call("act", run.id, "edit"), host.call("act", run.id, "edit")]);
	expect(scene.forms).toHaveLength(2);
});

test("a flood of progress and log lines is shown a few times a second, the end at once (TOL-15)", async () => {
	vi.useFakeTimers();
	try {
		const server = await serve("travel", echo);
		server.onCall = (_name, _args, { signal }) => untilAborted(signal);
		const scene = new RunScene([server]);
		const run = scene.runs.start(entryOf(server), { text: "x" });
		const { shown, port } = view(server, scene, run);
		for (let index = 0; index < 5000; index++) {
			run.note({ progress: index, total: 5000 });
			run.noteLog(`line ${index}`);
		}
		expect(shown.length).toBeLessThan(5);
		vi.advanceTimersByTime(1000);
		expect(shown.length).toBeLessThan(10);
		expect(shown.at(-1)).toMatchObject({ standing: "running", progress: { done: 4999 } });
		run.note({ progress: 5000, total: 5000 });
		run.end({ kind: "cancelled" }, 20);
		expect(shown.at(-1)).toMatchObject({ standing: "cancelled" });
		port.dispose();
		run.cancel();
	} finally {
		vi.useRealTimers();
	}
});

test("forged messages are refused (UI-06)", async () => {
	const server = await serve("travel", echo);
	const scene = new RunScene([server]);
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const run = await ended(await scene.runner.run(entry, { text: "x" }));
	const { host } = view(server, scene, run);
	const act = (id: unknown, action: unknown) => host.call("act", id as string, action as "edit");
	await expect(act("other", "run-again")).rejects.toThrow("Another run");
	for (const action of ["constructor", "__proto__", ["run-again"], null]) {
		await expect(act(run.id, action)).rejects.toThrow("does not support this action");
	}
	for (const index of [-1, 1.5, "0", null]) {
		await expect(host.call("openBlock", run.id, index as number)).rejects.toThrow("does not contain this part");
	}
	expect(server.received).toHaveLength(1);
});

test("says that a source file of the server changed, with one click that restarts and runs again", async () => {
	const server = await serve("travel", echo);
	const scene = new RunScene([server]);
	const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
	const changed = new Emitter<Session>();
	let file: string | undefined;
	const { host, shown } = view(server, scene, run, { changedFile: () => file, onDidChange: changed.event });
	expect(await host.call("ready")).not.toHaveProperty("changedFile");
	file = "server.mjs";
	changed.fire(server);
	await expect.poll(() => shown.at(-1)).toMatchObject({ changedFile: "server.mjs" });
	await host.call("act", run.id, "restart-and-run");
	await ended(scene.runs.all[0]);
	expect(scene.brought).toEqual([server.definition.id]);
	expect(server.received).toHaveLength(2);
});
