/** The cost of some work to its process. */
export interface Taken {
	readonly ms: number;
	/** The processor time of this process, in milliseconds. */
	readonly cpuMs: number;
	/** The longest time for which the event loop was blocked, in milliseconds. */
	readonly stallMs: number;
}

/** Does some work and measures it; garbage from before is collected first. */
export async function measure(work: () => Promise<unknown>): Promise<Taken> {
	collect();
	const end = startMeter();
	await work();
	return end();
}

/** Measures from now until the returned function is called. */
export function startMeter(): () => Taken {
	const start = performance.now();
	const cpu = process.cpuUsage();
	let last = start;
	let longest = 0;
	const tick = (): number => {
		const now = performance.now();
		longest = Math.max(longest, now - last);
		last = now;
		return now;
	};
	// Not `monitorEventLoopDelay`, which misses the stall during which it was enabled.
	const timer = setInterval(tick, 1);
	return () => {
		const ms = tick() - start;
		clearInterval(timer);
		const { user, system } = process.cpuUsage(cpu);
		return { ms, cpuMs: (user + system) / 1000, stallMs: longest };
	};
}

/** Collects garbage. The process must run with `--expose-gc`. */
export function collect(): void {
	globalThis.gc?.();
	globalThis.gc?.();
}

/** The memory in use after a collection, in kilobytes: of JavaScript, and of the process. */
export async function memoryKilobytes(): Promise<{ readonly heap: number; readonly resident: number }> {
	for (let round = 0; round < 3; round++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		collect();
	}
	const { heapUsed, external, rss } = process.memoryUsage();
	return { heap: (heapUsed + external) / 1024, resident: rss / 1024 };
}

/** The value that a share of the values does not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
	return percentile(values, 0.5);
}
