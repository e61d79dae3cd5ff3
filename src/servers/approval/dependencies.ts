import { createHmac } from "node:crypto";

/**
 * What a start depends on beside its definition: contents by name, such as `variable GREETING`, `file /work/.npmrc` and
 * `command`. May hold secrets: never stored, logged or shown as it is.
 */
export type Contents = ReadonlyMap<string, string>;

/** What a start depends on as it was read once: an approval binds it, and a start uses it. */
export interface StartDependencies {
	readonly contents: Contents;
	/** Of a file in place of the package of a registry: what runs in its place, for people to read. */
	readonly remarks: readonly string[];
}

/** What contents are known by: hashes by name, keyed, so that a content shows whether it is the same and cannot be read back. */
export function keptContents(contents: Contents, salt: string): Readonly<Record<string, string>> {
	return Object.fromEntries(
		[...contents].map(([name, content]) => [
			name,
			createHmac("sha256", salt)
				.update(JSON.stringify([name, content]))
				.digest("hex"),
		]),
	);
}

/** Whether the contents are just those that an approval binds: nothing came, changed or went. */
export function isBound(
	{ depends = {}, salt }: { readonly depends?: Readonly<Record<string, string>>; readonly salt: string },
	contents: Contents,
): boolean {
	const now = Object.entries(keptContents(contents, salt));
	return now.length === Object.keys(depends).length && now.every(([name, hash]) => depends[name] === hash);
}
