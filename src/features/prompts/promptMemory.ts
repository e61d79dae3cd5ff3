import { Emitter, type Event } from "../../base/event.ts";
import type { KeyValue } from "../../base/storage.ts";
import { promptKey } from "./catalog.ts";

const pinsKey = "mcpHost.pinnedPrompts";

/** How many prompts may be pinned; the one pinned first makes room for another. */
const mostPinned = 100;

/**
 * The prompts that the user keeps on top of every list. Kept for all workspaces: a server's id names the file that
 * defines it, so a pin of a workspace's own server shows in that workspace only, and one of the user's own everywhere.
 */
export class PromptPins {
	private readonly store: KeyValue;
	/** The keys (catalog.ts) of the pinned prompts, the first pinned first. */
	private pinned: ReadonlySet<string>;
	private readonly changed = new Emitter<void>();
	/** Fired after a prompt was pinned or unpinned. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(store: KeyValue) {
		this.store = store;
		this.pinned = this.read();
	}

	/** The keys of the pinned prompts, the first pinned first. */
	get keys(): readonly string[] {
		return [...this.pinned];
	}

	/** Whether a prompt is pinned, by its server's id and its name. */
	has(server: string, prompt: string): boolean {
		return this.pinned.has(promptKey(server, prompt));
	}

	/** Pins a prompt, or takes its pin away. */
	async set(server: string, prompt: string, isPinned: boolean): Promise<void> {
		const key = promptKey(server, prompt);
		// Another window may have pinned something since.
		const others = [...this.read()].filter((other) => other !== key);
		this.pinned = new Set(isPinned ? [...others, key].slice(-mostPinned) : others);
		this.changed.fire();
		await this.store.update(pinsKey, this.keys);
	}

	dispose(): void {
		this.changed.dispose();
	}

	/** Stored data is checked, because another version may have written it. */
	private read(): ReadonlySet<string> {
		const stored = this.store.get<unknown>(pinsKey);
		return new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === "string").slice(-mostPinned) : []);
	}
}

const recentsKey = "mcpHost.recentPrompts";

/** How many prompts are remembered. */
const mostRecent = 10;

/**
 * The keys of the prompts that the user ran, the latest first. Stored data is checked, because another version may have
 * written it.
 */
export function recentPrompts(store: KeyValue): readonly string[] {
	const stored = store.get<unknown>(recentsKey);
	return Array.isArray(stored) ? stored.filter((key) => typeof key === "string").slice(0, mostRecent) : [];
}

/** Remembers that a prompt was run. */
export async function rememberPrompt(store: KeyValue, key: string): Promise<void> {
	const others = recentPrompts(store).filter((other) => other !== key);
	await store.update(recentsKey, [key, ...others].slice(0, mostRecent));
}
