import { oneLine } from "../../base/text.ts";
import type { SamplingEntry } from "./samplingRecord.ts";

/** Most servers that are named. */
const mostNamed = 3;

/**
 * The messages about reviews that ended with their window, in sentences: whose they were, and where the request had
 * gone.
 */
export function describeInterrupted(entries: readonly SamplingEntry[]): string {
	const servers = [...new Set(entries.map(({ server }) => oneLine(server, 60)))];
	const more = servers.length > mostNamed ? ` and ${servers.length - mostNamed} more` : "";
	const whose = servers.slice(0, mostNamed).join(", ") + more;
	const models = new Set(entries.flatMap(({ attempts }) => attempts.flatMap(({ model }) => model?.name ?? [])));
	const named = [...models].slice(0, mostNamed).map((name) => oneLine(name, 60));
	const sent =
		named.length === 0 ? "Nothing was sent" : `The log shows what was sent to ${named.join(", ")}. Nothing was sent`;
	const what =
		entries.length === 1
			? `The review of a sampling request of ${whose}`
			: `${entries.length} reviews of sampling requests of ${whose}`;
	return `${what} ended when the window was closed or reloaded. ${sent} to the server.`;
}
