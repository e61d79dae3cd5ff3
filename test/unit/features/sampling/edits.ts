import type { RequestDraft } from "../../../../src/features/sampling/review/reviewProtocol.ts";

/** Edits as a user leaves them, with only the relevant members given. */
export function edits(
	changes: Readonly<Record<string, string>> = {},
	more: Partial<Pick<RequestDraft, "removed" | "sendsMetadata">> = {},
): Pick<RequestDraft, "changes" | "removed" | "sendsMetadata"> {
	return { changes, removed: [], sendsMetadata: false, ...more };
}

/** Random choices that are the same for the same seed (mulberry32). */
export class Dice {
	private state: number;

	constructor(seed: number) {
		this.state = seed;
	}

	/** A whole number from 0, below a limit. */
	below(limit: number): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
	}

	chance(percent: number): boolean {
		return this.below(100) < percent;
	}

	pick<T>(items: readonly T[]): T {
		const item = items[this.below(items.length)];
		if (item === undefined) throw new Error("Nothing to pick from.");
		return item;
	}

	/** A text with anything that users and hostile servers write. */
	text(): string {
		const pieces = [
			"plain words ",
			"a\nb",
			"\r\n",
			"\t",
			"é̀",
			"日本語",
			"👩‍👩‍👧",
			"\u202Erightleft",
			"\u200B",
			"\u0000",
			"\\n",
			'"quoted"',
			"{}",
			"${x}",
			"<img src=x onerror=alert(1)>",
			"</script>",
			"[link](command:evil)",
			"$(shield)",
			"\uFEFF",
			"\u{E0041}",
			"'",
			"`",
			"%s",
			" ",
		];
		return Array.from({ length: this.below(8) }, () => this.pick(pieces)).join("");
	}

	/** A JSON object with such texts in it. */
	json(depth = 2): Readonly<Record<string, unknown>> {
		const value = (): unknown =>
			this.pick([
				() => this.text(),
				() => this.below(1e9) / 1000,
				() => -this.below(100),
				() => null,
				() => this.chance(50),
				() => [this.text(), this.below(5)],
				() => (depth > 0 ? this.json(depth - 1) : {}),
			])();
		return Object.fromEntries(
			Array.from({ length: this.below(4) }, (_, index) => [`k${index}${this.text()}`, value()]),
		);
	}
}
