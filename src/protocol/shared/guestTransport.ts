import type { Duplex } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import type { ConnectionLimits } from "../limits.ts";
import type { Sieved } from "../messages/gatedTransport.ts";
import { handOn, type Measured, unmeasured } from "../messages/tappedTransport.ts";
import { MessageReader } from "../stdio/messageReader.ts";
import { MessageWriter } from "../stdio/messageWriter.ts";
import type { StdioListener } from "../stdio/stdioTransport.ts";
import type { WireForm } from "../wireTap.ts";
import { withVerdict } from "./refusedAnswers.ts";

/** A way to a process that another window runs. */
export interface GuestStream {
	/** One JSON message a line, in both directions. */
	readonly stream: Duplex;
	readonly pid: number | null;
}

const ended = "ended in another window of VS Code";

/** The transport of a window that uses a process of another window. Closing it leaves the process running. */
export class GuestTransport implements Transport, Sieved, Measured {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	isUnwanted: Sieved["isUnwanted"];
	receivedForm = unmeasured;
	readonly isElsewhere = true;
	readonly pid: number | null;
	private readonly stream: Duplex;
	private readonly listener: Pick<StdioListener, "onTrouble" | "onEnd">;
	private readonly reader: MessageReader;
	private readonly writer: MessageWriter;
	private isStarted = false;
	private isFinished = false;
	/** The stream has ended; messages that arrived before are still being read. */
	private isOver = false;
	/** Set when the end was not asked for. */
	private reason: string | undefined;

	constructor(
		{ stream, pid }: GuestStream,
		listener: Pick<StdioListener, "onTrouble" | "onEnd">,
		limits: ConnectionLimits,
	) {
		this.stream = stream;
		this.pid = pid;
		this.listener = listener;
		this.writer = new MessageWriter(stream, limits.maxUnsentBytes);
		this.reader = new MessageReader(limits, {
			isUnwanted: (head) => this.isUnwanted?.(head) === true,
			onMessage: (message, form) => {
				const read = withVerdict(message);
				// The text of an answer that another window refused is not the server's.
				handOn(this, read, read === message ? form : unmeasured);
			},
			onNoise: () => this.lose("was lost: its window sent something that is not a message"),
			onTrouble: (...trouble) => listener.onTrouble(...trouble),
			onUnreadable: (why) => this.lose(why),
			onDrained: () => (this.isOver ? this.lose(ended) : this.stream.resume()),
		});
	}

	get sentForm(): WireForm {
		return this.writer.last;
	}

	/** @throws HostError `not-connected` when the other window is gone already. */
	async start(): Promise<void> {
		const { stream } = this;
		if (this.isStarted || this.isFinished || stream.destroyed) throw this.gone();
		this.isStarted = true;
		const onEnd = (): void => {
			this.isOver = true;
			if (!this.reader.isBusy) this.lose(ended);
		};
		stream.on("error", onEnd);
		stream.on("end", onEnd);
		stream.on("close", onEnd);
		stream.on("data", (chunk: Buffer) => {
			if (!this.reader.write(chunk)) stream.pause();
		});
		stream.resume();
	}

	/**
	 * Resolves when the message has left this process.
	 * @throws HostError `limit`, or `not-connected`; the stream's error when the server may have got the message.
	 */
	async send(message: JSONRPCMessage): Promise<void> {
		if (this.isFinished) throw this.gone();
		try {
			await this.writer.send(message);
		} catch (error) {
			throw HostError.is(error, "not-connected") ? this.gone(error) : error;
		}
	}

	/** Leaves the process, which goes on for others. */
	async close(): Promise<void> {
		this.finish();
	}

	/** The connection ends without a request to close it. `reason` goes on from "The server …". */
	lose(reason: string): void {
		if (this.isFinished) return;
		this.reason = reason;
		this.listener.onEnd(reason);
		this.finish();
	}

	private finish(): void {
		if (this.isFinished) return;
		this.isFinished = true;
		this.reader.end();
		this.stream.destroy();
		this.onclose?.();
	}

	private gone(cause?: unknown): HostError {
		return new HostError("not-connected", `The server ${this.reason ?? "is not running"}.`, { cause });
	}
}
