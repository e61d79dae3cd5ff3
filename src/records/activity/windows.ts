import { uptime } from "node:os";
import { readProcess } from "../../protocol/stdio/processTable.ts";
import { codeOf } from "../../base/errors.ts";

/**
 * Names a window by its process: the number, its start time in the system's form, and a unique part, because a process
 * may serve several windows in a row. Empty if the system does not report the start time.
 */
export function nameWindow(pid: number = process.pid): string {
	const unique = crypto.randomUUID().slice(0, 8);
	return `${pid}-${startOf(pid)}-${unique}`;
}

/**
 * Whether the window of a name is gone. `touchedAt` is when it last wrote something, in milliseconds since the epoch: a
 * process from before the machine was started is not the one that has its number now.
 */
export function isWindowGone(name: string, touchedAt: number): boolean {
	const [number, startedAt = ""] = name.split("-");
	const pid = Number(number);
	if (!Number.isSafeInteger(pid) || pid <= 0 || touchedAt < Date.now() - uptime() * 1000) return true;
	// Another window that this process served before.
	if (pid === process.pid) return true;
	if (startedAt !== "" && startOf(pid) !== startedAt) return true;
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		// It exists, and belongs to another user.
		return codeOf(error) !== "EPERM";
	}
}

function startOf(pid: number): string {
	return process.platform === "linux" ? (readProcess(pid)?.startedAt ?? "") : "";
}
