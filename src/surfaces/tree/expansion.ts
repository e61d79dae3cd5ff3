import { createHash } from "node:crypto";
import type { KeyValue } from "../../base/storage.ts";

/** For how many rows it is remembered whether they are open, and for how many of them beyond this window. */
const limit = 10_000;
const keptLimit = 500;

const key = "mcpHost.openRows";

/**
 * Which rows the user opened and closed. The editor knows that of rows that stay; here it is kept of those that go and
 * come back, as all below a server do when it is started again, and all do when the window is opened anew (UI-17). What is
 * kept are hashes: the ids of rows hold URIs of servers, which may hold anything.
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
	 * Takes note of whether a row is shown as one that can be unfolded. The editor says of one that becomes such a row that it
	 * was closed: that was nobody's wish, and is not taken for one.
	 */
	show(id: string, isCollapsible: boolean): void {
		const row = hashOf(id);
		if (!this.open.has(row)) return;
		if (!isCollapsible) this.leaves.add(row);
		else if (this.leaves.delete(row)) this.formerLeaves.add(row);
	}

	/** Whether a row is to be shown open; `otherwise` while the user did neither. */
	isOpen(id: string, otherwise: boolean): boolean {
		return this.open.get(hashOf(id)) ?? otherwise;
	}
}

function hashOf(id: string): string {
	return createHash("sha256").update(id).digest("base64url").slice(0, 16);
}
