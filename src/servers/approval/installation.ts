import { readFile } from "node:fs/promises";
import path from "node:path";
import { jsonObjectOf } from "../../base/guards.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";
import { compact } from "../../base/store/compact.ts";
import type { Store } from "../../base/store/store.ts";

/** The marks that distinguish one installation of the extension from the next. Unreadable ones are absent. */
export interface Installation {
	readonly version: string;
	/** When it was installed, by VS Code's list of extensions, in milliseconds since the epoch. */
	readonly listed?: number;
	/** When its files were unpacked, by its own manifest. */
	readonly unpacked?: number;
	/** Whether it replaced another version, if VS Code notes that. */
	readonly isUpdate?: boolean;
}

/** Where an installation is. */
export interface InstallationPlaces {
	/** The extension's id, version and folder. */
	readonly id: string;
	readonly version: string;
	readonly extensionPath: string;
	/** The folder of VS Code's profile. */
	readonly profile: string;
}

/** The name of the journal that holds the installation in which something was approved. */
export const installationName = "installation";
const key = "installed";

/** The journals of permissions. */
const consentNames = ["approvals", "grants"] as const;

/**
 * Withdraws the permissions of a former installation: VS Code keeps an extension's files when it is uninstalled and
 * installed again before a restart, in all profiles but the default one, and on other machines (SEC-13). An update
 * keeps the permissions. Returns whether something was withdrawn. Call it before an approval is read.
 */
export async function bindToInstallation(store: Store, places: InstallationPlaces): Promise<boolean> {
	const now = await readInstallation(places);
	const journal = store.journal(installationName);
	journal.refresh();
	const kept = journal.get(key)?.value;
	const isAnother = isInstallation(kept) && isInstalledAnew(kept, now);
	let isWithdrawn = false;
	if (isAnother)
		for (const name of consentNames) {
			const consent = store.journal(name);
			consent.refresh();
			isWithdrawn ||= consent.lines.length > 0;
			consent.write(consent.lines.map(({ key: one }) => ({ key: one })));
			await compact(consent).catch(() => undefined);
		}
	// Last: where something above fails, the next window tries again.
	if (JSON.stringify(kept) !== JSON.stringify(now)) journal.put(key, now);
	return isWithdrawn;
}

/** Whether an installation is not the one that was there before, nor an update of it. */
export function isInstalledAnew(kept: Installation, now: Installation): boolean {
	if (kept.version !== now.version) return now.isUpdate === false;
	const [before, after] =
		kept.listed === undefined || now.listed === undefined ? [kept.unpacked, now.unpacked] : [kept.listed, now.listed];
	return before !== undefined && after !== undefined && before !== after;
}

/** Reads the marks of this installation. Never rejects. */
export async function readInstallation(places: InstallationPlaces): Promise<Installation> {
	const { id, version, extensionPath, profile } = places;
	// A profile of VS Code has its own list; the default one, and other machines, have it beside the extensions.
	const lists = [path.join(profile, "extensions.json"), path.join(path.dirname(extensionPath), "extensions.json")];
	const [own, ...found] = await Promise.all([path.join(extensionPath, "package.json"), ...lists].map(readJson));
	const entries = found.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
	const metadata = entries.flatMap(({ identifier, version: listedVersion, metadata: of }) =>
		jsonObjectOf(identifier)["id"] === id && listedVersion === version && isJsonObject(of) ? [of] : [],
	)[0];
	const { installedTimestamp: listed, updated } = metadata ?? {};
	const { installedTimestamp: unpacked } = jsonObjectOf(jsonObjectOf(own)["__metadata"]);
	return {
		version,
		...(typeof listed === "number" ? { listed } : {}),
		...(typeof unpacked === "number" ? { unpacked } : {}),
		...(typeof updated === "boolean" ? { isUpdate: updated } : {}),
	};
}

function isInstallation(value: unknown): value is Installation {
	return isJsonObject(value) && typeof value["version"] === "string";
}

async function readJson(file: string): Promise<unknown> {
	return readFile(file, "utf8").then(parseJson, () => undefined);
}
