import type { TraceRow, TraceRows } from "../../src/surfaces/trace/viewProtocol.ts";

/** How many rows before and after those in sight are asked for with them, so that scrolling meets them. */
const around = 100;

/**
 * The rows that the view has: those around the visible ones, not a hundred thousand. While newer ones are on their way
 * the former ones stay.
 */
export class RowStore {
	private readonly ask: (from: number, count: number) => Promise<TraceRows>;
	private readonly changed: () => void;
	private rows = new Map<number, TraceRow>();
	private revision = 0;
	/** The stretch that was asked for last, and under which revision. */
	private asked: { readonly revision: number; readonly from: number; readonly to: number } | undefined;

	/** `ask` gets rows; `changed` is called when they are there. */
	constructor(ask: (from: number, count: number) => Promise<TraceRows>, changed: () => void) {
		this.ask = ask;
		this.changed = changed;
	}

	/** The row at an index, as far as it is known. */
	at(index: number): TraceRow | undefined {
		return this.rows.get(index);
	}

	/** Whether the rows are those of a revision, and not the former ones. */
	isOf(revision: number): boolean {
		return revision === this.revision;
	}

	/** Requests the rows of a range at a revision, if they are not known. */
	want(revision: number, from: number, to: number): void {
		const { asked } = this;
		if (asked?.revision === revision && asked.from <= from && asked.to >= to) return;
		const start = Math.max(0, from - around);
		const wanted = { revision, from: start, to: to + around };
		this.asked = wanted;
		void this.ask(start, wanted.to - start).then(
			(found) => this.take(found),
			() => {
				if (this.asked === wanted) this.asked = undefined;
			},
		);
	}

	private take({ revision, from, rows }: TraceRows): void {
		if (revision < this.revision) return;
		this.revision = revision;
		// Only these are of this revision: others may be elsewhere by now.
		this.rows = new Map(rows.map((row, offset) => [from + offset, row]));
		this.changed();
	}
}
