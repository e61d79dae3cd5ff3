import { RememberedTexts } from "../../base/rememberedTexts.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import type { KeyValue } from "../../base/storage.ts";

/** Values that a user entered before, by the name of what they were entered for. */
export interface RecentValues {
	/** The latest first. */
	of(name: string): readonly string[];
	/** Keeps a value, unless it should not be kept: see `ValueMemory`. */
	remember(name: string, value: string): void;
	forget(name: string, value: string): void;
}

/** How many values are kept of one argument, of how many arguments in total, and how long a value may be. */
const limits = { texts: 5, keys: 200, length: 200 };

/**
 * Remembers short values of one line, the latest few of each argument and those of the arguments used last. Never those
 * of arguments with the name of a secret, nor values that contain one: this storage is not encrypted.
 */
export class ValueMemory {
	private readonly memory: RememberedTexts;

	constructor(store: KeyValue, storageKey: string) {
		this.memory = new RememberedTexts(store, storageKey, limits);
	}

	/** The values for an `owner`, such as one prompt of one server. `isHidden` returns which are never kept. */
	of(owner: string, isHidden: (name: string) => boolean = (name) => isSecret(name, undefined, "asked")): RecentValues {
		// A value that cannot be written is not remembered, which must not stop the user.
		const attempt = (writing: Promise<void>): void => void writing.catch(() => undefined);
		return {
			of: (name) => this.memory.of([owner, name]),
			remember: (name, value) => {
				if (isHidden(name) || isSecret("", value, "asked") || value.trim() === "" || /[\r\n]/.test(value)) return;
				attempt(this.memory.add([owner, name], value));
			},
			forget: (name, value) => attempt(this.memory.remove([owner, name], value)),
		};
	}
}
