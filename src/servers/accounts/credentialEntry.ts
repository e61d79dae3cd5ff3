import { randomUUID } from "node:crypto";
import { isJsonObject, parseJson } from "../../base/json.ts";
import type { Secrets } from "../../base/storage.ts";
import type { ServerId } from "../definitions/config.ts";

/** The sign-in data of a server is one secret; `reached` identifies its purpose. */
interface Entry {
	readonly secrets: Secrets;
	readonly id: ServerId;
	readonly reached: string;
}

/** A text that identifies the last sign-out at a server, in any window; empty if there was none. */
export async function signOutsAt({ secrets, id }: Pick<Entry, "secrets" | "id">): Promise<string> {
	return (await secrets.get(signOutsOf(id))) ?? "";
}

/** The values that are kept for exactly this. */
export async function valuesOf(entry: Entry): Promise<Map<string, string>> {
	const text = await entry.secrets.get(secretOf(entry.id));
	// Last, since a window that signs out says so before it deletes.
	return read(entry, text, await signOutsAt(entry));
}

/**
 * Changes the values; with `since` not if a user signed out after that. Returns whether they are kept: a window that
 * signs out at the same time takes precedence.
 */
export async function changeValues(
	entry: Entry,
	edit: (values: Map<string, string>) => unknown,
	since: string | undefined,
): Promise<boolean> {
	const { secrets, id, reached } = entry;
	// Read first: values written below must have no effect if a user signs out from now on.
	const signOuts = await signOutsAt(entry);
	if (since !== undefined && since !== signOuts) return false;
	// Read again each time: another window may have signed in or refreshed meanwhile.
	const values = read(entry, await secrets.get(secretOf(id)), signOuts);
	edit(values);
	if (values.size === 0) await secrets.delete(secretOf(id));
	else {
		const said = signOuts === "" ? {} : { since: signOuts };
		await secrets.store(secretOf(id), JSON.stringify({ reached, ...said, values: Object.fromEntries(values) }));
	}
	return signOuts === (await signOutsAt(entry));
}

/**
 * Deletes all values of a server, for every purpose, and notifies the other windows. For a server without a sign-in, by
 * `wasInUse` and the key store, nothing is written.
 */
export async function forgetValues(secrets: Secrets, id: ServerId, wasInUse: boolean): Promise<void> {
	try {
		if (wasInUse || (await secrets.get(secretOf(id))) !== undefined)
			await secrets.store(signOutsOf(id), JSON.stringify({ last: randomUUID() }));
	} finally {
		await secrets.delete(secretOf(id));
	}
}

/**
 * The values that were stored for exactly this purpose since the last sign-out; a window that did not know of that may
 * have written later. Damaged values are absent: signing in again replaces them.
 */
function read({ reached }: Entry, text: string | undefined, signOuts: string): Map<string, string> {
	const stored = text === undefined ? undefined : parseJson(text);
	if (!isJsonObject(stored) || stored["reached"] !== reached) return new Map();
	if ((stored["since"] ?? "") !== signOuts) return new Map();
	const values = stored["values"];
	if (!isJsonObject(values)) return new Map();
	return new Map(Object.entries(values).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}

/** The server whose sign-in a secret is, by its key; undefined for other secrets. */
export function serverOfSecret(key: string): ServerId | undefined {
	const prefix = secretOf("");
	return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

function secretOf(id: ServerId): string {
	return `mcpHost.credentials/${id}`;
}

/** The key of the text that identifies the last sign-out. */
export function signOutsOf(id: ServerId): string {
	return `mcpHost.signOuts/${id}`;
}
