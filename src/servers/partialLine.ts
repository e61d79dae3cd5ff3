import { JsonDepth } from "./jsonDepth.ts";
import type { ConnectionLimits } from "./limits.ts";

const headBytes = 512;
const tailBytes = 256;
const smallestBuffer = 64 * 1024;

/** What a line that has begun turned out to be. `kept`: all of it is there. */
export type LineState = "kept" | "noise" | "too-long" | "too-deep";

/**
 * A line whose end has not come. Holds all of it while it may be a message within the caps, and of any other its two
 * ends only, so that skipping one takes no memory (security.md TRN-04, TRN-05).
 */
export class PartialLine {
	private readonly maxBytes: number;
	private readonly depth: JsonDepth;
	private length = 0;
	private begun: LineState | undefined;
	/** Grows by doubling, which keeps the copying linear however small the pieces are. */
	private buffer = Buffer.alloc(0);
	private ending = Buffer.alloc(0);

	constructor({ maxMessageBytes, maxJsonDepth }: Pick<ConnectionLimits, "maxMessageBytes" | "maxJsonDepth">) {
		this.maxBytes = maxMessageBytes;
		this.depth = new JsonDepth(maxJsonDepth);
	}

	/** The bytes of the line so far, kept or not. */
	get bytes(): number {
		return this.length;
	}

	get state(): LineState {
		return this.begun ?? "kept";
	}

	/** All of a line that is kept, else its beginning. Valid until the next call of any method. */
	get head(): Buffer {
		return this.buffer.subarray(0, this.state === "kept" ? this.length : Math.min(this.length, headBytes));
	}

	/** The last bytes of a line that is not kept. */
	get tail(): Buffer {
		return this.ending;
	}

	/** Takes the next bytes of the line. */
	add(piece: Buffer): void {
		if (piece.length === 0) return;
		const before = this.length;
		this.length += piece.length;
		this.begun ??= stateOf(piece);
		if (this.state === "kept" && this.length > this.maxBytes) this.begun = "too-long";
		else if (this.state === "kept" && !this.depth.accept(piece)) this.begun = "too-deep";
		if (this.state === "kept") {
			this.write(piece, before);
			return;
		}
		if (before < headBytes) this.write(piece.subarray(0, headBytes - before), before);
		if (this.buffer.length > smallestBuffer) this.buffer = Buffer.from(this.buffer.subarray(0, headBytes));
		this.ending = Buffer.from(Buffer.concat([this.ending, piece.subarray(-tailBytes)]).subarray(-tailBytes));
	}

	/** Forgets the line, for the next one. */
	clear(): void {
		this.length = 0;
		this.begun = undefined;
		this.depth.reset();
		this.ending = Buffer.alloc(0);
		if (this.buffer.length > smallestBuffer) this.buffer = Buffer.alloc(0);
	}

	private write(piece: Buffer, at: number): void {
		if (at + piece.length > this.buffer.length) {
			const wanted = Math.max(smallestBuffer, this.buffer.length * 2, at + piece.length);
			// Not from the shared pool, which one small slice would keep alive.
			const grown = Buffer.allocUnsafeSlow(Math.max(at + piece.length, Math.min(wanted, this.maxBytes)));
			this.buffer.copy(grown, 0, 0, at);
			this.buffer = grown;
		}
		piece.copy(this.buffer, at);
	}
}

/** Only what begins as an object or an array can be a message. Undefined while nothing but white space has come. */
function stateOf(piece: Buffer): LineState | undefined {
	for (const byte of piece) {
		// Blank, tab, carriage return, and the three bytes of a byte order mark, which the JSON reader skips as well.
		if (byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0xef || byte === 0xbb || byte === 0xbf) continue;
		return byte === 0x7b || byte === 0x5b ? "kept" : "noise";
	}
	return undefined;
}
