import { messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../base/store/store.ts";
import { ClientCalls, type ClientCallServices } from "./clientCalls.ts";
import type { ListKind } from "../../protocol/connection.ts";
import type { SharingWindows } from "../../protocol/shared/sharing.ts";
import type { ClientKeys } from "./clientKeys.ts";
import type { ClientConsents } from "./consents.ts";
import type { HttpListener } from "./httpListener.ts";
import { BridgeListener, type ListenerServices } from "./listener.ts";
import { KeptLists, offeredName } from "./keptLists.ts";
import { listKinds } from "./link.ts";
import { OfferedTools, type OfferServices } from "./offer.ts";
import { OfferedContents } from "./offeredContents.ts";
import { Waking } from "./waking.ts";
import { SharedProcesses, type SharedProcessesServices } from "./windows/sharedProcesses.ts";

/** The dependencies of sharing servers on the host and its window. */
export interface BridgeServices
	extends
		Omit<ClientCallServices, "offer" | "contents" | "waking" | "consents">,
		Omit<OfferServices, "kept" | "waking">,
		Omit<ListenerServices, "calls" | "windows"> {
	/** Starts a server that may start, without a question. */
	readonly start: ConstructorParameters<typeof Waking>[0];
	readonly consents: ClientConsents;
	readonly keys: ClientKeys;
	/** The version of the extension. */
	readonly version: string;
	/** The secret store that all windows share. */
	readonly secrets: SharedProcessesServices["secrets"];
	/** The data that all windows share. */
	readonly shared: Pick<Store, "journal">;
	readonly log: Pick<Log, "info" | "error">;
}

interface OpenBridge {
	readonly listener: BridgeListener;
	readonly calls: ClientCalls;
	readonly windows: SharedProcesses;
	readonly store: DisposableStore;
}

interface OpenHttp {
	readonly listener: HttpListener;
	readonly port: number;
	readonly bridge: OpenBridge;
}

/** Shares the servers of this window with other agents of its user, while that is on. */
export class Bridge implements Disposable {
	private readonly services: BridgeServices;
	private open: OpenBridge | undefined;
	private http: OpenHttp | undefined;
	private port = 0;
	private httpProblem: string | undefined;
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

	/** The processes that windows share; undefined while nothing is shared. */
	get windows(): SharingWindows | undefined {
		return this.open?.windows;
	}

	/** Why nothing is shared although it is on, in a sentence. */
	get whyNot(): string | undefined {
		return this.problem;
	}

	/** Why the port for HTTP is not served although it is on, in a sentence. */
	get whyNotHttp(): string | undefined {
		return this.httpProblem;
	}

	/** Serves over HTTP, too, at a port while servers are shared; 0 for none. Never rejects: `whyNotHttp` has the reason. */
	serveHttp(port: number): Promise<void> {
		this.port = port;
		this.changing = this.changing.then(() => this.followHttp());
		return this.changing;
	}

	/** Turns sharing on or off. Never rejects: `whyNot` has the reason. */
	turn(isOn: boolean): Promise<void> {
		this.wanted = isOn;
		this.changing = this.changing.then(() => this.follow()).then(() => this.followHttp());
		return this.changing;
	}

	/** The window has the focus, or other folders. */
	async update(isFocused: boolean): Promise<void> {
		await this.open?.listener.update(isFocused);
		// The window that had the port may have closed.
		if (isFocused && this.httpProblem !== undefined) await this.serveHttp(this.port);
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
			const calls = store.add(new ClientCalls({ ...services, offer, contents, waking, consents: this.letIn() }));
			const windows = store.add(new SharedProcesses(services));
			const listener = store.add(await BridgeListener.open({ ...services, calls, windows }));
			store.add(windows.onDidChangeApplication(() => void listener.update(false)));
			const tell = (list: ListKind): void => {
				listener.notifyChanged(list);
				this.http?.listener.notifyChanged(list);
			};
			store.add(offer.onDidChange(() => tell("tools")));
			store.add(contents.onDidChange(tell));
			store.add(consents.onDidChange(() => listKinds.forEach((list) => listener.notifyChanged(list))));
			this.open = { listener, calls, windows, store };
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

	/** Opens the port that is wanted, or closes the one that is not. */
	private async followHttp(): Promise<void> {
		const { port, open, services } = this;
		// The calls of its clients go on while another key is added.
		if (this.http !== undefined && this.http.port === port && this.http.bridge === open) return;
		this.closeHttp();
		this.httpProblem = undefined;
		if (port === 0 || open === undefined) return;
		try {
			const { HttpListener: Listener } = await import("./httpListener.ts");
			const listener = await Listener.open({ ...services, port, calls: open.calls });
			this.http = { listener, port, bridge: open };
			services.log.info(`Sharing servers with other agents over HTTP, at port ${port}.`);
		} catch (error) {
			this.httpProblem = messageOf(error);
			services.log.error(`Servers are not shared over HTTP: ${this.httpProblem}`);
		}
		if (this.open !== open) this.closeHttp();
	}

	/** Who may use servers: programs by the user's decisions, others by their keys. */
	private letIn(): Pick<ClientConsents, "of" | "request"> {
		const { consents, keys } = this.services;
		return {
			of: (program) => (program.clientKey === undefined ? consents.of(program) : keys.has(program.clientKey.id)),
			request: async (program) => (program.clientKey === undefined ? consents.request(program) : undefined),
		};
	}

	private closeHttp(): void {
		this.http?.listener.dispose();
		this.http = undefined;
	}

	private close(): void {
		this.closeHttp();
		this.open?.store.dispose();
		this.open = undefined;
		this.problem = undefined;
	}
}
