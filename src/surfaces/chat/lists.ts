import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { SessionDirectory, SessionState } from "../../servers/sessions/session.ts";
import { badgeLine } from "../../permissions/catalog/annotations.ts";
import { readCatalog, type ToolEntry } from "../../permissions/catalog/catalog.ts";

/** The mark beside tools that the user should check. */
export type ListMarks = Pick<DefinitionPins, "stateOf" | "warningsOf">;

/** How many tools one list shows; a thousand would be a wall. */
const mostListed = 100;

/**
 * The tools of all running servers, with those that models are not offered and why. With words of `search`, those that
 * have all of them in their name, title, description or server.
 */
export function toolList(directory: SessionDirectory, marks: ListMarks, search = ""): string {
	const { entries, offered } = readCatalog(directory);
	if (entries.length === 0) return "No running server offers tools. Start one in the *Servers* view.";
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	const found = entries.filter((entry) => matches(entry, words));
	const asked = escapeMarkdown(oneLine(search.trim(), 80));
	if (found.length === 0) return `No match for “${asked}” in ${counted(entries.length, "tool")}.`;
	const groups = Map.groupBy(found.slice(0, mostListed), ({ session }) => session);
	const hidden = entries.length - offered.length;
	const head = [
		words.length === 0
			? counted(entries.length, "tool")
			: `${found.length} of ${counted(entries.length, "tool")} match “${asked}”`,
		...(hidden === 0 ? [] : [`${hidden.toLocaleString("en-US")} not offered to models`]),
	];
	const left = found.length - mostListed;
	return [
		head.join(" · "),
		...[...groups].map(([session, group]) => {
			const all = found.filter((entry) => entry.session === session).length;
			const name = escapeMarkdown(oneLine(session.definition.name));
			return `**${name}** · ${counted(all, "tool")}\n\n${group.map((entry) => lineOf(entry, marks)).join("\n")}`;
		}),
		...(left > 0
			? [`${left.toLocaleString("en-US")} more are not shown. Add a word, as in \`/tools weather\`, to find them.`]
			: []),
	].join("\n\n");
}

function lineOf({ session, tool, hidden }: ToolEntry, marks: ListMarks): string {
	const title = tool.title ?? tool.annotations?.title ?? "";
	const remarks = [
		badgeLine(tool.annotations),
		...(marks.stateOf(session, tool).kind === "changed" ? ["⚠ changed since you approved it"] : []),
		...marks.warningsOf(session, tool).map(({ word, isNote }) => (isNote ? word : `⚠ ${word}`)),
		...(hidden === undefined ? [] : [`not offered to models: ${hidden}`]),
		...(title === "" || title === tool.name ? [] : [oneLine(title, 60)]),
	];
	const about = oneLine(tool.description ?? "", 200);
	const description = about === "" ? "" : `  \n  ${escapeMarkdown(about)}`;
	return `- **${escapeMarkdown(oneLine(tool.name))}** · ${escapeMarkdown(remarks.join(" · "))}${description}`;
}

function matches({ session, tool }: ToolEntry, words: readonly string[]): boolean {
	const texts = [session.definition.name, tool.name, tool.title ?? "", tool.description ?? ""].join("\n").toLowerCase();
	return words.every((word) => texts.includes(word));
}

/** The configured servers, their states and their features. */
export function serverList(directory: SessionDirectory): string {
	if (directory.sessions.length === 0) return "No server is configured. Run **MCP Host: Add Servers…** to add one.";
	return directory.sessions
		.map(({ definition, state, tools, prompts, resources }) => {
			const count = [
				counted(tools.items.length, "tool"),
				counted(prompts.items.length, "prompt"),
				counted(resources.items.length, "resource"),
			].join(", ");
			const offers = state.kind === "running" ? ` · ${count}` : "";
			const words = escapeMarkdown(`${stateText(state)}${offers} · ${oneLine(definition.origin.label)}`);
			return `- **${escapeMarkdown(oneLine(definition.name))}**  \n  ${words}`;
		})
		.join("\n");
}

function stateText(state: SessionState): string {
	switch (state.kind) {
		case "stopped":
			return "stopped";
		case "starting":
			return "starting";
		case "running":
			return `running (${oneLine(state.facts.protocolVersion, 20)}, ${state.facts.transport})`;
		case "off":
			return "switched off";
		case "left-to-editor":
			return "left to VS Code";
		case "needs-approval":
			return oneLine(state.reason, 120);
		case "needs-sign-in":
			return `sign-in needed: ${oneLine(state.message, 120)}`;
		case "failed":
			return `failed: ${oneLine(state.message, 160)}`;
	}
}
