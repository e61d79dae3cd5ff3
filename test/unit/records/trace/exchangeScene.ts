import { Emitter } from "../../../../src/base/event.ts";
import type { Exchange, ExchangeBodies, TraceReader } from "../../../../src/records/trace/exchange.ts";

/** The start of the first exchange of a scene. */
export const sceneStart = Date.now() - 60_000;

/** An answered call of a tool, with the changes of a story. */
export function exchange(id: number, changes: Partial<Exchange> = {}): Exchange {
	return {
		id,
		server: "user-settings:#git",
		serverName: "git",
		generation: 1,
		transport: "stdio",
		era: "modern",
		kind: "request",
		direction: "out",
		method: "tools/call",
		target: "status",
		origin: "model",
		startedAt: sceneStart + id * 1000,
		durations: { total: 38, user: 0, server: 36, own: 2 },
		bytesOut: 214,
		bytesIn: 1890,
		outcome: { kind: "ok" },
		children: [],
		childrenDropped: 0,
		count: 1,
		hasBodies: true,
		rpcId: id,
		...changes,
	};
}

/** A trace that a story fills by hand, which behaves as the recorder does. */
export class SceneTrace implements TraceReader {
	private readonly changes = new Emitter<void>();
	private readonly exchanges = new Map<number, { readonly exchange: Exchange; readonly revision: number }>();
	private readonly bodies = new Map<string, ExchangeBodies>();
	private revision = 0;
	private gone = 0;
	private goneAtClear = 0;
	/** The current number of exchanges with bodies. */
	holders = 0;
	readonly onDidChange = this.changes.event;

	/** Adds or changes exchanges. */
	put(...exchanges: readonly Exchange[]): void {
		this.revision++;
		for (const one of exchanges) this.exchanges.set(one.id, { exchange: one, revision: this.revision });
		this.changes.fire();
	}

	/** Keeps messages of an exchange, or of one below it. */
	keep(id: number, bodies: Partial<ExchangeBodies>, child = ""): void {
		this.bodies.set(`${id}/${child}`, { hidden: 0, ...bodies });
	}

	/** Drops the oldest ones. */
	drop(count: number): void {
		for (const id of [...this.exchanges.keys()].slice(0, count)) this.exchanges.delete(id);
		this.gone += count;
		this.revision++;
		this.changes.fire();
	}

	snapshot(since: number): ReturnType<TraceReader["snapshot"]> {
		const all = [...this.exchanges.values()];
		return {
			revision: this.revision,
			exchanges: all.filter(({ revision }) => revision > since).map(({ exchange: one }) => one),
			firstId: all[0]?.exchange.id ?? Infinity,
			gone: this.gone,
			dropped: this.gone - this.goneAtClear,
		};
	}

	get(id: number): Exchange | undefined {
		return this.exchanges.get(id)?.exchange;
	}

	nameOf(id: number): string {
		return `scene-${id}`;
	}

	find(name: string): number | undefined {
		const id = Number(name.replace("scene-", ""));
		return this.get(id) === undefined ? undefined : id;
	}

	body(id: number, child = ""): ExchangeBodies | undefined {
		return this.bodies.get(`${id}/${child}`);
	}

	level(): "bodies" {
		return "bodies";
	}

	holdBodies(): { dispose(): void } {
		this.holders++;
		return { dispose: () => this.holders-- };
	}

	clear(): void {
		for (const [id, { exchange: one }] of this.exchanges) {
			if (one.outcome.kind === "waiting") continue;
			this.exchanges.delete(id);
			this.gone++;
		}
		this.goneAtClear = this.gone;
		this.revision++;
		this.changes.fire();
	}
}

/** An hour's work in short: one of each kind of outcome, with the messages in between. */
export function fillScene(trace: SceneTrace): void {
	trace.put(
		exchange(1, { method: "initialize", target: "", origin: "host" }),
		exchange(2, { method: "tools/list", target: "", origin: "host", bytesIn: 48_200 }),
		exchange(3, { target: "search_code", children: progressOf(3) }),
		exchange(4, {
			server: "user-settings:#travel",
			serverName: "travel",
			transport: "http",
			target: "book_hotel",
			origin: "user",
			durations: { total: 9300, user: 8000, server: 1280, own: 20 },
			children: [
				{ kind: "serverRequest", at: 300, ms: 8000, label: "elicitation/create", count: 1, outcome: { kind: "ok" } },
				{ kind: "httpAttempt", at: 1, ms: 20, label: "POST https://travel.example/mcp", count: 1, status: 401 },
				{
					kind: "httpAttempt",
					at: 30,
					ms: 80,
					label: "POST https://login.example/token",
					count: 1,
					status: 200,
					isSignIn: true,
				},
				{ kind: "retry", at: 120, ms: 9180, label: "tools/call", count: 1 },
			],
		}),
		exchange(5, { target: "push", outcome: { kind: "tool-error" } }),
		exchange(6, {
			method: "resources/read",
			target: "file:///a\u202Eb.txt",
			origin: "app",
			outcome: { kind: "rpc-error", code: -32_002, message: "not there" },
		}),
		exchange(7, {
			target: "slow",
			outcome: { kind: "timed-out" },
			durations: { total: 60_000, user: 0, server: 60_000, own: 0 },
		}),
		exchange(8, {
			target: "delete_branch",
			generation: 0,
			outcome: { kind: "refused", by: "the rule “no deletions”" },
		}),
		exchange(9, { target: "fetch", outcome: { kind: "cancelled" } }),
		exchange(10, {
			serverName: "travel",
			transport: "http",
			target: "find",
			outcome: { kind: "http-error", status: 502 },
		}),
		exchange(11, {
			kind: "notification",
			direction: "in",
			method: "notifications/message",
			target: "",
			origin: "server",
			count: 100_000,
			bytesOut: 0,
			bytesIn: 12_000_000,
		}),
		exchange(12, { target: "wait_for_it", outcome: { kind: "waiting" }, startedAt: Date.now() - 12_000, bytesIn: 0 }),
	);
	trace.keep(3, {
		request: {
			kind: "whole",
			value: {
				jsonrpc: "2.0",
				id: 3,
				method: "tools/call",
				params: { name: "search_code", arguments: { query: "TODO" } },
			},
		},
		response: {
			kind: "whole",
			value: { jsonrpc: "2.0", id: 3, result: { content: [{ type: "text", text: "Found 12 places." }] } },
		},
		told: {
			kind: "whole",
			value: { isError: false, content: [{ type: "text", text: "Found 12 … (cut: 3 of 12 are left out)" }] },
		},
		requestHeaders: {
			"mcp-protocol-version": "2026-07-28",
			"mcp-name": "=?base64?c3VjaGU=?=",
			authorization: "⟦token 1⟧",
		},
		hidden: 1,
	});
	trace.keep(5, {
		request: {
			kind: "whole",
			value: { jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "push", arguments: {} } },
		},
		response: {
			kind: "whole",
			value: {
				jsonrpc: "2.0",
				id: 5,
				result: { isError: true, content: [{ type: "text", text: "Rejected: not a fast-forward" }] },
			},
		},
	});
}

function progressOf(count: number): Exchange["children"] {
	return Array.from({ length: count }, (_, at) => ({
		kind: "progress" as const,
		at: at * 10,
		label: `notifications/progress ${at + 1} of ${count}`,
		count: 1,
	}));
}
