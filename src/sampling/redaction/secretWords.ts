import { type KnownSecret, writingsOf } from "../../base/secrets/knownSecret.ts";
import { ranks } from "./finding.ts";
import type { SecretWord } from "./wordSearch.ts";

/** What to look for in place of a secret, under its names; nothing for what cannot be told from other text. */
export function wordsOf({ value, name, label }: KnownSecret): readonly SecretWord[] {
	return writingsOf(value).map(({ text, how, isWhole }) => ({
		text,
		kind: { name, label: how === "" ? label : `${label}, ${how}`, rank: ranks.known },
		isWhole,
	}));
}
