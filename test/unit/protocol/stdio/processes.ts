import { readdirSync, readFileSync } from "node:fs";
import type { Launch } from "../../../../src/protocol/launch.ts";

/** A local server, started as the test wants. */
export type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** How to run a script with this Node. */
export function nodeLaunch(script: string, changes: Partial<StdioLaunch> = {}): StdioLaunch {
	return launchOf(process.execPath, ["-e", script], changes);
}

/** How to run a command. */
export function launchOf(
	command: string,
	args: readonly string[] = [],
	changes: Partial<StdioLaunch> = {},
): StdioLaunch {
	return { kind: "stdio", command, args, env: {}, envFile: undefined, cwd: process.cwd(), ...changes };
}

/** The running processes of a group; those that wait to be reaped do not count. Linux only. */
export function livingInGroup(group: number): readonly number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => {
			try {
				// `pid (name) state parent group …`; the name may hold anything.
				const [state, , owner] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
				return Number(owner) === group && state !== "Z" && state !== "X";
			} catch {
				return false;
			}
		});
}

/** Waits until a condition holds; fails after a minute. */
export async function until(condition: () => boolean): Promise<void> {
	const end = performance.now() + 60_000;
	while (!condition()) {
		if (performance.now() > end) throw new Error("The condition did not come true.");
		await new Promise((done) => setTimeout(done, 10));
	}
}
