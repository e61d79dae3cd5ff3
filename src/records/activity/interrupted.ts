import { oneLine } from "../../base/text.ts";
import type { ActivityEntry, SamplingActivity } from "./journal/entry.ts";
import { byHand } from "./samplingWords.ts";

const mostNamed = 3;

/** The ids of the sampling requests among entries that did not end. */
export function openRequests(entries: readonly ActivityEntry[]): ReadonlySet<string> {
	const open = new Set<string>();
	const ended = new Set<string>();
	for (const entry of entries) {
		if (entry.kind !== "sampling") continue;
		(entry.phase === "asked" || entry.phase === "sent" ? open : ended).add(entry.id);
	}
	return new Set([...open].filter((id) => !ended.has(id)));
}

/**
 * The messages about reviews that ended with their window, in sentences: whose they were, and where the request had
 * gone. `steps` are all those of these requests.
 */
export function describeInterrupted(steps: readonly SamplingActivity[]): string {
	const servers = [...new Set(steps.map(({ server }) => oneLine(server, 60)))];
	const count = new Set(steps.map(({ id }) => id)).size;
	const more = servers.length > mostNamed ? ` and ${servers.length - mostNamed} more` : "";
	const whose = servers.slice(0, mostNamed).join(", ") + more;
	const models = new Set(steps.flatMap(({ model = byHand }) => (model === byHand ? [] : [model])));
	const named = [...models].slice(0, mostNamed).map((name) => oneLine(name, 60));
	const sent =
		named.length === 0
			? "Nothing was sent"
			: `The activity shows what was sent to ${named.join(", ")}. Nothing was sent`;
	const what =
		count === 1 ? `The review of a sampling request of ${whose}` : `${count} reviews of sampling requests of ${whose}`;
	return `${what} ended when the window was closed or reloaded. ${sent} to the server.`;
}
