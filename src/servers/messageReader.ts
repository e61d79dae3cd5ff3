import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { cap } from "../base/text.ts";

const newline = 0x0a;

/** What a reader finds in a stream. */
export interface MessageListener {
	onMessage(message: JSONRPCMessage): void;
	/** A line that is no JSON-RPC message, cut short. */
	onNoise(line: string): void;
	/** A line grew beyond the cap; nothing that follows is read. */
	onTooLong(): void;
}

/** Cuts a stream of bytes into lines and reads each as JSON-RPC, in time linear in the size of a message. */
export class MessageReader {
	private readonly listener: MessageListener;
	private readonly maxBytes: number;
	/** The pieces of a line whose end has not come. */
	private chunks: Buffer[] = [];
	private bufferedBytes = 0;
	private isEnded = false;

	/** `maxBytes`: the longest line (security.md TRN-04). */
	constructor(maxBytes: number, listener: MessageListener) {
		this.maxBytes = maxBytes;
		this.listener = listener;
	}

	/** Takes the next bytes, cut anywhere. */
	write(chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1 && !this.isEnded; end = chunk.indexOf(newline, start)) {
			const line = this.complete(chunk.subarray(start, end));
			start = end + 1;
			this.read(line);
		}
		if (start === chunk.length || this.isEnded) return;
		this.bufferedBytes += chunk.length - start;
		this.chunks.push(chunk.subarray(start));
		if (this.bufferedBytes <= this.maxBytes) return;
		this.end();
		this.listener.onTooLong();
	}

	/** Forgets what it holds and reads nothing more. */
	end(): void {
		this.isEnded = true;
		this.chunks = [];
		this.bufferedBytes = 0;
	}

	private complete(piece: Buffer): Buffer {
		if (this.chunks.length === 0) return piece;
		const line = Buffer.concat([...this.chunks, piece]);
		this.chunks = [];
		this.bufferedBytes = 0;
		return line;
	}

	private read(line: Buffer): void {
		const text = line.toString("utf8").trim();
		if (text === "") return;
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			this.listener.onNoise(cap(text, 500));
			return;
		}
		// Revision 2025-03-26 allows several messages in one array.
		const messages: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
		for (const message of messages) {
			if (isMessage(message)) this.listener.onMessage(message);
			else this.listener.onNoise(cap(text, 500));
		}
	}
}

/** Whether a value has the outline of a JSON-RPC message; the SDK checks the inside by the method's schema. */
function isMessage(value: unknown): value is JSONRPCMessage {
	return (
		typeof value === "object" &&
		value !== null &&
		"jsonrpc" in value &&
		value.jsonrpc === "2.0" &&
		("method" in value || "result" in value || "error" in value)
	);
}
