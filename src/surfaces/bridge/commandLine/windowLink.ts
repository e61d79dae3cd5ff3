import { open, realpath, type FileHandle } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { HostError, messageOf } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { type FromWindow, LineCutter, linkLimits, linkVersion, readFromWindow, type ToWindow } from "../link.ts";
import type { ListKind } from "../../../protocol/connection.ts";
import { RequestRefusal } from "../../../base/refusal.ts";
import type { Relayed } from "../offeredServer.ts";
import { folderAround, readWindows, type SharingWindow, windowsFor } from "../meetingPlace.ts";

/** The words when no window can take a request. */
export const noWindow =
	"No VS Code window with MCP Host that shares its servers is open. Ask the user to open one and to turn on Share Servers with Other Agents… in the … menu of its Servers view.";
const windowClosed =
	"The VS Code window closed, or stopped sharing its servers, before it answered. A call may have taken effect.";

/** How long a window may take to greet, in milliseconds. */
const greetingMs = 10_000;
/** So much of the working directory is sent, in characters: the first message is short. */
const longestPlace = 500;

/** Where the link looks for a window. */
export interface LinkOptions {
	readonly folder: string;
	readonly cwd: string;
	/** A list is another one. */
	readonly onChanged: (list: ListKind) => void;
	/** A resource that was subscribed to has changed. */
	readonly onUpdated: (uri: string) => void;
	/** A window takes requests, and knows of no subscription yet. */
	readonly onOpen: () => void;
}

interface Waiting extends Pick<Relayed, "onProgress" | "onLog"> {
	readonly resolve: (result: JsonObject) => void;
	readonly reject: (error: Error) => void;
}

/**
 * The link of `serve` with the window that fits its working directory. It is made at a request, and made again at the
 * next request after its window has closed; nothing waits for a window.
 */
export class WindowLink {
	private readonly options: LinkOptions;
	private readonly waiting = new Map<number, Waiting>();
	private opening: Promise<Socket> | undefined;
	private socket: Socket | undefined;
	/** The open window has the folder of the working directory. */
	private isOwn = false;
	private isLooking = false;
	private lastId = 0;
	private isClosed = false;

	constructor(options: LinkOptions) {
		this.options = options;
	}

	/**
	 * Connects with a window, unless that is done.
	 * @throws HostError `not-connected` in words for the client when there is none, or when it refuses.
	 */
	async open(): Promise<Socket> {
		if (this.isClosed) throw new HostError("not-connected", windowClosed);
		if (this.socket !== undefined) return this.socket;
		this.opening ??= this.find().finally(() => (this.opening = undefined));
		return this.opening;
	}

	/**
	 * Has the window answer a request.
	 * @throws HostError in words for the client.
	 */
	async request({ method, client, params, signal, ...followers }: Relayed): Promise<JsonObject> {
		await this.open();
		// Another window may have taken its place meanwhile.
		const { socket } = this;
		if (socket === undefined) throw new HostError("not-connected", windowClosed);
		const id = ++this.lastId;
		const onAbort = (): void => send(socket, { cancel: id });
		try {
			return await new Promise<JsonObject>((resolve, reject) => {
				this.waiting.set(id, { resolve, reject, ...followers });
				send(socket, { id, method, client, params });
				if (signal?.aborted === true) onAbort();
				signal?.addEventListener("abort", onAbort, { once: true });
			});
		} finally {
			this.waiting.delete(id);
			signal?.removeEventListener("abort", onAbort);
		}
	}

	/**
	 * Connects with a window, or with that of the working directory in place of another one, which was used while it was
	 * closed or loaded again. Never rejects.
	 */
	async look(): Promise<void> {
		if (this.isClosed || this.isOwn || this.isLooking) return;
		this.isLooking = true;
		await (this.socket === undefined ? this.open() : this.change()).catch(() => undefined);
		this.isLooking = false;
	}

	/** Ends the link for good. */
	close(): void {
		this.isClosed = true;
		this.socket?.destroy();
	}

	private async find(): Promise<Socket> {
		const place = await this.place();
		let why = noWindow;
		for (const window of windowsFor(await readWindows(this.options.folder), place)) {
			try {
				return this.use(await this.meet(window, place), folderAround(window, place) !== undefined);
			} catch (error) {
				// A window that just closed is no reason to give up; one that refuses says why.
				if (HostError.is(error)) why = error.message;
			}
		}
		throw new HostError("not-connected", why);
	}

	/** Takes the window of the working directory in place of the present one, if it is there and no request runs. */
	private async change(): Promise<void> {
		const place = await this.place();
		const windows = windowsFor(await readWindows(this.options.folder), place);
		const own = windows.find((window) => folderAround(window, place) !== undefined);
		if (own === undefined) return;
		const socket = await this.meet(own, place);
		if (this.waiting.size > 0) return void socket.destroy();
		this.socket?.destroy();
		this.use(socket, true);
	}

	private use(socket: Socket, isOwn: boolean): Socket {
		this.socket = socket;
		this.isOwn = isOwn;
		this.options.onOpen();
		return socket;
	}

	private place(): Promise<string> {
		const { cwd } = this.options;
		return realpath(cwd).catch(() => cwd);
	}

	/** Connects with one window, and proves the process of this command where the window wants that. */
	private async meet({ socket: address, key }: SharingWindow, place: string): Promise<Socket> {
		const socket = connect(address);
		let held: Promise<FileHandle> | undefined;
		const { promise, resolve, reject } = Promise.withResolvers<undefined>();
		const cutter = new LineCutter((line) => {
			const message = readFromWindow(line);
			if (message === undefined) return;
			if ("hold" in message) {
				held = open(message.hold);
				held.then(
					() => send(socket, { held: true }),
					(error: unknown) => reject(new HostError("denied", `No proof is possible: ${messageOf(error)}`)),
				);
			} else if ("refused" in message) reject(new HostError("denied", message.refused));
			else if ("ready" in message) resolve(undefined);
			else this.receive(message);
		});
		const timer = setTimeout(() => reject(new Error("The window does not answer.")), greetingMs);
		const hello = { link: linkVersion, key, pid: process.pid, cwd: place.slice(0, longestPlace) };
		socket.on("connect", () => send(socket, { hello }));
		socket.on("data", (chunk: Buffer) => {
			if (!cutter.write(chunk, linkLimits.answerBytes)) socket.destroy();
		});
		socket.on("error", reject);
		socket.on("close", () => {
			reject(new Error("The window closed the connection."));
			if (this.socket === socket) this.lose();
		});
		try {
			await promise;
			if (this.isClosed) throw new HostError("not-connected", windowClosed);
			return socket;
		} catch (error) {
			socket.destroy();
			throw error;
		} finally {
			clearTimeout(timer);
			void held?.then((file) => file.close()).catch(() => undefined);
		}
	}

	private receive(message: FromWindow): void {
		if ("changed" in message) return this.options.onChanged(message.changed);
		if ("updated" in message) return this.options.onUpdated(message.updated);
		if (!("id" in message)) return;
		const waiting = this.waiting.get(message.id);
		if ("progress" in message) waiting?.onProgress?.(message.progress);
		else if ("log" in message) waiting?.onLog?.(message.log);
		else if ("result" in message) waiting?.resolve(message.result);
		else waiting?.reject(new RequestRefusal(message.code === -32602 ? -32602 : -32603, "protocol", message.error));
	}

	private lose(): void {
		this.socket = undefined;
		this.isOwn = false;
		for (const { reject } of this.waiting.values()) reject(new HostError("outcome-unknown", windowClosed));
	}
}

function send(socket: Socket, message: ToWindow): void {
	if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
