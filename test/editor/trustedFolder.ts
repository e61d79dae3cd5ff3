import type { Page } from "playwright-core";

/**
 * Makes a browser profile remember that the user trusted a folder, before its first window of a server opens, as it would
 * from an earlier window. To do it by clicks takes as long as to open the window.
 */
export async function trustFolder(page: Page, authority: string, folder: string): Promise<void> {
	// A small page of the same origin, whose storage this is.
	await page.goto(`http://${authority}/version`);
	const uri = { $mid: 1, scheme: "vscode-remote", authority, path: folder };
	const value = JSON.stringify({ uriTrustInfo: [{ uri, trusted: true }] });
	await page.evaluate(writeState, { key: "content.trust.model.key", value });
}

/** Writes a value into the state that all windows of the page's origin share. Runs in the page. */
async function writeState({ key, value }: { readonly key: string; readonly value: string }): Promise<void> {
	interface Settling {
		oncomplete: () => void;
		onerror: () => void;
	}
	interface Database {
		createObjectStore(name: string): void;
		transaction(
			store: string,
			mode: string,
		): Settling & { objectStore(store: string): { put(value: string, key: string): void } };
		close(): void;
	}
	interface Opening {
		readonly result: Database;
		onupgradeneeded: () => void;
		onsuccess: () => void;
		onerror: () => void;
	}
	const { indexedDB } = globalThis as unknown as {
		readonly indexedDB: { open(name: string, version: number): Opening };
	};
	const table = "ItemTable";
	const database = await new Promise<Database>((resolve, reject) => {
		const opening = indexedDB.open("vscode-web-state-db-global-shared", 1);
		opening.onupgradeneeded = () => opening.result.createObjectStore(table);
		opening.onsuccess = () => resolve(opening.result);
		opening.onerror = () => reject(new Error("The state of the editor cannot be opened"));
	});
	await new Promise<void>((resolve, reject) => {
		const transaction = database.transaction(table, "readwrite");
		transaction.oncomplete = () => resolve();
		transaction.onerror = () => reject(new Error("The state of the editor cannot be written"));
		transaction.objectStore(table).put(value, key);
	});
	database.close();
}
