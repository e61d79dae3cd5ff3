import { isJsonObject } from "../../../base/json.ts";
import { isWhole } from "../../../base/guards.ts";
import type { ReviewPlace, RequestDraft } from "./reviewProtocol.ts";

/** The maximum length of a text after the user's edit. */
const textLimit = 10_000_000;

/**
 * The edits from a view, or undefined when they are invalid for these places: only fields may be changed, and only
 * removable parts removed (UI-06). Halves of characters are replaced, because they cannot be sent.
 */
export function parseEdits(
	{ changes, removed }: Readonly<Record<string, unknown>>,
	places: ReadonlySet<ReviewPlace>,
	removable: ReadonlySet<ReviewPlace>,
): Pick<RequestDraft, "changes" | "removed"> | undefined {
	if (!isJsonObject(changes) || !Array.isArray(removed)) return undefined;
	const texts: [ReviewPlace, string][] = [];
	for (const [place, text] of Object.entries(changes)) {
		if (!places.has(place) || !isText(text)) return undefined;
		texts.push([place, text.toWellFormed()]);
	}
	const taken = new Set<ReviewPlace>();
	for (const place of removed as readonly unknown[]) {
		if (typeof place !== "string" || !removable.has(place)) return undefined;
		taken.add(place);
	}
	return { changes: Object.fromEntries(texts), removed: [...taken] };
}

/** Whether a view sent a text that is not endless. */
export function isText(value: unknown): value is string {
	return typeof value === "string" && value.length <= textLimit;
}

/** Whether a view sent a number that counts something. */
export function isCount(value: unknown): value is number {
	return isWhole(value, 0);
}
