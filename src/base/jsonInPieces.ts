import { jsonObjectOf } from "./guards.ts";

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** How much is read in one step, in bytes: a few milliseconds' work. */
const usualStep = 512 * 1024;
/**
 * How many levels are split. Long values further down are read in one step, so that nesting cannot multiply the work.
 */
const deepest = 8;

/**
 * Reads a JSON text in UTF-8 as `JSON.parse` does, and yields after each few milliseconds' work: a long string is
 * decoded piece by piece, a long list or object by some of its members at a time. Not in another thread: receiving a
 * list, or a flattened string, from there takes this one as long as reading it.
 * @throws SyntaxError if it is not JSON.
 */
export function jsonInPieces(bytes: Buffer, stepBytes = usualStep): Generator<undefined, unknown> {
	return new LongText(bytes, stepBytes).read();
}

/** A text that is being read. */
class LongText {
	private readonly bytes: Buffer;
	private readonly step: number;
	private at = 0;

	constructor(bytes: Buffer, step: number) {
		this.bytes = bytes;
		this.step = step;
	}

	*read(): Generator<undefined, unknown> {
		const value = yield* this.value(0);
		this.skipBlanks();
		if (this.at < this.bytes.length) throw fault();
		return value;
	}

	private *value(level: number): Generator<undefined, unknown> {
		this.skipBlanks();
		const first = this.bytes[this.at];
		if (first === quote) return yield* this.string();
		if (first === openList || first === openObject) return yield* this.container(level);
		const start = this.at;
		while (this.at < this.bytes.length && !endsLiteral(this.bytes[this.at])) this.at++;
		return JSON.parse(this.text(start, this.at));
	}

	private *container(level: number): Generator<undefined, readonly unknown[] | object> {
		const isList = this.bytes[this.at++] === openList;
		const items: unknown[] = [];
		const members: Record<string, unknown> = {};
		for (let isFirst = true; ; isFirst = false) {
			this.skipBlanks();
			const end = this.endOfMembers(level < deepest ? this.step : Number.POSITIVE_INFINITY);
			if (end === undefined) {
				const key = isList ? undefined : this.key();
				const value = yield* this.value(level + 1);
				if (key === undefined) items.push(value);
				else put(members, key, value);
				this.skipBlanks();
			} else {
				const isEmpty = isList
					? takeItems(this.between(openList, this.at, end, closeList), items)
					: takeMembers(this.between(openObject, this.at, end, closeObject), members);
				// Brackets may be empty, but a comma needs a value beside it.
				if (isEmpty && (!isFirst || this.bytes[end] === comma)) throw fault();
				this.at = end;
				yield;
			}
			const next = this.bytes[this.at++];
			if (next === (isList ? closeList : closeObject)) return isList ? items : members;
			if (next !== comma) throw fault();
		}
	}

	/**
	 * Where the members end that are read in one step: at the last comma that belongs to the container within so many bytes, or
	 * at its end. Undefined where one member alone is longer.
	 */
	private endOfMembers(most: number): number | undefined {
		const { bytes } = this;
		const until = Math.min(bytes.length, this.at + most);
		let lastComma: number | undefined;
		let depth = 0;
		for (let at = this.at; at < until; at++) {
			const byte = bytes[at];
			if (byte === quote) at = this.endOfString(at + 1, until);
			else if (byte === openList || byte === openObject) depth++;
			else if (byte === closeList || byte === closeObject) {
				if (depth-- === 0) return at;
			} else if (byte === comma && depth === 0) lastComma = at;
		}
		if (lastComma === undefined && until === bytes.length) throw fault();
		return lastComma;
	}

	/** The index of the quote that ends a string, or `until` when that is reached first. */
	private endOfString(from: number, until: number): number {
		for (let at = from; at < until; at++) {
			const byte = this.bytes[at];
			if (byte === quote) return at;
			if (byte === backslash) at++;
		}
		return until;
	}

	private key(): string {
		const start = this.at;
		const end = this.endOfString(start + 1, this.bytes.length) + 1;
		this.at = end;
		this.skipBlanks();
		if (this.bytes[start] !== quote || this.bytes[this.at++] !== 0x3a) throw fault();
		return JSON.parse(this.text(start, end));
	}

	private *string(): Generator<undefined, string> {
		const { bytes, step } = this;
		const pieces: string[] = [];
		for (let start = this.at + 1; start < bytes.length;) {
			const cut = this.cutOfString(start, start + step);
			const piece = this.inString(start, cut);
			if (piece === undefined) {
				// It ends within this piece, unless it is faulty.
				this.at = this.endOfString(start, cut) + 1;
				pieces.push(JSON.parse(`"${this.text(start, this.at)}`));
				return pieces.join("");
			}
			pieces.push(piece);
			start = cut;
			yield;
		}
		throw fault();
	}

	/**
	 * The last index up to `wanted` at which a string that continues at `start` can be cut, outside characters and
	 * escapes.
	 */
	private cutOfString(start: number, wanted: number): number {
		const { bytes } = this;
		if (wanted >= bytes.length) return bytes.length;
		const back = [0, 1, 2, 3].find((less) => ((bytes[wanted - less] ?? 0) & 0xc0) !== 0x80) ?? 0;
		const cut = wanted - back;
		let escape = cut - 1;
		while (escape > cut - 6 && escape >= start && bytes[escape] !== backslash) escape--;
		// In a row of backslashes, each second one is escaped.
		let backslashes = 0;
		if (escape > cut - 6)
			while (escape - backslashes >= start && bytes[escape - backslashes] === backslash) backslashes++;
		return backslashes % 2 === 1 ? escape : cut;
	}

	/**
	 * The string that an inner piece of a string encodes; undefined if the piece contains the string's end, or is faulty.
	 */
	private inString(start: number, end: number): string | undefined {
		if (end === this.bytes.length) return undefined;
		try {
			const inner = this.between(quote, start, end, quote);
			return typeof inner === "string" ? inner : undefined;
		} catch {
			return undefined;
		}
	}

	/**
	 * The value of a part of the text, read as if other characters surrounded it. Those are set in the bytes temporarily,
	 * because adding them to a string would copy all of it.
	 */
	private between(first: number, start: number, end: number, last: number): unknown {
		const { bytes } = this;
		const [before, behind] = [bytes.readUInt8(start - 1), bytes.readUInt8(end)];
		bytes[start - 1] = first;
		bytes[end] = last;
		const text = this.text(start - 1, end + 1);
		bytes[start - 1] = before;
		bytes[end] = behind;
		return JSON.parse(text);
	}

	private skipBlanks(): void {
		while (isBlank(this.bytes[this.at])) this.at++;
	}

	private text(start: number, end: number): string {
		return this.bytes.toString("utf8", start, end);
	}
}

function takeItems(list: unknown, into: unknown[]): boolean {
	const items: readonly unknown[] = Array.isArray(list) ? list : [];
	// Not spread: there may be more than a call takes arguments.
	for (const item of items) into.push(item);
	return items.length === 0;
}

function takeMembers(object: unknown, into: Record<string, unknown>): boolean {
	const members = Object.entries(jsonObjectOf(object));
	for (const [key, value] of members) put(into, key, value);
	return members.length === 0;
}

/** Sets a member; one that is called `__proto__` is a member as well. */
function put(members: Record<string, unknown>, key: string, value: unknown): void {
	if (key !== "__proto__") members[key] = value;
	else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}

function isBlank(byte: number | undefined): boolean {
	return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsLiteral(byte: number | undefined): boolean {
	return byte === comma || byte === closeList || byte === closeObject || isBlank(byte);
}

function fault(): SyntaxError {
	return new SyntaxError("It is not JSON.");
}
