import { JsonDepth } from "../messages/jsonDepth.ts";
import type { ConnectionLimits } from "../limits.ts";

const headBytes = 512;
const tailBytes = 256;
/** Pieces from this size on are kept as they are; smaller ones are put together, each taking more than its bytes. */
const bigPiece = 16 * 1024;
const blockBytes = 64 * 1024;

/** The kind of a line that has begun. `kept`: all of it is there. */
export type LineState = "kept" | "noise" | "too-long" | "too-deep";

/**
 * A line whose end has not arrived. Holds all of it while it may be a message within the caps. Of any other line it
 * holds only the two ends, so that skipping it takes no memory (TRN-04, TRN-05).
 */
export class PartialLine {
	private readonly maxBytes: number;
	private readonly depth: JsonDepth;
	private length = 0;
	private begun: LineState | undefined;
	private pieces: Buffer[] = [];
	/** Where small pieces are put together; the last of `pieces` is its filled part. */
	private block: { readonly bytes: Buffer; used: number } | undefined;
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

	/** The whole line if it is kept, otherwise its beginning. */
	get head(): Buffer {
		return Buffer.concat(this.pieces, this.state === "kept" ? this.length : Math.min(this.length, headBytes));
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
		const wasKept = this.state === "kept";
		this.begun ??= stateOf(piece);
		if (this.state === "kept" && this.length > this.maxBytes) this.begun = "too-long";
		else if (this.state === "kept" && !this.depth.accept(piece)) this.begun = "too-deep";
		if (this.state === "kept") {
			this.keep(piece);
			return;
		}
		if (before < headBytes) this.keep(piece.subarray(0, headBytes - before));
		else if (wasKept) {
			this.pieces = [this.head];
			this.block = undefined;
		}
		this.ending = Buffer.from(Buffer.concat([this.ending, piece.subarray(-tailBytes)]).subarray(-tailBytes));
	}

	/** Forgets the line, for the next one. */
	clear(): void {
		this.length = 0;
		this.begun = undefined;
		this.depth.reset();
		this.pieces = [];
		this.block = undefined;
		this.ending = Buffer.alloc(0);
	}

	private keep(piece: Buffer): void {
		if (piece.length >= bigPiece) {
			this.block = undefined;
			this.pieces.push(piece);
			return;
		}
		const { block } = this;
		if (block === undefined || block.used + piece.length > blockBytes) {
			// Not from the shared pool, which one small slice would keep alive.
			const bytes = Buffer.allocUnsafeSlow(blockBytes);
			piece.copy(bytes);
			this.block = { bytes, used: piece.length };
			this.pieces.push(bytes.subarray(0, piece.length));
			return;
		}
		piece.copy(block.bytes, block.used);
		block.used += piece.length;
		this.pieces[this.pieces.length - 1] = block.bytes.subarray(0, block.used);
	}
}

/** Only text that begins as an object or an array can be a message. Undefined while only white space has arrived. */
function stateOf(piece: Buffer): LineState | undefined {
	for (const byte of piece) {
		// Blank, tab, carriage return, and the three bytes of a byte order mark, which the JSON reader skips as well.
		if (byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0xef || byte === 0xbb || byte === 0xbf) continue;
		return byte === 0x7b || byte === 0x5b ? "kept" : "noise";
	}
	return undefined;
}
