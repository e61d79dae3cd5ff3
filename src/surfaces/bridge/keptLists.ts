import { canonicalJson, isJsonObject, objectsIn, type JsonObject } from "../../base/json.ts";
import type { Journal } from "../../base/store/journal.ts";
import type { Session } from "../../servers/sessions/session.ts";

/** The lists of one server, as they are offered. */
export interface ServerLists {
	readonly tools: readonly JsonObject[];
	readonly prompts: readonly JsonObject[];
	readonly resources: readonly JsonObject[];
	readonly resourceTemplates: readonly JsonObject[];
}

/** The name of the journal. */
export const offeredName = "offered";
/** How many servers' lists are kept, and how long one list may be, in characters: of a longer one the beginning is kept. */
const mostKept = 200;
const longestKept = 100_000;

/** The lists of servers when they last ran, of all windows: they are offered while a server does not run (GST-09). */
export class KeptLists {
	private readonly journal: Journal;

	constructor(journal: Journal) {
		this.journal = journal;
	}

	/** The lists of a server; empty if nothing is known of its present definition. */
	of({ definition: { id, hash } }: Session): ServerLists {
		const value = this.journal.get(id)?.value;
		const kept = isJsonObject(value) && value["hash"] === hash ? value : {};
		const list = (name: keyof ServerLists): readonly JsonObject[] => objectsIn(kept[name]);
		return {
			tools: list("tools"),
			prompts: list("prompts"),
			resources: list("resources"),
			resourceTemplates: list("resourceTemplates"),
		};
	}

	/** Keeps lists of a server that runs. */
	keep(server: Session, lists: Partial<ServerLists>): void {
		const { id, hash } = server.definition;
		const { journal } = this;
		const { tools, prompts, resources, resourceTemplates } = { ...this.of(server), ...lists };
		const value = {
			hash,
			tools: beginning(tools),
			prompts: beginning(prompts),
			resources: beginning(resources),
			resourceTemplates: beginning(resourceTemplates),
		};
		if (canonicalJson(journal.get(id)?.value ?? {}) === canonicalJson(value)) return;
		journal.put(id, value);
		const { lines } = journal;
		for (const { key } of lines.slice(0, Math.max(0, lines.length - mostKept))) journal.remove(key);
	}
}

function beginning(items: readonly JsonObject[]): readonly JsonObject[] {
	let left = longestKept;
	const end = items.findIndex((item) => (left -= JSON.stringify(item).length) < 0);
	return end === -1 ? items : items.slice(0, end);
}
