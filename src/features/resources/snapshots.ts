import type { ResourceSnapshot } from "./reader.ts";

/** How many contents of one resource are kept: the displayed ones, the last viewed ones, and some between. */
const versionLimit = 5;

/** How many bytes are kept of all resources together. */
const defaultBudget = 32 * 1024 * 1024;

interface Kept {
	readonly snapshot: ResourceSnapshot;
	readonly size: number;
}

/**
 * The former contents of resources, oldest first, within a memory budget. The oldest are removed first; contents larger
 * than half of the budget are not kept at all.
 */
export class Snapshots {
	private readonly budget: number;
	/** The keys in the order of their last note. */
	private readonly kept = new Map<string, readonly Kept[]>();
	private total = 0;

	constructor(budget = defaultBudget) {
		this.budget = budget;
	}

	/** Whether contents of this size are kept. */
	canKeep(snapshot: ResourceSnapshot): boolean {
		return sizeOf(snapshot) <= this.budget / 2;
	}

	/** Keeps contents, unless they are those that were noted last. */
	note(key: string, snapshot: ResourceSnapshot): void {
		const versions = this.kept.get(key) ?? [];
		const isKnown = versions.some(({ snapshot: { modified } }) => modified === snapshot.modified);
		const size = sizeOf(snapshot);
		this.kept.delete(key);
		if (isKnown || !this.canKeep(snapshot)) {
			if (versions.length > 0) this.kept.set(key, versions);
			return;
		}
		const ordered = [...versions, { snapshot, size }].sort((a, b) => a.snapshot.modified - b.snapshot.modified);
		const left = ordered.slice(-versionLimit);
		this.kept.set(key, left);
		this.total += size - (ordered.length > left.length ? (ordered[0]?.size ?? 0) : 0);
		this.shrink();
	}

	/** The contents at a time; undefined when they are no longer kept. */
	at(key: string, modified: number): ResourceSnapshot | undefined {
		return this.kept.get(key)?.find(({ snapshot }) => snapshot.modified === modified)?.snapshot;
	}

	/** The latest contents before a time; undefined when none are kept. */
	before(key: string, modified: number): ResourceSnapshot | undefined {
		return this.kept.get(key)?.findLast(({ snapshot }) => snapshot.modified < modified)?.snapshot;
	}

	/** Makes room: the oldest contents of the longest unused resource go first, the latest of each resource last. */
	private shrink(): void {
		while (this.total > this.budget) {
			const [key, versions] =
				[...this.kept].find(([, { length }]) => length > 1) ?? [...this.kept].find(() => true) ?? [];
			if (key === undefined || versions === undefined) return;
			this.total -= versions[0]?.size ?? 0;
			if (versions.length > 1) this.kept.set(key, versions.slice(1));
			else this.kept.delete(key);
		}
	}
}

function sizeOf({ parts }: ResourceSnapshot): number {
	return parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
