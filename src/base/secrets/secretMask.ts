import { type KnownSecret, standsAlone, type Writing, writingsOf } from "./knownSecret.ts";

/** How many values of one owner are known at most; those that were noted last stay. */
const mostOfOwner = 40;
/** From how many characters on the beginning of a secret counts where a text was cut. */
const cutLength = 8;
/** Lines of a secret of several lines are written one by one. */
const lineLength = 16;
/** Member names of the host's states, or counts: such a key stays, even if a user's secret is the same word. */
const memberName = /^(?:[a-z]+(?:[A-Z][a-z]+)*|\d{1,5})$/;
/** The member by which the host distinguishes its states. */
const discriminant = "kind";

interface Masked extends Writing {
	readonly mark: string;
}

/**
 * Replaces secrets in texts with marks such as `⟦API key⟧`: the longest first, so that no part is left of a secret that
 * contains another. A part of a secret at the text's end, or where it was cut (see `cap`), counts as well.
 */
export class SecretMask {
	private readonly secrets = new Map<string, KnownSecret>();
	private masked: readonly Masked[] | undefined;

	/**
	 * Notes secrets; the first label stays. Each owner, which the label names, has its own share: renewed tokens of a
	 * server replace only its own former ones.
	 */
	add(secrets: readonly KnownSecret[]): void {
		for (const secret of secrets) {
			const known = this.secrets.get(secret.value) ?? secret;
			this.secrets.delete(secret.value);
			this.secrets.set(secret.value, known);
		}
		const left = new Map<string, number>();
		for (const { label } of this.secrets.values()) left.set(label, (left.get(label) ?? 0) + 1);
		for (const [value, { label }] of this.secrets) {
			const count = left.get(label) ?? 0;
			if (count <= mostOfOwner) continue;
			this.secrets.delete(value);
			left.set(label, count - 1);
		}
		this.masked = undefined;
	}

	/** The text without secrets. */
	redact(text: string): string {
		this.masked ??= [...this.secrets.values()]
			.flatMap(maskedOf)
			.toSorted((one, other) => other.text.length - one.text.length);
		let shown = text;
		for (const writing of this.masked) shown = withoutWriting(shown, writing);
		for (const writing of this.masked) shown = withoutBeginning(shown, writing);
		return shown;
	}

	/**
	 * The value with all its texts and keys redacted; the same value if it contains no secret. The member that
	 * distinguishes states is the host's own word and stays, even if a user's secret is the same word.
	 */
	redactAll<T>(value: T): T;
	redactAll(value: unknown): unknown {
		if (typeof value === "string") return this.redact(value);
		if (typeof value !== "object" || value === null) return value;
		const members: [string, unknown][] = Object.entries(value);
		const entries = members.map(([key, part]): [string, unknown] => [
			memberName.test(key) ? key : this.redact(key),
			key === discriminant ? part : this.redactAll(part),
		]);
		if (entries.every(([key, part], at) => members[at]?.[0] === key && members[at][1] === part)) return value;
		return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
	}
}

function maskedOf({ value, name }: KnownSecret): readonly Masked[] {
	const lines = value.split(/\r?\n/).filter((line) => line.length >= lineLength);
	const writings = [value, ...(lines.length > 1 ? lines : [])].flatMap(writingsOf);
	const mark = `\u27E6${name}\u27E7`;
	return writings.map(({ text, how, isWhole }) => ({ text, how, isWhole, mark }));
}

function withoutWriting(text: string, { text: writing, isWhole, mark }: Masked): string {
	let found = text.indexOf(writing);
	if (found === -1) return text;
	let shown = "";
	let end = 0;
	while (found !== -1) {
		const behind = found + writing.length;
		if (isWhole && !standsAlone(text, found, behind)) {
			found = text.indexOf(writing, found + 1);
			continue;
		}
		shown += text.slice(end, found) + mark;
		end = behind;
		found = text.indexOf(writing, behind);
	}
	return shown + text.slice(end);
}

/**
 * The text without what it holds of a secret at its end, or before the ellipsis of a cut. It goes through the text once,
 * as servers write texts that hold many beginnings (TRN-56).
 */
function withoutBeginning(text: string, { text: writing, mark }: Masked): string {
	if (writing.length <= cutLength || !text.includes(writing.slice(0, cutLength))) return text;
	const borders = bordersOf(writing);
	const shown: string[] = [];
	let [end, length] = [0, 0];
	for (let at = 0; at <= text.length; at++) {
		const next = text[at];
		if (length >= cutLength && (next === undefined || next === "\u2026")) {
			shown.push(text.slice(end, Math.max(end, at - length)), mark);
			end = at;
		}
		while (length > 0 && (length === writing.length || next !== writing[length])) length = borders[length - 1] ?? 0;
		if (next === writing[length]) length++;
	}
	return shown.join("") + text.slice(end);
}

/** For each beginning of a writing, how much of it recurs at its end (Knuth, Morris and Pratt). */
function bordersOf(writing: string): readonly number[] {
	const borders = [0];
	for (let at = 1, length = 0; at < writing.length; at++) {
		while (length > 0 && writing[at] !== writing[length]) length = borders[length - 1] ?? 0;
		if (writing[at] === writing[length]) length++;
		borders.push(length);
	}
	return borders;
}
