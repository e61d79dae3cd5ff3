import { randomBytes, timingSafeEqual } from "node:crypto";
import { Emitter, type Event } from "../../base/event.ts";
import { sha256 } from "../../base/hash.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { parseJsonObject } from "../../base/json.ts";
import { isName, isText, shape } from "../../base/shape.ts";
import type { Secrets } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";

/** A key by which one client reaches the servers over HTTP. Only its digest is kept. */
export interface ClientKey {
	readonly id: string;
	/** The user's name for the client. */
	readonly name: string;
	/** ISO 8601. */
	readonly at: string;
}

/** The dependencies of the keys. */
export interface KeyServices {
	/** Of all windows. */
	readonly secrets: Secrets;
	readonly notes: ActivityNotes;
}

interface Kept extends ClientKey {
	readonly digest: string;
}

/** How the names of the digests begin in the secret store. */
const prefix = "mcpHost.agentKey/";
const hasShape = shape({ name: isText, at: isText, digest: isName });

/**
 * The keys of clients that use HTTP. Making one is the user's consent: who has it may ask for calls until it is revoked
 * (GST-15). A key is shown once, when it is made.
 */
export class ClientKeys implements Disposable {
	private readonly services: KeyServices;
	private kept: readonly Kept[] = [];
	private readonly changed = new Emitter<void>();
	/** A key was made or revoked in this window, or the keys were read again. */
	readonly onDidChange: Event<void> = this.changed.event;

	private readonly heard: Disposable | undefined;

	constructor(services: KeyServices) {
		this.services = services;
		this.heard = services.secrets.onDidChange?.(({ key }) => void (key.startsWith(prefix) && this.refresh()));
	}

	/** The keys as they were read last, the oldest first. */
	get all(): readonly ClientKey[] {
		return this.kept;
	}

	/** Whether a key was there when they were read last. */
	has(id: string): boolean {
		return this.kept.some((one) => one.id === id);
	}

	/** Reads the keys: another window may have made or revoked one. */
	async refresh(): Promise<void> {
		const { secrets } = this.services;
		const names = (await secrets.keys()).filter((name) => name.startsWith(prefix));
		const read = await Promise.all(
			names.map(async (name) => {
				const value: unknown = parseJsonObject((await secrets.get(name)) ?? "");
				return isKept(value) ? [{ ...value, id: name.slice(prefix.length) }] : [];
			}),
		);
		const before = JSON.stringify(this.kept);
		this.kept = read.flat().toSorted((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
		if (JSON.stringify(this.kept) !== before) this.changed.fire();
	}

	/** Makes a key for a client, and returns it: nobody can read it again. */
	async add(name: string): Promise<string> {
		const { secrets, notes } = this.services;
		const key = `mcph_${randomBytes(32).toString("base64url")}`;
		const kept = { name: oneLine(name, 60), at: new Date().toISOString(), digest: sha256(key) };
		await secrets.store(`${prefix}${crypto.randomUUID()}`, JSON.stringify(kept));
		notes.note({ kind: "permission", event: "granted", subject: `servers for who has the key “${kept.name}”` });
		await this.refresh();
		return key;
	}

	/** The key that a client sent, if it is one that was not revoked. */
	async find(sent: string): Promise<ClientKey | undefined> {
		await this.refresh();
		const digest = Buffer.from(sha256(sent));
		return this.kept.find((one) => {
			const known = Buffer.from(one.digest);
			return known.length === digest.length && timingSafeEqual(known, digest);
		});
	}

	dispose(): void {
		this.heard?.dispose();
	}

	/** Revokes keys: their clients are refused from now on. */
	async revoke(ids: readonly string[]): Promise<void> {
		const { secrets, notes } = this.services;
		for (const { id, name } of this.kept.filter((one) => ids.includes(one.id))) {
			await secrets.delete(`${prefix}${id}`);
			notes.note({ kind: "permission", event: "revoked", subject: `servers for who has the key “${name}”` });
		}
		await this.refresh();
	}
}

function isKept(value: unknown): value is Omit<Kept, "id"> {
	return hasShape(value);
}
