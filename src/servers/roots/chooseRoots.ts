import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { Root } from "../sessions/session.ts";
import { holdsHome, openRoots, pathOf, resolveExtra } from "./offer.ts";
import type { RootsChoice } from "../definitions/rootsRule.ts";
import type { ServerRoots } from "./serverRoots.ts";

/** A row with a check box in the list of a server's roots. */
export interface RootRow {
	/** `default` leaves it to the configuration, `none` is the empty list, the others are roots. */
	readonly kind: "default" | "none" | "folder" | "extra";
	/** The root's URI, otherwise the kind. */
	readonly id: string;
	readonly label: string;
	readonly description: string;
}

/** The choices of a user, and the current choice. */
export interface RootRows {
	readonly rows: readonly RootRow[];
	/** The ids of the rows that are ticked at first. */
	readonly ticked: ReadonlySet<string>;
	/** The ids of the roots that the default row includes. */
	readonly byDefault: ReadonlySet<string>;
}

/** The rows for one server: every open folder, and what it was offered or may be offered beside them. */
export function rootRows(model: ServerRoots, definition: ServerDefinition): RootRows {
	const { origin } = definition;
	const { world } = model;
	const now = model.offerOf(definition);
	const configured = model.offerOf(definition, false);
	const open = openRoots(world);
	const isOpen = ({ uri }: Root): boolean => open.some(({ root }) => root.uri === uri);
	const asked = (definition.roots?.extra ?? []).flatMap((text) => resolveExtra(text, origin, world) ?? []);
	const beside = [...now.roots, ...configured.roots, ...asked].filter((root) => !isOpen(root));
	const extra = new Map(beside.map((root) => [root.uri, root]));

	const row = (kind: "folder" | "extra", { uri, name }: Root, remarks: readonly string[]): RootRow => {
		const place = uri.startsWith("file:") ? pathOf(uri, world) : uri;
		const description = [place, ...remarks].map((text) => withoutIcons(oneLine(text, 400))).join(" · ");
		return { kind, id: uri, label: withoutIcons(oneLine(name ?? place, 80)), description };
	};
	const rows: RootRow[] = [
		{ kind: "default", id: "default", ...defaultTexts(definition, configured.by) },
		{ kind: "none", id: "none", label: "No Roots", description: "the server gets an empty list" },
		...open.map(({ folder, root }) =>
			row("folder", root, holdsHome(folder.path, world) ? ["contains your home folder"] : []),
		),
		...[...extra.values()].map((root) =>
			row("extra", root, [
				...(asked.some(({ uri }) => uri === root.uri) ? [`asked for by ${origin.label}`] : []),
				...(root.uri.startsWith("file:") ? [] : ["not a folder: the server may reject it"]),
			]),
		),
	];
	const byDefault = new Set(configured.roots.map(({ uri }) => uri));
	const ids = now.roots.map(({ uri }) => uri);
	if (now.by !== "choice") ids.push("default");
	else if (ids.length === 0) ids.push("none");
	return { rows, ticked: new Set(ids), byDefault };
}

function defaultTexts(
	{ origin }: ServerDefinition,
	by: "default" | "entry" | "setting" | "choice",
): Pick<RootRow, "label" | "description"> {
	if (by === "setting") return { label: "As Configured (default)", description: "by your setting mcpHost.roots" };
	if (by === "entry") {
		return { label: "As Configured (default)", description: `by ${withoutIcons(oneLine(origin.label, 80))}` };
	}
	if (origin.folder !== undefined) {
		return { label: "Its Own Folder (default)", description: "the folder that defines the server" };
	}
	return { label: "All Workspace Folders (default)", description: "including folders that you open later" };
}

/** The rows with one more root, which the user named, ticked; one that is there already is ticked only. */
export function withRoot({ rows, ticked, byDefault }: RootRows, { uri, name }: Root, path: string): RootRows {
	const label = withoutIcons(oneLine(name ?? path, 80));
	const added: RootRow = { kind: "extra", id: uri, label, description: withoutIcons(oneLine(path, 400)) };
	return {
		rows: rows.some(({ id }) => id === uri) ? rows : [...rows, added],
		ticked: new Set([...ticked, uri].filter((id) => id !== "default" && id !== "none")),
		byDefault,
	};
}

/**
 * The selection after the user changed it from `before` to `after`: the default and none exclude contradicting rows,
 * and an empty selection is none.
 */
export function reconcile(
	{ byDefault }: Pick<RootRows, "byDefault">,
	before: ReadonlySet<string>,
	after: ReadonlySet<string>,
): ReadonlySet<string> {
	const isNew = (id: string): boolean => after.has(id) && !before.has(id);
	const wanted = new Set([...after].filter((id) => id !== "default" && id !== "none"));
	// The list's own "select all" ticks every row.
	if (isNew("default") && isNew("none")) return wanted;
	if (isNew("none")) return new Set(["none"]);
	if (isNew("default")) return new Set([...byDefault, "default"]);
	if (wanted.size === 0) return new Set([after.has("default") && byDefault.size === 0 ? "default" : "none"]);
	return after.has("default") && isSameSet(wanted, byDefault) ? after : wanted;
}

/** Whether two sets of ticks are the same. */
export function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	return a.size === b.size && [...a].every((id) => b.has(id));
}

/** The stored form of the selection; undefined: nothing, so that the configuration decides. */
export function choiceOf({ rows }: RootRows, ticked: ReadonlySet<string>): RootsChoice | undefined {
	if (ticked.has("default")) return undefined;
	const ids = (wanted: RootRow["kind"]): readonly string[] =>
		rows.filter(({ kind, id }) => kind === wanted && ticked.has(id)).map(({ id }) => id);
	return { folders: ids("folder"), extra: ids("extra") };
}
