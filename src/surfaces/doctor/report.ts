import { codeBlock } from "../../base/markdown.ts";
import { showHidden } from "../../base/text.ts";
import type { DoctorView, FindingView, ServerView } from "./doctorProtocol.ts";

/** The environment of the examination: versions, no names of users or machines. */
export interface ReportPlace {
	readonly extension: string;
	readonly editor: string;
	readonly system: string;
	readonly node: string;
}

const marks = { cause: "Cause", waiting: "Waiting", warning: "Warning", note: "Note", fine: "Fine" } as const;

/**
 * The findings, as Markdown to paste into an issue. It contains the panel's text: no secret, and no home folder's name.
 */
export function reportOf({ servers, entries, standing }: DoctorView, place: ReportPlace): string {
	const about = `MCP Host ${place.extension} · VS Code ${place.editor} · ${place.system} · Node ${place.node}`;
	return [
		"## MCP Host: Server Check",
		about,
		...(standing === "done" ? [] : ["*Not everything was checked.*"]),
		...(entries.length === 0 ? [] : ["### Configuration", entries.map(findingText).join("\n")]),
		...servers.flatMap(serverText),
		"",
	].join("\n\n");
}

function serverText({ name, origin, state, verdict, findings }: ServerView): readonly string[] {
	return [
		`### ${plain(name)} (${plain(state)})`,
		`Configured in ${plain(origin)}.${verdict === undefined ? "" : ` **${plain(verdict.words)}**`}`,
		findings.map(findingText).join("\n"),
	];
}

function findingText({ weight, layer, what, why, where, evidence }: FindingView): string {
	const lines = [
		`- **${marks[weight]}** (${layer}): ${plain(what)}${where === undefined ? "" : ` (${plain(where)})`}`,
		...(why === undefined ? [] : [`  ${plain(why)}`]),
	];
	if (evidence !== undefined && evidence.length > 0) {
		const block = codeBlock(evidence.join("\n"))
			.split("\n")
			.map((line) => `  ${line}`)
			.join("\n");
		lines.push("", block);
	}
	return lines.join("\n");
}

/** A text that stays text in Markdown, and is as easy to read where nobody renders it. */
function plain(text: string): string {
	return showHidden(text).replace(/[\\`*_[\]<>|]|~(?=~)/g, "\\$&");
}
