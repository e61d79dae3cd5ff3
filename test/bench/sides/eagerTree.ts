import { readPages, type ListName } from "../side.ts";
import type { ShownTree, Wish } from "../tree.ts";

/** The members of a list's item that a row shows. */
export interface ListedItem {
	readonly name: string;
	readonly title?: string;
	readonly uri?: string;
	readonly description?: string;
	readonly mimeType?: string;
	readonly annotations?: { readonly priority?: number };
}

/** A row with everything that an editor may request of it. */
interface Row {
	readonly id: string;
	readonly label: string;
	readonly description: string;
	readonly tooltip: string;
	readonly icon: string;
	readonly context: string;
	readonly item: ListedItem;
	readonly children: Row[];
}

/** Reads one page of a list. */
export type ReadItems = (
	kind: ListName,
	cursor: string | undefined,
) => Promise<{ readonly items: readonly ListedItem[]; readonly nextCursor?: string | undefined }>;

/**
 * A tree as it is usually written: both lists are read at the same time, when one is whole, every row of it is built, and
 * whenever a user wants to see it otherwise, all of them again. The fair measure for one that makes only what is seen:
 * its rows are plain objects, it checks no text and keeps no states. `onPage` is called when a page has come.
 */
export function eagerTree(readItems: ReadItems, onPage: (kind: ListName) => void): ShownTree {
	const lists: Record<ListName, ListedItem[]> = { tools: [], resources: [] };
	const built = new Map<ListName, readonly Row[]>();
	const whole = new Set<ListName>();
	const listeners = new Set<() => void>();
	let wish: Wish = {};
	const readWhole = async (kind: ListName): Promise<void> => {
		await readPages(
			async (cursor) => {
				const { items, nextCursor } = await readItems(kind, cursor);
				lists[kind].push(...items);
				return { count: items.length, nextCursor };
			},
			() => onPage(kind),
		);
		whole.add(kind);
		for (const listener of listeners) listener();
	};
	void readWhole("tools");
	void readWhole("resources");
	const rowsOf = (kind: ListName): readonly Row[] => {
		const known = built.get(kind) ?? build(kind, lists[kind], kind === "resources" ? wish : {});
		built.set(kind, known);
		return known;
	};
	return {
		rows: (kind) => (whole.has(kind) ? rowsOf(kind).map(({ label, description }) => `${label} ${description}`) : []),
		progress: (kind) => ({ count: lists[kind].length, isWhole: whole.has(kind) }),
		// All rows are there already: the window only draws more of them.
		showMore: () => undefined,
		arrange(next) {
			wish = next;
			built.delete("resources");
		},
		onDidChange(listener) {
			listeners.add(listener);
			return { dispose: () => void listeners.delete(listener) };
		},
		dispose: () => built.clear(),
	};
}

function build(
	kind: ListName,
	items: readonly ListedItem[],
	{ filter = "", sort = "server", layout = "list" }: Wish,
): readonly Row[] {
	const word = filter.toLowerCase();
	const found =
		word === ""
			? items
			: items.filter(({ name, title = "", uri = "" }) => `${title}\n${name}\n${uri}`.toLowerCase().includes(word));
	const labels = new Intl.Collator(undefined, { numeric: true });
	const sorted =
		sort === "name"
			? found.toSorted((a, b) => labels.compare(a.title ?? a.name, b.title ?? b.name))
			: sort === "priority"
				? found.toSorted((a, b) => (b.annotations?.priority ?? -1) - (a.annotations?.priority ?? -1))
				: found;
	const rows = sorted.map((item) => rowOf(kind, item));
	return layout === "tree" ? inFolders(kind, rows) : rows;
}

function rowOf(kind: ListName, item: ListedItem): Row {
	const { name, title, uri = "", description = "", mimeType = "" } = item;
	return {
		id: JSON.stringify(["server", kind, kind === "tools" ? name : uri]),
		label: title ?? name,
		description: uri,
		tooltip: `${title ?? name}\n\n${description}\n\n${mimeType}`,
		icon: kind === "tools" ? "tools" : "file",
		context: kind === "tools" ? "tool" : "resource",
		item,
		children: [],
	};
}

function inFolders(kind: ListName, rows: readonly Row[]): readonly Row[] {
	const root: Row = { ...rowOf(kind, { name: "" }), children: [] };
	const folders = new Map<string, Row>();
	for (const row of rows) {
		let folder = root;
		let path = "";
		for (const step of (row.item.uri ?? "").split("/").slice(0, -1)) {
			path += `${step}/`;
			let inner = folders.get(path);
			if (inner === undefined) {
				inner = { ...rowOf(kind, { name: step, uri: path }), children: [] };
				folders.set(path, inner);
				folder.children.push(inner);
			}
			folder = inner;
		}
		folder.children.push(row);
	}
	return root.children;
}
