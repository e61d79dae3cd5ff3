import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Store } from "../../../../src/base/store/store.ts";

const made: string[] = [];

/** Removes the folders that were made so far; the test runner ends their process without a notification. */
export function removeStoreFolders(): void {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder on a real disk that the windows of one machine share; it goes when the tests of a file are over. */
export class StoreFolder {
	readonly folder = path.join(mkdtempSync(path.join(tmpdir(), "store-")), "store");
	readonly problems: string[] = [];
	private readonly now: () => number;

	constructor(now: () => number = Date.now) {
		this.now = now;
		made.push(path.dirname(this.folder));
	}

	/** The store of a window that opens now. */
	open(workspace = "workspace"): Store {
		const { folder, now } = this;
		return new Store({ folder, workspace, now, onProblem: (message) => void this.problems.push(message) });
	}

	/** Every byte on the disk. */
	get disk(): string {
		return this.files.map((file) => readFileSync(file, "utf8")).join("");
	}

	get files(): readonly string[] {
		return readdirSync(this.folder).map((file) => path.join(this.folder, file));
	}
}

/** A store that ends with the test. */
export function memoryStore(): Store {
	return new Store({ folder: undefined, onProblem: () => undefined });
}
