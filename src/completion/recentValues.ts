import { holdsSecret, looksSecret } from "../base/secretWords.ts";
import type { KeyValue } from "../base/storage.ts";
import { isJsonObject } from "../base/json.ts";

/** Values that a person entered before, by the name of what they were entered for. */
export interface RecentValues {
	/** The latest first. */
	of(name: string): readonly string[];
	/** Keeps a value, unless it should not be kept: see `ValueMemory`. */
	remember(name: string, value: string): void;
	forget(name: string, value: string): void;
}

/** How many values are kept of one argument, and of how many arguments in all. */
const limits = { values: 5, arguments: 200, length: 200 };

/**
 * Remembers short values of one line, the latest few of each argument and those of the arguments used last. Never those of
 * arguments that are named like a secret, nor values that hold one: what is kept here is not encrypted.
 */
export class ValueMemory {
	private readonly store: KeyValue;
	private readonly storageKey: string;

	constructor(store: KeyValue, storageKey: string) {
		this.store = store;
		this.storageKey = storageKey;
	}

	/** The values of what `owner` stands for, such as one prompt of one server. `isSecret` tells what is never kept. */
	of(owner: string, isSecret: (name: string) => boolean = looksSecret): RecentValues {
		const keyOf = (name: string): string => JSON.stringify([owner, name]);
		return {
			of: (name) => this.read().get(keyOf(name)) ?? [],
			remember: (name, value) => {
				if (isSecret(name) || holdsSecret(value)) return;
				if (value.trim() === "" || value.length > limits.length || /[\r\n]/.test(value)) return;
				this.change(keyOf(name), (values) => [value, ...values.filter((other) => other !== value)]);
			},
			forget: (name, value) => this.change(keyOf(name), (values) => values.filter((other) => other !== value)),
		};
	}

	private change(key: string, next: (values: readonly string[]) => readonly string[]): void {
		const all = new Map(this.read());
		const values = next(all.get(key) ?? []).slice(0, limits.values);
		all.delete(key);
		const kept = [...(values.length === 0 ? [] : [[key, values] as const]), ...all].slice(0, limits.arguments);
		// What cannot be written is not remembered, which is no reason to stop the person.
		void this.store.update(this.storageKey, Object.fromEntries(kept)).then(undefined, () => undefined);
	}

	/** What was stored is checked, since another version may have written it. */
	private read(): ReadonlyMap<string, readonly string[]> {
		const stored = this.store.get<unknown>(this.storageKey);
		if (!isJsonObject(stored)) return new Map();
		return new Map(
			Object.entries(stored)
				.slice(0, limits.arguments)
				.map(([key, values]): [string, readonly string[]] => [
					key,
					Array.isArray(values) ? values.filter((value) => typeof value === "string").slice(0, limits.values) : [],
				]),
		);
	}
}
