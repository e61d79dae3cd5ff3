import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { RpcEndpoint } from "../../../src/base/rpc.ts";
import { LogPort } from "../../../src/activity/logPort.ts";
import type { LogHostApi, LogList, LogViewApi } from "../../../src/activity/logProtocol.ts";
import { everything } from "../../../src/activity/logQuery.ts";
import { readLogRequest } from "../../../src/activity/logRequest.ts";
import { Store } from "../../../src/base/store/store.ts";
import { directoryOf, serve } from "../tools/toolSession.ts";
import { channel } from "./channel.ts";
import { arrival, finish, RecordScene, review, type RecordWindow } from "./recordScene.ts";

/** A view of the record in a window. */
function view({ log }: RecordWindow, scene: RecordScene) {
	const [hostEnd, viewEnd] = channel();
	const shown: LogList[] = [];
	const saved: string[][] = [];
	const port = new LogPort(hostEnd, {
		read: () => log.read(),
		watch: (changed) => {
			const store = new Store({ folder: scene.folder, onProblem: () => undefined });
			store.onDidTouch(changed);
			return store;
		},
		notices: () => ["A notice."],
		actions: {
			copy: async ({ id }) => id,
			save: async (entries) => {
				saved.push(entries.map(({ id }) => id));
				return "";
			},
			clear: async () => "",
		},
	});
	const host = new RpcEndpoint<LogHostApi, LogViewApi>(viewEnd, { show: (list) => void shown.push(list as LogList) });
	return { port, host, shown, saved };
}

test("what another window writes is shown while the log is open", async () => {
	await using scene = await RecordScene.begin();
	const [own, other] = [scene.window(), scene.window()];
	const { port, host, shown } = view(own, scene);
	expect((await host.call("ready")).rows).toEqual([]);
	const entry = arrival();
	const open = other.log.open(entry);
	await expect.poll(() => shown.at(-1)?.rows.map(({ standing }) => standing)).toEqual(["open"]);
	finish(open, entry.at);
	await expect.poll(() => shown.at(-1)?.rows.map(({ standing }) => standing)).toEqual(["returned"]);
	port.dispose();
});

test("the entry that was asked for is handed over until the view has it, and a query of the person's ends that", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const [first, second] = [review(window.log), review(window.log, { serverId: "other", server: "other" })];
	const { port, host, saved } = view(window, scene);
	port.ask({ ...everything, server: "other" }, first.id);
	const list = await host.call("ready");
	expect(list).toMatchObject({ shown: first.id, query: { server: "other" }, notices: ["A notice."], all: 2 });
	expect(list.rows.map(({ id }) => id)).toEqual([second.id]);
	expect(await host.call("detail", first.id)).toMatchObject({ id: first.id });
	expect(await host.call("ready")).not.toHaveProperty("shown");
	await host.call("export", "found");
	await host.call("find", everything);
	await host.call("export", "found");
	expect(saved).toEqual([[second.id], [second.id, first.id]]);
	await expect(host.call("detail", "another")).rejects.toThrow("not in the record any more");
	await expect(host.call("export", "everything" as never)).rejects.toThrow("no such choice");
	await expect(host.call("find", { text: 7 } as never)).rejects.toThrow("cannot look for this");
	port.dispose();
});

test("a command's argument names a server by its id, its name or a node of the tree; anything else asks for all", async () => {
	const server = await serve("travel");
	const directory = directoryOf(server);
	const { id } = server.definition;
	expect(readLogRequest({ server: id }, directory).server).toBe(id);
	expect(readLogRequest({ server: "travel", entry: "x" }, directory)).toEqual({ server: id, entry: "x" });
	expect(readLogRequest({ server: "not configured any more" }, directory).server).toBe("not configured any more");
	for (const argument of [undefined, 7, "travel", [], { server: 7, entry: {} }]) {
		expect(readLogRequest(argument, directory)).toEqual({ server: "", entry: undefined });
	}
});

test("a folder that cannot be watched only tells nothing", async () => {
	await using scene = await RecordScene.begin();
	await mkdir(path.dirname(scene.folder), { recursive: true });
	await writeFile(scene.folder, "");
	const store = new Store({ folder: path.join(scene.folder, "below"), onProblem: () => undefined });
	store.dispose();
});
