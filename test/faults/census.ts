import { readdirSync, readFileSync } from "node:fs";

/** The environment variable that marks every process started by a trial's servers, however deep. */
export const markName = "MCP_FAULT_MARK";

/** The ids of the living processes whose environment holds a mark; zombies have ended and are not counted (Linux). */
export function processesWith(mark: string, name = markName): readonly number[] {
	const entry = `${name}=${mark}`;
	return readdirSync("/proc")
		.filter((file) => /^\d+$/.test(file))
		.map(Number)
		.filter((pid) => {
			try {
				if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry)) return false;
				return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
			} catch {
				// It ended meanwhile, or is not ours.
				return false;
			}
		});
}

/** Ends leftover processes, so that one failure does not disturb the next trial. */
export function endAll(pids: readonly number[]): void {
	for (const pid of pids) {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// It ended meanwhile.
		}
	}
}
