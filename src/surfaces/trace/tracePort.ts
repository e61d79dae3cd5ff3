import { HostError } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { type MessagePort, RpcEndpoint } from "../../base/rpc.ts";
import { throttle } from "../../base/throttle.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import { completeFilter, filterPresets } from "../../records/trace/filterWords.ts";
import { type MessagePlace, searchedText } from "./messages.ts";
import { TraceList } from "./traceList.ts";
import type { TraceRequest } from "./traceRequest.ts";
import type { TraceDetail, TraceHostApi, TraceState, TraceViewApi } from "./viewProtocol.ts";

/** The services that the view uses. */
export interface TracePortServices {
	readonly reader: TraceReader;
	/** Notes for the user about the recording, in our sentences. */
	notices(): readonly string[];
	/**
	 * Removes from a value the secrets that the host knows: everything that is sent to the page goes through it (SEC-10).
	 */
	redactAll<T>(value: T): T;
	/** The details of a row's entry. */
	detail(place: MessagePlace): Promise<TraceDetail>;
	/** Runs an action on it; resolves with the outcome in a sentence, empty when there is none to report. */
	act(place: MessagePlace, action: string): Promise<string>;
}

/** How often a changing trace is shown again, at most, in milliseconds. */
const showingMs = 150;

/** Most rows that are handed over at once. */
const mostRows = 400;

/**
 * Connects the trace with the view that shows it. Every message of the view is checked (UI-06). The search, the
 * expanded rows and the selection are kept here, so that the view may be closed and reopened (UI-07).
 */
export class TracePort implements Disposable {
	private readonly services: TracePortServices;
	private readonly list: TraceList;
	private readonly store = new DisposableStore();
	private view: RpcEndpoint<TraceViewApi, TraceHostApi> | undefined;
	private filter = "";
	private problem: string | undefined;
	private chosen: string | undefined;
	private revision = 0;
	/** The entry to reveal that the view has not shown yet. */
	private isAsked = false;

	constructor(services: TracePortServices) {
		this.services = services;
		const { reader } = services;
		this.list = new TraceList(reader, (exchange) => searchedText(reader, exchange));
		const showing = this.store.add(throttle(() => this.show(), showingMs));
		// A hidden view is not updated until it is shown.
		this.store.add(reader.onDidChange(() => (this.view === undefined ? undefined : showing.run())));
	}

	/** Speaks with a view until that is disposed; one at a time. */
	connect(port: MessagePort): Disposable {
		const { services, list } = this;
		const view = new RpcEndpoint<TraceViewApi, TraceHostApi>(port, {
			ready: () => {
				this.update();
				// An entry may have been revealed before the view could be notified.
				if (this.isAsked) queueMicrotask(() => this.lead());
				return this.state();
			},
			filter: (text) => {
				this.look(known(text));
				return this.state();
			},
			complete: (text, caret) => completeFilter(known(text), number(caret), list.known),
			rows: (from, count) => {
				const start = number(from);
				const found = list.rows(start, Math.min(number(count), mostRows));
				return { revision: this.revision, from: start, rows: services.redactAll(found) };
			},
			fold: (key, isOpen) => {
				list.fold(known(key), isOpen === true);
				this.revision++;
				return this.state();
			},
			choose: (key) => {
				this.chosen = known(key);
				return this.place();
			},
			detail: async (key) => services.redactAll(await services.detail(this.named(key))),
			act: (key, action) => services.act(this.named(key), known(action)),
		});
		this.view = view;
		const ended = new DisposableStore();
		ended.add(view);
		ended.add({
			dispose: () => {
				if (this.view === view) this.view = undefined;
			},
		});
		return ended;
	}

	/** Has the view look for something, and leads the user to one exchange or the newest that is found, if they asked. */
	ask({ filter, toNewest, exchange }: TraceRequest): void {
		this.update();
		this.look(filter);
		this.chosen = exchange === undefined ? (toNewest ? this.list.newestKey : undefined) : String(exchange);
		this.isAsked = true;
		this.lead();
	}

	/** The exchanges of the trace, newest first. */
	get newest(): readonly MessagePlace[] {
		return [...this.list.all].toReversed().map((exchange) => ({ exchange, child: undefined }));
	}

	dispose(): void {
		this.view?.dispose();
		this.store.dispose();
	}

	private look(filter: string): void {
		this.filter = filter;
		this.problem = this.list.find(filter);
		this.revision++;
	}

	private update(): void {
		this.list.update();
		this.revision++;
	}

	private show(): void {
		if (this.view === undefined) return;
		this.update();
		this.view.notify("show", this.state(), false);
	}

	private lead(): void {
		if (this.view === undefined) return;
		this.isAsked = false;
		this.view.notify("show", this.state(), true);
	}

	private state(): TraceState {
		const { found, total, dropped } = this.list.counts;
		const chosen = this.place();
		return {
			revision: this.revision,
			filter: this.filter,
			...(this.problem === undefined ? {} : { problem: this.problem }),
			rows: this.list.length,
			found,
			total,
			...(chosen === undefined ? {} : { chosen }),
			presets: filterPresets,
			notices: [
				...this.services.notices(),
				...(dropped === 0 ? [] : [`${dropped.toLocaleString("en-US")} older entries were dropped.`]),
			],
			now: Date.now(),
		};
	}

	/** The index of the selection among the rows. */
	private place(): TraceState["chosen"] {
		const key = this.chosen;
		const index = key === undefined ? undefined : this.list.indexOf(key);
		return key === undefined || index === undefined ? undefined : { key, index };
	}

	private named(key: unknown): MessagePlace {
		const place = this.list.named(known(key));
		if (place === undefined) throw new HostError("invalid", "This exchange is no longer in the trace.");
		return place;
	}
}

function known(value: unknown): string {
	if (typeof value !== "string" || value.length > 10_000) {
		throw new HostError("invalid", "The view sent a message that the trace does not support.");
	}
	return value;
}

function number(value: unknown): number {
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
		throw new HostError("invalid", "The view sent a message that the trace does not support.");
	}
	return value;
}
