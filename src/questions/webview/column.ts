/** The active content of a group of VS Code, as far as it matters to a panel that opens automatically. */
export type Front =
	/** A panel of ours. */
	| "panel"
	/** Nothing, or a page that is only read: no typed key is lost when a panel covers it. */
	| "free"
	/** Any other content: the user may be typing there. */
	| "work";

/** A group of VS Code's editor area. */
export interface Group {
	readonly column: number;
	/** Whether it is the one that was used last. */
	readonly isActive: boolean;
	readonly front: Front;
}

/**
 * The column for a panel that opens automatically: that of another panel of ours; otherwise one in which nobody can be
 * typing, so that it has the free width; otherwise, as undefined, one beside the user's editor. A panel of ours in the
 * active group is covered only when it `isEnding` (UI-11).
 */
export function freeColumn(groups: readonly Group[], isEnding: boolean): number | undefined {
	const ours = groups.find(({ front, isActive }) => front === "panel" && (!isActive || isEnding));
	const free = groups.filter(({ front }) => front === "free");
	return (ours ?? free.find(({ isActive }) => isActive) ?? free[0])?.column;
}

/** The view types of panels that are only read, as the workbench names them: with a prefix. */
const pages = /(^|-)markdown\.preview$/;

/** The names of VS Code's own first pages; in other languages they count as the user's work. */
const firstPages = /^(Welcome$|Walkthrough: )/;

/**
 * The content of a group's active tab: the view type if it is a panel, and whether VS Code reports its kind to
 * extensions at all, which it does not for its own pages.
 */
export function frontOf(
	tab: { readonly label: string; readonly viewType?: string; readonly isKnown: boolean } | undefined,
): Front {
	if (tab === undefined) return "free";
	const { label, viewType, isKnown } = tab;
	if (viewType !== undefined) return viewType.includes("mcpHost.") ? "panel" : pages.test(viewType) ? "free" : "work";
	return !isKnown && firstPages.test(label) ? "free" : "work";
}
