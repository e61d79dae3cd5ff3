import { availableParallelism, loadavg } from "node:os";
import { Worker } from "node:worker_threads";

const name = "MCP_FAULT_STRETCH";

/**
 * By how much this machine is slower than one that has only the trials to do: other work must not look like a fault of
 * the host. Times that the host promises by its own clocks are never stretched. Set for the lanes by `run.ts`.
 */
export const stretch = Number(process.env[name] ?? 1);

/** The environment that shows lanes how busy the machine is now: 1 up to three waiting processes for each core. */
export function paceNow(): { readonly factor: number; readonly environment: Readonly<Record<string, string>> } {
	const factor = Math.max(1, (loadavg()[0] ?? 0) / (3 * availableParallelism()));
	return { factor, environment: { [name]: String(factor) } };
}

/** How often the watch reads the clock, and its delay when the machine stalls, in milliseconds. */
const watchMs = 20;
const lateMs = 200;
const stalled = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));

/** Watches the machine in a thread of its own, which the host's work does not delay: if it is late, the machine stalled. */
export function watchMachine(): void {
	const watch = `
		const { workerData } = require("node:worker_threads");
		let last = performance.now();
		setInterval(() => {
			const late = performance.now() - last - ${watchMs};
			last = performance.now();
			if (late > ${lateMs}) workerData[0] += late;
		}, ${watchMs});`;
	new Worker(watch, { eval: true, workerData: stalled }).unref();
}

/** A clock in milliseconds that stops while the machine stalls: the host's promises apply to the time that it has. */
export function now(): number {
	return performance.now() - (stalled[0] ?? 0);
}
