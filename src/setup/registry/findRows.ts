import { oneLine } from "../../base/text.ts";
import type { CandidateSource } from "../candidateSource.ts";
import type { RegistryServer } from "./registryServer.ts";
import { type ServerWay, waysOf } from "./serverJson.ts";
import { ago, type Publication, trustNotes } from "./trust.ts";

/** A server of a registry as a row: all texts fit for a line. */
export interface FindRow {
	readonly server: RegistryServer;
	readonly ways: readonly ServerWay[];
	readonly label: string;
	/** Version, when it was published, and by whom. */
	readonly description: string;
	/** What it says of itself, what it would run, and what it asks for. */
	readonly detail: string;
	/** Its repository or page. */
	readonly page: string | undefined;
}

/** The rows of servers, without those of which nothing can be said here: their packages are of other kinds. */
export function findRows(servers: readonly RegistryServer[], now: number): readonly FindRow[] {
	return servers.flatMap((server): readonly FindRow[] => {
		const { ways, refused } = waysOf(server);
		const [first] = ways;
		if (first === undefined && refused.length === 0) return [];
		const { name, title, version, publishedAt, repository, website, deprecated } = server;
		const parts = [
			oneLine(version, 40),
			...(publishedAt === undefined ? [] : [`published ${ago(publishedAt, now)}`]),
			...(deprecated === undefined ? [] : ["deprecated"]),
			oneLine(name, 120),
		];
		const more = ways.length > 1 ? ` or ${ways.length - 1} more` : "";
		const asks =
			first === undefined || first.asks.length === 0 ? "" : `, asks for ${first.asks.slice(0, 3).join(", ")}`;
		const runs = first === undefined ? (refused[0] ?? "") : `${oneLine(first.runs, 120)}${more}${oneLine(asks, 80)}`;
		const says = oneLine(server.description, 100);
		return [
			{
				server,
				ways,
				label: oneLine(title === undefined || title.trim() === "" ? shortName(name) : title, 80),
				description: parts.filter((part) => part !== "").join(" · "),
				detail: says === "" ? runs : `${says} — ${runs}`,
				page: repository ?? website,
			},
		];
	});
}

/**
 * What is shown before a server is added: its definition in one of its ways, where it comes from, and what is to be known
 * before it is trusted. `registry` is the host of the registry.
 */
export function sourceOfWay(
	{ server, label }: FindRow,
	way: ServerWay | undefined,
	publication: Publication,
	registry: string,
): CandidateSource {
	const { name, version, repository } = server;
	const from = [
		`The registry ${registry} lists it as ${oneLine(name, 200)} ${oneLine(version, 60)}. That says who published it, and not whether it is harmless.`,
		...(repository === undefined ? [] : [`Its publisher names ${oneLine(repository, 200)} as its source.`]),
	];
	if (way === undefined) {
		const refused = waysOf(server).refused.map((reason) => ({ name, reason }));
		return { heading: label, found: { format: "server.json", servers: [], refused } };
	}
	const found = {
		...way.server,
		warnings: trustNotes(server, way, publication),
		remarks: [...from, ...way.server.remarks],
	};
	return { heading: label, found: { format: "server.json", servers: [found], refused: [] } };
}

function shortName(name: string): string {
	return name.slice(name.indexOf("/") + 1);
}
