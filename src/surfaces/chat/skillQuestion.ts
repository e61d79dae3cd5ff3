import { readableSize } from "../../base/amounts.ts";
import type { JsonObject } from "../../base/json.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { filesOf } from "../../permissions/catalog/skillTool.ts";

/** How many files of a skill are listed in the question about it. */
const mostListed = 20;

/** The file that a load reads, and all files that the approval covers; nothing for other calls. */
export function skillFileWords({ session, skill }: ToolEntry, { file, folder }: JsonObject): readonly string[] {
	if (skill === undefined) return [];
	const files = [...filesOf(skill)];
	const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
	const lines = files
		.slice(0, mostListed)
		.map(([path, { size }]) => `- ${escapeMarkdown(oneLine(path, 200))}, ${readableSize(size)}`);
	const left = files.length - lines.length;
	const name = typeof folder === "string" ? folder : typeof file === "string" ? file : "SKILL.md";
	const read = escapeMarkdown(oneLine(name, 200));
	const what = typeof folder === "string" ? `The list of files in ${read}` : read;
	const server = escapeMarkdown(oneLine(session.definition.name));
	return [
		`${what} is read and sent to the model as text of ${server}. The skill has ${counted(files.length, "file")}, ${readableSize(bytes)}:`,
		[...lines, ...(left > 0 ? [`- and ${counted(left, "more file")}`] : [])].join("\n"),
	];
}
