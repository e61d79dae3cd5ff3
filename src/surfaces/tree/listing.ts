import type { Session } from "../../servers/sessions/session.ts";
import { Arranger, type Arranged, type Arrangement } from "./arrange.ts";
import type { Layout } from "./arrangements.ts";
import { nodeId, type FolderNode, type ItemNode } from "./nodes.ts";
import type { Folder } from "./paths.ts";
import type { Shape } from "./shapes.ts";

/** How a list is to be shown, folders included. */
export interface ListView extends Arrangement {
	readonly layout: Layout;
	/** Whether more of the list is on its way. */
	readonly isGrowing: boolean;
}

/** Some of the rows of a group or of a folder, and how many there are in total. */
export interface Rows {
	readonly nodes: readonly (FolderNode | ItemNode)[];
	readonly total: number;
}

/** The items of one group of one server. */
export interface Listing {
	/** How many items the filter leaves. */
	matches(view: ListView): number;
	/** The first `limit` rows of the group, or of a folder: folders, then items. Only these are made into nodes. */
	rows(view: ListView, folder: FolderNode | undefined, limit: number): Rows;
}

/** Up to how many found items their folders are open from the beginning. */
const openUpTo = 100;

/** The listing of a session's group with the shape of its items. */
export function listingOf<T>(session: Session, shape: Shape<T>): Listing {
	const server = session.definition.id;
	const { group } = shape;
	const arranger = new Arranger(shape.traits);
	const arranged = ({ filter, sort, isGrowing }: ListView): Arranged<T> =>
		arranger.arrange(shape.items(session), { filter, sort }, isGrowing);

	const folderNode = (folder: Folder<T>, above: string, startsOpen: boolean, isFound: boolean): FolderNode => ({
		// Folders of matches are different rows than those of everything, so that they open automatically.
		id: nodeId(server, group, "", isFound ? "found" : "folder", folder.key),
		kind: "folder",
		server,
		session,
		group,
		folder: folder.key,
		above,
		total: folder.total,
		startsOpen,
	});
	const inFolders = (view: ListView, parent: FolderNode | undefined, limit: number): Rows => {
		const list = arranged(view);
		const { root, byKey } = list.folders();
		const above = parent?.folder ?? "";
		const { folders = [], items = [] } = parent === undefined ? root : (byKey.get(above) ?? {});
		const isFound = view.filter !== "";
		const isOnly = parent === undefined && folders.length === 1 && items.length === 0;
		const startsOpen = isOnly || (isFound && list.items.length <= openUpTo);
		const shown = folders.slice(0, limit).map((folder) => folderNode(folder, above, startsOpen, isFound));
		const left = items.slice(0, Math.max(0, limit - shown.length));
		const nodes = [...shown, ...left.map((item) => shape.node(session, item, above))];
		return { nodes, total: folders.length + items.length };
	};
	const inOneList = (view: ListView, limit: number): Rows => {
		const { items } = arranged(view);
		const { isFirst } = shape;
		const first = isFirst === undefined ? [] : items.filter((item) => isFirst(session, item));
		const chosen = new Set(first);
		const rest = first.length === 0 ? items : items.filter((item) => !chosen.has(item));
		const shown = [...first.slice(0, limit), ...rest.slice(0, Math.max(0, limit - first.length))];
		return { nodes: shown.map((item) => shape.node(session, item, "")), total: items.length };
	};
	return {
		matches: (view) => arranged(view).items.length,
		rows: (view, folder, limit) =>
			view.layout === "tree" && shape.traits.uri !== undefined
				? inFolders(view, folder, limit)
				: inOneList(view, limit),
	};
}
