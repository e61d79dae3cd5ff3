import { oneLine } from "../../base/text.ts";
import type { Addition, AddingServers } from "./candidates.ts";

/** Most entries that a report names. */
const mostNamed = 3;

/**
 * The outcome for the servers of other hosts' files, in one or two sentences: how many were imported, which files are
 * followed, how many were there already, and which are not servers here. Entries that nobody loses are not counted.
 * `where` is the place that they were written to.
 */
export function importReport(adding: AddingServers, { servers, followed }: Addition, where: string): string {
	// Files that the user did not choose are not mentioned.
	const copied = adding.groups.filter(({ isFollowed }) => !isFollowed && servers.length > 0);
	const chosen = new Set(adding.chosen);
	const there = copied
		.flatMap(({ candidates }) => candidates)
		.filter((one) => !chosen.has(one) && ["same", "repeated"].includes(adding.judge(one).likeness.kind)).length;
	const refused = copied.flatMap(({ source }) => source.found.refused.filter(({ isNoLoss }) => isNoLoss !== true));
	const files = followed.map(({ heading, path }) => oneLine(path ?? heading, 100));
	const parts = [
		...(servers.length === 0 ? [] : [`${counted(servers.length)} imported to ${where}`]),
		...(files.length === 0 ? [] : [`${files.join(", ")} ${files.length === 1 ? "is" : "are"} followed`]),
		...(there === 0 ? [] : [`${there} already configured`]),
		...(refused.length === 0 ? [] : [`${refused.length} not translated: ${namesOf(refused)}`]),
	];
	return `${parts.join(", ")}.`;
}

function counted(count: number): string {
	return count === 1 ? "1 server" : `${count} servers`;
}

function namesOf(refused: readonly { readonly name?: string; readonly reason: string }[]): string {
	const named = refused.slice(0, mostNamed).map(({ name, reason }) => oneLine(name ?? reason, 60));
	return refused.length > mostNamed ? `${named.join(", ")} and others` : named.join(", ");
}
