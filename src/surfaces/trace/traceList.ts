import type { Exchange, TraceReader } from "../../records/trace/exchange.ts";
import { type Filterable, readFilter } from "../../records/trace/filter.ts";
import type { KnownValues } from "../../records/trace/filterWords.ts";
import { childRow, exchangeRow, filterable } from "./exchangeWords.ts";
import type { MessagePlace } from "./messages.ts";
import type { TraceRow } from "./viewProtocol.ts";

/** The source of a row: an exchange, or one of its children. */
interface RowPlace {
	readonly id: number;
	readonly child?: number;
}

/** Most values of a field that are offered. */
const mostKnown = 500;

/**
 * The rows of the trace: those of its exchanges that a filter finds, oldest first, with what is folded out below them.
 * Follows the trace by what changed alone, so that a hundred thousand exchanges cost no more than the new ones.
 */
export class TraceList {
	private readonly reader: Pick<TraceReader, "snapshot" | "get">;
	private readonly textOf: (exchange: Exchange) => string;
	private readonly exchanges = new Map<number, Exchange>();
	private readonly found = new Set<number>();
	private readonly open = new Set<number>();
	private matches: (subject: Filterable) => boolean = () => true;
	private places: readonly RowPlace[] = [];
	private seen = 0;
	private gone = 0;
	private dropped = 0;

	/** `textOf` has all texts of an exchange, for what is looked for in them. */
	constructor(reader: Pick<TraceReader, "snapshot" | "get">, textOf: (exchange: Exchange) => string) {
		this.reader = reader;
		this.textOf = textOf;
	}

	/** How many rows there are. */
	get length(): number {
		return this.places.length;
	}

	/** How many exchanges were found, and how many there are. */
	get counts(): { readonly found: number; readonly total: number; readonly dropped: number } {
		return { found: this.found.size, total: this.exchanges.size, dropped: this.dropped };
	}

	/** Takes over what changed in the trace. */
	update(): void {
		const { revision, exchanges, firstId, gone, dropped } = this.reader.snapshot(this.seen);
		this.seen = revision;
		let toForget = gone - this.gone;
		this.gone = gone;
		this.dropped = dropped;
		for (const id of this.exchanges.keys()) {
			if (id >= firstId) break;
			this.forget(id);
			toForget--;
		}
		// Pending requests are kept, even if later ones are dropped.
		if (toForget > 0) this.forgetAllBut(new Set(this.reader.snapshot(0).exchanges.map(({ id }) => id)));
		for (const exchange of exchanges) {
			this.exchanges.set(exchange.id, exchange);
			this.test(exchange);
		}
		this.lay();
	}

	/** Starts another search; returns in a sentence why that cannot be read, and keeps the former result then. */
	find(filter: string): string | undefined {
		const read = readFilter(filter);
		if ("problem" in read) return read.problem;
		this.matches = read.matches;
		this.found.clear();
		for (const exchange of this.exchanges.values()) this.test(exchange);
		this.lay();
		return undefined;
	}

	/** Folds what is below an exchange out or in. */
	fold(key: string, isOpen: boolean): void {
		const exchange = this.exchanges.get(Number(key));
		if (exchange === undefined || exchange.children.length === 0) return;
		if (isOpen) this.open.add(exchange.id);
		else this.open.delete(exchange.id);
		this.lay();
	}

	/** At most `count` rows from an index on. */
	rows(from: number, count: number): readonly TraceRow[] {
		return this.places.slice(from, from + count).flatMap(({ id, child }): TraceRow[] => {
			const exchange = this.exchanges.get(id);
			if (exchange === undefined) return [];
			if (child === undefined) return [exchangeRow(exchange, this.open.has(id))];
			const row = childRow(exchange, child);
			return row === undefined ? [] : [row];
		});
	}

	/** The index of the row with this key. */
	indexOf(key: string): number | undefined {
		const [id, child] = key.split("/").map(Number);
		const index = this.places.findIndex((place) => place.id === id && place.child === child);
		return index === -1 ? undefined : index;
	}

	/** The entry of a key; undefined when it is no longer in the trace. */
	named(key: string): MessagePlace | undefined {
		const [id = "", child] = key.split("/");
		const exchange = /^\d{1,15}$/.test(id) ? this.reader.get(Number(id)) : undefined;
		if (exchange === undefined) return undefined;
		const index = child === undefined ? undefined : Number(child);
		if (index !== undefined && exchange.children[index] === undefined) return undefined;
		return { exchange, child: index };
	}

	/** The key of the newest exchange that was found. */
	get newestKey(): string | undefined {
		const place = this.places.findLast(({ child }) => child === undefined);
		return place === undefined ? undefined : String(place.id);
	}

	/** The exchanges in their order, for those who look for one. */
	get all(): Iterable<Exchange> {
		return this.exchanges.values();
	}

	/** The values that occur, for completion. */
	get known(): KnownValues {
		const values = { server: new Set<string>(), method: new Set<string>(), target: new Set<string>() };
		for (const { serverName, method, target } of this.exchanges.values()) {
			values.server.add(serverName);
			values.method.add(method);
			if (target !== undefined && values.target.size < mostKnown) values.target.add(target);
		}
		return {
			server: [...values.server],
			method: [...values.method].sort(),
			target: [...values.target].sort(),
		};
	}

	private forgetAllBut(kept: ReadonlySet<number>): void {
		for (const id of this.exchanges.keys()) if (!kept.has(id)) this.forget(id);
	}

	private forget(id: number): void {
		this.exchanges.delete(id);
		this.found.delete(id);
		this.open.delete(id);
	}

	private test(exchange: Exchange): void {
		if (this.matches(filterable(exchange, this.textOf))) this.found.add(exchange.id);
		else this.found.delete(exchange.id);
	}

	private lay(): void {
		const places: RowPlace[] = [];
		for (const { id, children } of this.exchanges.values()) {
			if (!this.found.has(id)) continue;
			places.push({ id });
			if (!this.open.has(id)) continue;
			for (const child of children.keys()) places.push({ id, child });
		}
		this.places = places;
	}
}
