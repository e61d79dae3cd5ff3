/**
 * The number of unfinished processes that this one has started. Those of an earlier file, which shares the process, may
 * just be ending: code that starts nothing leaves the number unchanged, or lower.
 */
export function startedProcesses(): number {
	return process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
}
