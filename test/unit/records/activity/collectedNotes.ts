import type { ActivityEntry, ActivityNotes } from "../../../../src/records/activity/journal/entry.ts";

/** Records in memory, in their order. */
export class CollectedNotes implements ActivityNotes {
	readonly entries: ActivityEntry[] = [];

	note(entry: ActivityEntry): void {
		this.entries.push(entry);
	}

	/** Each entry in short: its kind, its step, who decided. */
	get steps(): readonly string[] {
		return this.entries.map((entry) => {
			const { phase, event, by } = entry as Readonly<Record<string, string | undefined>>;
			return [entry.kind, phase ?? event, by].filter((word) => word !== undefined).join(" ");
		});
	}
}
