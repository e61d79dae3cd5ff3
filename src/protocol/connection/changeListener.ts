import { setTimeout } from "node:timers/promises";
import {
	ProtocolError,
	type Client,
	type McpSubscription,
	type SubscriptionFilter,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectionHandlers } from "../connection.ts";
import { keysOf } from "../../base/guards.ts";

/** Waiting times between attempts to listen again, in milliseconds. */
const relistenDelays = [250, 1000, 5000, 30_000];
/** A subscription that lived this long may end without being a sign of trouble, in milliseconds. */
const steadyMs = 60_000;
/** How long a server may take to acknowledge a subscription, in milliseconds. */
const acknowledgeMs = 5000;

/** Keeps one `subscriptions/listen` request open; the SDK never reopens it automatically. */
export class ChangeListener {
	private readonly client: Client;
	private readonly filter: SubscriptionFilter;
	private readonly handlers: ConnectionHandlers;
	private readonly onReopened: () => void;
	private readonly closing = new AbortController();
	private subscription: McpSubscription | undefined;
	private failures = 0;

	constructor(client: Client, filter: SubscriptionFilter, handlers: ConnectionHandlers, onReopened: () => void) {
		this.client = client;
		this.filter = filter;
		this.handlers = handlers;
		this.onReopened = onReopened;
	}

	/** The resources whose changes the server confirmed to report; empty while there is no subscription. */
	get honoredResources(): readonly string[] {
		return this.subscription?.honoredFilter.resourceSubscriptions ?? [];
	}

	/** Resolves when the server has acknowledged, or rejects when it refuses or does not answer. */
	async open(): Promise<void> {
		const options = { timeout: acknowledgeMs, signal: this.closing.signal };
		const subscription = await this.client.listen(this.filter, options);
		if (this.closing.signal.aborted) {
			await subscription.close();
			return;
		}
		this.subscription = subscription;
		this.compare(subscription.honoredFilter);
		const openedAt = performance.now();
		void subscription.closed.then((why) => (why === "local" ? undefined : this.resume(openedAt)));
	}

	/** Notes that `open` failed, and keeps trying unless the server refused. */
	recover(error: unknown): void {
		if (!this.isWanted) return;
		this.handlers.onTrouble(`Listening for changes failed: ${oneLine(messageOf(error))}`);
		if (!(error instanceof ProtocolError)) void this.reopen();
	}

	async close(): Promise<void> {
		this.closing.abort();
		await this.subscription?.close().catch(() => undefined);
	}

	/** A server may report less than was requested (specification, "Subscriptions"). */
	private compare(honored: SubscriptionFilter): void {
		const asked = keysOf(this.filter);
		const missing = asked.filter((key) => honored[key] === undefined || honored[key] === false);
		if (missing.length > 0)
			this.handlers.onTrouble(`The server does not announce these changes: ${missing.join(", ")}.`);
	}

	private get isWanted(): boolean {
		return !this.closing.signal.aborted && this.client.transport !== undefined;
	}

	/** Opens a subscription again that the server ended, as one does that is started again behind the same URL. */
	private resume(openedAt: number): Promise<void> {
		// A server that ends each subscription at once must not be asked four times a second.
		this.failures = performance.now() - openedAt > steadyMs ? 0 : this.failures + 1;
		return this.reopen();
	}

	/** Never rejects. */
	private async reopen(): Promise<void> {
		const delay = relistenDelays[Math.min(this.failures, relistenDelays.length - 1)];
		await setTimeout(delay, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
		if (!this.isWanted) return;
		try {
			await this.open();
			this.onReopened();
		} catch (error) {
			this.failures++;
			this.recover(error);
		}
	}
}
