import { type JsonObject, parseJsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { RememberedTexts } from "../../base/rememberedTexts.ts";
import { asksForSecret, holdsSecrets } from "../../base/secrets/judge.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";

/** How many tools, and how long their arguments may be. */
const argumentLimits = { keys: 100, texts: 1, length: 20_000 };

/**
 * The arguments of the last run of each tool, which its form starts with. Kept with the workspace, and only where nothing
 * in them or in the schema looks like a secret (SEC-03).
 */
export class LastArguments {
	private readonly texts: RememberedTexts;

	constructor(state: KeyValue) {
		this.texts = new RememberedTexts(state, "mcpHost.toolArguments", argumentLimits);
	}

	/** The arguments of a tool's last run; undefined when none are kept. */
	of({ session, tool }: ToolEntry): JsonObject | undefined {
		const [text] = this.texts.of([session.definition.id, tool.name]);
		return text === undefined ? undefined : parseJsonObject(text);
	}

	/** Stores the arguments of a run, replacing the former ones. Text that looks like a secret is not stored. */
	async remember({ session, tool }: ToolEntry, args: JsonObject): Promise<void> {
		const key = [session.definition.id, tool.name];
		if (
			Object.keys(args).length === 0 ||
			asksForSecret(jsonObjectOf(tool.inputSchema)) ||
			holdsSecrets(args, "asked")
		) {
			await this.texts.remove(key);
			return;
		}
		await this.texts.add(key, JSON.stringify(args));
	}

	/** Forgets all of them. */
	async clear(): Promise<void> {
		await this.texts.remove([]);
	}
}

const recentLimits = { keys: 1, texts: 10, length: 1000 };
const recentKey = ["recent"];

/** The tools that the user ran last in this workspace, by name. */
export class RecentTools {
	private readonly texts: RememberedTexts;

	constructor(state: KeyValue) {
		this.texts = new RememberedTexts(state, "mcpHost.recentTools", recentLimits);
	}

	/** Their keys, the latest first. */
	get keys(): readonly string[] {
		return this.texts.of(recentKey);
	}

	async remember(entry: ToolEntry): Promise<void> {
		await this.texts.add(recentKey, toolKey(entry));
	}

	async clear(): Promise<void> {
		await this.texts.remove(recentKey);
	}
}

/** The identity of a tool: the id of its server and its name. */
export function toolKey({ session, tool }: ToolEntry): string {
	return JSON.stringify([session.definition.id, tool.name]);
}
