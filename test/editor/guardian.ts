/**
 * Runs one command for as long as the process that started it lives. The starter keeps this process's stdin open; when
 * it closes — by a normal stop, by Ctrl+C or because the starter was killed — the command's whole process tree is ended
 * and the given folders are removed. Started by `startGuarded`, never imported.
 */
import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import type { GuardedCommand } from "./guarded.ts";

const { command, args, folders } = JSON.parse(process.argv[2] ?? "{}") as GuardedCommand;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
	process.on(signal, () => undefined);
}

const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("error", (error) => {
	console.error(error.message);
	process.exit(127);
});
// The folders stay, so that the starter can still read why it ended.
child.on("exit", (code) => process.exit(code ?? 1));

process.stdin.resume();
// `void` is safe: nothing in there rejects, and the process ends with it.
process.stdin.on("close", () => void endEverything());

async function endEverything(): Promise<void> {
	child.removeAllListeners("exit");
	const first = descendants();
	signalAll(first, "SIGTERM");
	const deadline = Date.now() + 2000;
	while (first.some(isAlive) && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	signalAll([...new Set([...first, ...descendants()])], "SIGKILL");
	for (const folder of folders) {
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
	process.exit(0);
}

/** Process ids below this process; the tree is read before anything is ended, since orphans lose their parent. */
function descendants(): number[] {
	if (process.platform === "win32") {
		return child.pid === undefined ? [] : [child.pid];
	}
	const list = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
	const children = new Map<number, number[]>();
	for (const line of list.stdout.split("\n")) {
		const [pid, parent] = line.trim().split(/\s+/).map(Number);
		if (pid !== undefined && parent !== undefined && pid !== list.pid) {
			children.set(parent, [...(children.get(parent) ?? []), pid]);
		}
	}
	const found = [...(children.get(process.pid) ?? [])];
	// The list grows while it is walked, until the leaves are reached.
	for (const pid of found) {
		found.push(...(children.get(pid) ?? []));
	}
	return found;
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
	for (const pid of pids) {
		if (process.platform === "win32") {
			spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
			continue;
		}
		try {
			process.kill(pid, signal);
		} catch {
			// It has ended meanwhile.
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
