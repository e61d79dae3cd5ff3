import { messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../base/store/store.ts";
import { ClientCalls, type ClientCallServices } from "./clientCalls.ts";
import type { ClientConsents } from "./consents.ts";
import { BridgeListener, type ListenerServices } from "./listener.ts";
import { KeptLists, offeredName } from "./keptLists.ts";
import { listKinds } from "./link.ts";
import { OfferedTools, type OfferServices } from "./offer.ts";
import { OfferedContents } from "./offeredContents.ts";
import { Waking } from "./waking.ts";

/** The dependencies of sharing servers on the host and its window. */
export interface BridgeServices
	extends
		Omit<ClientCallServices, "offer" | "contents" | "waking" | "consents">,
		Omit<OfferServices, "kept" | "waking">,
		Omit<ListenerServices, "calls"> {
	/** Starts a server that may start, without a question. */
	readonly start: ConstructorParameters<typeof Waking>[0];
	readonly consents: ClientConsents;
	/** The data that all windows share. */
	readonly shared: Pick<Store, "journal">;
	readonly log: Pick<Log, "info" | "error">;
}

/** Shares the servers of this window with other agents of its user, while that is on. */
export class Bridge implements Disposable {
	private readonly services: BridgeServices;
	private open: { readonly listener: BridgeListener; readonly store: DisposableStore } | undefined;
	private wanted = false;
	private problem: string | undefined;
	/** One change after the other. */
	private changing: Promise<void> = Promise.resolve();

	constructor(services: BridgeServices) {
		this.services = services;
	}

	/** How many clients are connected; undefined while nothing is shared. */
	get clients(): number | undefined {
		return this.open?.listener.count;
	}

	/** Why nothing is shared although it is on, in a sentence. */
	get whyNot(): string | undefined {
		return this.problem;
	}

	/** Turns sharing on or off. Never rejects: `whyNot` has the reason. */
	turn(isOn: boolean): Promise<void> {
		this.wanted = isOn;
		this.changing = this.changing.then(() => this.follow());
		return this.changing;
	}

	/** The window has the focus, or other folders. */
	async update(isFocused: boolean): Promise<void> {
		await this.open?.listener.update(isFocused);
	}

	dispose(): void {
		this.wanted = false;
		this.close();
	}

	private async follow(): Promise<void> {
		if (!this.wanted) return this.close();
		if (this.open !== undefined) return;
		const { services } = this;
		const { consents } = services;
		const store = new DisposableStore();
		try {
			const kept = new KeptLists(services.shared.journal(offeredName));
			const waking = new Waking(services.start);
			const offer = store.add(new OfferedTools({ ...services, kept, waking }));
			const contents = store.add(new OfferedContents({ ...services, kept }));
			const calls = store.add(new ClientCalls({ ...services, offer, contents, waking }));
			const listener = store.add(await BridgeListener.open({ ...services, calls }));
			store.add(offer.onDidChange(() => listener.notifyChanged("tools")));
			store.add(contents.onDidChange((list) => listener.notifyChanged(list)));
			store.add(consents.onDidChange(() => listKinds.forEach((list) => listener.notifyChanged(list))));
			this.open = { listener, store };
			this.problem = undefined;
			services.log.info("Sharing servers with other agents.");
		} catch (error) {
			store.dispose();
			this.problem = messageOf(error);
			services.log.error(`Servers are not shared with other agents: ${this.problem}`);
		}
		// It was turned off meanwhile.
		if (!this.wanted) this.close();
	}

	private close(): void {
		this.open?.store.dispose();
		this.open = undefined;
		this.problem = undefined;
	}
}
