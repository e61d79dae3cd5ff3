import { oneLine } from "../../base/text.ts";
import type { CandidateSource } from "../entries/candidateSource.ts";
import type { RegistryServer } from "../serverJson/registryServer.ts";
import { type DefinedWay, type ServerWay, waysOf } from "../serverJson/serverJson.ts";
import { ago, type Publication, trustNotes } from "./trust.ts";

/** A server of a registry as a row: all texts fit for a line. */
export interface FindRow {
	readonly server: RegistryServer;
	readonly ways: readonly ServerWay[];
	readonly label: string;
	/** Version, when it was published, and by whom. */
	readonly description: string;
	/** Its own description, its command, and its inputs. */
	readonly detail: string;
	/** Its repository or page. */
	readonly page: string | undefined;
}

/**
 * The rows of servers, without those whose packages are all of unsupported kinds. `marksOf` returns the relation to the
 * configured ones.
 */
export function findRows(
	servers: readonly RegistryServer[],
	now: number,
	marksOf: (server: RegistryServer, ways: readonly ServerWay[]) => readonly string[] = () => [],
): readonly FindRow[] {
	return servers.flatMap((server): readonly FindRow[] => {
		const { ways, refused } = waysOf(server);
		const [first] = ways;
		if (first === undefined && refused.length === 0) return [];
		const { name, title, version, publishedAt, repository, website, deprecated } = server;
		const parts = [
			...marksOf(server, ways),
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

/** The facts about a server, and its name and hash in the registry. */
export interface KnownOfServer extends Required<Pick<CandidateSource, "about" | "cautions">> {
	readonly listedAs: string;
	readonly sha256?: string;
}

/** A registry's facts about a server, for its preview; `registry` is its host. */
export function knownOf(
	server: RegistryServer,
	way: ServerWay,
	publication: Publication,
	registry: string,
): KnownOfServer {
	const { name, version, repository, website, publishedAt } = server;
	const line = (label: string, value: string | undefined) => (value === undefined ? [] : [{ label, values: [value] }]);
	return {
		about: [
			...line("Listed by", registry),
			...line("Listed as", oneLine(`${name} ${version}`, 300)),
			...line("Published", publishedAt === undefined ? undefined : new Date(publishedAt).toISOString().slice(0, 10)),
			...line("Source", repository === undefined ? undefined : oneLine(repository, 300)),
			...line("Home page", website === undefined ? undefined : oneLine(website, 300)),
		],
		cautions: [...trustNotes(server, way, publication), ...("steps" in way ? way.steps : [])],
		listedAs: name,
		...("bundle" in way && way.bundle.sha256 !== undefined ? { sha256: way.bundle.sha256 } : {}),
	};
}

/** The preview of a server before it is added: its definition in one of its ways, and the facts about it. */
export function sourceOfWay(
	row: FindRow,
	way: DefinedWay,
	publication: Publication,
	registry: string,
): CandidateSource {
	const remarks = ["A registry verifies who published a server, not whether it is safe.", ...way.server.remarks];
	const found = { format: "server.json", servers: [{ ...way.server, remarks }], refused: [] };
	const { about, cautions } = knownOf(row.server, way, publication, registry);
	const says = oneLine(row.server.description, 300);
	const description = says === "" ? [] : [{ label: "Description", values: [says] }];
	return { heading: row.label, found, isListed: true, about: [...description, ...about], cautions };
}

/** Why a server cannot be added in any way. */
export function refusedSource({ server, label }: FindRow): CandidateSource {
	const refused = waysOf(server).refused.map((reason) => ({ name: server.name, reason }));
	return { heading: label, found: { format: "server.json", servers: [], refused }, isListed: true };
}

function shortName(name: string): string {
	return name.slice(name.indexOf("/") + 1);
}
