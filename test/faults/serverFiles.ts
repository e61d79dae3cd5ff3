import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Messages between a fault server of its own process and the trial: files in a folder, which survive every end. */
export class ServerFiles {
	private readonly folder: string;

	constructor(folder: string) {
		this.folder = folder;
	}

	/** Whether the fault is switched on. */
	get isOn(): boolean {
		return !existsSync(join(this.folder, "healed"));
	}

	/** Switches the fault off for good. */
	heal(): void {
		writeFileSync(join(this.folder, "healed"), "");
	}

	/** Records something at once, so that nothing is lost however the process ends. */
	note(kind: "counted" | "struck" | "request" | "start", what: string): void {
		appendFileSync(join(this.folder, kind), `${JSON.stringify(what)}\n`);
	}

	/** Everything recorded of one kind, oldest first. */
	notes(kind: "counted" | "struck" | "request" | "start"): readonly string[] {
		const path = join(this.folder, kind);
		if (!existsSync(path)) return [];
		const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
		return lines.map((line) => JSON.parse(line) as string);
	}
}
