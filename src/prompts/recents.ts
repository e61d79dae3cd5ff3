/** What is kept for the person between windows. `vscode.Memento` fits behind a wrapper of one line. */
export interface KeyValue {
	get<T>(key: string): T | undefined;
	set(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = "mcpHost.recentPrompts";

/** How many prompts are remembered. */
const limit = 10;

/** The keys of the prompts that the person ran, the latest first. What was stored is checked, since older code wrote it. */
export function recentPrompts(store: KeyValue): readonly string[] {
	const stored = store.get<unknown>(storageKey);
	return Array.isArray(stored) ? stored.filter((key) => typeof key === "string").slice(0, limit) : [];
}

/** Remembers that a prompt was run. */
export async function rememberPrompt(store: KeyValue, key: string): Promise<void> {
	const others = recentPrompts(store).filter((other) => other !== key);
	await store.set(storageKey, [key, ...others].slice(0, limit));
}
