import { chmod, open, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { once } from "node:events";
import { isWithin } from "../../base/folderPaths.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { ListKind } from "../../protocol/connection.ts";
import { nameWindow } from "../../records/activity/windows.ts";
import { ClientConnection, type ConnectionServices, type Proof } from "./clientConnection.ts";
import { announce, leaveFolder, openFolder, placesOf, proofEnd, removeStale } from "./meetingPlace.ts";
import { canProve, holdsOpen, readChain, readFolder } from "./peer.ts";
import type { SharedProcesses } from "./windows/sharedProcesses.ts";

/** The dependencies of the listener. */
export interface ListenerServices extends Pick<ConnectionServices, "calls"> {
	readonly folder: string;
	/** The processes that windows share. */
	readonly windows: Pick<SharedProcesses, "application" | "take">;
	/** The real paths of the window's folders, read when it is announced. */
	readonly workspaceFolders: () => Promise<readonly string[]>;
}

/** How many identified clients may be connected, and how many others. */
const mostClients = 64;
const mostUnknown = 16;

/**
 * Listens for clients on a socket that only this user can open, in a folder that only they can open. There is one for
 * each window that shares its servers (GST-10).
 */
export class BridgeListener implements Disposable {
	private readonly services: ListenerServices;
	private readonly server: Server;
	private readonly key = crypto.randomUUID();
	private readonly places: ReturnType<typeof placesOf>;
	private readonly name = nameWindow();
	private readonly connections = new Set<ClientConnection>();
	private focusedAt = Date.now();
	private isDisposed = false;

	private constructor(services: ListenerServices) {
		this.services = services;
		this.places = placesOf(services.folder, crypto.randomUUID().slice(0, 8));
		this.server = createServer((socket) => this.take(socket));
		// One that the system cannot accept is lost, and no other.
		this.server.on("error", () => undefined);
	}

	/**
	 * Opens the socket and announces it.
	 * @throws Error in a sentence where that is not possible or not safe.
	 */
	static async open(services: ListenerServices): Promise<BridgeListener> {
		const folder = await openFolder(services.folder);
		await removeStale(folder);
		const listener = new BridgeListener({ ...services, folder });
		const { socket } = listener.places;
		listener.server.listen(socket);
		await once(listener.server, "listening");
		if (process.platform !== "win32") await chmod(socket, 0o600);
		await listener.announce();
		return listener;
	}

	/** How many clients are connected. */
	get count(): number {
		return [...this.connections].filter(({ peer }) => peer !== undefined).length;
	}

	/** The window has the focus, or other folders: says so to clients that look for one. Never rejects. */
	async update(isFocused: boolean): Promise<void> {
		if (isFocused) this.focusedAt = Date.now();
		await this.announce().catch(() => undefined);
	}

	/** Notifies the clients that a list changed. */
	notifyChanged(list: ListKind): void {
		for (const connection of this.connections) connection.notifyChanged(list);
	}

	/** Ends all connections, and leaves nothing in the folder. */
	dispose(): void {
		if (this.isDisposed) return;
		this.isDisposed = true;
		this.server.close();
		for (const connection of this.connections) connection.refuse("The window stopped sharing its servers.");
		void this.leave();
	}

	private async leave(): Promise<void> {
		const { file, socket } = this.places;
		await rm(file, { force: true }).catch(() => undefined);
		if (process.platform !== "win32") await rm(socket, { force: true }).catch(() => undefined);
		await leaveFolder(this.services.folder);
	}

	private async announce(): Promise<void> {
		const { file, socket } = this.places;
		const { key, name, focusedAt } = this;
		const { windows, workspaceFolders } = this.services;
		const folders = await workspaceFolders();
		const application = await windows.application().catch(() => undefined);
		const marked = application === undefined ? {} : { application };
		if (!this.isDisposed) await announce(file, { name, socket, key, folders, focusedAt, ...marked });
	}

	private take(socket: Socket): void {
		const unknown = [...this.connections].filter(({ peer }) => peer === undefined);
		// Of many that do not say who they are, the one that waited longest makes room: a client needs a moment only.
		if (unknown.length >= mostUnknown) unknown[0]?.refuse("Too many clients connect at once. Try again.");
		const connection: ClientConnection = new ClientConnection(socket, {
			key: this.key,
			calls: this.services.calls,
			proof: () => this.makeProof(),
			readChain,
			folderOutside: (pid, claimed) => this.folderOutside(pid, claimed),
			onKnown: () => this.limit(connection),
			takeWindow: (...window) => void this.services.windows.take(...window, this.places.socket),
			onEnd: () => this.connections.delete(connection),
		});
		this.connections.add(connection);
	}

	/** Of too many clients, those of the program with the most make room, so that none takes another program's place. */
	private limit(newest: ClientConnection): void {
		const known = [...this.connections].filter(({ peer }) => peer !== undefined);
		if (known.length <= mostClients) return;
		const programs = Map.groupBy(known, ({ peer }) => JSON.stringify(peer?.chain));
		const [most = []] = [...programs.values()].toSorted((a, b) => b.length - a.length);
		const [oldest] = most.length > 1 ? most : [newest];
		oldest?.refuse(`${mostClients} clients are connected already.`);
	}

	private async folderOutside(pid: number, claimed: string | undefined): Promise<string | undefined> {
		const folder = await readFolder(pid, claimed);
		if (folder === undefined) return undefined;
		const own = await this.services.workspaceFolders();
		return own.some((one) => isWithin(folder, one)) ? undefined : folder;
	}

	private async makeProof(): Promise<Proof | undefined> {
		if (!canProve) return undefined;
		const file = path.join(this.services.folder, `${crypto.randomUUID()}${proofEnd}`);
		await (await open(file, "wx", 0o600)).close();
		return {
			file,
			isHeldBy: (pid) => holdsOpen(pid, file),
			remove: () => rm(file, { force: true }),
		};
	}
}
