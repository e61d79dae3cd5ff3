import * as vscode from "vscode";
import { isEditable } from "./editable.ts";
import { askModal, commandsOf, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { Syntax } from "../../servers/formats/syntax.ts";
import type { WrittenServers } from "../../servers/formats/writeConfiguration.ts";
import type { ExportedServer } from "../../servers/formats/writeEntry.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { McpHost } from "../../servers/host.ts";
import { pickServer } from "../../servers/pick.vscode.ts";
import type { ServerSession } from "../../servers/sessions/serverSession.ts";
import type { WrittenHere } from "./exportServers.ts";
import type { ServerEdits } from "./serverEdits.ts";

/** The dependencies of exporting servers. */
export interface ExportServices {
	readonly host: McpHost;
	readonly edits: Pick<ServerEdits, "read">;
	/** Why a server cannot run on another machine as it is written here, in a sentence; undefined if it can. */
	readonly whyHereOnly: (definition: ServerDefinition) => Promise<string | undefined>;
}

/** A way to write servers, as the user picks it. */
interface Way extends vscode.QuickPickItem {
	readonly language: string;
	readonly write: (servers: readonly ExportedServer[]) => WrittenServers;
	/** The subject, after “Export … ”. */
	readonly as: string;
	/** The destination of the text. */
	readonly use: string;
}

const languages: Readonly<Record<Syntax, string>> = { JSON: "jsonc", TOML: "toml", YAML: "yaml" };

/** The command that writes servers for other hosts, and for pages. It writes no file, and no secret is in the text. */
export function exportServersCommands(services: ExportServices) {
	return commandsOf({ "mcpHost.exportServers": (argument) => exportServers(services, argument) });
}

async function exportServers({ host, edits, whyHereOnly }: ExportServices, argument: unknown): Promise<void> {
	const sessions = await pickSessions(host, argument);
	if (sessions === undefined || sessions.length === 0) return;
	const { entryOf, withoutSecrets, changesText } = await import("./exportServers.ts");
	const written = await Promise.all(
		sessions.map(async ({ definition, state }): Promise<WrittenHere> => {
			const remark = await whyHereOnly(definition);
			const known = { isOff: state.kind === "off", ...(remark === undefined ? {} : { remark }) };
			if (!isEditable(definition.origin)) return { name: definition.name, ...entryOf(definition), ...known };
			const { name, entry, inputs } = await edits.read(definition);
			return { name, entry, inputs, ...known };
		}),
	);
	const safe = withoutSecrets(written, host.secretsInUse);
	const what =
		sessions.length === 1 ? `“${oneLine(sessions[0]?.definition.name ?? "", 60)}”` : `${sessions.length} servers`;
	const way = await vscode.window.showQuickPick(await waysFor(), {
		ignoreFocusOut: true,
		title: `Export ${what}`,
		placeHolder: "Choose a format. You see what is lost before anything is copied",
		matchOnDescription: true,
	});
	if (way?.write === undefined) return;
	const { text, changes, count } = way.write(safe.servers);
	const told = changesText([...safe.changes, ...changes]);
	if (count === 0) throw new Error(`None of these servers can be written in this format.\n${told}`);
	const [copy, show] = ["Copy", "Open in Editor"] as const;
	const detail = `${way.use} It contains no secrets.${told === "" ? " Nothing is lost." : `\n\nLost, or to be added by you:\n${told}`}`;
	const answer = await askModal(`Export ${what} ${way.as}?`, detail, copy, show);
	if (answer === copy) {
		await vscode.env.clipboard.writeText(text);
		void showInformation(`Copied. ${way.use}`);
	}
	if (answer !== show) return;
	const known = await vscode.languages.getLanguages();
	const language = known.includes(way.language) ? way.language : "plaintext";
	await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text, language }));
}

/** The servers that the command is about: that of a row, or those that the user ticks. */
async function pickSessions(host: McpHost, argument: unknown): Promise<readonly ServerSession[] | undefined> {
	const sessions = host.registry.sessions.filter(isOwn);
	if (argument !== undefined || sessions.length <= 1) {
		const one = await pickServer(host, argument, "Export which server?", (_state, session) => isOwn(session));
		if (one !== undefined && !isOwn(one))
			throw new Error("The demo server is part of MCP Host and cannot run elsewhere.");
		return one === undefined ? undefined : [one];
	}
	const items = sessions.map((session) => ({
		label: withoutIcons(oneLine(session.definition.name)),
		description: withoutIcons(oneLine(session.definition.origin.label)),
		session,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: "Export Servers",
		placeHolder: "Choose the servers to export",
		canPickMany: true,
	});
	return picked?.map(({ session }) => session);
}

function isOwn({ definition }: Pick<ServerSession, "definition">): boolean {
	return definition.origin.kind !== "demo";
}

/** The forms, grouped by their purpose. */
async function waysFor(): Promise<readonly (Way | (vscode.QuickPickItem & { readonly write?: undefined }))[]> {
	const [{ exportTargets }, { writeConfiguration, writeSnippet }, { linkTargets, writeBadges }] = await Promise.all([
		import("../../servers/formats/exportTargets.ts"),
		import("../../servers/formats/writeConfiguration.ts"),
		import("../../servers/formats/writeLinks.ts"),
	]);
	const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
	const snippet: Way = {
		label: "README Snippet",
		description: "a block of JSON for the page of a server, with places to fill in",
		language: "markdown",
		as: "as README Snippet",
		use: "Paste it into the page of a server.",
		write: writeSnippet,
	};
	const badges = linkTargets.map((target): Way => ({
		label: `Install Badge for ${target.label}`,
		description: "a link in Markdown",
		language: "markdown",
		as: `as Install Badge for ${target.label}`,
		use: "Paste it into the page of a server. Users who follow the link are asked before anything is installed.",
		write: (servers) => writeBadges(servers, target),
	}));
	const files = exportTargets.map((target): Way => ({
		label: target.label,
		description: `${target.syntax} for ${target.file}`,
		language: languages[target.syntax],
		as: `for ${target.label}`,
		use: `Paste it into ${target.file}.`,
		write: (servers) => writeConfiguration(servers, target),
	}));
	return [heading("for other hosts"), ...files, heading("for a page"), snippet, ...badges];
}
