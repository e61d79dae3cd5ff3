/** Seconds since `start` (from `performance.now()`), in readable form. */
export function elapsed(start: number): string {
	const seconds = (performance.now() - start) / 1000;
	return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** Runs `work`; prints one line when it starts, one every ten seconds, and one with the elapsed time when it ends. */
export async function withProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
	const start = performance.now();
	console.log(`  ${title} …`);
	const heartbeat = setInterval(() => console.log(`  ${title} … ${elapsed(start)}`), 10_000);
	try {
		const result = await work();
		console.log(`  ${title}: done in ${elapsed(start)}`);
		return result;
	} finally {
		clearInterval(heartbeat);
	}
}

/** A failure whose message is sufficient for a user: tasks print it without a stack. */
export class SetupError extends Error {
	override readonly name = "SetupError";
}

/** Runs a task to its exit code; a `SetupError` becomes one plain sentence. */
export async function runTask(task: () => Promise<number>): Promise<void> {
	try {
		process.exitCode = await task();
	} catch (error) {
		console.error(error instanceof SetupError ? `\n${error.message}` : error);
		process.exitCode = 1;
	}
}
