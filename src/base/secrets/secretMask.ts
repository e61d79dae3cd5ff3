import { mergeFound } from "./finding.ts";
import type { KnownSecret } from "./knownSecret.ts";
import { type SecretWord, wordsOf, WordSearch } from "./wordSearch.ts";

/** How many values of one owner are known at most; those that were noted last stay. */
const mostOfOwner = 40;
/** From how many characters on the beginning of a secret counts where a text was cut. */
const cutLength = 8;
/** Lines of a secret of several lines are written one by one. */
const lineLength = 16;
/** What the host calls members of its states, or counts: such a key stays, whatever word somebody's secret is. */
const memberName = /^(?:[a-z]+(?:[A-Z][a-z]+)*|\d{1,5})$/;
/** The member by which the host tells its states apart. */
const discriminant = "kind";

/**
 * Replaces secrets in texts by marks such as `⟦API key⟧`: one that holds another as a whole. What a text holds of one at its end, or where it was cut (see `cap`), counts as well.
 */
export class SecretMask {
	private readonly secrets = new Map<string, KnownSecret>();
	private search: WordSearch | undefined;

	/**
	 * Notes secrets; what one was called first stays. Each owner, which is what the label names, has a share of its own: tokens
	 * that a server renews push out none but its own former ones.
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
		this.search = undefined;
	}

	/** The text without secrets. */
	redact(text: string): string {
		this.search ??= new WordSearch([...this.secrets.values()].flatMap(linesOf));
		let shown = "";
		let end = 0;
		for (const place of mergeFound(this.search.find(text, cutLength))) {
			shown += `${text.slice(end, place.start)}\u27E6${place.kind.name}\u27E7`;
			end = place.end;
		}
		return shown + text.slice(end);
	}

	/**
	 * The value with all its texts and keys redacted; the same one where none holds a secret. What tells one kind of state from
	 * another is the host's own word, and stays, whatever somebody's secret is.
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

function linesOf(secret: KnownSecret): readonly SecretWord[] {
	const lines = secret.value.split(/\r?\n/).filter((line) => line.length >= lineLength);
	return [secret.value, ...(lines.length > 1 ? lines : [])].flatMap((value) => wordsOf({ ...secret, value }));
}
