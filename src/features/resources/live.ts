import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { throttle, type Throttled } from "../../base/throttle.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { LastReads, type KnownPart } from "./lastReads.ts";
import type { ResourceRead, ResourceReader, ResourceSnapshot } from "./reader.ts";
import type { Snapshots } from "./snapshots.ts";
import { ResourceWatches } from "./subscriptions.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";
import type { WatchedResource, WatchList } from "./watchList.ts";

/** The name of a resource; a part of one is followed with the whole. */
type Address = Pick<ResourceAddress, "server" | "uri">;

/** The facts about a resource that need no request to its server. */
export interface ResourceState {
	/** The user watches it, open or not. */
	readonly isWatched: boolean;
	/** An editor shows it. */
	readonly isOpen: boolean;
	/** It changed since the user last viewed it. */
	readonly isChanged: boolean;
}

/** The dependencies of following resources. */
export interface LiveParts {
	readonly directory: SessionDirectory;
	readonly reader: ResourceReader;
	readonly snapshots: Snapshots;
	readonly watchList: WatchList;
}

/** A resource that is being followed. */
interface Followed {
	readonly address: Address;
	editors: number;
	isWatched: boolean;
	isChanged: boolean;
	/** The contents that the user saw last, by their time; undefined before the first read. */
	seen: number | undefined;
	readonly announce: Throttled;
	/** Whether a read is running, and another is due after it. */
	isReading: boolean;
	isStale: boolean;
	/** Too large to be read only to see whether it changed. */
	isHeavy: boolean;
}

/** How often one resource is read again at most, in milliseconds, however often its server says that it changed. */
const announceMs = 250;

/** How long a first read waits for the server to note a subscription, so that it need not be repeated, in milliseconds. */
const subscribingMs = 300;

/**
 * Follows the resources that are open in editors or watched by the user: subscribes to them, reads them again when
 * their servers report changes, and knows which of them the user has not viewed since.
 */
export class LiveResources implements Disposable {
	private readonly parts: LiveParts;
	private readonly store = new DisposableStore();
	private readonly watches: ResourceWatches;
	private readonly followed = new Map<string, Followed>();
	private readonly lastReads = new LastReads();
	private readonly changed = this.store.add(new Emitter<Address>());
	private readonly updated = this.store.add(new Emitter<Address>());
	private readonly watching = new Map<string, Disposable>();
	private lookedAt: string | undefined;
	/** The result of `stateOf`, `partsOf`, `answeredAs` or `comparableTo` for a resource changed. */
	readonly onDidChange: Event<Address> = this.changed.event;
	/** The contents of a resource may have changed: its viewers read it again. */
	readonly onDidUpdate: Event<Address> = this.updated.event;

	constructor(parts: LiveParts) {
		this.parts = parts;
		this.watches = this.store.add(
			new ResourceWatches(parts.directory, {
				onUpdate: (address) => this.refresh(address),
				onAcknowledged: (address) => {
					// An earlier result may be older than a change that the server has not reported yet.
					if (parts.reader.hasAsked(address)) this.refresh(address);
				},
			}),
		);
		this.store.add(parts.reader.onDidRead((read) => this.note(read)));
		for (const resource of parts.watchList.all) this.follow(resource);
	}

	/** The facts about a resource that need no request to its server. */
	stateOf(address: Address): ResourceState {
		const followed = this.followed.get(keyOf(address));
		return {
			isWatched: followed?.isWatched === true,
			isOpen: (followed?.editors ?? 0) > 0,
			isChanged: followed?.isChanged === true,
		};
	}

	/** The several contents that the last read of a resource brought; none for one, or when it was not read yet. */
	partsOf(address: Address): readonly KnownPart[] {
		return this.lastReads.partsOf(address);
	}

	/** The URI of the only content of the last read where it is not the one that was asked for (RES-04). */
	answeredAs(address: Address): string | undefined {
		return this.lastReads.answeredAs(address);
	}

	/**
	 * The earlier contents to compare the current ones with: those that the user saw last, otherwise the previous ones.
	 */
	comparableTo(address: Address): ResourceSnapshot | undefined {
		const key = keyOf(address);
		const present = this.lastReads.modifiedOf(address);
		if (present === undefined) return undefined;
		const seen = this.followed.get(key)?.seen;
		const last = seen === undefined || seen === present ? undefined : this.parts.snapshots.at(key, seen);
		return last ?? this.parts.snapshots.before(key, present);
	}

	/** The resources that are open in editors or watched, those followed longest first. */
	get addresses(): readonly Address[] {
		return Array.from(this.followed.values(), ({ address }) => address);
	}

	/**
	 * The contents that the last read brought, without asking the server; undefined before it, or when they are too large to
	 * keep.
	 */
	presentOf(address: Address): ResourceSnapshot | undefined {
		const modified = this.lastReads.modifiedOf(address);
		return modified === undefined ? undefined : this.parts.snapshots.at(keyOf(address), modified);
	}

	/** The resources that the user watches, those watched longest first. */
	get watched(): readonly WatchedResource[] {
		return this.parts.watchList.all;
	}

	/**
	 * Watches a resource for the user until they end it, over reloads of the window; where too many are watched, in place of
	 * the one that was watched longest. Resolves when that is remembered.
	 */
	async watch(address: Address): Promise<void> {
		this.follow(address);
		await this.parts.watchList.add(address);
		const left = new Set(this.watched.map((watched) => keyOf(watched)));
		for (const { address: other, isWatched } of this.followed.values()) {
			if (isWatched && !left.has(keyOf(other))) this.unfollow(other);
		}
	}

	/** Ends the effect of `watch`. An open editor still follows its resource. */
	async unwatch(address: Address): Promise<void> {
		this.unfollow(address);
		await this.parts.watchList.delete(address);
	}

	/** An editor shows a resource until the result is disposed. */
	open(address: Address): Disposable {
		const key = keyOf(address);
		const followed = this.entry(address);
		followed.editors++;
		const watch = this.watches.watch(address);
		if (followed.editors === 1) this.changed.fire(followed.address);
		return toDisposable(() => {
			followed.editors--;
			watch.dispose();
			if (followed.editors === 0) {
				// The user who closed it had just seen it.
				if (!followed.isWatched) followed.isChanged = false;
				this.drop(key);
				this.changed.fire(followed.address);
			}
		});
	}

	/**
	 * Subscribes to a resource that is about to be read and shown, until the result is disposed, and waits a moment for
	 * the server's confirmation: then no change is missed and nothing has to be read twice.
	 */
	async prepare(address: Address, patienceMs = subscribingMs): Promise<Disposable> {
		const watch = this.watches.watch(address);
		await this.watches.whenSettled(address, AbortSignal.timeout(patienceMs));
		return watch;
	}

	/** A subscriber other than our editors wants notifications of changes, until the result is disposed. */
	hold(address: Address): Disposable {
		return this.watches.watch(address);
	}

	/** Whether the server reports changes of a resource that has subscribers. */
	isFollowed(address: Address): boolean {
		return this.watches.isAcknowledged(address);
	}

	/** The user has this resource before their eyes from now on; undefined for none. */
	look(address: Address | undefined): void {
		this.lookedAt = address && keyOf(address);
		const followed = this.lookedAt === undefined ? undefined : this.followed.get(this.lookedAt);
		if (followed !== undefined) this.see(followed);
	}

	/** The user saw the present contents, as in a comparison. */
	acknowledge(address: Address): void {
		const followed = this.followed.get(keyOf(address));
		if (followed !== undefined) this.see(followed);
	}

	/** Reads a resource again wherever it is shown, because its contents may have changed. */
	refresh(address: Address): void {
		const followed = this.followed.get(keyOf(address));
		if (followed !== undefined) followed.announce.run();
		else this.announce(address);
	}

	dispose(): void {
		for (const { announce } of this.followed.values()) announce.dispose();
		for (const watching of this.watching.values()) watching.dispose();
		this.followed.clear();
		this.store.dispose();
	}

	private follow(address: Address): void {
		const key = keyOf(address);
		const followed = this.entry(address);
		if (followed.isWatched) return;
		followed.isWatched = true;
		this.watching.set(key, this.watches.watch(address));
		this.changed.fire(followed.address);
		// A change is detected by comparing with the current contents.
		const patience = AbortSignal.timeout(subscribingMs);
		void this.watches.whenSettled(address, patience).then(() => this.read(followed));
	}

	private unfollow(address: Address): void {
		const key = keyOf(address);
		this.watching.get(key)?.dispose();
		this.watching.delete(key);
		const followed = this.followed.get(key);
		if (followed !== undefined) followed.isWatched = false;
		this.drop(key);
		this.changed.fire(address);
	}

	private entry({ server, uri }: Address): Followed {
		const key = keyOf({ server, uri });
		const known = this.followed.get(key);
		if (known !== undefined) return known;
		const address = { server, uri };
		const followed: Followed = {
			address,
			editors: 0,
			isWatched: false,
			isChanged: false,
			seen: this.lastReads.modifiedOf(address),
			announce: throttle(() => this.announce(address), announceMs),
			isReading: false,
			isStale: false,
			isHeavy: false,
		};
		this.followed.set(key, followed);
		return followed;
	}

	private drop(key: string): void {
		const followed = this.followed.get(key);
		if (followed === undefined || followed.editors > 0 || followed.isWatched) return;
		followed.announce.dispose();
		this.followed.delete(key);
	}

	private announce(address: Address): void {
		this.parts.reader.invalidate(address);
		this.updated.fire(address);
		const followed = this.followed.get(keyOf(address));
		if (followed !== undefined) void this.read(followed);
	}

	/**
	 * Checks whether a resource changed. Reads at most once more while a read is running. Never rejects: the viewers of
	 * the resource show failures.
	 */
	private async read(followed: Followed): Promise<void> {
		if (followed.isHeavy && followed.editors === 0) {
			followed.isChanged = true;
			this.changed.fire(followed.address);
			return;
		}
		followed.isStale = true;
		if (followed.isReading) return;
		followed.isReading = true;
		while (followed.isStale && !this.store.isDisposed) {
			followed.isStale = false;
			await this.parts.reader.readQuietly(followed.address).catch(() => undefined);
		}
		followed.isReading = false;
	}

	private note(read: ResourceRead): void {
		const { address, snapshot } = read;
		this.parts.snapshots.note(keyOf(address), snapshot);
		const isOther = this.lastReads.note(read);
		const isNews = this.compare(keyOf(address), snapshot);
		if (isNews || isOther) this.changed.fire(address);
	}

	/** Whether contents differ from those that the user saw last, which is reported. */
	private compare(key: string, snapshot: ResourceSnapshot): boolean {
		const followed = this.followed.get(key);
		const { modified } = snapshot;
		if (followed !== undefined) followed.isHeavy = !this.parts.snapshots.canKeep(snapshot);
		if (followed === undefined || followed.seen === modified) return false;
		const isFirst = followed.seen === undefined;
		if (isFirst || this.lookedAt === key) followed.seen = modified;
		else followed.isChanged = true;
		return !isFirst;
	}

	private see(followed: Followed): void {
		followed.seen = this.lastReads.modifiedOf(followed.address);
		if (!followed.isChanged) return;
		followed.isChanged = false;
		this.changed.fire(followed.address);
	}
}
