import { isJsonObject } from "../../base/json.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { EraVerdict } from "../../protocol/connection.ts";

const key = "mcpHost.eras";
/** Verdicts kept; the oldest go first. Definitions that changed leave theirs behind. */
const maxEntries = 200;

/** Remembers the era of each definition, so that its next start needs no probe. */
export class EraCache {
	private readonly store: KeyValue;

	constructor(store: KeyValue) {
		this.store = store;
	}

	get(hash: string): EraVerdict | undefined {
		const verdict = this.all.get(hash);
		if (!isJsonObject(verdict)) return undefined;
		if (verdict["kind"] === "legacy") return { kind: "legacy" };
		const { version } = verdict as { version?: unknown };
		return verdict["kind"] === "modern" && typeof version === "string" ? { kind: "modern", version } : undefined;
	}

	set(hash: string, verdict: EraVerdict | undefined): void {
		const all = new Map(this.all);
		if (JSON.stringify(all.get(hash)) === JSON.stringify(verdict)) return;
		all.delete(hash);
		if (verdict !== undefined) all.set(hash, verdict);
		// A verdict that cannot be stored only costs one probe at the next start.
		void this.store.update(key, Object.fromEntries([...all].slice(-maxEntries))).then(undefined, () => undefined);
	}

	private get all(): ReadonlyMap<string, unknown> {
		const stored = this.store.get<unknown>(key);
		return new Map(isJsonObject(stored) ? Object.entries(stored) : []);
	}
}
