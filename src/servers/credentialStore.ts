import { createHash, randomUUID } from "node:crypto";
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
		const change = async (edit: (values: Map<string, string>) => unknown, since?: string): Promise<boolean> =>
			this.isInUse(id, store) && this.change(definition, edit, since);
		const store: CredentialStore = {
			get: async (key) => (await this.all(definition)).get(key),
			set: (key, value, since) => change((values) => values.set(key, value), since),
			delete: async (key) => void (await change((values) => values.delete(key))),
			signOuts: () => this.enqueue(id, () => this.signOuts(id)),
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

	/**
	 * Deletes everything that was kept for a server, whatever its definition was, in all windows: what another one is about to
	 * write counts for nothing.
	 */
	forget(id: ServerId): Promise<void> {
		const wasInUse = this.inUse.delete(id);
		return this.enqueue(id, async () => {
			try {
				// A server that nobody ever signed in at leaves nothing.
				if (wasInUse || (await this.secrets.get(secretOf(id))) !== undefined)
					await this.secrets.store(signOutsOf(id), JSON.stringify({ last: randomUUID() }));
			} finally {
				await this.secrets.delete(secretOf(id));
			}
		});
	}

	/** What tells the last sign-out at a server from those before; empty for none. */
	private async signOuts(id: ServerId): Promise<string> {
		return (await this.secrets.get(signOutsOf(id))) ?? "";
	}

	private async all(definition: ServerDefinition): Promise<Map<string, string>> {
		await this.changes.get(definition.id);
		const text = await this.secrets.get(secretOf(definition.id));
		// Last, since a window that signs out says so before it deletes.
		return this.read(definition, text, await this.signOuts(definition.id));
	}

	/**
	 * What is kept for exactly this definition since the last sign-out; a window that did not know of that may have written
	 * later. Damaged values are absent: signing in again replaces them.
	 */
	private read(definition: ServerDefinition, text: string | undefined, signOuts: string): Map<string, string> {
		const stored = text === undefined ? undefined : parse(text);
		if (!isJsonObject(stored) || stored["reached"] !== reachedBy(definition)) return new Map();
		if ((stored["since"] ?? "") !== signOuts) return new Map();
		const values = stored["values"];
		if (!isJsonObject(values)) return new Map();
		return new Map(Object.entries(values).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
	}

	private change(
		definition: ServerDefinition,
		edit: (values: Map<string, string>) => unknown,
		since: string | undefined,
	): Promise<boolean> {
		const { id } = definition;
		return this.enqueue(id, async () => {
			// Before all else: what is written below is of no use should somebody sign out from now on.
			const signOuts = await this.signOuts(id);
			if (since !== undefined && since !== signOuts) return false;
			// Read anew each time: another window may have signed in or refreshed meanwhile.
			const values = this.read(definition, await this.secrets.get(secretOf(id)), signOuts);
			edit(values);
			if (values.size === 0) await this.secrets.delete(secretOf(id));
			else {
				const said = signOuts === "" ? {} : { since: signOuts };
				const content = { reached: reachedBy(definition), ...said, values: Object.fromEntries(values) };
				await this.secrets.store(secretOf(id), JSON.stringify(content));
			}
			return signOuts === (await this.signOuts(id));
		});
	}

	private enqueue<T>(id: ServerId, run: () => Promise<T>): Promise<T> {
		const done = after(this.changes.get(id), run);
		this.changes.set(
			id,
			done.then(
				() => undefined,
				() => undefined,
			),
		);
		return done;
	}
}

async function after<T>(former: Promise<void> | undefined, run: () => Promise<T>): Promise<T> {
	await former;
	return run();
}

function secretOf(id: ServerId): string {
	return `mcpHost.credentials/${id}`;
}

function signOutsOf(id: ServerId): string {
	return `mcpHost.signOuts/${id}`;
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
