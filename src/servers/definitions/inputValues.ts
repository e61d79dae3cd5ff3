import { sha256 } from "../../base/hash.ts";
import type { Secrets } from "../../base/storage.ts";
import type { InputDefinition, ServerDefinition, ServerId } from "./config.ts";

/** The initial value of the box for an input. Empty if it would be invisible: a user would accept it unread. */
export function prefilled({ isPassword, defaultValue, options }: InputDefinition): string | undefined {
	return isPassword || options !== undefined ? undefined : defaultValue;
}

/**
 * The values of `${input:id}`, asked once and kept in the key store only. They belong to one exact definition: another
 * server with the same input id, or the same server after a change, asks again (CFG-11, CFG-12).
 */
export class InputValues {
	private readonly secrets: Secrets;
	private readonly ask: (definition: ServerDefinition, input: InputDefinition) => Promise<string | undefined>;
	/** The running question; aborted when the input is forgotten meanwhile. */
	private readonly asking = new Map<AbortController, string>();

	constructor(
		secrets: Secrets,
		ask: (definition: ServerDefinition, input: InputDefinition) => Promise<string | undefined>,
	) {
		this.secrets = secrets;
		this.ask = ask;
	}

	/**
	 * The kept value, or the user's answer, which is kept; undefined when they gave none, or when `mayAsk` returns false:
	 * an automatic start must not show a question. An answer has no effect if the input was forgotten meanwhile, or if
	 * `mayKeep` returns false: the user then withdrew what it was for.
	 */
	async get(
		definition: ServerDefinition,
		id: string,
		mayAsk: () => boolean,
		mayKeep: () => boolean = () => true,
	): Promise<string | undefined> {
		const input = definition.inputs.find((candidate) => candidate.id === id);
		if (input === undefined) return undefined;
		const key = keyOf(definition, id);
		const kept = await this.secrets.get(key);
		if (kept !== undefined || !mayAsk()) return kept;
		const asked = new AbortController();
		const isOver = (): boolean => asked.signal.aborted || !mayKeep();
		this.asking.set(asked, key);
		try {
			const value = await this.ask(definition, input);
			if (value === undefined || isOver()) return undefined;
			await this.secrets.store(key, value);
			if (!isOver()) return value;
			await this.secrets.delete(key);
			return undefined;
		} finally {
			this.asking.delete(asked);
		}
	}

	/** Keeps a value that the user gave before a definition asks for it. */
	async keep(definition: ServerDefinition, id: string, value: string): Promise<void> {
		await this.secrets.store(keyOf(definition, id), value);
	}

	/** Deletes the values that are stored for a server; with a hash only those for that definition of it. */
	async forget(id: ServerId, hash = ""): Promise<void> {
		const start = serverKey(id) + hash;
		for (const [asked, key] of this.asking) if (key.startsWith(start)) asked.abort();
		const keys = await this.secrets.keys();
		for (const key of keys) if (key.startsWith(start)) await this.secrets.delete(key);
	}
}

/** The prefix of a server's keys; no other server's keys have it. */
function serverKey(id: ServerId): string {
	return `mcpHost.input/${sha256(id)}/`;
}

function keyOf({ id, hash }: ServerDefinition, input: string): string {
	return `${serverKey(id)}${hash}/${input}`;
}
