import {
	type Client,
	INVALID_PARAMS,
	LOG_LEVEL_META_KEY,
	METHOD_NOT_FOUND,
	ProtocolError,
	type SubscriptionFilter,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { ChangeListener } from "./changeListener.ts";
import type { ClientRenewal } from "./clientRenewal.ts";
import type { ConnectRequest, ConnectionHandlers, ServerFacts } from "../connection.ts";
import { requestOptions, type Requests } from "./requests.ts";

/** How long a server may take to note a subscription, in milliseconds. */
const subscribeMs = 60_000;
/** How long a server may take to note a level, in milliseconds. */
const noteMs = 30_000;
/** How long the list of tools that was just read again counts as current, in milliseconds. */
const freshMs = 10_000;

/** Which notifications a connection wants: changed lists and resources, in the way of the server's era. */
export class Listening {
	private readonly clients: ClientRenewal;
	private readonly requests: Requests;
	private readonly facts: () => ServerFacts;
	private readonly handlers: ConnectionHandlers;
	private wanted: readonly string[] = [];
	/** The subscriptions of a legacy session. */
	private readonly subscribed = new Set<string>();
	/** Serialises changes of what is watched, so that a later set never loses to an earlier one. */
	private applying: Promise<void> = Promise.resolve();
	private resourceListener: ChangeListener | undefined;
	private listListener: ChangeListener | undefined;

	constructor(clients: ClientRenewal, requests: Requests, facts: () => ServerFacts, handlers: ConnectionHandlers) {
		this.clients = clients;
		this.requests = requests;
		this.facts = facts;
		this.handlers = handlers;
	}

	/** Sets the resources whose changes are to be reported; replaces the former set. Never rejects. */
	watch(uris: readonly string[]): Promise<void> {
		this.wanted = [...new Set(uris)];
		this.applying = this.applying.then(() => this.apply());
		return this.applying;
	}

	/** Subscribes again in a session without subscriptions. */
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
			// Changes in the meantime are unknown, so all lists are read again.
			for (const kind of ["tools", "prompts", "resources"] as const) this.handlers.onListChanged(kind);
		});
	}

	async close(): Promise<void> {
		await Promise.all([this.listListener?.close(), this.resourceListener?.close()]);
	}

	private async apply(): Promise<void> {
		const { era, capabilities } = this.facts();
		if (capabilities.resources?.subscribe !== true || this.clients.signal.aborted) return;
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
		const control = { signal: AbortSignal.any([this.clients.signal, AbortSignal.timeout(subscribeMs)]) };
		try {
			const send = (client: Client): Promise<unknown> => client[verb]({ uri }, requestOptions(control));
			await this.requests.run(control, send, { isPreparation: true });
			return true;
		} catch (error) {
			if (!this.clients.signal.aborted) {
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
		const listener = new ChangeListener(this.clients.current.sdk, filter, this.handlers, onReopened);
		// A server whose lists do not report changes is still useful.
		await listener.open().catch((error: unknown) => listener.recover(error));
		return listener;
	}
}

/** Sends a server the level of log messages that have readers, in the way of its era (specification, "Logging"). */
export class LogLevel {
	private readonly current: ConnectRequest["logLevel"];
	private readonly requests: Requests;
	private readonly closing: AbortSignal;

	/** `current` is read at each use; `closing` is aborted when the connection is closed. */
	constructor(current: ConnectRequest["logLevel"], requests: Requests, closing: AbortSignal) {
		this.current = current;
		this.requests = requests;
		this.closing = closing;
	}

	/** Sends a legacy server the log level; modern requests carry the level themselves. Rejects as requests do. */
	async update({ era, capabilities }: ServerFacts): Promise<void> {
		if (era === "modern" || capabilities.logging === undefined) return;
		// There is no level for silence; the highest is the nearest.
		const level = this.current() ?? "emergency";
		const control = { signal: AbortSignal.any([this.closing, AbortSignal.timeout(noteMs)]) };
		const send = (client: Client): Promise<unknown> => client.setLoggingLevel(level, requestOptions(control));
		await this.requests.run(control, send, { isPreparation: true });
	}

	/** The log level in a modern request; undefined when nobody reads log messages. */
	metaFor({ era }: ServerFacts): { readonly _meta?: { readonly [LOG_LEVEL_META_KEY]: string } } {
		const level = era === "modern" ? this.current() : undefined;
		return level === undefined ? {} : { _meta: { [LOG_LEVEL_META_KEY]: level } };
	}
}

/**
 * Has the tools listed again when a call's failure says that they are others than listed, at most every few seconds: for
 * servers that do not announce their changes.
 */
export class UnknownTools {
	private readonly listAgain: () => void;
	private listedAt = Number.NEGATIVE_INFINITY;

	constructor(listAgain: () => void) {
		this.listAgain = listAgain;
	}

	/** Takes note of how a call of a tool failed. */
	note(failure: unknown): void {
		const cause = failure instanceof Error ? failure.cause : undefined;
		const isUnknown =
			cause instanceof ProtocolError && (cause.code === METHOD_NOT_FOUND || cause.code === INVALID_PARAMS);
		const now = performance.now();
		if (!isUnknown || now - this.listedAt < freshMs) return;
		this.listedAt = now;
		this.listAgain();
	}
}
