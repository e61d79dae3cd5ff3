import { sha256 } from "../../base/hash.ts";
import type { Secrets } from "../../base/storage.ts";
import type { InputDefinition, ServerDefinition, ServerId } from "./config.ts";

/** What the box for an input begins with. Nothing where it would not be seen: a user would agree to it unread. */
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
	/** What is being asked for; aborted when it is forgotten meanwhile. */
	private readonly asking = new Map<AbortController, string>();

	constructor(
		secrets: Secrets,
		ask: (definition: ServerDefinition, input: InputDefinition) => Promise<string | undefined>,
	) {
		this.secrets = secrets;
		this.ask = ask;
	}

	/**
	 * The kept value, or the user's answer, which is kept; undefined when they gave none, or when `mayAsk` says no: a start
	 * that nobody asked for must not put up a question. An answer that comes when it was forgotten, or `mayKeep` says no, counts
	 * for nothing: the user withdrew meanwhile what it was asked for.
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

	/** Deletes what is kept for a server; with a hash only what is kept for that definition of it. */
	async forget(id: ServerId, hash = ""): Promise<void> {
		const start = serverKey(id) + hash;
		for (const [asked, key] of this.asking) if (key.startsWith(start)) asked.abort();
		const keys = await this.secrets.keys();
		for (const key of keys) if (key.startsWith(start)) await this.secrets.delete(key);
	}
}

/** What the keys of a server begin with; no other server's do. */
function serverKey(id: ServerId): string {
	return `mcpHost.input/${sha256(id)}/`;
}

function keyOf({ id, hash }: ServerDefinition, input: string): string {
	return `${serverKey(id)}${hash}/${input}`;
}
