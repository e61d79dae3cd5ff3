import type { Secrets } from "../base/storage.ts";
import type { InputDefinition, ServerDefinition } from "./config.ts";

/**
 * The values of `${input:id}`, asked once and kept in the key store only. They belong to one exact definition: another
 * server with the same input id, or the same server after a change, asks again (security.md CFG-11, CFG-12).
 */
export class InputValues {
	private readonly secrets: Secrets;
	private readonly ask: (definition: ServerDefinition, input: InputDefinition) => Promise<string | undefined>;

	constructor(
		secrets: Secrets,
		ask: (definition: ServerDefinition, input: InputDefinition) => Promise<string | undefined>,
	) {
		this.secrets = secrets;
		this.ask = ask;
	}

	/**
	 * The kept value, or the person's answer, which is kept; undefined when they gave none, or when `mayAsk` says no: a start
	 * that nobody asked for must not put up a question.
	 */
	async get(definition: ServerDefinition, id: string, mayAsk: () => boolean): Promise<string | undefined> {
		const input = definition.inputs.find((candidate) => candidate.id === id);
		if (input === undefined) return undefined;
		const key = keyOf(definition, id);
		const kept = await this.secrets.get(key);
		if (kept !== undefined || !mayAsk()) return kept;
		const value = await this.ask(definition, input);
		if (value !== undefined) await this.secrets.store(key, value);
		return value;
	}

	/** Deletes every value kept for a definition. */
	async forget(definition: ServerDefinition): Promise<void> {
		for (const { id } of definition.inputs) await this.secrets.delete(keyOf(definition, id));
	}
}

function keyOf(definition: ServerDefinition, id: string): string {
	return `mcpHost.input/${definition.hash}/${id}`;
}
