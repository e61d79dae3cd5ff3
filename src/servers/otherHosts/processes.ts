import { execFile } from "node:child_process";
import { open, readlink, stat } from "node:fs/promises";
import { readProcesses } from "../../protocol/stdio/processTable.ts";
import { systemPath } from "../../protocol/stdio/searchedFolders.ts";
import type { SessionDirectory } from "../sessions/session.ts";
import { Census, processesOfPs, wordsOfCmdline, type RunningProcess, type ServerProcess } from "./census.ts";
import type { ServerDefinition } from "../definitions/config.ts";

/** How much of a command line is read, in bytes, and how long `ps` may take, in milliseconds. */
const longestLine = 16_384;
const psMs = 3000;
/** How many command lines are read at a time. */
const atOnce = 32;
/** How long one reading is valid, in milliseconds: several servers are checked together. */
const freshMs = 1000;

let former: { readonly at: number; readonly processes: Promise<readonly RunningProcess[] | undefined> } | undefined;

/** Takes a census of this user's processes; undefined on systems without one, such as Windows. Never rejects. */
export async function takeCensus({ sessions }: Pick<SessionDirectory, "sessions">): Promise<Census | undefined> {
	if (former === undefined || performance.now() - former.at > freshMs)
		former = { at: performance.now(), processes: ownProcesses() };
	const processes = await former.processes;
	const ours = new Set(sessions.flatMap(({ state }) => pidOf(state) ?? []));
	return processes && new Census(processes, { ours, extensionHost: process.pid });
}

/** The processes of other hosts that run a server, too. */
export function runsElsewhere(
	census: Census | undefined,
	{ definition, state }: { readonly definition: ServerDefinition; readonly state: SessionState },
): readonly ServerProcess[] {
	const { config } = definition;
	if (census === undefined || config.kind !== "stdio") return [];
	return census.of(config, pidOf(state)).filter(({ host }) => host !== "here");
}

type SessionState = SessionDirectory["sessions"][number]["state"];

/** The process of a server that runs. */
export function pidOf(state: SessionState): number | undefined {
	return state.kind === "running" ? state.facts.pid : undefined;
}

/** The processes of this user; undefined on systems without a census. Never rejects. */
async function ownProcesses(): Promise<readonly RunningProcess[] | undefined> {
	if (process.platform === "linux") return procProcesses();
	return process.platform === "win32" ? undefined : psProcesses();
}

async function procProcesses(): Promise<readonly RunningProcess[]> {
	const entries = (await readProcesses()).filter(({ isZombie }) => !isZombie);
	const uid = process.getuid?.();
	const found: RunningProcess[] = [];
	for (let at = 0; at < entries.length; at += atOnce) {
		const some = entries.slice(at, at + atOnce).map(async ({ pid, parent }) => {
			const words = await cmdlineOf(pid, uid).catch(() => []);
			const folder = words.length === 0 ? undefined : await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
			if (words.length > 0) found.push({ pid, parent, words, ...(folder === undefined ? {} : { folder }) });
		});
		await Promise.all(some);
	}
	return found;
}

async function cmdlineOf(pid: number, uid: number | undefined): Promise<readonly string[]> {
	if ((await stat(`/proc/${pid}`)).uid !== uid) return [];
	const file = await open(`/proc/${pid}/cmdline`);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLine), 0, longestLine);
		return wordsOfCmdline(buffer.toString("utf8", 0, bytesRead));
	} finally {
		await file.close();
	}
}

function psProcesses(): Promise<readonly RunningProcess[]> {
	const env = { ...process.env, PATH: systemPath(process.env["PATH"]), LC_ALL: "C" };
	const options = { timeout: psMs, maxBuffer: 16 * 1024 * 1024, env };
	return new Promise((resolve) => {
		execFile("ps", ["-xww", "-o", "pid=,ppid=,args="], options, (_error, stdout) => resolve(processesOfPs(stdout)));
	});
}
