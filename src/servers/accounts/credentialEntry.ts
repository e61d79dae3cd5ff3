import { randomUUID } from "node:crypto";
import { isJsonObject, parseJson } from "../../base/json.ts";
import type { Secrets } from "../../base/storage.ts";
import type { ServerId } from "../definitions/config.ts";

/** What is kept of the sign-in at a server is one secret; `reached` is what it is for. */
interface Entry {
	readonly secrets: Secrets;
	readonly id: ServerId;
	readonly reached: string;
}

/** What tells the last sign-out at a server from those before, in whatever window; empty for none. */
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
 * Changes the values; with `since` not where somebody signed out after that. Returns whether they are kept: a window that
 * signs out at the same time has its way.
 */
export async function changeValues(
	entry: Entry,
	edit: (values: Map<string, string>) => unknown,
	since: string | undefined,
): Promise<boolean> {
	const { secrets, id, reached } = entry;
	// Before all else: what is written below is of no use should somebody sign out from now on.
	const signOuts = await signOutsAt(entry);
	if (since !== undefined && since !== signOuts) return false;
	// Read anew each time: another window may have signed in or refreshed meanwhile.
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
 * Deletes all values of a server, whatever they are for, and says so to the other windows. One that nobody signed in at, as
 * far as `wasInUse` and the key store tell, leaves nothing.
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
 * What is kept for exactly this since the last sign-out; a window that did not know of that may have written later. Damaged
 * values are absent: signing in again replaces them.
 */
function read({ reached }: Entry, text: string | undefined, signOuts: string): Map<string, string> {
	const stored = text === undefined ? undefined : parseJson(text);
	if (!isJsonObject(stored) || stored["reached"] !== reached) return new Map();
	if ((stored["since"] ?? "") !== signOuts) return new Map();
	const values = stored["values"];
	if (!isJsonObject(values)) return new Map();
	return new Map(Object.entries(values).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}

function secretOf(id: ServerId): string {
	return `mcpHost.credentials/${id}`;
}

function signOutsOf(id: ServerId): string {
	return `mcpHost.signOuts/${id}`;
}
