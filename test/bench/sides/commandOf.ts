import { existsSync } from "node:fs";

const setsid = "/usr/bin/setsid";

/**
 * The command that starts a server of the bench for a side that would leave it in the bench's own session. The product
 * gives each server a session, so that it can end all that the server starts, and Linux divides a busy machine's time by
 * session: the server must run under the same conditions for every side.
 */
export function commandOf(args: readonly string[]): { readonly command: string; readonly args: string[] } {
	if (process.platform !== "linux" || !existsSync(setsid)) return { command: process.execPath, args: [...args] };
	return { command: setsid, args: [process.execPath, ...args] };
}
