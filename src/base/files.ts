import { stat } from "node:fs/promises";

/** Whether a file or folder is there, as far as it can be seen. Never rejects. */
export function isThere(path: string): Promise<boolean> {
	return succeeds(stat(path));
}

/** Whether a file is there, and not a folder. Never rejects. */
export async function isFileThere(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** Whether a promise is kept, whatever its value. Never rejects. */
export function succeeds(promise: PromiseLike<unknown>): Promise<boolean> {
	return Promise.resolve(promise).then(
		() => true,
		() => false,
	);
}
