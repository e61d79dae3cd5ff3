import type { Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { HostError } from "../base/errors.ts";

/** What a message that waits takes beside its text, about: many small ones must not slip through a cap on bytes. */
const overheadBytes = 64;

/** The messages of one turn, which leave in one write and share its outcome. */
interface Batch {
	readonly lines: string[];
	bytes: number;
	readonly written: Promise<void>;
}

/**
 * Writes one JSON message per line. Messages of one turn leave in one write (performance.md), and what waits for a server
 * that does not read is bounded (security.md TRN-29).
 */
export class MessageWriter {
	private readonly stream: Writable;
	private readonly maxUnsentBytes: number;
	private batch: Batch | undefined;
	private unsentBytes = 0;

	constructor(stream: Writable, maxUnsentBytes: number) {
		this.stream = stream;
		this.maxUnsentBytes = maxUnsentBytes;
	}

	/**
	 * Resolves when the message has left this process. Rejects with a HostError: `limit` when too much waits already,
	 * `not-connected` when the server takes nothing more.
	 */
	send(message: JSONRPCMessage): Promise<void> {
		if (!this.stream.writable) return Promise.reject(gone());
		const line = `${JSON.stringify(message)}\n`;
		const bytes = Buffer.byteLength(line) + overheadBytes;
		// A single message may be of any size: the one who sends it holds it anyway.
		if (this.unsentBytes > 0 && this.unsentBytes + bytes > this.maxUnsentBytes) {
			const megabytes = Math.max(1, Math.round(this.unsentBytes / (1024 * 1024)));
			const text = `The server does not read its input; about ${megabytes} MB wait for it already. Restart it.`;
			return Promise.reject(new HostError("limit", text));
		}
		this.unsentBytes += bytes;
		this.batch ??= this.begin();
		this.batch.bytes += bytes;
		this.batch.lines.push(line);
		return this.batch.written;
	}

	private begin(): Batch {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const batch: Batch = { lines: [], bytes: 0, written: promise };
		queueMicrotask(() => {
			this.batch = undefined;
			this.stream.write(batch.lines.join(""), (error) => {
				this.unsentBytes -= batch.bytes;
				if (error) reject(gone(error));
				else resolve();
			});
		});
		return batch;
	}
}

function gone(cause?: unknown): HostError {
	return new HostError("not-connected", "The server is not running.", { cause });
}
