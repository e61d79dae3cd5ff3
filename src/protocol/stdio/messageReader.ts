import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { cap } from "../../base/text.ts";
import { isTooDeep } from "../messages/jsonDepth.ts";
import { RefusedAnswer } from "../messages/limitErrors.ts";
import type { ConnectionLimits } from "../limits.ts";
import type { OnTrouble } from "../departure.ts";
import { SaidOnce } from "../messages/saidOnce.ts";
import { outlineOf } from "../messages/messageOutline.ts";
import { isAnswer, messagesIn, readAsNull, readWireText } from "../messages/wireText.ts";
import type { WireForm } from "../wireTap.ts";
import { PartialLine, type LineState } from "./partialLine.ts";

const newline = 0x0a;
const megabyte = 1024 * 1024;
/** How long messages are handed on before the event loop gets its turn, in milliseconds. */
const defaultSliceMs = 8;
/** How much of a message identifies it. */
const headBytes = 80;
/** A message of more than this many times the cap counts as endless. */
const endless = 8;

/** The callbacks for the contents of a stream. */
export interface MessageListener {
	/** Whether a message that begins so need not even be read. */
	isUnwanted(head: string): boolean;
	/**
	 * A message, or the error that replaces one that was left out; its data are then a HostError `limit`. The form has
	 * the length of its line (0 for such an error), and its text if that is a whole line that was read at once.
	 */
	onMessage(message: JSONRPCMessage, form: WireForm): void;
	/** A line that is not a JSON-RPC message, shortened. */
	onNoise(line: string): void;
	/** A message was left out, or read in another way than it is written. */
	readonly onTrouble: OnTrouble;
	/** Nothing more can be read. `why` goes on from "The server …". */
	onUnreadable(why: string): void;
	/** After `write` returned false: all of it is handed on. */
	onDrained(): void;
}

/**
 * Cuts a stream of bytes into lines and reads each as JSON-RPC, in time linear in the size of a message, and in slices,
 * so that a flood of messages does not stall the editor. A request behind an answer waits for the next one (TRN-61).
 */
export class MessageReader {
	private readonly listener: MessageListener;
	private readonly limits: Pick<ConnectionLimits, "maxMessageBytes" | "maxJsonDepth">;
	private readonly partial: PartialLine;
	private readonly said: SaidOnce;
	/** Input that is not examined yet. */
	private waiting: Buffer[] = [];
	private readonly sliceMs: number;
	private sliceEnd: number | undefined;
	/** Whether an answer was delivered in this slice: its receiver sees it only when the slice is over. */
	private hasAnswered = false;
	/** Whether the line that is being skipped was answered for already. */
	private isAnswered = false;
	private isEnded = false;

	constructor(
		limits: Pick<ConnectionLimits, "maxMessageBytes" | "maxJsonDepth">,
		listener: MessageListener,
		sliceMs = defaultSliceMs,
	) {
		this.limits = limits;
		this.sliceMs = sliceMs;
		this.listener = listener;
		this.partial = new PartialLine(limits);
		this.said = new SaidOnce((what, news) =>
			listener.onTrouble(
				what,
				news.map((one) => ({ rule: "json-rpc", what, path: one.replace(/ \(.*/, "") })),
			),
		);
	}

	/** Takes the next bytes, cut anywhere. False when the slice is used up: `onDrained` says when to bring more. */
	write(chunk: Buffer): boolean {
		if (this.isEnded) return true;
		this.waiting.push(chunk);
		this.readOn();
		return !this.isBusy;
	}

	/** Whether something that was written waits to be handed on. */
	get isBusy(): boolean {
		return this.waiting.length > 0;
	}

	/** Forgets what it holds and reads nothing more. */
	end(): void {
		this.isEnded = true;
		this.waiting = [];
		this.partial.clear();
	}

	private readOn(): void {
		if (this.sliceEnd === undefined) {
			this.sliceEnd = performance.now() + this.sliceMs;
			setImmediate(() => {
				this.sliceEnd = undefined;
				this.hasAnswered = false;
				if (!this.isBusy) return;
				this.readOn();
				if (!this.isBusy && !this.isEnded) this.listener.onDrained();
			});
		}
		for (let chunk = this.waiting.shift(); chunk !== undefined; chunk = this.waiting.shift()) {
			const rest = this.readLines(chunk, this.sliceEnd);
			if (this.isEnded) return;
			if (rest === undefined) continue;
			this.waiting.unshift(rest);
			return;
		}
	}

	/** Reads whole lines until the time is over; gives what is left then, and undefined when nothing is. */
	private readLines(chunk: Buffer, until: number): Buffer | undefined {
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
			if (performance.now() >= until) return chunk.subarray(start);
			if (!this.endLine(chunk.subarray(start, end))) return chunk.subarray(start);
			if (this.isEnded) return undefined;
			start = end + 1;
		}
		if (start === chunk.length) return undefined;
		this.partial.add(chunk.subarray(start));
		this.judge();
		return undefined;
	}

	/** False when the line must be examined again in the next slice. */
	private endLine(piece: Buffer): boolean {
		const { partial } = this;
		if (partial.bytes === 0 && piece.length <= this.limits.maxMessageBytes) {
			if (this.listener.isUnwanted(piece.toString("latin1", 0, headBytes))) return true;
			if (!isTooDeep(piece, this.limits.maxJsonDepth)) return this.read(piece, this.hasAnswered);
			this.skip("too-deep", piece, piece, piece.length);
			return true;
		}
		partial.add(piece);
		const { state, bytes } = partial;
		if (state === "kept") this.read(partial.head);
		else if (state === "noise") this.listener.onNoise(cap(partial.head.toString("utf8").trim(), 500));
		else if (!this.isAnswered) this.skip(state, partial.head, partial.tail, bytes);
		this.isAnswered = false;
		partial.clear();
		return true;
	}

	/** Looks at a line that goes on: whether it is worth waiting for its end. */
	private judge(): void {
		const { state, bytes } = this.partial;
		const { maxMessageBytes } = this.limits;
		if (state === "kept") return;
		if (state === "noise") {
			if (bytes > maxMessageBytes)
				this.fail(`wrote more than ${sizeOf(maxMessageBytes)} without a line break and was stopped`);
			return;
		}
		if (bytes > maxMessageBytes * endless) {
			this.fail(`sent a message of more than ${sizeOf(maxMessageBytes * endless)} and was stopped`);
			return;
		}
		if (this.isAnswered) return;
		const outline = outlineOf(this.partial.head.toString("latin1"), "");
		if (outline.kind === "none") this.failFor(state);
		// The rest of the message is useless to the receiver.
		if (outline.kind === "answer" && outline.id !== undefined) {
			this.isAnswered = true;
			this.answer(outline.id, state, undefined);
		}
	}

	/** Leaves out a message that is whole. */
	private skip(state: LineState, head: Buffer, tail: Buffer, bytes: number): void {
		const outline = outlineOf(
			head.subarray(0, 512).toString("latin1"),
			tail.subarray(Math.max(0, tail.length - 256)).toString("latin1"),
		);
		if (outline.kind === "answer" && outline.id !== undefined) this.answer(outline.id, state, bytes);
		else if (outline.kind === "other") {
			this.noteSkipped(`A message from the server ${this.faultOf(state, bytes)}. It is skipped.`);
		} else this.failFor(state);
	}

	private answer(id: RequestId, state: LineState, bytes: number | undefined): void {
		const message = `The server's response ${this.faultOf(state, bytes)}. It was dropped.`;
		this.noteSkipped(message);
		// JSON-RPC's "Internal error": there is no code for an answer that the receiving side refuses. The data inform the
		// host, and no server can forge them.
		const error = { code: -32603, message, data: new RefusedAnswer("limit", message) };
		this.handOn({ jsonrpc: "2.0", id, error }, { bytes: 0 });
	}

	private noteSkipped(what: string): void {
		this.listener.onTrouble(what, [{ rule: "limit", what }]);
	}

	private faultOf(state: LineState, bytes: number | undefined): string {
		const { maxJsonDepth, maxMessageBytes } = this.limits;
		if (state === "too-deep") {
			return `is nested deeper than the limit of ${maxJsonDepth} levels`;
		}
		const size = bytes === undefined ? "" : `(${sizeOf(bytes)}) `;
		return `${size}is larger than the limit of ${sizeOf(maxMessageBytes)} (setting mcpHost.limits.messageSize)`;
	}

	private failFor(state: LineState): void {
		const { maxJsonDepth, maxMessageBytes } = this.limits;
		this.fail(
			state === "too-deep"
				? `sent a message that is nested deeper than ${maxJsonDepth} levels and was stopped`
				: `sent a message of more than ${sizeOf(maxMessageBytes)} and was stopped`,
		);
	}

	private fail(why: string): void {
		this.end();
		this.listener.onUnreadable(why);
	}

	/** Hands the messages of a line on; false where a request among them must wait until a call has its answer. */
	private read(line: Buffer, mustRequestsWait = false): boolean {
		const text = line.toString("utf8").trim();
		if (text === "") return true;
		const read = readWireText(text);
		if (read.kind === "broken") this.handOn(read.message, { bytes: line.length });
		const messages = read.kind === "json" ? messagesIn(read.value) : undefined;
		if (read.kind !== "json" || messages === undefined) {
			if (read.kind !== "broken") this.listener.onNoise(cap(text, 500));
			return true;
		}
		// A server's request after its answer to a call does not belong to that call, although both arrive in one piece.
		if (mustRequestsWait && messages.some(isRequest)) return false;
		const isAsWritten = messages[0] === read.value && read.numbers.length === 0;
		this.said.say(read.numbers, readAsNull);
		if (Array.isArray(read.value) && messages.length < read.value.length) this.listener.onNoise(cap(text, 500));
		this.handAllOn(messages, { bytes: line.length, json: isAsWritten ? text : undefined });
		return true;
	}

	private handAllOn(messages: readonly JSONRPCMessage[], form: WireForm): void {
		for (const message of messages) {
			if (this.isEnded) return;
			this.handOn(message, form);
		}
	}

	private handOn(message: JSONRPCMessage, form: WireForm): void {
		if (isAnswer(message)) this.hasAnswered = true;
		this.listener.onMessage(message, form);
	}
}

function sizeOf(bytes: number): string {
	return bytes < megabyte ? `${Math.ceil(bytes / 1024)} KB` : `${Math.floor(bytes / megabyte)} MB`;
}

function isRequest(message: JSONRPCMessage): boolean {
	return "id" in message && !isAnswer(message);
}
