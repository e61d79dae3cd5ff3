import { createHmac } from "node:crypto";

/**
 * The things that a start depends on beside its definition: contents by name, such as `variable GREETING`, `file
 * /work/.npmrc` and `command`. May hold secrets: never stored, logged or shown unchanged.
 */
export type Contents = ReadonlyMap<string, string>;

/** The dependencies of a start as they were read once: an approval binds them, and a start uses them. */
export interface StartDependencies {
	readonly contents: Contents;
	/** A file that runs instead of a registry's package: its path for the user. */
	readonly remarks: readonly string[];
	/** The ids of the inputs that have a value, entered before or taken at an import: nobody is asked for them. */
	readonly filled?: readonly string[];
}

/** The identity of contents: keyed hashes by name. They show whether a content is the same, and cannot be reversed. */
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

/** Whether the contents are exactly those that an approval binds: nothing was added, changed or removed. */
export function isBound(
	{ depends = {}, salt }: { readonly depends?: Readonly<Record<string, string>>; readonly salt: string },
	contents: Contents,
): boolean {
	const now = Object.entries(keptContents(contents, salt));
	return now.length === Object.keys(depends).length && now.every(([name, hash]) => depends[name] === hash);
}
