import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import type { KeyValue } from "../base/storage.ts";
import type { ServerId } from "../servers/config.ts";
import type { RootsChoice } from "./rule.ts";

const key = "mcpHost.roots";

/**
 * Which roots the person chose for which server, kept with the workspace: its folders are other ones than the next one's.
 * Bound to the server's id, so that a name alone gives another server nothing (security.md CFG-03).
 */
export class RootsChoices {
	private readonly store: KeyValue;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(store: KeyValue) {
		this.store = store;
	}

	/** The choice for a server; undefined when there is none, or when what is kept is damaged. */
	get(id: ServerId): RootsChoice | undefined {
		const all = this.all;
		const kept = Object.hasOwn(all, id) ? all[id] : undefined;
		return isChoice(kept) ? kept : undefined;
	}

	/** Keeps a choice; undefined forgets it, so that the configuration counts again. */
	async set(id: ServerId, choice: RootsChoice | undefined): Promise<void> {
		const others = Object.entries(this.all).filter(([other]) => other !== id);
		await this.store.update(key, Object.fromEntries(choice === undefined ? others : [...others, [id, choice]]));
		this.changed.fire();
	}

	private get all(): Readonly<Record<string, unknown>> {
		const stored = this.store.get<unknown>(key);
		return isJsonObject(stored) ? stored : {};
	}
}

function isChoice(value: unknown): value is RootsChoice {
	const isUris = (list: unknown): boolean =>
		Array.isArray(list) && list.every((uri) => typeof uri === "string" && URL.canParse(uri));
	return isJsonObject(value) && isUris(value["folders"]) && isUris(value["extra"]);
}
