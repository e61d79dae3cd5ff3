import { oneLine } from "../../base/text.ts";
import { meantTools } from "../meantTool.ts";

/** Longer than any name. */
const longest = 500;

/** The resolved name of a call: of a tool if only one fits, otherwise as written, with the possible tools. */
export interface NameReading {
	readonly name: string;
	readonly isOffered: boolean;
	/** A sentence of ours if more than one tool fits. */
	readonly problem?: string;
}

/** The name of a tool that arrives in pieces: each a part of it, or the whole of it so far, or all of it again. */
export class WrittenName {
	private readonly offered: ReadonlySet<string>;
	private joined = "";
	private last = "";
	private isGrowing = true;
	/** Two tools whose names may have arrived one after the other, where both together are the name of a third. */
	private two: readonly [string, string] | undefined;
	private known: NameReading | undefined;

	constructor(offered: ReadonlySet<string>) {
		this.offered = offered;
	}

	/** Takes a piece. */
	add(piece: string): void {
		if (piece === "") return;
		this.isGrowing &&= piece.startsWith(this.last);
		this.last = piece;
		const former = this.joined;
		if (former.length < longest) this.joined += piece;
		const isTwo = [former, piece, this.joined].every((name) => this.offered.has(name));
		if (isTwo) this.two = [former, piece];
		this.known = undefined;
	}

	get isEmpty(): boolean {
		return this.joined === "";
	}

	/** The name that its pieces would form with another one. */
	joinedTo(piece: string): string {
		return this.joined + piece;
	}

	/** The tool of the pieces so far. */
	get reading(): NameReading {
		return (this.known ??= this.read());
	}

	/** Whether more than this name may begin with it. */
	get isBeginning(): boolean {
		const { name } = this.reading;
		return [...this.offered].some((other) => other !== name && other.startsWith(name));
	}

	private read(): NameReading {
		const { joined, last, isGrowing, offered, two } = this;
		if (two !== undefined) {
			const [one, other] = two.map((name) => `"${oneLine(name, 80)}"`);
			const problem = `It is unclear whether ${one} and ${other} or "${oneLine(joined, 80)}" was called. Call one tool at a time.`;
			return { name: joined, isOffered: false, problem };
		}
		const readings = isGrowing && last !== joined ? [joined, last] : [joined];
		const meant = [...new Set(readings.flatMap((one) => meantTools(one, offered)))];
		const [only, ...others] = meant;
		if (only !== undefined && others.length === 0) return { name: only, isOffered: true };
		const name = isGrowing ? last : joined;
		if (only === undefined) return { name, isOffered: false };
		const named = meant.map((one) => `"${oneLine(one, 80)}"`).join(" or ");
		return {
			name: joined,
			isOffered: false,
			problem: `The tool name is ambiguous: ${named}. Use the exact name.`,
		};
	}
}
