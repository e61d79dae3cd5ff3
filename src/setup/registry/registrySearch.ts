import { messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { RegistryClient } from "./registryClient.ts";
import type { RegistryServer } from "../serverJson/registryServer.ts";

/** Most servers of one search that are shown. */
const mostShown = 600;
/** How long nothing is typed before the registry is asked, in milliseconds. */
const pauseMs = 250;

/** A search of a registry while a user types: the last text counts, and more is requested on demand. */
export class RegistrySearch implements Disposable {
	private readonly client: Pick<RegistryClient, "search">;
	private readonly pause: number;
	private readonly changed = new Emitter<void>();
	/** The displayed state changed. */
	readonly onDidChange: Event<void> = this.changed.event;
	private typed: string | undefined;
	private asking: AbortController | undefined;
	private timer: NodeJS.Timeout | undefined;
	private found: readonly RegistryServer[] = [];
	private next: string | undefined;
	private problem: string | undefined;
	private old: { readonly reason: string; readonly at: number } | undefined;

	constructor(client: Pick<RegistryClient, "search">, pause = pauseMs) {
		this.client = client;
		this.pause = pause;
	}

	get servers(): readonly RegistryServer[] {
		return this.found;
	}

	/** Whether an answer is awaited. */
	get isBusy(): boolean {
		return this.asking !== undefined || this.timer !== undefined;
	}

	get hasMore(): boolean {
		return this.next !== undefined && this.found.length < mostShown;
	}

	/** The problem, in a sentence. */
	get failure(): string | undefined {
		return this.problem;
	}

	/** Why and since when these servers are only stored results. */
	get offline(): { readonly reason: string; readonly at: number } | undefined {
		return this.old;
	}

	/** Searches for a text, once nothing more is typed for a moment; the same text again does nothing. */
	type(text: string): void {
		if (text === this.typed) return;
		const isFirst = this.typed === undefined;
		this.typed = text;
		this.asking?.abort();
		this.asking = undefined;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.ask(text, undefined), isFirst ? 0 : this.pause);
	}

	/** Requests the next part. */
	more(): void {
		if (this.isBusy || this.next === undefined || this.typed === undefined) return;
		void this.ask(this.typed, this.next);
	}

	dispose(): void {
		this.asking?.abort();
		clearTimeout(this.timer);
	}

	/** Never rejects. */
	private async ask(text: string, cursor: string | undefined): Promise<void> {
		this.timer = undefined;
		const asking = new AbortController();
		this.asking = asking;
		this.changed.fire();
		try {
			const page = await this.client.search(text, cursor, asking.signal);
			if (this.asking !== asking) return;
			const before = cursor === undefined ? [] : this.found;
			const known = new Set(before.map(({ name }) => name));
			const fresh = page.servers.filter(({ name }) => !known.has(name));
			this.found = [...before, ...fresh].slice(0, mostShown);
			// One that names the same part again and again would never end.
			this.next = page.next === cursor || (cursor !== undefined && fresh.length === 0) ? undefined : page.next;
			this.problem = undefined;
			this.old = page.offline;
		} catch (error) {
			if (this.asking !== asking) return;
			if (cursor === undefined) this.found = [];
			this.next = undefined;
			this.problem = messageOf(error);
		}
		this.asking = undefined;
		this.changed.fire();
	}
}
