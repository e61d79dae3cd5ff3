import { escapeMarkdown, oneLine } from "../base/text.ts";
import type { SessionDirectory, SessionState } from "../servers/session.ts";
import { badgeLine } from "../tools/annotations.ts";
import { readCatalog } from "../tools/catalog.ts";

/** The tools of all running servers as a table, with those that models are not offered and why. */
export function toolsTable(directory: SessionDirectory): string {
	const { entries } = readCatalog(directory);
	if (entries.length === 0) return "No running server offers tools. Start one in the *Servers* view.";
	return table(
		["Server", "Tool", "What it does", "Annotations"],
		entries.map(({ session, tool, hidden }) => [
			oneLine(session.definition.name),
			oneLine(tool.name),
			hidden === undefined ? oneLine(tool.description ?? tool.title ?? "", 160) : `Not offered to models: ${hidden}`,
			badgeLine(tool.annotations),
		]),
	);
}

/** The configured servers and their state as a table. */
export function serversTable(directory: SessionDirectory): string {
	if (directory.sessions.length === 0) return "No server is configured. Run **MCP Host: Add Server…** to add one.";
	return table(
		["Server", "State", "Tools", "Prompts", "Resources", "Configured in"],
		directory.sessions.map(({ definition, state, tools, prompts, resources }) => [
			oneLine(definition.name),
			stateText(state),
			String(tools.items.length),
			String(prompts.items.length),
			String(resources.items.length),
			oneLine(definition.origin.label),
		]),
	);
}

function stateText(state: SessionState): string {
	switch (state.kind) {
		case "stopped":
			return "stopped";
		case "starting":
			return "starting";
		case "running":
			return `running (${oneLine(state.facts.protocolVersion, 20)}, ${state.facts.transport})`;
		case "needs-approval":
			return `approval needed: ${oneLine(state.reason, 120)}`;
		case "failed":
			return `failed: ${oneLine(state.message, 160)}`;
		default: {
			const unreachable: never = state;
			return unreachable;
		}
	}
}

/** A Markdown table whose cells are texts, not Markdown. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
	return [line(heads), line(heads.map(() => "---")), ...rows.map((cells) => line(cells.map(escapeMarkdown)))].join(
		"\n",
	);
}
