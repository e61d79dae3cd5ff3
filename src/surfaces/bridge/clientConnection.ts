import type { Socket } from "node:net";
import { messageOf } from "../../base/errors.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { RequestRefusal } from "../../base/refusal.ts";
import type { ListKind } from "../../protocol/connection.ts";
import type { ClientCalls, ClientConnectionState } from "./clientCalls.ts";
import {
	type ClaimedClient,
	type FromWindow,
	type Hello,
	LineCutter,
	linkLimits,
	type LinkRequest,
	linkVersion,
	readToWindow,
} from "./link.ts";
import type { Peer } from "./program.ts";
import { readHello, type WindowHello } from "./windows/greeting.ts";

/** The dependencies of a connection on its window. */
export interface ConnectionServices {
	/** The key of the window's file. */
	readonly key: string;
	readonly calls: Pick<ClientCalls, "handle" | "leave" | "mayNotify">;
	/** Makes a file that a client can hold open as a proof; undefined where no process can prove its number. */
	readonly proof: () => Promise<Proof | undefined>;
	/** Reads the parents of a process. */
	readonly readChain: (pid: number) => Promise<readonly string[]>;
	/** The folder of a process if it is none of the window's; `claimed` counts where the system does not say. */
	readonly folderOutside: (pid: number, claimed: string | undefined) => Promise<string | undefined>;
	/** Its process is known. */
	readonly onKnown: () => void;
	/** Gets the socket of another window that shares its processes. */
	readonly takeWindow: (socket: Socket, hello: WindowHello) => void;
	/** The connection has ended, or is another window's. */
	readonly onEnd: () => void;
}

/** A file whose name is sent to one client only. */
export interface Proof {
	readonly file: string;
	isHeldBy(pid: number): Promise<boolean>;
	remove(): Promise<void>;
}

/** One connection of a client, from its first byte to its end. Nothing that arrives is believed (GST-10). */
export class ClientConnection implements ClientConnectionState, Disposable {
	/** Where it is from; undefined until that is known. */
	peer: Peer | undefined;
	/** As it named itself in its last request. */
	private client: ClaimedClient | undefined;
	private readonly socket: Socket;
	private readonly services: ConnectionServices;
	private readonly cutter = new LineCutter((line) => this.receive(line));
	private readonly open = new Map<number, AbortController>();
	private readonly timer: NodeJS.Timeout;
	private hello: Hello | undefined;
	private proof: Proof | undefined;
	private isEnded = false;
	readonly logged = new Set<object>();

	constructor(socket: Socket, services: ConnectionServices) {
		this.socket = socket;
		this.services = services;
		this.timer = setTimeout(() => this.refuse("The client did not say who it is in time."), linkLimits.helloMs);
		socket.on("data", (chunk: Buffer) => {
			const most = this.peer === undefined ? linkLimits.helloBytes : linkLimits.requestBytes;
			if (!this.isEnded && !this.cutter.write(chunk, most)) this.refuse("A message is too long.");
		});
		socket.on("error", () => this.dispose());
		socket.on("close", () => this.dispose());
	}

	/** Notifies the client that a list changed, if the user allows the program that asked last. */
	notifyChanged(changed: ListKind): void {
		const { peer, client } = this;
		if (peer === undefined || client === undefined) return;
		if (this.services.calls.mayNotify({ peer, client })) this.send({ changed });
	}

	/** Notifies the client that a resource changed. */
	updated(uri: string): void {
		this.send({ updated: uri });
	}

	/** Ends the connection with a sentence for the client. */
	refuse(why: string): void {
		if (this.isEnded) return;
		this.send({ refused: why });
		this.socket.end();
		this.dispose();
	}

	dispose(): void {
		if (this.isEnded) return;
		this.isEnded = true;
		clearTimeout(this.timer);
		this.cutter.clear();
		for (const controller of this.open.values()) controller.abort();
		this.open.clear();
		this.services.calls.leave(this);
		void this.proof?.remove();
		// The last message is still sent, and a client that does not read it holds nothing.
		this.socket.destroySoon();
		this.services.onEnd();
	}

	private receive(line: string): void {
		if (this.isEnded) return;
		const message = readToWindow(line);
		const window = this.hello === undefined ? readHello(line) : undefined;
		if (window?.key === this.services.key) return this.handOver(window);
		if (message === undefined) return this.refuse("A message cannot be read.");
		if ("hello" in message) void this.greet(message.hello).catch((error: unknown) => this.refuse(messageOf(error)));
		else if ("held" in message) void this.prove().catch((error: unknown) => this.refuse(messageOf(error)));
		else if (this.peer === undefined) this.refuse("The client did not say who it is first.");
		else if ("cancel" in message) this.open.get(message.cancel)?.abort();
		else void this.answer(message, this.peer);
	}

	/** Leaves the socket to those who speak with windows. */
	private handOver(hello: WindowHello): void {
		this.isEnded = true;
		clearTimeout(this.timer);
		for (const event of ["data", "error", "close"]) this.socket.removeAllListeners(event);
		this.services.onEnd();
		this.services.takeWindow(this.socket, hello);
	}

	private async greet(hello: Hello): Promise<void> {
		if (this.hello !== undefined) return this.refuse("The client said twice who it is.");
		this.hello = hello;
		if (hello.link !== linkVersion)
			return this.refuse(
				"MCP Host in VS Code is of another version. Start the agent again, so that it runs the current one.",
			);
		if (hello.key !== this.services.key) return this.refuse("The client does not have the key of this window.");
		const proof = await this.services.proof();
		if (proof === undefined) return this.accept(hello.pid, false);
		// It ended while the file was made.
		if (this.isEnded) return proof.remove();
		this.proof = proof;
		this.send({ hold: proof.file });
	}

	private async prove(): Promise<void> {
		const { hello, proof } = this;
		if (hello === undefined || proof === undefined || this.peer !== undefined)
			return this.refuse("The client was not asked for a proof.");
		const isHeld = await proof.isHeldBy(hello.pid);
		if (!isHeld) return this.refuse("The client did not prove its process.");
		await proof.remove();
		await this.accept(hello.pid, true);
	}

	private async accept(pid: number, isProven: boolean): Promise<void> {
		const chain = await this.services.readChain(pid);
		const folder = await this.services.folderOutside(pid, this.hello?.cwd);
		if (this.isEnded) return;
		clearTimeout(this.timer);
		this.peer = { pid, chain, isProven, ...(folder === undefined ? {} : { folder }) };
		this.services.onKnown();
		this.send({ ready: true });
	}

	private async answer({ id, method, client, params }: LinkRequest, peer: Peer): Promise<void> {
		const code = -32603;
		if (this.open.has(id)) return this.send({ id, code, error: "A request with this id is open already." });
		if (this.open.size >= linkLimits.requests) return this.send({ id, code, error: "Too many requests are open." });
		this.client = client;
		const controller = new AbortController();
		this.open.set(id, controller);
		const { signal } = controller;
		try {
			const onProgress = (progress: object): void => this.send({ id, progress: jsonObjectOf(progress) });
			const onLog = (log: JsonObject): void => this.send({ id, log });
			const request = { peer, client, signal, connection: this, onProgress, onLog };
			this.send({ id, result: await this.services.calls.handle(method, params, request) });
		} catch (error) {
			this.send({ id, code: error instanceof RequestRefusal ? error.rpcCode : code, error: messageOf(error) });
		} finally {
			this.open.delete(id);
		}
	}

	private send(message: FromWindow): void {
		if (this.isEnded || !this.socket.writable) return;
		this.socket.write(`${JSON.stringify(message)}\n`);
		// A client that does not read its answers.
		if (this.socket.writableLength > linkLimits.answerBytes) this.socket.destroy();
	}
}
