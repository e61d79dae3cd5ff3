import type { Client, SubscriptionFilter } from "@modelcontextprotocol/client";
import { messageOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { ChangeListener } from "./changeListener.ts";
import type { ConnectionHandlers } from "./connection.ts";
import { requestOptions, type Requests } from "./requests.ts";
import type { SessionKeeper } from "./sessionKeeper.ts";
import type { ServerFacts } from "../servers/session.ts";

/** How long a server may take to note a subscription, in milliseconds. */
const subscribeMs = 60_000;

/** What a connection wants to hear of: changed lists and resources, in the way of the server's era. */
export class Listening {
	private readonly keeper: SessionKeeper;
	private readonly requests: Requests;
	private readonly facts: () => ServerFacts;
	private readonly handlers: ConnectionHandlers;
	private wanted: readonly string[] = [];
	/** What the server of a legacy session was asked to tell of. */
	private readonly subscribed = new Set<string>();
	/** Serialises changes of what is watched, so that a later set never loses to an earlier one. */
	private applying: Promise<void> = Promise.resolve();
	private resourceListener: ChangeListener | undefined;
	private listListener: ChangeListener | undefined;

	constructor(keeper: SessionKeeper, requests: Requests, facts: () => ServerFacts, handlers: ConnectionHandlers) {
		this.keeper = keeper;
		this.requests = requests;
		this.facts = facts;
		this.handlers = handlers;
	}

	/** Sets the resources to be told of; replaces the former set. Never rejects. */
	watch(uris: readonly string[]): Promise<void> {
		this.wanted = [...new Set(uris)];
		this.applying = this.applying.then(() => this.apply());
		return this.applying;
	}

	/** Subscribes anew in a session that knows of nothing. */
	restore(): void {
		this.subscribed.clear();
		void this.watch(this.wanted);
	}

	/**
	 * Resolves when the server listens or was found not to. On a modern connection, list changes arrive only where they
	 * are listened for (specification, "Subscriptions").
	 */
	async listenForLists(): Promise<void> {
		const { era, capabilities } = this.facts();
		if (era === "legacy") return;
		const { tools, prompts, resources } = capabilities;
		const filter: SubscriptionFilter = {
			...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
			...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
			...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
		};
		if (Object.keys(filter).length === 0) return;
		this.listListener = await this.listen(filter, () => {
			// What changed while nobody listened is unknown, so all lists are read again.
			for (const kind of ["tools", "prompts", "resources"] as const) this.handlers.onListChanged(kind);
		});
	}

	async close(): Promise<void> {
		await Promise.all([this.listListener?.close(), this.resourceListener?.close()]);
	}

	private async apply(): Promise<void> {
		const { era, capabilities } = this.facts();
		if (capabilities.resources?.subscribe !== true || this.keeper.signal.aborted) return;
		await (era === "legacy" ? this.subscribe() : this.listenForResources());
	}

	private async subscribe(): Promise<void> {
		const wanted = new Set(this.wanted);
		for (const uri of wanted) {
			if (this.subscribed.has(uri) || !(await this.change("subscribeResource", uri))) continue;
			this.subscribed.add(uri);
			this.handlers.onResourceSubscribed?.(uri);
		}
		for (const uri of this.subscribed) {
			if (!wanted.has(uri) && (await this.change("unsubscribeResource", uri))) this.subscribed.delete(uri);
		}
	}

	private async change(verb: "subscribeResource" | "unsubscribeResource", uri: string): Promise<boolean> {
		const control = { signal: AbortSignal.any([this.keeper.signal, AbortSignal.timeout(subscribeMs)]) };
		try {
			const send = (client: Client): Promise<unknown> => client[verb]({ uri }, requestOptions(control));
			await this.requests.run(control, send, { isPreparation: true });
			return true;
		} catch (error) {
			if (!this.keeper.signal.aborted) {
				this.handlers.onTrouble(`Subscription failed: ${oneLine(messageOf(error))}`);
			}
			return false;
		}
	}

	private async listenForResources(): Promise<void> {
		const former = this.resourceListener;
		this.resourceListener = undefined;
		const watched = this.wanted;
		if (watched.length > 0) {
			// The new one first: nothing is missed between the two.
			this.resourceListener = await this.listen({ resourceSubscriptions: [...watched] }, () => {
				for (const uri of watched) this.handlers.onResourceUpdated(uri);
			});
		}
		const known = new Set(former?.honoredResources);
		for (const uri of this.resourceListener?.honoredResources ?? []) {
			if (!known.has(uri)) this.handlers.onResourceSubscribed?.(uri);
		}
		await former?.close();
	}

	private async listen(filter: SubscriptionFilter, onReopened: () => void): Promise<ChangeListener> {
		const listener = new ChangeListener(this.keeper.link.client, filter, this.handlers, onReopened);
		// A server whose lists do not tell of changes is still of use.
		await listener.open().catch((error: unknown) => listener.recover(error));
		return listener;
	}
}
