import { escapeMarkdown, oneLine } from "../base/text.ts";
import type { SessionDirectory, SessionState } from "../servers/session.ts";
import { badgeLine } from "../tools/annotations.ts";
import { readCatalog } from "../tools/catalog.ts";

/** The tools of all running servers, with those that models are not offered and why. */
export function toolList(directory: SessionDirectory): string {
	const groups = Map.groupBy(readCatalog(directory).entries, ({ session }) => session);
	if (groups.size === 0) return "No running server offers tools. Start one in the *Servers* view.";
	return [...groups]
		.map(([session, entries]) => {
			const lines = entries.map(({ tool, hidden }) => {
				const about =
					hidden === undefined ? (tool.description ?? tool.title ?? "") : `Not offered to models: ${hidden}`;
				const badges = escapeMarkdown(badgeLine(tool.annotations));
				return `- **${escapeMarkdown(oneLine(tool.name))}** · ${badges}  \n  ${escapeMarkdown(oneLine(about, 200))}`;
			});
			return `**${escapeMarkdown(oneLine(session.definition.name))}**\n\n${lines.join("\n")}`;
		})
		.join("\n\n");
}

/** The configured servers, their state and what they offer. */
export function serverList(directory: SessionDirectory): string {
	if (directory.sessions.length === 0) return "No server is configured. Run **MCP Host: Add Server…** to add one.";
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

function counted(count: number, noun: string): string {
	return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
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
		case "needs-sign-in":
			return `sign-in needed: ${oneLine(state.message, 120)}`;
		case "failed":
			return `failed: ${oneLine(state.message, 160)}`;
		default: {
			const unreachable: never = state;
			return unreachable;
		}
	}
}
