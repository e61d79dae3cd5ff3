import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../base/errors.ts";
import { cap } from "../base/text.ts";
import { endProcess, startProcess, type ServerProcess } from "./childProcess.ts";
import type { Launch } from "./variables.ts";

/** Largest message of a server, in bytes; beyond it the connection ends (security.md TRN-04). */
const maxMessageBytes = 64 * 1024 * 1024;
const newline = 0x0a;

/** What a stdio connection tells beside its messages. */
export interface StdioListener {
	/** A piece of standard error, decoded. Servers log there; it is no sign of a fault (spec.md S2). */
	onStderr(text: string): void;
	/** A line on standard output that is no JSON-RPC message. It was skipped. */
	onNoise(line: string): void;
	/** The process ended by itself: its exit code or signal. */
	onExit(code: number | null, signal: string | null): void;
}

/**
 * The specification's stdio transport: one process, one JSON message per line.
 *
 * In place of the SDK's own, which rescans its buffer for every chunk (quadratic in the size of a message), leaves
 * grandchildren behind, and starts the process twice to find out the era (performance.md).
 */
export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	/** The SDK tells a stdio-shaped transport by `stderr` and `pid` and then probes the era in place. */
	readonly stderr = null;
	private readonly launch: Extract<Launch, { kind: "stdio" }>;
	private readonly listener: StdioListener;
	private child: ServerProcess | undefined;
	private chunks: Buffer[] = [];
	private bufferedBytes = 0;
	private ended: Promise<void> | undefined;

	constructor(launch: Extract<Launch, { kind: "stdio" }>, listener: StdioListener) {
		this.launch = launch;
		this.listener = listener;
	}

	get pid(): number | null {
		return this.child?.pid ?? null;
	}

	async start(): Promise<void> {
		if (this.child !== undefined) throw new HostError("protocol", "The connection was already started.");
		const child = await startProcess(this.launch);
		this.child = child;
		const decoder = new TextDecoder();
		child.stderr.on("data", (chunk: Buffer) => this.listener.onStderr(decoder.decode(chunk, { stream: true })));
		child.stdout.on("data", (chunk: Buffer) => this.receive(chunk));
		child.stdin.on("error", (error) => this.onerror?.(error));
		child.once("close", (code, signal) => {
			if (this.ended === undefined) {
				this.listener.onExit(code, signal);
				// Grandchildren may outlive a wrapper such as npx; they are ended with it.
				this.ended = endProcess(child);
			}
			this.onclose?.();
		});
		// `close` waits for the pipes, which a grandchild may hold open for ever after the server itself is gone.
		child.once("exit", (code, signal) => {
			if (this.ended !== undefined) return;
			this.listener.onExit(code, signal);
			this.ended = endProcess(child);
		});
	}

	send(message: JSONRPCMessage): Promise<void> {
		const { child } = this;
		if (child === undefined || child.exitCode !== null || !child.stdin.writable) {
			return Promise.reject(new HostError("not-connected", "The server is not running."));
		}
		return new Promise((resolve, reject) => {
			child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
		});
	}

	/** Ends the process and all it started. Resolves when they are gone. */
	async close(): Promise<void> {
		if (this.child === undefined) return;
		this.ended ??= endProcess(this.child);
		await this.ended;
	}

	private receive(chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
			const piece = chunk.subarray(start, end);
			start = end + 1;
			if (this.chunks.length === 0) this.accept(piece);
			else {
				const line = Buffer.concat([...this.chunks, piece]);
				this.chunks = [];
				this.bufferedBytes = 0;
				this.accept(line);
			}
		}
		if (start === chunk.length) return;
		this.bufferedBytes += chunk.length - start;
		if (this.bufferedBytes > maxMessageBytes) {
			this.chunks = [];
			this.bufferedBytes = 0;
			this.onerror?.(new HostError("limit", "The server sent a message of more than 64 MB."));
			void this.close();
			return;
		}
		this.chunks.push(chunk.subarray(start));
	}

	private accept(line: Buffer): void {
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
		for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
			if (isMessage(message)) this.deliver(message);
			else this.listener.onNoise(cap(text, 500));
		}
	}

	private deliver(message: JSONRPCMessage): void {
		try {
			this.onmessage?.(message);
		} catch (error) {
			this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
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
