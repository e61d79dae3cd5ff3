/**
 * The servers that story files share: starting one and opening its first window costs more than most stories. A file
 * has one server to itself while it runs, with a user data folder that was emptied before. The state of a user's
 * windows (global state, secrets, trust) is in the browser, of which every file starts its own.
 */
import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type EditorServer, startEditorServer } from "./editorServer.ts";
import type { ServerEditor } from "./ensureEditor.ts";
import { waitUntil } from "./processes.ts";
import type { Profile } from "./profile.ts";

/** The data that another process needs to use a server. */
export interface SharedServer {
	readonly authority: string;
	/** The folder of its profile. */
	readonly folder: string;
	/** The id of the process that all its processes descend from. */
	readonly pid: number;
}

const variable = "MCP_HOST_SHARED_SERVERS";

/** Starts this many servers with the packaged extension, for the processes that this one starts from then on. */
export async function startSharedServers(
	editor: ServerEditor,
	vsix: string,
	count: number,
): Promise<readonly EditorServer[]> {
	const first = await startEditorServer(editor, { vsix, trust: "asked" });
	const servers = [first];
	try {
		while (servers.length < count)
			servers.push(await startEditorServer(editor, { like: first.profile, trust: "asked" }));
	} catch (error) {
		for (const server of servers) await server.stop();
		throw error;
	}
	const shared = servers.map(({ authority, profile, pid }): SharedServer => ({
		authority,
		folder: profile.folder,
		pid,
	}));
	process.env[variable] = JSON.stringify(shared);
	return servers;
}

/** The server of this worker of the test run; none if none were started. */
export function sharedServer(): SharedServer | undefined {
	const shared = JSON.parse(process.env[variable] ?? "[]") as readonly SharedServer[];
	return shared[Number(process.env["VITEST_POOL_ID"] ?? 1) - 1];
}

/** Deletes the leftovers of earlier windows in a server's profile, once their extension hosts have ended. */
export async function clearProfile({ pid }: SharedServer, { folder, userDataFolder }: Profile): Promise<void> {
	await waitUntil(
		"The end of earlier extension hosts",
		async () => (await extensionHosts(pid)).length === 0,
		10_000,
	).catch(async () => {
		for (const host of await extensionHosts(pid)) process.kill(host, "SIGKILL");
	});
	const removed = [
		...(await below(folder, /^workspace-/)),
		...(await below(path.join(userDataFolder, "User"), /^(?!globalStorage$)/)),
		// The server keeps using its own files there.
		...(await below(path.join(userDataFolder, "User", "globalStorage"), /^(?!storage\.json)/)),
		...(await belowEach(path.join(userDataFolder, "logs"), /^exthost/)),
	];
	for (const one of removed) await rm(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function below(folder: string, name: RegExp): Promise<readonly string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.filter((one) => name.test(one)).map((one) => path.join(folder, one));
}

async function belowEach(folder: string, name: RegExp): Promise<readonly string[]> {
	return (await Promise.all((await below(folder, /^/)).map((one) => below(one, name)))).flat();
}

/** The process ids of the extension hosts that descend from a process. */
async function extensionHosts(pid: number): Promise<readonly number[]> {
	if (process.platform === "win32") return [];
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="], { maxBuffer: 2 ** 26 });
	const processes = stdout.split("\n").flatMap((line) => {
		const [, id, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
		return id === undefined ? [] : [{ id: Number(id), parent: Number(parent), args }];
	});
	const parents = new Map(processes.map(({ id, parent }) => [id, parent]));
	const descends = (id: number): boolean => {
		for (let one: number | undefined = id; one !== undefined && one > 1; one = parents.get(one)) {
			if (one === pid) return true;
		}
		return false;
	};
	return processes.filter(({ id, args }) => args.includes("--type=extensionHost") && descends(id)).map(({ id }) => id);
}
