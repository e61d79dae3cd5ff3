import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { isThere } from "../../base/files.ts";
import { oneLine } from "../../base/text.ts";
import { fileOfFolders } from "../../setup/entries/folderFit.ts";
import { tidy } from "./commandCheck.ts";
import { open, setIn } from "./definitionChecks.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Fix } from "./finding.ts";
import { placeIn } from "./place.ts";

/** Whether a relative file that is not where the server runs is in an open folder: then it was meant to run there. */
export async function checkFolder({
	definition,
	entry,
	launch,
	folders = [],
}: DoctorFacts): Promise<readonly Finding[]> {
	const { config, origin } = definition;
	if (config.kind !== "stdio" || launch instanceof Error) return [];
	const { command, args, cwd } = launch?.kind === "stdio" ? launch : { ...config, cwd: origin.folder ?? homedir() };
	const relative = [command, ...args].filter((word) => !isAbsolute(word) && !word.includes("${"));
	const found = await fileOfFolders(
		// The command alone is looked for on the PATH.
		relative[0] === command ? relative : ["", ...relative],
		folders,
	);
	if (found === undefined || (await isThere(resolve(cwd, found.word)))) return [];
	const { folder, word } = found;
	const where = placeIn(entry, origin.isWorkspace ? [] : ["args", args.indexOf(word)]);
	const toSet = setIn(definition, "Set Working Directory", [{ path: ["cwd"], value: folder.path }]);
	const toMove: Fix = { kind: "command", title: "Move to Workspace…", command: "mcpHost.moveToWorkspace" };
	return [
		{
			layer: "command",
			weight: "cause",
			what: `“${oneLine(word, 100)}” is in the open folder ${oneLine(folder.name, 80)}, but the server runs in ${tidy(cwd)}.`,
			why: origin.isWorkspace
				? `Set "cwd" to the folder that has the file.`
				: `Move the server to .vscode/mcp.json of that folder, or set "cwd" to the folder.`,
			...(where === undefined ? {} : { where }),
			fixes: [...(origin.isWorkspace ? [] : [toMove]), toSet, ...(where === undefined ? [] : [open(where)])],
		},
	];
}
