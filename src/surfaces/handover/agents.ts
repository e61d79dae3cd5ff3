import path from "node:path";
import { isThere } from "../../base/files.ts";
import { isWithin } from "../../base/folderPaths.ts";
import type { ForeignHostId } from "../../servers/formats/hosts.ts";
import { hostFiles, type HostMachine } from "../../setup/entries/hostFiles.ts";

/** An agent that servers are handed over to. */
export interface Agent {
	readonly id: ForeignHostId;
	readonly label: string;
	/** Other readers of its file, in words; empty for none. */
	readonly about: string;
}

/** A file of an agent on this machine, existing or not. */
export interface AgentFile {
	readonly agent: Agent;
	readonly file: string;
	/** Whether it is the user's own, which gets the entry. One of an open folder only loses entries. */
	readonly isOwn: boolean;
	/** Whether the agent was used on this machine and has no other way to the servers. */
	readonly isSuggested: boolean;
}

/** The agents, in the order in which they are listed. */
export const agents: readonly Agent[] = [
	{ id: "copilot-cli", label: "Copilot", about: "Copilot CLI and sessions of Copilot in VS Code" },
	{ id: "claude-code", label: "Claude Code", about: "also sessions of Claude in VS Code" },
	{ id: "codex", label: "Codex", about: "also sessions of Codex in VS Code" },
	{ id: "cursor", label: "Cursor", about: "" },
	{ id: "vscode", label: "VS Code", about: "its agent can use MCP Host without this" },
];

/** The files of the agents on a machine: of each its own one, then those of open folders that exist. Nothing is read. */
export async function agentFiles(machine: HostMachine): Promise<readonly AgentFile[]> {
	const own = hostFiles({ ...machine, folders: [] });
	const inFolders = hostFiles(machine).filter(({ path: file }) => isInside(file, machine.folders));
	const found = agents.map(async (agent): Promise<readonly AgentFile[]> => {
		// Where an environment variable names another file, it comes first.
		const file = own.find(({ host }) => host === agent.id)?.path;
		if (file === undefined) return [];
		const folder = path.dirname(file);
		const isUsed = (await isThere(file)) || (folder !== machine.home && (await isThere(folder)));
		const isSuggested = isUsed && agent.id !== "vscode";
		const files: AgentFile[] = [{ agent, file, isOwn: true, isSuggested }];
		for (const one of inFolders) {
			if (one.host !== agent.id || !(await isThere(one.path))) continue;
			files.push({ agent, file: one.path, isOwn: false, isSuggested: false });
		}
		return files;
	});
	return (await Promise.all(found)).flat();
}

function isInside(file: string, folders: readonly string[]): boolean {
	return folders.some((folder) => isWithin(file, folder));
}
