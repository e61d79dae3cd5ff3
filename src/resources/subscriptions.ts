import { toDisposable, type Disposable } from "../base/lifecycle.ts";
import type { Session, SessionDirectory } from "../servers/session.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

interface Watch {
	readonly address: ResourceAddress;
	count: number;
	session: Session | undefined;
	isRunning: boolean;
	subscription: Disposable | undefined;
}

/**
 * Watches resources by subscription, each exact URI once however many editors show it. A watch outlives its server: it is
 * attached again when the server is configured anew, and a server that comes back counts as a change of its resources.
 */
export class ResourceWatches implements Disposable {
	private readonly directory: SessionDirectory;
	private readonly onUpdate: (address: ResourceAddress) => void;
	private readonly watches = new Map<string, Watch>();
	private readonly listener: Disposable;

	/** `onUpdate` is called with the address of a watched resource whose contents may have changed. */
	constructor(directory: SessionDirectory, onUpdate: (address: ResourceAddress) => void) {
		this.directory = directory;
		this.onUpdate = onUpdate;
		this.listener = directory.onDidChange(() => {
			for (const watch of this.watches.values()) this.attach(watch);
		});
	}

	/** Watches a resource until the result is disposed. Whether a part is addressed makes no difference. */
	watch({ server, uri }: ResourceAddress): Disposable {
		const key = keyOf({ server, uri });
		const watch = this.watches.get(key) ?? {
			address: { server, uri },
			count: 0,
			session: undefined,
			isRunning: this.directory.get(server)?.state.kind === "running",
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

	dispose(): void {
		this.listener.dispose();
		for (const { subscription } of this.watches.values()) subscription?.dispose();
		this.watches.clear();
	}

	private attach(watch: Watch): void {
		const { server, uri } = watch.address;
		const session = this.directory.get(server);
		if (session !== watch.session) {
			watch.subscription?.dispose();
			watch.session = session;
			watch.subscription = session && subscribe(session, uri, () => this.onUpdate(watch.address));
		}
		const isRunning = session?.state.kind === "running";
		const hasComeBack = isRunning && !watch.isRunning;
		watch.isRunning = isRunning;
		if (hasComeBack) this.onUpdate(watch.address);
	}
}

function subscribe(session: Session, uri: string, onUpdate: () => void): Disposable {
	const listener = session.onDidUpdateResource((updated) => {
		if (updated === uri) onUpdate();
	});
	const subscription = session.subscribe(uri);
	return toDisposable(() => {
		listener.dispose();
		subscription.dispose();
	});
}
