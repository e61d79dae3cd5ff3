import { holdsSecret } from "../base/secretWords.ts";
import type { CompletionSource } from "./feed.ts";

/** The longest value that goes to a server while somebody types, in characters. */
const lengthLimit = 200;

/**
 * A source that tells the server no more than completion needs, because it is asked on every pause in typing, before the
 * person has submitted anything: no secrets, and no files, selections or other long texts, be it as the value to complete
 * or as its context. `isSecret` tells the arguments whose values are secret.
 */
export function discreet(source: CompletionSource, isSecret: (name: string) => boolean): CompletionSource {
	const mayTell = (name: string, value: string): boolean =>
		!isSecret(name) && value.length <= lengthLimit && !/[\r\n]/.test(value) && !holdsSecret(value);
	return async ({ name, value, known }, signal) => {
		if (!mayTell(name, value)) return { values: [] };
		const told = Object.entries(known).filter((entry) => mayTell(...entry));
		return source({ name, value, known: Object.fromEntries(told) }, signal);
	};
}
