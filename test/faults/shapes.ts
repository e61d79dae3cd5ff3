import { spawn } from "node:child_process";
import { join } from "node:path";

const shapes = ["obedient", "deaf", "wrapper", "shell", "forkTree", "deafTree", "spinning", "child"] as const;

/**
 * The family of processes that a server comes as: one that ends with its input; one that ignores the end of its input
 * and every polite signal; a chain as of npx; a shell in between; processes that it starts and leaves behind, obedient
 * and deaf; one that uses a whole core; and a `child`, which is what the trees are made of.
 */
export type Shape = (typeof shapes)[number];

/** Those that a stop must end whole. */
export const stubbornShapes: readonly Shape[] = ["deaf", "wrapper", "shell", "forkTree", "deafTree"];

export function isShape(text: string): text is Shape {
	return shapes.some((shape) => shape === text);
}

/** How long a process that refuses to end lives at most, in milliseconds: a failing run must not fill the machine. */
const clingingMs = 90_000;

/** Arranges this process in its family; true when it is the one that serves. */
export function takeShape(shape: Shape, id: string, folder: string): boolean {
	switch (shape) {
		case "obedient":
			return true;
		case "deaf":
			stayDeaf();
			return true;
		case "child":
			stayDeaf();
			return false;
		case "spinning": {
			spin();
			return true;
		}
		case "forkTree":
			start(["sh", "-c", "sleep 90 & sleep 90 & wait"], "ignore");
			return true;
		case "deafTree":
			start(server("child", id, folder), "ignore");
			stayDeaf();
			return true;
		case "shell":
			return handOver(["sh", "-c", `${quoted(server("obedient", id, folder))}; exit $?`]);
		case "wrapper":
			return handOver(["sh", "-c", `${quoted(server("deaf", id, folder))}; exit $?`]);
	}
}

function server(shape: Shape, id: string, folder: string): readonly string[] {
	return [process.execPath, join(import.meta.dirname, "stdioServer.ts"), id, folder, shape];
}

function start([command = "", ...args]: readonly string[], stdio: "ignore" | "inherit"): ReturnType<typeof spawn> {
	return spawn(command, args, { stdio });
}

/** Lets another process serve on this one's pipes and ends with it. */
function handOver(command: readonly string[]): false {
	start(command, "inherit").on("exit", (code) => process.exit(code ?? 1));
	return false;
}

function quoted(words: readonly string[]): string {
	return words.map((word) => `'${word}'`).join(" ");
}

function stayDeaf(): void {
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
	setTimeout(() => process.exit(9), clingingMs);
}

/** Keeps a core busy, with room to answer in between. */
function spin(): void {
	const end = performance.now() + 50;
	while (performance.now() < end);
	setImmediate(spin).unref();
}
