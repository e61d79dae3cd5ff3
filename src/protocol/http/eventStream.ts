import type { Transformer } from "node:stream/web";
import { setImmediate } from "node:timers/promises";
import type { HostError } from "../../base/errors.ts";
import { EventLines } from "./eventLines.ts";
import { JsonDepth } from "../messages/jsonDepth.ts";
import { tooDeep, tooLarge } from "../messages/limitErrors.ts";
import type { ConnectionLimits } from "../limits.ts";

/** An event of more lines costs more memory than its bytes say. */
const maxLines = 100_000;
/** An event of so many times the cap is not waited for to end. */
const endlessFactor = 4;
/** The time a server may ask for before the stream is opened again, in milliseconds (TRN-43). */
const retryRange = { min: 100, max: 60_000 };
/** An event's id is sent back as a header, which has room for little and for visible characters only. */
const usableId = /^id(?:: ?[\x20-\x7e]{0,1024})?$/;
/** How many events are passed on at once, and for how long, in milliseconds. */
const eventsPerTurn = 50;
const longestTurnMs = 8;
/** A notification with the address of a resource is unlikely to be longer, in bytes. */
const longestChange = 4096;
const saysThatSomethingChanged =
	/"method":\s?"notifications\/(?:(?:tools|prompts|resources)\/list_changed|resources\/updated)"/;
/** How much of a message shows whether it is wanted, in bytes. */
const headBytes = 80;
const lineEnd = Buffer.from("\n");
const dataPrefix = Buffer.from("data:");
const blank = 0x20;
const byteOrderMark = Buffer.from("\uFEFF");

/** An event that was left out of a stream because it broke a cap. */
export interface RefusedEvent {
	/** The text to report. */
	readonly error: HostError;
	/** Its first line and its last one, which may be cut. */
	readonly first: Buffer;
	readonly last: Buffer;
}

/** The callbacks for the parts that are left out of an event stream. */
export interface EventStreamListener {
	/** An event passes the cap, and may never end. `first`: how it begins. */
	onOverflow(error: HostError, first: Buffer): void;
	/** An event exceeds the cap by so much that it is unlikely to end; the stream is broken off. */
	onEndless(error: HostError): void;
	/** An event was left out as a whole. */
	onRefused(event: RefusedEvent): void;
	/** Whether a message that begins so need not be passed on. */
	isUnwanted(head: string): boolean;
	/** The events that are passed on in place of the data of an event; absent when data are passed on unchanged. */
	carry?(data: string): readonly string[];
	/** A piece of the stream arrived. */
	onRead?: ((bytes: number) => void) | undefined;
}

/**
 * Between a server's event stream and its reader: passes whole events only, leaves out those that are too large or too
 * deep, drops comments, and clamps `retry` (specification, "Streamable HTTP"; WHATWG HTML, "Server-sent events"). Takes
 * time linear in the input and holds one event at most.
 */
export class EventStreamGuard implements Transformer<Uint8Array, Uint8Array> {
	private readonly limits: ConnectionLimits;
	private readonly listener: EventStreamListener;
	private readonly reader: EventLines;
	private readonly depth: JsonDepth;
	/** The lines of the current event; for one that is too large, the first and the last. */
	private lines: Buffer[] = [];
	private heldBytes = 0;
	private isTooLarge = false;
	private isAtBeginning = true;
	/** The size of the input since the last event ended, kept or not. */
	private bytesOfEvent = 0;
	/** The events to pass on, each as its lines. */
	private passed: (readonly Buffer[])[] = [];
	/** The notifications of this chunk that need not be repeated. */
	private readonly repeatable = new Set<string>();
	private turnedAt = 0;

	constructor(limits: ConnectionLimits, listener: EventStreamListener) {
		this.limits = limits;
		this.listener = listener;
		const overflow = (first: Buffer): void => listener.onOverflow(tooLarge(limits.maxMessageBytes), first);
		this.reader = new EventLines(limits.maxMessageBytes, (line, isCut) => this.takeLine(line, isCut), overflow);
		this.depth = new JsonDepth(limits.maxJsonDepth);
	}

	async transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): Promise<void> {
		const { maxMessageBytes } = this.limits;
		this.bytesOfEvent += chunk.length;
		this.listener.onRead?.(chunk.length);
		this.reader.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
		const { passed } = this;
		this.passed = [];
		this.repeatable.clear();
		for (let at = 0; at < passed.length; at += eventsPerTurn) {
			// Only now, as what was passed on before has its say in what is wanted.
			const wanted = passed.slice(at, at + eventsPerTurn).filter((lines) => !this.isUnwanted(lines));
			const carried = wanted.flatMap((lines) => this.carried(lines));
			if (carried.length > 0) controller.enqueue(Buffer.concat(carried.flatMap(withEnds)));
			await this.giveWay(passed.length > eventsPerTurn);
		}
		if (this.bytesOfEvent <= maxMessageBytes * endlessFactor + chunk.length) return;
		const error = tooLarge(maxMessageBytes);
		this.listener.onEndless(error);
		controller.error(error);
	}

	/** An event as it is passed on: messages in it are replaced, regardless of the server's event type. */
	private carried(lines: readonly Buffer[]): readonly (readonly Buffer[])[] {
		const data = lines.filter(isData).map((line) => line.toString("utf8", dataPrefix.length).replace(/^ /, ""));
		if (this.listener.carry === undefined || data.every((text) => text.trim() === "") || lines.some(isAddress))
			return [lines];
		const others = lines.filter((line) => !isData(line) && !line.toString("latin1").startsWith("event"));
		const events = this.listener.carry(data.join("\n"));
		// The id counts once all of what it names has been passed on.
		return events.length === 0
			? [others]
			: events.map((text, index) => (index < events.length - 1 ? [] : others).concat(Buffer.from(`data: ${text}`)));
	}

	/** Yields to other tasks: the reader on the other side processes its whole input at once. */
	private async giveWay(isFlood: boolean): Promise<void> {
		if (!isFlood && performance.now() - this.turnedAt < longestTurnMs) return;
		await setImmediate();
		this.turnedAt = performance.now();
	}

	private takeLine(whole: Buffer, isCut: boolean): void {
		const hasMark = this.isAtBeginning && whole.subarray(0, byteOrderMark.length).equals(byteOrderMark);
		const line = hasMark ? whole.subarray(byteOrderMark.length) : whole;
		this.isAtBeginning = false;
		if (line.length === 0) this.endEvent();
		else if (line[0] === dataPrefix[0]) this.hold(line, isCut);
		else this.takeOther(line);
	}

	/** Takes a line that holds no data: such lines are short, or useless. */
	private takeOther(line: Buffer): void {
		const text = line.subarray(0, 2048).toString("utf8");
		const [, asked] = /^retry: ?(\d+)$/.exec(text) ?? [];
		if (asked !== undefined) {
			const milliseconds = Math.min(Math.max(Number(asked), retryRange.min), retryRange.max);
			this.hold(Buffer.from(`retry: ${milliseconds}`), false);
		} else if (usableId.test(text) || text.startsWith("event")) this.hold(Buffer.from(text), false);
	}

	private hold(line: Buffer, isCut: boolean): void {
		this.lines.push(line);
		this.heldBytes += line.length;
		const { maxMessageBytes } = this.limits;
		if (!isCut && this.heldBytes <= maxMessageBytes && this.lines.length <= maxLines) return;
		this.lines = [this.lines[0] ?? line, line];
		if (!this.isTooLarge && !isCut) this.listener.onOverflow(tooLarge(maxMessageBytes), this.lines[0] ?? line);
		this.isTooLarge = true;
	}

	private endEvent(): void {
		const { lines, isTooLarge } = this;
		this.bytesOfEvent = 0;
		this.lines = [];
		this.heldBytes = 0;
		this.isTooLarge = false;
		if (isTooLarge) this.refuse(tooLarge(this.limits.maxMessageBytes), lines);
		else if (!this.isShallow(lines)) this.refuse(tooDeep(this.limits.maxJsonDepth), lines);
		else if (lines.length > 0 && !this.isRepeated(lines)) {
			this.passed.push(lines);
		}
	}

	private isUnwanted(lines: readonly Buffer[]): boolean {
		const line = onlyData(lines);
		if (line === undefined) return false;
		const from = line[dataPrefix.length] === blank ? dataPrefix.length + 1 : dataPrefix.length;
		return this.listener.isUnwanted(line.toString("latin1", from, from + headBytes));
	}

	/** Whether an event says no more than one before it in the same chunk did: that something changed (TRN-24, TRN-25). */
	private isRepeated(lines: readonly Buffer[]): boolean {
		const line = onlyData(lines);
		if (line === undefined || line.length > longestChange) return false;
		const text = line.toString("latin1");
		if (!saysThatSomethingChanged.test(text)) return false;
		const isKnown = this.repeatable.has(text);
		this.repeatable.add(text);
		return isKnown;
	}

	private isShallow(lines: readonly Buffer[]): boolean {
		this.depth.reset();
		return lines.every((line) => !isData(line) || this.depth.accept(line.subarray(dataPrefix.length)));
	}

	private refuse(error: HostError, lines: readonly Buffer[]): void {
		const data = lines.filter(isData);
		const [first = lineEnd] = data;
		this.listener.onRefused({ error, first, last: data.at(-1) ?? first });
	}
}

/**
 * The line of data of an event that has exactly one, as the SDK writes them. Beside it may be a type and an id: where an
 * event with an id is left out, no more than that event is sent again when the stream is resumed.
 */
function onlyData(lines: readonly Buffer[]): Buffer | undefined {
	const [line, another] = lines.filter(isData);
	return another === undefined ? line : undefined;
}

/** An event's lines as they are sent. */
function withEnds(lines: readonly Buffer[]): readonly Buffer[] {
	return [...lines.flatMap((line) => [line, lineEnd]), lineEnd];
}

function isData(line: Buffer): boolean {
	return line.subarray(0, dataPrefix.length).equals(dataPrefix);
}

/** Whether a line has the event type with which HTTP+SSE announces the address for messages. */
function isAddress(line: Buffer): boolean {
	return line.length < 20 && /^event: ?endpoint$/.test(line.toString("latin1"));
}
