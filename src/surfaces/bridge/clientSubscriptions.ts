import { canonicalJson } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { DisposableStore } from "../../base/lifecycle.ts";
import { throttle } from "../../base/throttle.ts";
import type { ResourceWatches, WatchListener } from "../../features/resources/subscriptions.ts";
import type { ResourceAddress } from "../../features/resources/uri.ts";

/** Receives the changes of the resources that it subscribed to: one connection of a client. */
export interface Subscriber {
	updated(uri: string): void;
}

/** Whether a subscriber may learn of changes of a resource: it may read it. Asked again at each change. */
export type MayFollow = (address: ResourceAddress) => boolean;

interface Wish {
	readonly address: ResourceAddress;
	readonly mayFollow: MayFollow;
	/** Set while the server is asked to report changes. */
	watch: Disposable | undefined;
}

/** Makes the watches over the resources of the window's servers. */
export type MakeWatches = (listener: WatchListener) => Pick<ResourceWatches, "watch" | "dispose">;

/** Equal for the same resource of the same server. */
export function addressKey({ server, uri }: ResourceAddress): string {
	return canonicalJson([server, uri]);
}

/** How long changes are gathered, in milliseconds: a server that reports thousands of them floods no client. */
const gatheredMs = 100;
/** How many resources one connection may follow. */
export const mostFollowed = 256;

/**
 * The resources that clients subscribed to. One subscription of a server serves all clients. It is made once a client
 * may read the resource: a subscription asks the user nothing and reveals nothing before (GST-14).
 */
export class ClientSubscriptions implements Disposable {
	private readonly wishes = new Map<Subscriber, Map<string, Wish>>();
	private readonly watches: Pick<ResourceWatches, "watch">;
	private readonly changed = new Map<string, ResourceAddress>();
	private readonly store = new DisposableStore();

	constructor(makeWatches: MakeWatches) {
		const telling = this.store.add(throttle(() => this.tell(), gatheredMs));
		this.watches = this.store.add(
			makeWatches({
				onUpdate: (address) => {
					this.changed.set(addressKey(address), address);
					telling.run();
				},
				onAcknowledged: () => undefined,
			}),
		);
	}

	/** Subscribes a connection to a resource; false if it follows too many. */
	add(subscriber: Subscriber, address: ResourceAddress, mayFollow: MayFollow): boolean {
		const wishes = this.wishes.get(subscriber) ?? new Map<string, Wish>();
		if (!wishes.has(address.uri) && wishes.size >= mostFollowed) return false;
		this.remove(subscriber, address.uri);
		wishes.set(address.uri, { address, mayFollow, watch: undefined });
		this.wishes.set(subscriber, wishes);
		this.follow();
		return true;
	}

	/** Ends one subscription of a connection, or all of them. */
	remove(subscriber: Subscriber, uri?: string): void {
		const wishes = this.wishes.get(subscriber);
		for (const wish of wishes?.values() ?? []) {
			if (uri !== undefined && wish.address.uri !== uri) continue;
			wish.watch?.dispose();
			wishes?.delete(wish.address.uri);
		}
		if (wishes?.size === 0) this.wishes.delete(subscriber);
	}

	/** Follows what has become readable: a user allowed a read. */
	follow(): void {
		for (const wishes of this.wishes.values())
			for (const wish of wishes.values())
				if (wish.watch === undefined && wish.mayFollow(wish.address)) wish.watch = this.watches.watch(wish.address);
	}

	dispose(): void {
		this.store.dispose();
		this.wishes.clear();
	}

	private tell(): void {
		const changed = [...this.changed.values()];
		this.changed.clear();
		for (const [subscriber, wishes] of this.wishes)
			for (const { uri, server } of changed) {
				const wish = wishes.get(uri);
				if (wish?.watch !== undefined && wish.address.server === server && wish.mayFollow(wish.address))
					subscriber.updated(uri);
			}
	}
}
