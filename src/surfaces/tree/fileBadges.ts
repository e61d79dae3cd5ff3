import { oneLine } from "../../base/text.ts";
import { fromEditorUri } from "../../features/resources/uri.ts";
import type { LiveStates } from "./sources.ts";

/** A mark beside a file's name, with its meaning in words. */
export interface FileBadge {
	readonly text: string;
	readonly tooltip: string;
	/** The name of a theme colour. */
	readonly color: string;
}

/**
 * The note about the file of a resource: that its server answered with another resource's contents (RES-04), or that it
 * changed since the user viewed it. Undefined for none.
 */
export function badgeOf(
	uri: { readonly scheme: string; readonly query: string },
	live: Pick<LiveStates, "stateOf" | "answeredAs">,
): FileBadge | undefined {
	const address = fromEditorUri(uri);
	if (address === undefined) return undefined;
	const answered = live.answeredAs(address);
	if (answered !== undefined) {
		const tooltip = `The server answered with the contents of ${oneLine(answered)}`;
		return { text: "≠", tooltip, color: "list.warningForeground" };
	}
	if (!live.stateOf(address).isChanged) return undefined;
	return { text: "●", tooltip: "Changed since you opened it", color: "list.highlightForeground" };
}
