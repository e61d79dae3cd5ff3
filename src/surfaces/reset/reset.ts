import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { readableSize } from "../../base/amounts.ts";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import type { KeyValue, Secrets } from "../../base/storage.ts";
import { compact } from "../../base/store/compact.ts";
import type { Journal } from "../../base/store/journal.ts";
import { counted } from "../../base/words.ts";
import { keptStores, type KeptStore, type StoreId } from "./stores.ts";

/** User settings, as far as they can be deleted. */
export interface UserSettings {
	/** The names of all settings that have a value in the user settings, and of MCP Host or named by a store. */
	names(): readonly string[];
	/** The data of MCP Host under a name; undefined for none. */
	value(name: string): unknown;
	/** Deletes what MCP Host wrote. Rejects where the editor refuses. */
	remove(name: string): Promise<void>;
}

/** The addition of a store's owner: data that is only in memory, and users of the store that must release it. */
export interface StoreOwner {
	/** How many more things it holds; absent for none. */
	count?(): number | Promise<number>;
	clear(): unknown;
}

/** Where the stores are. */
export interface ResetServices {
	readonly journal: (name: string) => Journal;
	/** The data that VS Code keeps for all workspaces, and for this one. */
	readonly states: readonly KeyValue[];
	readonly secrets: Secrets;
	/** The extension's folder of this machine. */
	readonly folder: string;
	readonly settings: UserSettings;
	readonly owners: Readonly<Partial<Record<StoreId, StoreOwner>>>;
}

/** A store with what it holds at the moment. */
export interface MeasuredStore extends KeptStore {
	/** Such as `3 approvals · 1.2 KB`; undefined for nothing. */
	readonly holds: string | undefined;
}

/** All stores with what they hold. A store that cannot be read says so. */
export async function measureStores(services: ResetServices): Promise<readonly MeasuredStore[]> {
	return Promise.all(keptStores.map(async (store) => ({ ...store, holds: await measured(store, services) })));
}

/**
 * The text of the question before anything is deleted: each store with the consequences, and the parts that are not
 * affected.
 */
export function describeReset(stores: readonly MeasuredStore[], running: number): string {
	const lines = stores.map(
		({ label, holds, effect }) => `• ${label}${holds === undefined ? "" : ` (${holds})`}: ${effect}`,
	);
	const stay =
		running > 0 && !stores.some(({ id }) => id === "approvals")
			? `${counted(running, "server")} of this window ${running === 1 ? "keeps" : "keep"} the approval to run.`
			: "";
	return [...lines, "", [stay, "This cannot be undone."].filter((one) => one !== "").join(" ")].join("\n");
}

/**
 * Deletes stores, in the order of the list. A store that cannot be deleted does not keep the others: returns why, by label.
 */
export async function resetStores(ids: ReadonlySet<StoreId>, services: ResetServices): Promise<readonly string[]> {
	const failures: string[] = [];
	for (const store of keptStores) {
		if (!ids.has(store.id)) continue;
		try {
			await services.owners[store.id]?.clear();
			if (store.isOwned !== true) await clear(store, services);
		} catch (error) {
			failures.push(`${store.label}: ${messageOf(error)}`);
		}
	}
	return failures;
}

async function measured(store: KeptStore, services: ResetServices): Promise<string | undefined> {
	try {
		const { journals = [], state = [], files = [] } = store.places;
		const values = [
			...services.states.flatMap((kept) => state.map((key) => kept.get<unknown>(key))),
			...settingsOf(store, services.settings).map((name) => services.settings.value(name)),
		];
		const lines = store.isOwned === true ? [] : journals.map((name) => linesOf(services.journal(name)));
		const things =
			[...lines, ...values.map(sizeOf)].reduce((sum, one) => sum + one, 0) +
			(store.isOwned === true ? 0 : (await secretsOf(store.places.secrets, services.secrets)).length) +
			((await services.owners[store.id]?.count?.()) ?? 0);
		const sizes = await Promise.all(files.map((file) => bytesOf(path.join(services.folder, file))));
		const bytes = sizes.reduce((sum, size) => sum + size, 0);
		const parts = [...(things > 0 ? [nounOf(things, store.unit)] : []), ...(bytes > 0 ? [readableSize(bytes)] : [])];
		return parts.length === 0 ? undefined : parts.join(" · ");
	} catch (error) {
		return `cannot be read: ${messageOf(error)}`;
	}
}

async function clear(store: KeptStore, services: ResetServices): Promise<void> {
	const { journals = [], uncounted = [], state = [], files = [] } = store.places;
	for (const name of [...journals, ...uncounted]) await clearJournal(services.journal(name));
	for (const kept of services.states) for (const key of state) await kept.update(key, undefined);
	const { secrets = [], uncountedSecrets = [] } = store.places;
	for (const key of await secretsOf([...secrets, ...uncountedSecrets], services.secrets))
		await services.secrets.delete(key);
	for (const file of files) await rm(path.join(services.folder, file), { recursive: true, force: true });
	for (const name of settingsOf(store, services.settings)) await services.settings.remove(name);
}

/**
 * Removes all values of a journal, of other workspaces as well. The removals stay in its files for a while, so that a
 * window that does not know of them cannot bring the values back (SEC-09).
 */
async function clearJournal(journal: Journal): Promise<void> {
	journal.refresh();
	journal.write(journal.lines.map(({ key }) => ({ key })));
	await compact(journal);
	const { folder, name } = journal.options;
	if (folder !== undefined) await rm(path.join(folder, `${name}.damaged`), { force: true });
}

function linesOf(journal: Journal): number {
	journal.refresh();
	return journal.lines.length;
}

async function secretsOf(starts: readonly string[] = [], secrets: Secrets): Promise<readonly string[]> {
	if (starts.length === 0) return [];
	return (await secrets.keys()).filter((key) => starts.some((start) => key.startsWith(start)));
}

function settingsOf({ places: { settings: own = [] } }: KeptStore, settings: UserSettings): readonly string[] {
	if (own.length === 0) return [];
	const named = new Set(keptStores.flatMap(({ places }) => places.settings ?? []));
	return settings
		.names()
		.filter((name) =>
			own.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) && !named.has(name) : one === name)),
		);
}

/** How many things a value of the editor's state or of the settings holds. */
function sizeOf(value: unknown): number {
	if (value === undefined || value === null) return 0;
	if (Array.isArray(value)) return value.length;
	return isJsonObject(value) ? Object.keys(value).length : 1;
}

function nounOf(value: number, unit: string): string {
	return value !== 1 && unit.endsWith("y") ? counted(value, `${unit.slice(0, -1)}ie`) : counted(value, unit);
}

/** The size of a file, or of all files in a folder; 0 if there is none. Follows no link. */
async function bytesOf(place: string): Promise<number> {
	const found = await lstat(place).catch(() => undefined);
	if (found === undefined || found.isSymbolicLink()) return 0;
	if (!found.isDirectory()) return found.size;
	const names = await readdir(place);
	const sizes = await Promise.all(names.map((name) => bytesOf(path.join(place, name))));
	return sizes.reduce((sum, size) => sum + size, 0);
}
