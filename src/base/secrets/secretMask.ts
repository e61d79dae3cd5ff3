import { mergeFound } from "./finding.ts";
import type { KnownSecret } from "./knownSecret.ts";
import { type SecretWord, wordsOf, WordSearch } from "./wordSearch.ts";

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

/**
 * Replaces secrets in texts with marks such as `⟦API key⟧`: no part is left of a secret that contains
 * another. A part of a secret at the text's end, or where it was cut (see `cap`), counts as well.
 */
export class SecretMask {
	private readonly secrets = new Map<string, KnownSecret>();
	private search: WordSearch | undefined;

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

function linesOf(secret: KnownSecret): readonly SecretWord[] {
	const lines = secret.value.split(/\r?\n/).filter((line) => line.length >= lineLength);
	return [secret.value, ...(lines.length > 1 ? lines : [])].flatMap((value) => wordsOf({ ...secret, value }));
}
