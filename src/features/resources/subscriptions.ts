import { Emitter } from "../../base/event.ts";
import { once } from "../../base/once.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { isWithin } from "../../protocol/messages/uriWithin.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

interface Watch {
	readonly address: ResourceAddress;
	count: number;
	session: Session | undefined;
	isRunning: boolean;
	isAcknowledged: boolean;
	subscription: Disposable | undefined;
}

/** Receives the events of watched resources, by their addresses. */
export interface WatchListener {
	/** The contents may have changed. */
	onUpdate(address: ResourceAddress): void;
	/** The server reports changes from now on; an earlier result may be older than the last one. */
	onAcknowledged(address: ResourceAddress): void;
}

/**
 * Watches resources by subscription, each exact URI once for any number of editors. A watch outlives its server: it is
 * attached again when the server is configured again, and a restart of the server counts as a change of its resources.
 */
export class ResourceWatches implements Disposable {
	private readonly directory: SessionDirectory;
	private readonly hears: WatchListener;
	private readonly watches = new Map<string, Watch>();
	private readonly changed = new Emitter<void>();
	private readonly listener: Disposable;

	constructor(directory: SessionDirectory, hears: WatchListener) {
		this.directory = directory;
		this.hears = hears;
		this.listener = directory.onDidChange(() => {
			for (const watch of this.watches.values()) this.attach(watch);
			this.changed.fire();
		});
	}

	/** Watches a resource until the result is disposed. A part is watched as the whole. */
	watch({ server, uri }: ResourceAddress): Disposable {
		const key = keyOf({ server, uri });
		const watch = this.watches.get(key) ?? {
			address: { server, uri },
			count: 0,
			session: undefined,
			isRunning: this.directory.get(server)?.state.kind === "running",
			isAcknowledged: false,
			subscription: undefined,
		};
		watch.count++;
		this.watches.set(key, watch);
		this.attach(watch);
		return toDisposable(() => {
			if (--watch.count > 0 || this.watches.get(key) !== watch) return;
			this.watches.delete(key);
			watch.subscription?.dispose();
		});
	}

	/** Whether the server confirmed that it reports changes of a watched resource. */
	isAcknowledged({ server, uri }: ResourceAddress): boolean {
		return this.watches.get(keyOf({ server, uri }))?.isAcknowledged === true;
	}

	/**
	 * Resolves when a read that is sent now misses no change: the server acknowledged the watch, or offers none. Ends early
	 * when the signal is aborted; never rejects.
	 */
	async whenSettled(address: ResourceAddress, signal: AbortSignal): Promise<void> {
		const isWaiting = (): boolean => {
			const watch = this.watches.get(keyOf(address));
			return watch !== undefined && !watch.isAcknowledged && offersWatching(watch.session);
		};
		while (isWaiting() && !signal.aborted) await once(this.changed.event, signal).catch(() => undefined);
	}

	dispose(): void {
		this.listener.dispose();
		for (const { subscription } of this.watches.values()) subscription?.dispose();
		this.watches.clear();
		this.changed.dispose();
	}

	private attach(watch: Watch): void {
		const session = this.directory.get(watch.address.server);
		if (session !== watch.session) {
			watch.subscription?.dispose();
			watch.session = session;
			watch.isAcknowledged = false;
			watch.subscription = session && this.subscribe(session, watch);
		}
		const isRunning = session?.state.kind === "running";
		const hasComeBack = isRunning && !watch.isRunning;
		watch.isRunning = isRunning;
		if (!isRunning) watch.isAcknowledged = false;
		if (hasComeBack) this.hears.onUpdate(watch.address);
	}

	private subscribe(session: Session, watch: Watch): Disposable {
		const { address } = watch;
		const store = new DisposableStore();
		store.add(
			session.onDidUpdateResource((updated) => {
				if (isWithin(updated, address.uri)) this.hears.onUpdate(address);
			}),
		);
		store.add(
			session.onDidSubscribeResource((uri) => {
				if (uri !== address.uri) return;
				watch.isAcknowledged = true;
				this.hears.onAcknowledged(address);
				this.changed.fire();
			}),
		);
		store.add(session.subscribe(address.uri));
		return store;
	}
}

/** Whether a session's server runs and reports changes of resources. */
function offersWatching(session: Session | undefined): boolean {
	return session?.state.kind === "running" && session.state.facts.capabilities.resources?.subscribe === true;
}
