import { HostError } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../base/rpc.ts";
import { throttle } from "../base/throttle.ts";
import { detailOf } from "./logDetail.ts";
import type { LogHostApi, LogList, LogQuery, LogViewApi } from "./logProtocol.ts";
import { everything, findEntries, readQuery } from "./logQuery.ts";
import { listOf } from "./logRows.ts";
import type { LogContents } from "./samplingLog.ts";
import type { SamplingEntry } from "./samplingRecord.ts";

/** What the buttons of the log do. Each resolves with a sentence that tells the outcome, empty when the person left. */
export interface LogActions {
	copy(entry: SamplingEntry): Promise<string>;
	save(entries: readonly SamplingEntry[]): Promise<string>;
	clear(): Promise<string>;
}

/** What the connection works with. */
export interface LogPortServices {
	/** Reads the record; never rejects. */
	read(): Promise<LogContents>;
	/** Tells of changes of the record, by this window or another one. */
	watch(changed: () => void): Disposable;
	/** What the person should know of the settings, in sentences of ours. */
	notices(): readonly string[];
	readonly actions: LogActions;
}

/** How often a changing record is shown anew, at most, in milliseconds. */
const showingMs = 300;

/**
 * Connects the record with the view that shows it. Whatever the view sends is checked (UI-06); what is
 * looked for is kept here, so that the view may come and go (UI-07).
 */
export class LogPort implements Disposable {
	private readonly services: LogPortServices;
	private readonly view: RpcEndpoint<LogViewApi, LogHostApi>;
	private readonly store = new DisposableStore();
	private query: LogQuery = everything;
	private shown: string | undefined;
	private contents: LogContents | undefined;

	constructor(port: MessagePort, services: LogPortServices) {
		this.services = services;
		this.view = new RpcEndpoint<LogViewApi, LogHostApi>(port, {
			ready: async () => {
				await this.load();
				return this.list();
			},
			find: (query) => {
				this.query = known(readQuery(query));
				this.shown = undefined;
				return this.list();
			},
			detail: (id) => {
				this.shown = undefined;
				return detailOf(this.named(id));
			},
			copy: (id) => services.actions.copy(this.named(id)),
			export: (scope) => services.actions.save(this.scoped(scope)),
			clear: () => services.actions.clear(),
		});
		this.store.add(this.view);
		const showing = this.store.add(throttle(() => void this.reload(), showingMs));
		this.store.add(services.watch(() => showing.run()));
	}

	/** Has the view look for something else, and show an entry, if one is given. */
	ask(query: LogQuery, shown: string | undefined): void {
		this.query = query;
		this.shown = shown;
		void this.reload();
	}

	dispose(): void {
		this.store.dispose();
	}

	private async reload(): Promise<void> {
		await this.load();
		this.view.notify("show", this.list());
	}

	private async load(): Promise<void> {
		this.contents = await this.services.read();
	}

	private get entries(): readonly SamplingEntry[] {
		return this.contents?.entries ?? [];
	}

	private list(): LogList {
		const notices = [...this.services.notices(), ...(this.contents?.troubles ?? [])];
		const list = listOf(this.entries, this.query, notices);
		return this.shown === undefined ? list : { ...list, shown: this.shown };
	}

	private named(id: unknown): SamplingEntry {
		const entry = this.entries.find((one) => one.id === id);
		if (entry === undefined) throw new HostError("invalid", "This entry is not in the record any more.");
		return entry;
	}

	private scoped(scope: unknown): readonly SamplingEntry[] {
		if (scope === "all") return this.entries;
		if (scope === "found") return findEntries(this.entries, this.query);
		throw new HostError("invalid", "The panel knows no such choice of entries.");
	}
}

function known<T>(read: T | undefined): T {
	if (read === undefined) throw new HostError("invalid", "The panel cannot look for this.");
	return read;
}
