import { stringify as toToml } from "smol-toml";
import { stringify as toYaml } from "yaml";
import { canonicalJson, type Json, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { codeBlock } from "../../base/markdown.ts";
import { type ExportTarget, pageTarget } from "./exportTargets.ts";
import { type ExportedServer, writeEntry } from "./writeEntry.ts";

/** Servers as a text for others. */
export interface WrittenServers {
	readonly text: string;
	/** Lost parts, and tasks for the user: our sentences, each with its server. */
	readonly changes: readonly { readonly server: string; readonly what: string }[];
	/** How many of the servers are in the text. */
	readonly count: number;
}

/**
 * Writes servers as a configuration of a host, in the form that `readConfiguration` reads. Parts without a counterpart
 * are reported. Names and the ids of inputs must be unique already. Never throws for results of `readConfiguration`.
 */
export function writeConfiguration(
	servers: readonly ExportedServer[],
	target: ExportTarget,
	platform?: NodeJS.Platform,
): WrittenServers {
	const changes: { server: string; what: string }[] = [];
	const entries: [string, JsonObject][] = [];
	for (const server of servers) {
		const written = writeEntry(server, target, platform);
		changes.push(...written.changes.map((what) => ({ server: server.name, what })));
		if (written.entry !== undefined) entries.push([server.name, written.entry]);
	}
	const named =
		target.secrets === "goose" ? entries.map(([name, entry]) => [name, { name, ...entry }] as const) : entries;
	const held: Json =
		target.isList === true ? entries.map(([name, entry]) => ({ name, ...entry })) : Object.fromEntries(named);
	const inputs = [
		...new Map(servers.flatMap((server) => server.inputs).map((one) => [canonicalJson(one), one])).values(),
	];
	const file = {
		...target.frame,
		...(target.variables.hasInputs === true && inputs.length > 0 ? { inputs } : {}),
		...jsonObjectOf(target.keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), held)),
	};
	return { text: textOf(file, target), changes, count: entries.length };
}

/** Writes servers as a page shows them: a block of Markdown in the shape that most hosts share, with places to fill in. */
export function writeSnippet(servers: readonly ExportedServer[]): WrittenServers {
	const { text, ...written } = writeConfiguration(servers, pageTarget);
	const what = written.count === 1 ? "this server" : "these servers";
	return {
		...written,
		text: `Add ${what} to the configuration of your MCP host:\n\n${codeBlock(text.trimEnd(), "json")}\n`,
	};
}

function textOf(file: JsonObject, { syntax }: ExportTarget): string {
	if (syntax === "TOML") return toToml(file);
	return syntax === "YAML" ? toYaml(file) : `${JSON.stringify(file, undefined, "\t")}\n`;
}
