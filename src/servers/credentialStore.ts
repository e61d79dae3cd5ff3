import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject } from "../base/json.ts";
import type { Secrets } from "../base/storage.ts";
import type { ServerDefinition, ServerId } from "./config.ts";
import type { CredentialStore } from "../protocol/authorization/authorization.ts";

/**
 * What servers' sign-ins left: one secret per server, which says what it is for. When the definition reaches elsewhere or
 * signs in otherwise, the former values count as absent, and the next write replaces them (AUT-10, AUT-14).
 */
export class Credentials {
	private readonly secrets: Secrets;
	/** The store in use of each server, and what it is for. */
	private readonly inUse = new Map<ServerId, { readonly reached: string; readonly store: CredentialStore }>();
	/** The last change of each server's secret: changes follow each other, so that none is lost. */
	private readonly changes = new Map<ServerId, Promise<void>>();

	constructor(secrets: Secrets) {
		this.secrets = secrets;
	}

	/**
	 * The credentials of one definition: the same object until they are forgotten or the server is reached otherwise. Whoever
	 * still holds a former one changes nothing by it: a refresh that ends after its sign-out must not undo that.
	 */
	of(definition: ServerDefinition): CredentialStore {
		const { id } = definition;
		const reached = reachedBy(definition);
		const existing = this.inUse.get(id);
		if (existing?.reached === reached) return existing.store;
		const change = async (edit: (values: Map<string, string>) => unknown): Promise<void> => {
			if (this.isInUse(id, store)) await this.change(definition, edit);
		};
		const store: CredentialStore = {
			get: async (key) => (await this.all(definition)).get(key),
			set: (key, value) => change((values) => values.set(key, value)),
			delete: (key) => change((values) => values.delete(key)),
		};
		this.inUse.set(id, { reached, store });
		return store;
	}

	/** Whether a store is still that of its server. */
	isInUse(id: ServerId, store: CredentialStore): boolean {
		return this.inUse.get(id)?.store === store;
	}

	/** The keys that a definition has values for. */
	async keys(definition: ServerDefinition): Promise<readonly string[]> {
		return [...(await this.all(definition)).keys()];
	}

	/** Deletes everything that was kept for a server, whatever its definition was. */
	forget(id: ServerId): Promise<void> {
		this.inUse.delete(id);
		return this.enqueue(id, () => this.secrets.delete(secretOf(id)));
	}

	private async all(definition: ServerDefinition): Promise<Map<string, string>> {
		await this.changes.get(definition.id);
		return this.read(definition);
	}

	/** What is kept for exactly this definition. Damaged values are absent: signing in again replaces them. */
	private async read(definition: ServerDefinition): Promise<Map<string, string>> {
		const text = await this.secrets.get(secretOf(definition.id));
		const stored = text === undefined ? undefined : parse(text);
		if (!isJsonObject(stored) || stored["reached"] !== reachedBy(definition)) return new Map();
		const values = stored["values"];
		if (!isJsonObject(values)) return new Map();
		return new Map(Object.entries(values).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
	}

	private change(definition: ServerDefinition, edit: (values: Map<string, string>) => unknown): Promise<void> {
		return this.enqueue(definition.id, async () => {
			// Read anew each time: another window may have signed in or refreshed meanwhile.
			const values = await this.read(definition);
			edit(values);
			if (values.size === 0) await this.secrets.delete(secretOf(definition.id));
			else {
				const content = { reached: reachedBy(definition), values: Object.fromEntries(values) };
				await this.secrets.store(secretOf(definition.id), JSON.stringify(content));
			}
		});
	}

	private enqueue(id: ServerId, run: () => PromiseLike<void>): Promise<void> {
		const done = after(this.changes.get(id), run);
		this.changes.set(
			id,
			done.catch(() => undefined),
		);
		return done;
	}
}

async function after(former: Promise<void> | undefined, run: () => PromiseLike<void>): Promise<void> {
	await former;
	await run();
}

function secretOf(id: ServerId): string {
	return `mcpHost.credentials/${id}`;
}

/** What the values are for: the address and the way of signing in; headers and the like may change. */
function reachedBy({ config, hash }: ServerDefinition): string {
	if (config.kind === "stdio") return hash;
	const reached = canonicalJson({ url: config.url, oauth: config.oauth ?? null });
	return createHash("sha256").update(reached).digest("hex");
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
