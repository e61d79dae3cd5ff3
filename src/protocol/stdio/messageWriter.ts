import type { Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import type { WireForm } from "../wireTap.ts";

/** The approximate size of a waiting message beside its text: many small ones must not evade a cap on bytes. */
const overheadBytes = 64;

/** A longer message is not held until the next one, in characters. */
const longestHeld = 256 * 1024;

/** The messages of one turn, which leave in one write. */
interface Batch {
	readonly lines: { readonly text: string; readonly written: PromiseWithResolvers<void> }[];
	bytes: number;
}

/**
 * Writes one JSON message per line. Messages of one turn leave in one write, and what waits for a server
 * that does not read is bounded (TRN-29).
 */
export class MessageWriter {
	private readonly stream: Writable;
	private readonly maxUnsentBytes: number;
	private batch: Batch | undefined;
	private unsentBytes = 0;
	/** How the message is on the wire that was taken last; without its text where that is too long to be held on to. */
	last: WireForm = { bytes: 0 };

	constructor(stream: Writable, maxUnsentBytes: number) {
		this.stream = stream;
		this.maxUnsentBytes = maxUnsentBytes;
	}

	/**
	 * Resolves when the message has left this process. Rejects with a HostError: `limit` when too much waits already,
	 * `not-connected` when the server accepts nothing more and did not get the whole message. If the server may have
	 * received the message, while a later one of the same write was cut off, it rejects with the error of the stream
	 * (TRN-57).
	 */
	send(message: JSONRPCMessage): Promise<void> {
		if (!this.stream.writable) return Promise.reject(gone());
		const json = JSON.stringify(message);
		const lineBytes = Buffer.byteLength(json) + 1;
		this.last = { bytes: lineBytes, json: json.length <= longestHeld ? json : undefined };
		const bytes = lineBytes + overheadBytes;
		// A single message may be of any size: the one who sends it holds it anyway.
		if (this.unsentBytes > 0 && this.unsentBytes + bytes > this.maxUnsentBytes) {
			const megabytes = Math.max(1, Math.round(this.unsentBytes / (1024 * 1024)));
			const text = `The server does not read its standard input; about ${megabytes} MB are waiting. Restart the server.`;
			return Promise.reject(new HostError("limit", text));
		}
		this.unsentBytes += bytes;
		this.batch ??= this.begin();
		const written = Promise.withResolvers<void>();
		this.batch.bytes += bytes;
		this.batch.lines.push({ text: json, written });
		return written.promise;
	}

	private begin(): Batch {
		const batch: Batch = { lines: [], bytes: 0 };
		queueMicrotask(() => {
			this.batch = undefined;
			this.stream.write(batch.lines.map(({ text }) => `${text}\n`).join(""), (error) => {
				this.unsentBytes -= batch.bytes;
				for (const [index, { written }] of batch.lines.entries()) {
					if (!error) written.resolve();
					// Without its end no line was whole; which of those before it arrived, nobody knows.
					else written.reject(index === batch.lines.length - 1 ? gone(error) : error);
				}
			});
		});
		return batch;
	}
}

function gone(cause?: unknown): HostError {
	return new HostError("not-connected", "The server is not running.", { cause });
}
