import { oneLine } from "../base/text.ts";
import type { ConfigOrigin } from "../servers/config.ts";
import type { RootsOffer } from "./offer.ts";

/**
 * In a few words why a server sees these roots, fit to show beside their number; undefined where nothing is special. What
 * a person may want to act on comes first: a narrow side bar cuts the rest.
 */
export function remarkOn({ by, waiting, tooWide, unknown }: RootsOffer, origin: ConfigOrigin): string | undefined {
	const parts: string[] = [];
	if (waiting.length > 0) parts.push(`${waiting.length} ${waiting.length === 1 ? "waits" : "wait"} for approval`);
	if (tooWide.length > 0) parts.push("your home folder is left out");
	if (unknown.length > 0) parts.push(`${unknown.map((text) => oneLine(text, 40)).join(", ")} is not there`);
	if (by === "choice") parts.push("chosen by you");
	else if (by === "setting") parts.push("by your setting mcpHost.roots");
	else if (by === "entry") parts.push(`as in ${oneLine(origin.label, 80)}`);
	return parts.length === 0 ? undefined : parts.join(" · ");
}
