import type { KeyValue } from "../base/storage.ts";

const storageKey = "mcpHost.recentPrompts";

/** How many prompts are remembered. */
const limit = 10;

/** The keys of the prompts that the person ran, the latest first. What was stored is checked, since another version may have written it. */
export function recentPrompts(store: KeyValue): readonly string[] {
	const stored = store.get<unknown>(storageKey);
	return Array.isArray(stored) ? stored.filter((key) => typeof key === "string").slice(0, limit) : [];
}

/** Remembers that a prompt was run. */
export async function rememberPrompt(store: KeyValue, key: string): Promise<void> {
	const others = recentPrompts(store).filter((other) => other !== key);
	await store.update(storageKey, [key, ...others].slice(0, limit));
}
