import { RememberedTexts } from "../base/rememberedTexts.ts";
import type { KeyValue } from "../base/storage.ts";
import type { ToolEntry } from "../tools/catalog.ts";

const limits = { keys: 1, texts: 10, length: 1000 };
const key = ["recent"];

/** The tools that the person ran last in this workspace, by name. */
export class RecentTools {
	private readonly texts: RememberedTexts;

	constructor(state: KeyValue) {
		this.texts = new RememberedTexts(state, "mcpHost.recentTools", limits);
	}

	/** Their keys, the latest first. */
	get keys(): readonly string[] {
		return this.texts.of(key);
	}

	async remember(entry: ToolEntry): Promise<void> {
		await this.texts.add(key, toolKey(entry));
	}

	async clear(): Promise<void> {
		await this.texts.remove(key);
	}
}

/** Tells a tool from every other by the id of its server and its name. */
export function toolKey({ session, tool }: ToolEntry): string {
	return JSON.stringify([session.definition.id, tool.name]);
}
