import { chainWords, nameOf } from "../bridge/program.ts";
import type { Made } from "./mayRun.ts";
import type { MayRunLine, MayRunSection } from "./mayRunProtocol.ts";

/** The section about agents that are not ours: those of VS Code, and programs on this machine. */
export function otherAgents({ facts, button, settingLine }: Made): MayRunSection {
	const agents = facts.agents.map((agent): MayRunLine => ({
		name: nameOf(agent),
		words: agent.isAllowed ? "may use servers of windows that share them" : "may not use your servers",
		details: [chainWords(agent, facts.home), `decided by you on ${new Date(agent.at).toLocaleString()}`],
		...button({ kind: "revoke-agent", key: agent.key }, "Revoke"),
	}));
	const inEditor = facts.setting("chat.otherAgents") !== false;
	const isShared = facts.setting("shareServers") === true;
	const port = Number(facts.setting("shareServersPort") ?? 0);
	return {
		title: "Other Agents",
		note: "Agents of other extensions, and programs on this machine that you allowed, can call tools. Their calls follow the same rules.",
		lines: [
			settingLine("Tools for other agents", inEditor ? "on" : "off", "mcpHost.chat.otherAgents"),
			settingLine("Servers for other programs", isShared ? "on" : "off", "mcpHost.shareServers"),
			settingLine("Port for clients with a key", port === 0 ? "off" : String(port), "mcpHost.shareServersPort"),
			...agents,
		],
		none: "",
	};
}
