import { sha256 } from "../../base/hash.ts";
import { canonicalJson } from "../../base/json.ts";
import { lazy } from "../../base/lazy.ts";
import type { Secrets } from "../../base/storage.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import type { valuesOf } from "./credentialEntry.ts";
import type { CredentialStore } from "../../protocol/authorization.ts";

/**
 * The sign-in data of servers: one secret per server, which includes its purpose. When the definition changes its
 * address or way of signing in, the former values count as absent, and the next write replaces them (AUT-10, AUT-14).
 */
export class Credentials {
	private readonly secrets: Secrets;
	/** The current store of each server, and its purpose. */
	private readonly inUse = new Map<ServerId, { readonly reached: string; readonly store: CredentialStore }>();
	/** The last change of each server's secret: changes follow each other, so that none is lost. */
	private readonly changes = new Map<ServerId, Promise<void>>();

	/** Loaded when something is stored or looked for. */
	private readonly entries = lazy(async () => import("./credentialEntry.ts"));

	constructor(secrets: Secrets) {
		this.secrets = secrets;
	}

	/**
	 * The credentials of one definition: the same object until they are forgotten or the server's address or sign-in
	 * changes. A holder of a former object changes nothing by it: a refresh that ends after its sign-out must not undo
	 * that.
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
			signOuts: () =>
				this.enqueue(id, async () => (await this.entries.get()).signOutsAt({ secrets: this.secrets, id })),
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
	 * Deletes everything that was stored for a server, for every definition, in all windows: a pending write of another
	 * window has no effect.
	 */
	forget(id: ServerId): Promise<void> {
		const wasInUse = this.inUse.delete(id);
		return this.enqueue(id, async () => (await this.entries.get()).forgetValues(this.secrets, id, wasInUse));
	}

	private async all(definition: ServerDefinition): Promise<Map<string, string>> {
		await this.changes.get(definition.id);
		return (await this.entries.get()).valuesOf(this.entryOf(definition));
	}

	private change(
		definition: ServerDefinition,
		edit: (values: Map<string, string>) => unknown,
		since: string | undefined,
	): Promise<boolean> {
		return this.enqueue(definition.id, async () =>
			(await this.entries.get()).changeValues(this.entryOf(definition), edit, since),
		);
	}

	private entryOf(definition: ServerDefinition): Parameters<typeof valuesOf>[0] {
		return { secrets: this.secrets, id: definition.id, reached: reachedBy(definition) };
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

/** The purpose of the values: the address and the way of signing in; headers and the like may change. */
function reachedBy({ config, hash }: ServerDefinition): string {
	if (config.kind === "stdio") return hash;
	const reached = canonicalJson({ url: config.url, oauth: config.oauth ?? null });
	return sha256(reached);
}
