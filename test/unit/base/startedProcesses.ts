/**
 * How many processes this one has started that have not ended. Those of a file before, which shares the process, may just be
 * ending: what starts nothing leaves the number as it was, or lower.
 */
export function startedProcesses(): number {
	return process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
}
