const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** How much of a line that is too long is kept of its beginning and of its end, in bytes. */
const keptBytes = 512;

/**
 * Splits an event stream into lines, which end with a line feed, a carriage return or both (WHATWG HTML, "Server-sent
 * events"), in time linear in their length. For a line longer than the cap only its beginning and end are kept.
 */
export class EventLines {
	private readonly maxBytes: number;
	private readonly onLine: (line: Buffer, isCut: boolean) => void;
	private readonly onTooLong: (first: Buffer) => void;
	/** The pieces of a line whose end has not arrived. */
	private pieces: Buffer[] = [];
	private heldBytes = 0;
	private isCut = false;
	/** A line feed that follows belongs to the previous line end. */
	private isAfterReturn = false;

	/**
	 * `onLine` receives each line without its end; a cut line as its beginning and end in one. `onTooLong` receives the
	 * beginning of a cut line before its end arrives, which may be never.
	 */
	constructor(maxBytes: number, onLine: (line: Buffer, isCut: boolean) => void, onTooLong: (first: Buffer) => void) {
		this.maxBytes = maxBytes;
		this.onLine = onLine;
		this.onTooLong = onTooLong;
	}

	/** Takes the next bytes, cut anywhere. */
	write(bytes: Buffer): void {
		if (bytes.length === 0) return;
		let start = this.isAfterReturn && bytes[0] === lineFeed ? 1 : 0;
		this.isAfterReturn = false;
		let nextReturn = bytes.indexOf(carriageReturn, start);
		for (;;) {
			if (nextReturn !== -1 && nextReturn < start) nextReturn = bytes.indexOf(carriageReturn, start);
			const nextFeed = bytes.indexOf(lineFeed, start);
			const isReturn = nextReturn !== -1 && (nextFeed === -1 || nextReturn < nextFeed);
			const end = isReturn ? nextReturn : nextFeed;
			if (end === -1) break;
			this.endLine(bytes.subarray(start, end));
			start = end + 1;
			if (isReturn && start === bytes.length) this.isAfterReturn = true;
			else if (isReturn && bytes[start] === lineFeed) start++;
		}
		if (start < bytes.length) this.hold(bytes.subarray(start));
	}

	private endLine(last: Buffer): void {
		if (this.pieces.length > 0) this.hold(last);
		const line = this.pieces.length > 0 ? Buffer.concat(this.pieces) : last;
		const { isCut } = this;
		this.pieces = [];
		this.heldBytes = 0;
		this.isCut = false;
		this.onLine(line, isCut);
	}

	private hold(piece: Buffer): void {
		this.pieces.push(piece);
		this.heldBytes += piece.length;
		if (this.heldBytes <= this.maxBytes) return;
		const [former = piece, ...later] = this.pieces;
		const rest = Buffer.concat(this.isCut ? later : this.pieces);
		// Copies: a view would keep all of what it is a part of.
		const head = this.isCut ? former : Buffer.from(rest.subarray(0, keptBytes));
		this.pieces = [head, Buffer.from(rest.subarray(-keptBytes))];
		if (!this.isCut) this.onTooLong(head);
		this.isCut = true;
	}
}
