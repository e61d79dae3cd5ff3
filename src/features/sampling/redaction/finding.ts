import type { Finding } from "../../../base/secrets/finding.ts";

/** What is left of the places beside others; both are in order and without overlaps. */
export function withoutPlaces(
	findings: readonly Finding[],
	places: readonly { readonly start: number; readonly end: number }[],
): readonly Finding[] {
	const left: Finding[] = [];
	let next = 0;
	for (const { start, end, kind } of findings) {
		while ((places[next]?.end ?? Infinity) <= start) next++;
		let from = start;
		// A place may reach into the next finding, so it is not passed yet.
		for (let index = next; from < end; index++) {
			const place = places[index];
			const to = Math.min(end, place?.start ?? end);
			if (to > from) left.push({ start: from, end: to, kind });
			if (place === undefined || place.start >= end) break;
			from = Math.max(from, place.end);
		}
	}
	return left;
}
