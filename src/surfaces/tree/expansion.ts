import { createHash } from "node:crypto";
import type { KeyValue } from "../../base/storage.ts";

/** For how many rows it is remembered whether they are open, and for how many of them beyond this window. */
const limit = 10_000;
const keptLimit = 500;

const key = "mcpHost.openRows";

/**
 * The rows that the user opened and closed. VS Code remembers that for rows that stay. Here it is stored for rows that
 * are removed and added again, as all below a server when it is restarted, and all when the window is reopened (UI-17).
 * Hashes are stored, because the ids of rows contain URIs of servers, which may contain anything.
 */
export class Expansion {
	private readonly state: KeyValue;
	private readonly open: Map<string, boolean>;
	/** Known rows that are shown without a way to unfold them, and those that were until just now. */
	private readonly leaves = new Set<string>();
	private readonly formerLeaves = new Set<string>();

	constructor(state: KeyValue) {
		this.state = state;
		const kept = state.get<unknown>(key);
		const words = Array.isArray(kept) ? kept.filter((word) => typeof word === "string") : [];
		this.open = new Map(words.slice(-keptLimit).map((word) => [word.slice(1), word.startsWith("+")]));
	}

	/** Takes note that a row was opened or closed. */
	note(id: string, isOpen: boolean): void {
		const row = hashOf(id);
		if (this.formerLeaves.delete(row) && !isOpen) return;
		this.open.delete(row);
		this.open.set(row, isOpen);
		const [oldest] = this.open.keys();
		if (this.open.size > limit && oldest !== undefined) this.open.delete(oldest);
		const newest = [...this.open].slice(-keptLimit);
		void this.state.update(
			key,
			newest.map(([hash, wasOpened]) => `${wasOpened ? "+" : "-"}${hash}`),
		);
	}

	/**
	 * Takes note of whether a row is shown as expandable. VS Code reports a row that becomes expandable as closed: this
	 * was not the user's action, and is ignored.
	 */
	show(id: string, isCollapsible: boolean): void {
		const row = hashOf(id);
		if (!this.open.has(row)) return;
		if (!isCollapsible) this.leaves.add(row);
		else if (this.leaves.delete(row)) this.formerLeaves.add(row);
	}

	/** Whether a row is to be shown open; `otherwise` if the user did neither. */
	isOpen(id: string, otherwise: boolean): boolean {
		return this.open.get(hashOf(id)) ?? otherwise;
	}
}

function hashOf(id: string): string {
	return createHash("sha256").update(id).digest("base64url").slice(0, 16);
}
