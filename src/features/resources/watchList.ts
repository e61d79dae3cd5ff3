import type { KeyValue } from "../../base/storage.ts";
import { isJsonObject } from "../../base/json.ts";
import { keyOf } from "./uri.ts";

const storageKey = "mcpHost.watchedResources";

/** How many resources may be watched without being open; each costs its server a subscription. */
export const watchLimit = 100;

/** A resource that the user watches. */
export interface WatchedResource {
	readonly server: string;
	readonly uri: string;
}

/**
 * The resources that the user watches, over reloads of the window. Stored data is checked: another version may have
 * written it.
 */
export class WatchList {
	private readonly state: KeyValue;

	constructor(state: KeyValue) {
		this.state = state;
	}

	/** All of them, those watched longest first. */
	get all(): readonly WatchedResource[] {
		const stored = this.state.get<unknown>(storageKey);
		if (!Array.isArray(stored)) return [];
		return stored.filter(isWatched).slice(-watchLimit);
	}

	/** Adds a resource, or does nothing when it is there. */
	async add({ server, uri }: WatchedResource): Promise<void> {
		await this.state.update(storageKey, [...this.without({ server, uri }), { server, uri }].slice(-watchLimit));
	}

	async delete(resource: WatchedResource): Promise<void> {
		await this.state.update(storageKey, this.without(resource));
	}

	private without(resource: WatchedResource): readonly WatchedResource[] {
		return this.all.filter((other) => keyOf(other) !== keyOf(resource));
	}
}

function isWatched(value: unknown): value is WatchedResource {
	return isJsonObject(value) && typeof value["server"] === "string" && typeof value["uri"] === "string";
}
