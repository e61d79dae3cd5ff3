import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it, type TestContext } from "vitest";
import { startProcess, type ServerProcess } from "../../../../src/protocol/stdio/childProcess.ts";
import { endProcess, longestEndMs } from "../../../../src/protocol/stdio/endProcess.ts";
import { readProcess } from "../../../../src/protocol/stdio/processTable.ts";
import { launchOf, livingInGroup, nodeLaunch, until } from "./processes.ts";

const isLinux = process.platform === "linux";
const stubborn = `trap "" TERM HUP INT; while :; do sleep 0.05; done`;

function lives(pid: number): boolean {
	return readProcess(pid)?.isZombie === false;
}

/** The first line that a process writes, as a number. */
async function numberFrom(child: ServerProcess): Promise<number> {
	const [chunk] = (await once(child.stdout, "data")) as [Buffer];
	return Number.parseInt(chunk.toString(), 10);
}

/** Ends a process that a test kept alive. */
function killLater(pid: number, { onTestFinished }: TestContext): void {
	onTestFinished(() => {
		if (lives(pid)) process.kill(pid, "SIGKILL");
	});
}

describe.skipIf(!isLinux)("endProcess", () => {
	it.concurrent("lets a server end on its own when its input ends", async () => {
		const child = await startProcess(
			nodeLaunch("process.stdin.resume(); process.stdin.on('end', () => process.exit(5))"),
		);
		await endProcess(child);
		await until(() => child.exitCode !== null);
		expect(child.exitCode).toBe(5);
		await endProcess(child);
	});

	it("waits at most half of the time that a closing window has, so that the search for processes has the other half", () => {
		expect(longestEndMs).toBeLessThanOrEqual(2600);
	});

	it.concurrent("ends a grandchild that ignores the end of input and SIGTERM", async () => {
		// Like npx: a shell that waits for a shell that waits for the server.
		const child = await startProcess(
			launchOf("sh", ["-c", `sh -c '${stubborn}' & sh -c '${stubborn}' & echo ready; wait`]),
		);
		await new Promise((ready) => child.stdout.once("data", ready));
		const group = child.pid ?? -1;
		expect(livingInGroup(group).length).toBeGreaterThanOrEqual(3);
		await endProcess(child);
		await until(() => livingInGroup(group).length === 0);
	});

	it.concurrent("ends the grandchildren of a wrapper that is gone already", async () => {
		const child = await startProcess(launchOf("sh", ["-c", "sleep 60 & exit 3"]));
		await new Promise((exited) => child.once("exit", exited));
		const group = child.pid ?? -1;
		await endProcess(child);
		await until(() => livingInGroup(group).length === 0);
	});

	it.concurrent("ends a child that left the group, with its own children", async (context) => {
		const child = await startProcess(
			launchOf("sh", ["-c", `setsid sh -c 'sh -c "${stubborn.replaceAll('"', "")}" & echo $$; ${stubborn}' & wait`]),
		);
		const stray = await numberFrom(child);
		killLater(stray, context);
		expect(livingInGroup(child.pid ?? -1)).not.toContain(stray);
		expect(livingInGroup(stray).length).toBeGreaterThanOrEqual(1);
		expect(await endProcess(child)).toBe(true);
		await until(() => livingInGroup(stray).length === 0);
	});

	it.concurrent("ends a child that leaves the group on the signal, of a server that is gone", async (context) => {
		const leaves = `trap "exec setsid sleep 300" TERM; echo $$; while :; do sleep 0.05; done`;
		const child = await startProcess(launchOf("sh", ["-c", `sh -c '${leaves}' & exit 3`]));
		const stray = await numberFrom(child);
		killLater(stray, context);
		await until(() => child.exitCode !== null);
		await endProcess(child);
		await until(() => !lives(stray));
	});

	it.concurrent("does not count a zombie that is not reaped", async (context) => {
		// The process that becomes the sleeper has a child in the server's group that it never waits for.
		const child = await startProcess(launchOf("sh", ["-c", `(sleep 0.01 & echo $!; exec setsid sleep 30) & wait`]));
		const zombie = await numberFrom(child);
		const { parent, group } = readProcess(zombie) ?? { parent: -1, group: -1 };
		killLater(parent, context);
		expect(group).toBe(child.pid);
		await until(() => readProcess(zombie)?.isZombie === true && readProcess(parent)?.group !== group);
		child.kill("SIGKILL");
		await once(child, "exit");
		expect(await endProcess(child)).toBe(true);
		expect(readProcess(zombie)?.isZombie).toBe(true);
	});

	it.concurrent("spares an unrelated process with the server's number (PRC-14)", async (context) => {
		const stranger = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
		const pid = stranger.pid ?? -1;
		killLater(pid, context);
		// A server that ended long ago, whose number the system has reused.
		const gone = { pid, exitCode: 0, signalCode: null, stdin: new PassThrough() } as unknown as ServerProcess;
		expect(await endProcess(gone)).toBe(true);
		expect(lives(pid)).toBe(true);
	});
});
