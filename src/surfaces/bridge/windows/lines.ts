import type { Socket } from "node:net";
import { type JsonObject, parseJsonObject } from "../../../base/json.ts";

/** Longest line between windows before one serves the other, in bytes. */
const longestLine = 4096;
const newline = 0x0a;

/** The first lines on a socket between two windows, a JSON object each, until the socket is used otherwise. */
export class Lines {
	private readonly socket: Socket;
	private rest: Buffer = Buffer.alloc(0);
	private isOver = false;
	private waiting: ((line: Buffer | undefined) => void) | undefined;
	private readonly onData = (chunk: Buffer): void => this.take(chunk);
	private readonly onOver = (): void => this.end();

	/** From here on nobody else listens to the socket. */
	constructor(socket: Socket) {
		this.socket = socket;
		socket.on("data", this.onData);
		for (const event of ["error", "end", "close"]) socket.on(event, this.onOver);
	}

	/**
	 * The next line; undefined at the end, after `ms` milliseconds if given, and for what is not an object. Asked for by one
	 * at a time.
	 */
	async next(ms?: number): Promise<JsonObject | undefined> {
		const timer = ms === undefined ? undefined : setTimeout(this.onOver, ms);
		const line = await new Promise<Buffer | undefined>((resolve) => {
			this.waiting = resolve;
			this.take(Buffer.alloc(0));
		});
		clearTimeout(timer);
		return line === undefined ? undefined : parseJsonObject(line.toString("utf8"));
	}

	/** Sends a line. */
	send(message: object): void {
		if (this.socket.writable) this.socket.write(`${JSON.stringify(message)}\n`);
	}

	/** Sends a last line, and ends the socket. */
	close(message?: object): undefined {
		if (message !== undefined) this.send(message);
		this.socket.destroySoon();
		this.end();
	}

	/** Leaves the socket, paused and with what was not read, to another use. */
	release(): Socket {
		const { socket, rest } = this;
		socket.pause();
		socket.off("data", this.onData);
		for (const event of ["error", "end", "close"]) socket.off(event, this.onOver);
		if (rest.length > 0) socket.unshift(rest);
		// Until somebody else listens.
		socket.on("error", () => undefined);
		return socket;
	}

	private take(chunk: Buffer): void {
		this.rest = Buffer.concat([this.rest, chunk]);
		const { waiting } = this;
		if (waiting === undefined) return;
		const end = this.rest.indexOf(newline);
		if (end === -1 && this.rest.length <= longestLine && !this.isOver) return;
		this.waiting = undefined;
		if (end === -1 || end > longestLine) {
			this.end();
			return waiting(undefined);
		}
		const line = this.rest.subarray(0, end);
		this.rest = this.rest.subarray(end + 1);
		waiting(line);
	}

	private end(): void {
		if (!this.isOver) {
			this.isOver = true;
			this.socket.destroySoon();
		}
		const { waiting } = this;
		this.waiting = undefined;
		waiting?.(undefined);
	}
}
