import type { KeyValue } from "./storage.ts";
import { isJsonObject } from "./json.ts";

/** How much is remembered. */
export interface MemoryLimits {
	/** Under how many keys; those added to last stay. */
	readonly keys: number;
	/** How many texts under one key; the newest stay. */
	readonly texts: number;
	/** How long a text may be; a longer one is not remembered. */
	readonly length: number;
}

interface Entry {
	readonly key: readonly string[];
	readonly texts: readonly string[];
}

/** Texts that a user used, remembered under keys of several words in VS Code's storage: bounded, newest first. */
export class RememberedTexts {
	private readonly store: KeyValue;
	private readonly storageKey: string;
	private readonly limits: MemoryLimits;

	constructor(store: KeyValue, storageKey: string, limits: MemoryLimits) {
		this.store = store;
		this.storageKey = storageKey;
		this.limits = limits;
	}

	/** The keys under which there are texts, the one added to last first. */
	get keys(): readonly (readonly string[])[] {
		return this.entries().map(({ key }) => key);
	}

	/** The values that are remembered under a key, the newest first. */
	of(key: readonly string[]): readonly string[] {
		return this.entries().find((entry) => isSame(entry.key, key))?.texts ?? [];
	}

	/** Remembers a text as the newest one under a key. */
	async add(key: readonly string[], text: string): Promise<void> {
		if (text === "" || text.length > this.limits.length) return;
		const entries = this.entries();
		const texts = [text, ...this.of(key).filter((other) => other !== text)].slice(0, this.limits.texts);
		const others = entries.filter((entry) => !isSame(entry.key, key));
		await this.store.update(this.storageKey, [{ key, texts }, ...others].slice(0, this.limits.keys));
	}

	/** Forgets the texts under the keys that begin with these words: one text, or all. */
	async remove(words: readonly string[], text?: string): Promise<void> {
		const left = this.entries()
			.map(({ key, texts }) => {
				const isMeant = words.every((word, index) => key[index] === word);
				return { key, texts: isMeant ? texts.filter((other) => text !== undefined && other !== text) : texts };
			})
			.filter(({ texts }) => texts.length > 0);
		await this.store.update(this.storageKey, left.length === 0 ? undefined : left);
	}

	/** Stored data is checked, because another version may have written it. */
	private entries(): readonly Entry[] {
		const stored = this.store.get<unknown>(this.storageKey);
		if (!Array.isArray(stored)) return [];
		return stored
			.flatMap((value: unknown): Entry[] => {
				if (!isJsonObject(value)) return [];
				const { key, texts } = value;
				return isTexts(key) && isTexts(texts) ? [{ key, texts: texts.slice(0, this.limits.texts) }] : [];
			})
			.slice(0, this.limits.keys);
	}
}

function isTexts(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((word, index) => word === other[index]);
}
