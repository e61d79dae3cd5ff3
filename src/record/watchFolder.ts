import { mkdirSync, watch } from "node:fs";
import { toDisposable, type Disposable } from "../base/lifecycle.ts";

/**
 * Tells of changes in a folder, which is made if need be. Where the system cannot tell, nobody is told: what is shown is
 * then as it was when it was read.
 */
export function watchFolder(folder: string, changed: () => void): Disposable {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const watcher = watch(folder, { persistent: false }, () => changed());
		watcher.on("error", () => watcher.close());
		return toDisposable(() => watcher.close());
	} catch {
		return toDisposable(() => undefined);
	}
}
