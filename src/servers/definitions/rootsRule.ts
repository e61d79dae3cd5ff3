import { canonicalJson, isJsonObject } from "../../base/json.ts";

/** Which roots a server is offered, as `roots` of its entry or the setting `mcpHost.roots` says it. */
export interface RootsRule {
	/**
	 * Glob patterns that choose among the workspace folders, by name or, where they hold a slash, by path; those that begin
	 * with `!` leave folders out. Absent: the folders that the server sees without a rule. Empty: none.
	 */
	readonly folders?: readonly string[];
	/** Further folders and addresses as written, with variables. */
	readonly extra: readonly string[];
}

/** Which roots the user chose for a server in one workspace, by their URIs. */
export interface RootsChoice {
	/** Of the workspace folders; folders that are not open have no effect. */
	readonly folders: readonly string[];
	/** Beside them. */
	readonly extra: readonly string[];
}

/** Whether a value that was kept is a rule. */
export function isRule(value: unknown): value is RootsRule {
	const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item === "string");
	if (!isJsonObject(value)) return false;
	return (value["folders"] === undefined || isTexts(value["folders"])) && isTexts(value["extra"]);
}

/** Whether two rules say the same. */
export function isSameRule(a: RootsRule | undefined, b: RootsRule | undefined): boolean {
	return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

/**
 * Whether a workspace's file requests more than its servers see by default, which the user must approve: folders
 * outside the workspace, or, for a server of one folder, the workspace's other folders (CFG-23).
 */
export function asksForMore({
	origin,
	roots,
}: {
	readonly origin: { readonly isWorkspace: boolean; readonly folder?: string };
	readonly roots?: RootsRule;
}): boolean {
	if (!origin.isWorkspace || roots === undefined) return false;
	return roots.extra.length > 0 || (origin.folder !== undefined && (roots.folders ?? []).length > 0);
}

/** Whether a text of `extra` is a URI, and not a path. A single letter before the colon is a drive. */
export function isAddress(text: string): boolean {
	return /^[a-z][a-z\d+.-]+:\/\//i.test(text);
}
