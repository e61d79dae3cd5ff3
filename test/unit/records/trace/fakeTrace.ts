import { Emitter } from "../../../../src/base/event.ts";
import type { Exchange, ExchangeBodies, TraceLevel, TraceReader } from "../../../../src/records/trace/exchange.ts";

/** An exchange with only the relevant members. */
export function exchangeOf(told: Partial<Exchange> = {}): Exchange {
	return {
		id: 1,
		server: "user:git",
		serverName: "git",
		generation: 1,
		transport: "stdio",
		kind: "request",
		direction: "out",
		method: "tools/call",
		target: "status",
		origin: "model",
		startedAt: Date.UTC(2026, 10, 23, 10),
		durations: { total: 42, user: 0, server: 40, own: 2 },
		bytesOut: 120,
		bytesIn: 900,
		outcome: { kind: "ok" },
		children: [],
		childrenDropped: 0,
		count: 1,
		hasBodies: false,
		...told,
	};
}

/** A trace that a test fills by hand. */
export class FakeTrace implements TraceReader {
	readonly bodies = new Map<number, ExchangeBodies>();
	levels: TraceLevel = "metadata";
	/** The current number of exchanges with bodies. */
	holders = 0;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: TraceReader["onDidChange"] = this.changed.event;
	private readonly kept = new Map<number, { readonly exchange: Exchange; readonly revision: number }>();
	private revision = 0;
	private gone = 0;

	/** Adds exchanges, or replaces those of the same ids. */
	put(...exchanges: readonly Exchange[]): void {
		this.revision++;
		for (const exchange of exchanges) this.kept.set(exchange.id, { exchange, revision: this.revision });
		this.changed.fire();
	}

	snapshot(since: number): ReturnType<TraceReader["snapshot"]> {
		const [firstId = 0] = this.kept.keys();
		const exchanges = [...this.kept.values()].filter(({ revision }) => revision > since);
		return {
			revision: this.revision,
			exchanges: exchanges.map(({ exchange }) => exchange),
			firstId,
			gone: this.gone,
			dropped: 0,
		};
	}

	get(id: number): Exchange | undefined {
		return this.kept.get(id)?.exchange;
	}

	nameOf(id: number): string {
		return `scene-${id}`;
	}

	find(name: string): number | undefined {
		const id = Number(name.replace("scene-", ""));
		return this.get(id) === undefined ? undefined : id;
	}

	body(id: number): ExchangeBodies | undefined {
		return this.bodies.get(id);
	}

	level(): TraceLevel {
		return this.levels;
	}

	holdBodies(): ReturnType<TraceReader["holdBodies"]> {
		this.holders++;
		return { dispose: () => this.holders-- };
	}

	clear(): void {
		this.gone += this.kept.size;
		this.kept.clear();
		this.changed.fire();
	}
}
