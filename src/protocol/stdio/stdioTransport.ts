import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { OutputText } from "../../base/outputText.ts";
import { startProcess, type ServerProcess } from "./childProcess.ts";
import { exitReason } from "./startFault.ts";
import { endProcess } from "./endProcess.ts";
import type { ConnectionLimits } from "../limits.ts";
import type { Sieved } from "../messages/gatedTransport.ts";
import { handOn, type Measured, unmeasured } from "../messages/tappedTransport.ts";
import { MessageReader } from "./messageReader.ts";
import { MessageWriter } from "./messageWriter.ts";
import type { Launch } from "../launch.ts";
import type { WireForm } from "../wireTap.ts";
import type { OnTrouble } from "../departure.ts";

/** How long the pipes may stay open after the process is gone, or the process after its output, in milliseconds. */
const graceMs = 500;

/** The reports of a stdio connection beside its messages. */
export interface StdioListener {
	/** A piece of standard error, decoded. Servers log there; it does not indicate a fault (specification, "stdio"). */
	onStderr(text: string): void;
	/** A line on standard output that is not a JSON-RPC message. It was skipped. */
	onNoise(line: string): void;
	/** A trouble that ended nothing, as a sentence for the log. */
	readonly onTrouble: OnTrouble;
	/**
	 * The connection ended without a request to close it; why, such as `exited with code 3`. Called at most once, before
	 * `onclose`.
	 */
	onEnd(reason: string): void;
}

/**
 * The specification's stdio transport: one process, one JSON message per line.
 *
 * In place of the SDK's own, which rescans its buffer for every chunk (quadratic in the size of a message), leaves
 * grandchildren behind, and starts the process twice to find out the era.
 */
export class StdioTransport implements Transport, Sieved, Measured {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	isUnwanted: Sieved["isUnwanted"];
	receivedForm = unmeasured;
	/** The SDK recognizes a stdio-shaped transport by `stderr` and `pid` and then probes the era in place. */
	readonly stderr = null;
	private readonly launch: Extract<Launch, { kind: "stdio" }>;
	private readonly makeChild: typeof startProcess;
	private readonly listener: StdioListener;
	private readonly limits: ConnectionLimits;
	private readonly reader: MessageReader;
	private starting: Promise<void> | undefined;
	private child: ServerProcess | undefined;
	private writer: MessageWriter | undefined;
	/** Set as soon as the end is wanted or seen; resolves when the processes are gone. */
	private ended: Promise<void> | undefined;
	/** How it ended without a request to close it. */
	private reason: string | undefined;
	private isClosed = false;
	/** The process has ended and sends nothing more; its earlier output may still wait to be read. */
	private arePipesClosed = false;
	private isFinished = false;
	private readonly finished = Promise.withResolvers<void>();
	private grace: NodeJS.Timeout | undefined;

	/** `startChild` makes the process. */
	constructor(
		launch: Extract<Launch, { kind: "stdio" }>,
		listener: StdioListener,
		limits: ConnectionLimits,
		startChild: typeof startProcess = startProcess,
	) {
		this.launch = launch;
		this.makeChild = startChild;
		this.listener = listener;
		this.limits = limits;
		this.reader = new MessageReader(limits, {
			isUnwanted: (head) => this.isUnwanted?.(head) === true,
			onMessage: (message, form) => handOn(this, message, form),
			onNoise: (line) => listener.onNoise(line),
			onTrouble: (...trouble) => listener.onTrouble(...trouble),
			onUnreadable: (why) => this.fail(why),
			onDrained: () => (this.arePipesClosed ? this.finish() : this.child?.stdout.resume()),
		});
	}

	get sentForm(): WireForm {
		return this.writer?.last ?? unmeasured;
	}

	get pid(): number | null {
		return this.child?.pid ?? null;
	}

	/** @throws HostError `start-failed`, or `not-connected` when `close` was called meanwhile. */
	start(): Promise<void> {
		if (this.starting !== undefined)
			return Promise.reject(new HostError("protocol", "The connection was already started."));
		this.starting = this.startChild();
		return this.starting;
	}

	/**
	 * Resolves when the message has left this process.
	 * @throws HostError `limit`, or `not-connected` that says how the server ended; the stream's error when the server may
	 * have got the message before that.
	 */
	async send(message: JSONRPCMessage): Promise<void> {
		if (this.writer === undefined || this.ended !== undefined) throw this.gone();
		try {
			await this.writer.send(message);
		} catch (error) {
			if (HostError.is(error, "limit")) throw error;
			// A broken pipe is noticed before the exit, which says more.
			await this.finished.promise;
			throw HostError.is(error) ? this.gone(error) : error;
		}
	}

	/** Ends the process and all it started. Resolves when they are gone. */
	async close(): Promise<void> {
		this.isClosed = true;
		// A process that is just being made is ended by the one who makes it.
		await this.starting?.catch(() => undefined);
		if (this.child === undefined) return;
		await this.end(this.child);
		this.finishLater();
		await this.finished.promise;
	}

	private async startChild(): Promise<void> {
		const closed = (): HostError => new HostError("not-connected", "The connection was closed while connecting.");
		if (this.isClosed) throw closed();
		const child = await this.makeChild(this.launch, (warning) => this.listener.onTrouble(warning));
		this.child = child;
		this.writer = new MessageWriter(child.stdin, this.limits.maxUnsentBytes);
		this.listen(child);
		if (!this.isClosed) return;
		await this.end(child);
		throw closed();
	}

	private listen(child: ServerProcess): void {
		const output = new OutputText();
		child.stderr.on("data", (chunk: Buffer) => this.listener.onStderr(output.read(chunk)));
		child.stdout.on("data", (chunk: Buffer) => {
			if (!this.reader.write(chunk)) child.stdout.pause();
		});
		// Their end gives the same information. Without a listener such an error would end VS Code's extensions.
		for (const stream of [child.stdout, child.stderr]) stream.on("error", () => undefined);
		// A server that reads nothing more is useless; an exit that follows is more informative.
		child.stdin.on("error", () => this.failLater("closed its standard input"));
		child.once("exit", (code, signal) => {
			this.fault(signal === null ? exitReason(code) : `was killed by ${signal}`);
			// Its last output is still in the pipes. A process that left its group may hold them open for ever, though.
			this.finishLater();
		});
		child.once("close", () => {
			this.arePipesClosed = true;
			if (!this.reader.isBusy) this.finish();
		});
		// A process that lives on without its output can never answer.
		child.stdout.once("end", () => this.failLater("closed its standard output"));
	}

	/** Notes why the connection ended on its own, and ends the rest of the process's group. */
	private fault(reason: string): void {
		if (this.child === undefined || this.ended !== undefined) return;
		this.reason = reason;
		this.listener.onEnd(reason);
		void this.end(this.child);
	}

	/** Ends a connection of which nothing more is wanted. */
	private fail(reason: string): void {
		this.fault(reason);
		this.finish();
	}

	private failLater(reason: string): void {
		if (this.ended === undefined) this.grace ??= setTimeout(() => this.fail(reason), graceMs);
	}

	private end(child: ServerProcess): Promise<void> {
		this.ended ??= this.endAll(child);
		return this.ended;
	}

	private async endAll(child: ServerProcess): Promise<void> {
		const isGone = await endProcess(child);
		if (!isGone) this.listener.onTrouble("Some processes of the server could not be stopped.");
	}

	private gone(cause?: unknown): HostError {
		return new HostError("not-connected", `The server ${this.reason ?? "is not running"}.`, { cause });
	}

	private finishLater(): void {
		clearTimeout(this.grace);
		if (this.isFinished) return;
		this.grace = setTimeout(() => {
			// It wrote more than fits in one slice.
			if (this.reader.isBusy) this.finishLater();
			else this.finish();
		}, graceMs);
	}

	private finish(): void {
		if (this.isFinished) return;
		this.isFinished = true;
		clearTimeout(this.grace);
		this.reader.end();
		this.child?.stdout.destroy();
		this.child?.stderr.destroy();
		this.finished.resolve();
		this.onclose?.();
	}
}
