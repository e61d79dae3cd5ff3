import { codeOf } from "../errors.ts";

/** The errors of Windows for a file that another process has open, or that is being removed. */
export const refusals: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** How often it is tried, and how long the pause in between is, in milliseconds. */
const tries = { most: 25, pauseMs: 10 };

/**
 * Does at once what Windows refuses while another program, such as a window that reads or a virus scanner, has a file
 * open: it is tried again for a moment. Throws the last error of the file system; elsewhere, the first one.
 */
export function patiently<T>(work: () => T, isWindows = process.platform === "win32"): T {
	for (let count = 1; ; count++) {
		try {
			return work();
		} catch (error) {
			if (!isWindows || count >= tries.most || !refusals.has(codeOf(error))) throw error;
			// The file must not change meanwhile, so nothing else of this process may run.
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tries.pauseMs);
		}
	}
}
