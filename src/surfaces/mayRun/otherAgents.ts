import { chainWords, nameOf } from "../bridge/program.ts";
import type { Made } from "./mayRun.ts";
import type { MayRunLine, MayRunSection } from "./mayRunProtocol.ts";

/** The section about agents that are not ours: those of VS Code, and programs on this machine. */
export function otherAgents({ facts, button }: Made): MayRunSection {
	const settingLine = (line: string, name: string, isOn: boolean): MayRunLine => ({
		name: line,
		words: isOn ? "on" : "off",
		details: [name],
		...button({ kind: "setting", name }, "Open Setting"),
	});
	const agents = facts.agents.map((agent): MayRunLine => ({
		name: nameOf(agent),
		words: agent.isAllowed ? "may use servers of windows that share them" : "may not use your servers",
		details: [chainWords(agent, facts.home), `decided by you on ${new Date(agent.at).toLocaleString()}`],
		...button({ kind: "revoke-agent", key: agent.key }, "Revoke"),
	}));
	const inEditor = facts.setting("chat.otherAgents") !== false;
	return {
		title: "Other Agents",
		note: "Agents of other extensions, and programs on this machine that you allowed, can call tools. Their calls follow the same rules.",
		lines: [
			settingLine("Tools for other agents", "mcpHost.chat.otherAgents", inEditor),
			settingLine("Servers for other programs", "mcpHost.shareServers", facts.setting("shareServers") === true),
			...agents,
		],
		none: "",
	};
}
