import { isJsonObject } from "../../base/json.ts";
import { escapeGlob } from "../../base/globs.ts";
import type { Tool } from "../../servers/sessions/session.ts";
import { gatherProperties } from "../catalog/schemaParts.ts";
import { anyNameOf, patternOf, type Named, type WrittenRule } from "./ruleEdit.ts";

/** A tool with the names of its arguments. */
export interface ToolArguments {
	readonly name: string;
	readonly arguments: readonly string[];
}

/** The arguments that a tool takes by its schema. */
export function argumentsOf({ name, inputSchema }: Pick<Tool, "name" | "inputSchema">): ToolArguments {
	const properties = isJsonObject(inputSchema) ? gatherProperties(inputSchema, inputSchema).properties : {};
	return { name, arguments: Object.keys(properties) };
}

/** Whether an argument is likely to be a path, by its name. The user confirms it. */
export function isLikelyPath(argument: string): boolean {
	return /path|(?<!pro)file(?!_?(?:type|size|count))|dir(?:s|ector(?:y|ies))?$|folder|^cwd$|^root$|^(?:source|destination)$/i.test(
		argument,
	);
}

/** Most tools of one rule, so that its pattern stays short enough to be read. */
const toolsOfOne = 10;

/**
 * Rules that deny the calls of tools unless all of their `paths` are in the folders; a call without one of them is denied as
 * well. One rule for all tools that have the same of these arguments, none for tools that have none.
 */
export function onlyInFolders(
	server: Named,
	tools: readonly ToolArguments[],
	paths: readonly string[],
	folders: readonly string[],
): readonly WrittenRule[] {
	const groups = Map.groupBy(
		tools.filter((tool) => tool.arguments.some((name) => paths.includes(name))),
		(tool) => JSON.stringify(tool.arguments.filter((name) => paths.includes(name)).toSorted()),
	);
	return [...groups.values()].flatMap((group) => {
		const given = group[0]?.arguments.filter((name) => paths.includes(name)) ?? [];
		const chunks = Array.from({ length: Math.ceil(group.length / toolsOfOne) }, (_, index) =>
			group.slice(index * toolsOfOne, (index + 1) * toolsOfOne),
		);
		return chunks.map((chunk) => onlyInFoldersOf(server, anyNameOf(chunk.map(({ name }) => name)), given, folders));
	});
}

/** The rule for the tools of a pattern, which all have these arguments. */
export function onlyInFoldersOf(
	server: Named,
	tool: string,
	paths: readonly string[],
	folders: readonly string[],
): WrittenRule {
	const pattern = anyOf(folders.flatMap(patternsOfFolder));
	const entries = paths.map((name) => [name.replaceAll(".", "\\."), pattern] as const);
	return { decision: "deny", server: patternOf(server), tool, except: { arguments: Object.fromEntries(entries) } };
}

/** The folder and all below it, as programs write them: on Windows with both slashes and both cases of the drive. */
function patternsOfFolder(folder: string): readonly string[] {
	const [, drive, rest = ""] = /^([A-Za-z]):(.*)$/.exec(folder) ?? [undefined, undefined, folder];
	const isShare = folder.startsWith("\\\\");
	const isWindows = drive !== undefined || isShare;
	const names = rest
		.split(isWindows ? /[\\/]/ : "/")
		.filter((name) => name !== "")
		.map(escaped);
	const root = drive === undefined ? "" : `[${drive.toLowerCase()}${drive.toUpperCase()}]:`;
	const separators = isWindows ? ["/", "\\\\"] : ["/"];
	return separators.flatMap((separator) => {
		// A share begins with two separators.
		const path = [...(isShare ? [""] : []), root, ...names].join(separator);
		return names.length === 0 ? [`${path}${separator}**`] : [path, `${path}${separator}**`];
	});
}

/** A name within braces, where a comma parts alternatives. */
function escaped(name: string): string {
	return escapeGlob(name).replaceAll(",", "\\,");
}

function anyOf(patterns: readonly string[]): string {
	return patterns.length === 1 ? (patterns[0] ?? "") : `{${patterns.join(",")}}`;
}
