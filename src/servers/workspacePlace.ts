import { createHash } from "node:crypto";
import type { ServerDefinition } from "./config.ts";
import { folderOf, type NamedFolder } from "./roots/folderVariable.ts";
import { variablesOf } from "./variableNames.ts";

/**
 * The folders that the folder variables of a definition mean while `folders` are open, where other folders would mean
 * something else; undefined where nothing of it depends on what is open.
 */
export function placeOf(
	{ config, origin }: Pick<ServerDefinition, "config" | "origin">,
	folders: readonly NamedFolder[],
): string | undefined {
	const meanings = variablesOf(config).flatMap((expression) => {
		const [, kind, name] = /^(workspaceFolder|workspaceRoot|workspaceFolderBasename)(?::(.*))?$/.exec(expression) ?? [];
		if (kind === undefined || (name === undefined && origin.folder !== undefined)) return [];
		const meaning = folderOf(name === "" ? undefined : name, origin, folders);
		return ["path" in meaning ? meaning.path : "(no folder)"];
	});
	return meanings.length === 0 ? undefined : [...new Set(meanings)].join(", ");
}

/**
 * The same definition, bound to the folders that its variables mean: in another folder the same words run other code, so
 * that they are another definition, which is approved on its own (CFG-26).
 */
export function bindToPlace(definition: ServerDefinition, folders: readonly NamedFolder[]): ServerDefinition {
	const place = placeOf(definition, folders);
	if (place === undefined) return definition;
	const hash = createHash("sha256")
		.update(JSON.stringify([definition.hash, place]))
		.digest("hex");
	return { ...definition, place, hash };
}
