import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { readProcess, readProcesses } from "../../../../src/protocol/stdio/processTable.ts";
import { Watchdog, windowsWatchdog } from "../../../../src/protocol/stdio/watchdog.ts";
import { watchdogScript } from "../../../../src/protocol/stdio/watchdogPrograms.ts";
import { onLines } from "../../../servers/received.ts";
import { launchOf, nodeLaunch, type StdioLaunch, until } from "./processes.ts";

const isLinux = process.platform === "linux";

/** The output of the host of `doomedHost.ts` about itself. */
interface Told {
	readonly servers: readonly number[];
	readonly watchdog: number;
}

const started: number[] = [];
afterEach(() => {
	for (const pid of started.splice(0)) {
		try {
			process.kill(-pid, "SIGKILL");
		} catch {
			// It is gone, as it should be.
		}
	}
});

async function startHost(launches: readonly StdioLaunch[]): Promise<{ readonly pid: number; readonly told: Told[] }> {
	const script = resolve(import.meta.dirname, "../../../servers/doomedHost.ts");
	const host = spawn(process.execPath, [script, JSON.stringify(launches)], {
		stdio: ["pipe", "pipe", "inherit"],
		detached: true,
	});
	const told: Told[] = [];
	onLines(host.stdout, (line) => told.push(JSON.parse(line) as Told));
	await until(() => told.length > 0);
	const pid = host.pid ?? -1;
	started.push(pid, ...(told[0]?.servers ?? []));
	return { pid, told };
}

/** The running processes with a word among their arguments. */
async function livingWith(word: string): Promise<readonly number[]> {
	const processes = await readProcesses();
	return processes
		.filter(({ pid, isZombie }) => {
			try {
				return !isZombie && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
			} catch {
				return false;
			}
		})
		.map(({ pid }) => pid);
}

const lives = (pid: number): boolean => readProcess(pid)?.isZombie === false;

/** Ignores every signal that can be ignored. The word makes it findable. */
const deaf = (word: string): string => `trap "" TERM HUP INT; : ${word}; while :; do sleep 0.1; done`;

describe.skipIf(!isLinux)("the watchdog of a host that is killed", () => {
	it.each([
		["alone", (pid: number) => pid],
		["with its process group", (pid: number) => -pid],
	])("ends servers of every kind and all that they started, when the host is killed %s", async (_what, target) => {
		const word = `doomed-${process.pid}-${performance.now()}`;
		const host = await startHost([
			nodeLaunch(
				`/* ${word} */ process.stdin.resume(); process.stdin.on("end", () => process.exit()); console.log("x")`,
			),
			launchOf("sh", ["-c", `sh -c '${deaf(word)}' & echo x; ${deaf(word)}`]),
			// Like npx: a shell that waits for a shell that waits for the server.
			launchOf("sh", ["-c", `sh -c "sh -c '${deaf(word)}'; exit 1" & echo x; wait; exit 2`]),
			// One that left the group, below one that stays.
			launchOf("sh", ["-c", `setsid sh -c '${deaf(word)}' & echo x; ${deaf(word)}`]),
		]);
		// One that is just becoming another program has no arguments for a moment.
		await expect.poll(async () => (await livingWith(word)).length).toBeGreaterThanOrEqual(7);
		process.kill(target(host.pid), "SIGKILL");
		const { watchdog } = host.told[0] ?? { watchdog: -1 };
		await expect.poll(() => livingWith(word)).toEqual([]);
		await until(() => !lives(watchdog));
	});

	it("is replaced when it is ended", async () => {
		const word = `doomed-${process.pid}-${performance.now()}`;
		const host = await startHost([launchOf("sh", ["-c", `echo x; ${deaf(word)}`])]);
		const first = host.told[0]?.watchdog ?? -1;
		process.kill(first, "SIGTERM");
		process.kill(first, "SIGKILL");
		await until(() => host.told.length === 2);
		expect(host.told[1]?.watchdog).not.toBe(first);
		process.kill(host.pid, "SIGKILL");
		await expect.poll(() => livingWith(word)).toEqual([]);
	});
});

describe.skipIf(!isLinux)("Watchdog", () => {
	it("starts with the first server, ends with the last, and starts again", async () => {
		const watchdog = new Watchdog();
		expect(watchdog.pid).toBeUndefined();
		const start = (): { readonly pid?: number | undefined } => {
			const child = spawn("sleep", ["60"], { detached: true });
			started.push(child.pid ?? -1);
			return child;
		};
		const one = watchdog.watch(start);
		const two = watchdog.watch(start);
		expect([one.isWatched, two.isWatched]).toEqual([true, true]);
		const first = watchdog.pid ?? -1;
		watchdog.forget(one.started.pid ?? -1);
		expect(watchdog.pid).toBe(first);
		watchdog.forget(two.started.pid ?? -1);
		expect(watchdog.pid).toBeUndefined();
		await until(() => !lives(first));
		// It did not end them: they were stopped, as far as it knows.
		expect(lives(one.started.pid ?? -1)).toBe(true);
		const three = watchdog.watch(start);
		expect(watchdog.pid).toBeGreaterThan(0);
		watchdog.forget(three.started.pid ?? -1);
	});

	it("ends when the server that it would have watched did not start", () => {
		const watchdog = new Watchdog();
		expect(watchdog.watch(() => ({ pid: undefined })).isWatched).toBe(true);
		expect(watchdog.pid).toBeUndefined();
	});

	it("ends when no server could be started", () => {
		const watchdog = new Watchdog();
		const start = (): never => {
			throw new Error("no such server");
		};
		expect(() => watchdog.watch(start)).toThrow("no such server");
		expect(watchdog.pid).toBeUndefined();
	});

	it("does not prevent servers from starting when it cannot be started", () => {
		const watchdog = new Watchdog({ command: "/no/such/shell", args: [], env: {} });
		expect(watchdog.watch(() => ({ pid: 1 }))).toEqual({ started: { pid: 1 }, isWatched: false });
		watchdog.forget(1);
	});

	it("gives up on watchdogs that end at once", async () => {
		const watchdog = new Watchdog({ command: "true", args: [], env: {} });
		watchdog.watch(() => ({ pid: 999_999_999 }));
		await until(() => watchdog.pid === undefined);
		expect(watchdog.watch(() => ({ pid: 999_999_998 })).isWatched).toBe(false);
	});
});

/** Runs a program in a namespace of process ids of its own, so that its actions affect no other process. */
const inNamespace = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"] as const;
const canHaveNamespace = isLinux && spawnSync("unshare", [...inNamespace, "true"]).status === 0;

describe("the script of a watchdog", () => {
	it.skipIf(!canHaveNamespace)("spares an unrelated process with the number of a server (PRC-14)", async () => {
		const script = resolve(import.meta.dirname, "../../../servers/reusedNumber.ts");
		const scene = spawn("unshare", [...inNamespace, process.execPath, script], {
			stdio: ["ignore", "pipe", "inherit"],
			detached: true,
		});
		started.push(scene.pid ?? -1);
		const seen = JSON.parse(await text(scene.stdout)) as { readonly server: number; readonly stranger: number };
		expect(seen).toEqual({ server: seen.server, stranger: seen.server, lives: true });
	});

	it("ends at a farewell, on Windows too", async () => {
		const script = windowsWatchdog();
		for (const [command, args] of [
			["/bin/sh", ["-c", watchdogScript]],
			[process.execPath, ["-e", script]],
		] as const) {
			if (process.platform === "win32" && command === "/bin/sh") continue;
			const watchdog = spawn(command, args, { stdio: ["pipe", "ignore", "inherit"] });
			watchdog.stdin.write("+ 999999999\n- 999999999\nbye\n");
			expect(await once(watchdog, "exit")).toEqual([0, null]);
		}
	});
});
