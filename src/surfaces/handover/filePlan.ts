import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { exportTarget } from "../../servers/formats/exportTargets.ts";
import type { ForeignServer } from "../../servers/formats/foreignServer.ts";
import { readConfiguration } from "../../servers/formats/readConfiguration.ts";
import { writeConfiguration } from "../../servers/formats/writeConfiguration.ts";
import { writeEntry, type ExportedServer } from "../../servers/formats/writeEntry.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { withMerged, withoutValue } from "../../setup/entries/jsonEdit.ts";
import { likenessOf } from "../../setup/entries/sameServer.ts";
import type { AgentFile } from "./agents.ts";
import type { BridgeCommand } from "./launcher.ts";
import { withTables } from "./tomlTables.ts";

/** The name of the bridge in configurations. */
export const bridgeName = "mcp-host";

/** A server that MCP Host runs for agents. */
export type SharedDefinition = Pick<ServerDefinition, "name" | "config" | "origin">;

/** The change of one file, before it is made. */
export interface FilePlan extends AgentFile {
	/** Whether there is no such file yet. */
	readonly isNew: boolean;
	readonly before: string;
	readonly after: string;
	/** Names of entries that the bridge replaces. */
	readonly replaced: readonly string[];
	/** Names of entries of servers that MCP Host runs in open folders only: the agent needs them elsewhere. */
	readonly staying: readonly string[];
}

/** The content of a file that is planned for. */
export interface PlannedFile extends AgentFile {
	readonly text: string;
	readonly isNew: boolean;
	/** The folders that are open. */
	readonly folders: readonly string[];
}

/**
 * Plans the change of an agent's file: the bridge's entry in its format, in the user's own file, and no entries of the
 * servers that MCP Host runs where the agent uses them. The rest stays, to the byte.
 * @throws HostError `invalid` in a sentence without a subject if the file cannot be edited.
 */
export function planFile(
	{ text, isNew, folders, ...file }: PlannedFile,
	command: BridgeCommand,
	servers: readonly SharedDefinition[],
): FilePlan {
	if (text.includes("\uFFFD")) throw new HostError("invalid", "It is not written in UTF-8.");
	const target = exportTarget(file.agent.id);
	const raw = entriesIn(text, file, folders);
	const replaced: ForeignServer[] = [];
	const staying: string[] = [];
	for (const server of raw) {
		const likely = servers.filter(({ origin }) => origin.file !== file.file);
		if (
			likenessOf(
				server.entry,
				likely.filter((one) => isWhere(one, server, file, folders)),
			).kind === "same"
		)
			replaced.push(server);
		else if (likenessOf(server.entry, likely).kind === "same") staying.push(oneLine(server.name ?? "", 60));
	}
	const server: ExportedServer = {
		name: bridgeName,
		entry: {
			command: command.command,
			args: [...command.args],
			...(Object.keys(command.env).length === 0 ? {} : { env: command.env }),
		},
		inputs: [],
		isOff: false,
	};
	const names = replaced.map(({ name = "" }) => name);
	let after = text;
	if (target.syntax === "TOML") {
		const added = file.isOwn ? writeConfiguration([server], target).text : "";
		const [parent = ""] = target.keys;
		const isSame = file.isOwn && names.length === 0 && hasEntry(text, added, parent);
		if (!isSame) after = withTables(text, parent, file.isOwn ? [...names, bridgeName] : names, added);
	} else {
		try {
			for (const { path } of replaced) if (path !== undefined) after = withoutValue(after, path);
			if (file.isOwn) after = withMerged(after, [...target.keys, bridgeName], writeEntry(server, target).entry);
		} catch (cause) {
			throw new HostError("invalid", `${messageOf(cause)} Or it is too large to be edited.`, { cause });
		}
	}
	return { ...file, isNew, before: text, after, replaced: names.map((name) => oneLine(name, 60)), staying };
}

/** Whether a plan changes its file. */
export function changes({ before, after, isNew, isOwn }: FilePlan): boolean {
	return before !== after || (isNew && isOwn);
}

/** Whether MCP Host runs a server wherever the agent uses an entry. */
function isWhere(
	{ origin }: SharedDefinition,
	entry: ForeignServer,
	{ isOwn }: AgentFile,
	folders: readonly string[],
): boolean {
	if (!origin.isWorkspace) return true;
	// An entry of an open folder is used in it alone.
	return entry.folder === undefined ? !isOwn : folders.includes(entry.folder);
}

/** The entries of a file that count in the user's own place, or in an open folder; none of the bridge. */
function entriesIn(text: string, { agent }: AgentFile, folders: readonly string[]): readonly ForeignServer[] {
	const found = readConfiguration(text, agent.id);
	return (found?.servers ?? []).filter(
		({ name, folder, isOff }) => name !== bridgeName && !isOff && (folder === undefined || folders.includes(folder)),
	);
}

function hasEntry(text: string, added: string, parent: string): boolean {
	const bridge = (one: string): string =>
		JSON.stringify(readConfiguration(one, "codex")?.servers.find(({ name }) => name === bridgeName)?.entry ?? parent);
	return bridge(text) === bridge(added);
}
