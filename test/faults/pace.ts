import { availableParallelism, loadavg } from "node:os";

const name = "MCP_FAULT_STRETCH";

/**
 * By how much this machine is slower than one that has only the trials to do: other work must not look like a fault of
 * the host. What the host promises by its own clocks is never stretched. Set for the lanes by `run.ts`.
 */
export const stretch = Number(process.env[name] ?? 1);

/** The environment that tells lanes how busy the machine is now: 1 up to three waiting processes for each core. */
export function paceNow(): { readonly factor: number; readonly environment: Readonly<Record<string, string>> } {
	const factor = Math.max(1, (loadavg()[0] ?? 0) / (3 * availableParallelism()));
	return { factor, environment: { [name]: String(factor) } };
}
