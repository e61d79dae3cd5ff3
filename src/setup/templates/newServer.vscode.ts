import { dirname, relative } from "node:path";
import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { HostError } from "../../base/errors.ts";
import { commandsOf, askModal, showError, showWarning } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { findCommand } from "../../protocol/stdio/findCommand.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import type { McpHost } from "../../servers/host.ts";
import type { ConfigurationWriter } from "../newServer.ts";
import type { ServerTemplate } from "./serverTemplates.ts";

/** The dependencies of *New Server from Template…*. */
export interface NewServerServices {
	readonly host: McpHost;
	readonly writer: ConfigurationWriter;
}

/** The command that makes a minimal server in an open folder: asks where and in which language, then leads to its review. */
export function newServerCommands(services: NewServerServices): Commands<"mcpHost.newServer"> {
	return commandsOf({ "mcpHost.newServer": () => newServer(services) });
}

async function newServer({ host, writer }: NewServerServices): Promise<void> {
	const folder = await chooseFolder();
	if (folder === undefined) return;
	if (!vscode.workspace.isTrusted) {
		const message = "This workspace is not trusted. Servers of its folders do not start until you trust it.";
		if ((await showWarning(message, "Manage Workspace Trust")) !== undefined)
			await vscode.commands.executeCommand("workbench.trust.manage");
		return;
	}
	const [templates, { createServer, placeFor }] = await Promise.all([
		import("./serverTemplates.ts"),
		import("./createServer.ts"),
	]);
	const name = templates.projectName(folder.name);
	const hasUv = (await findCommand("uv", folder.uri.fsPath, process.env["PATH"] ?? "")) !== undefined;
	const offered = [templates.typescriptTemplate(name), templates.pythonTemplate(name, hasUv)];
	const places = await Promise.all(offered.map((template) => placeFor(template, folder.uri.fsPath)));
	const items = offered.map((template, index) => ({
		label: template.language,
		detail: `Creates ${(places[index]?.paths ?? []).map((path) => relative(folder.uri.fsPath, path)).join(", ")} in ${folder.name}, and an entry in .vscode/mcp.json`,
		template,
		place: places[index],
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: "New Server from Template",
		placeHolder: "Choose a language",
		ignoreFocusOut: true,
	});
	if (picked?.place === undefined) return;
	const { template, place } = picked;
	const taken = new Set(host.registry.sessions.flatMap(({ definition }) => namesOf(definition).names));
	const server = await createServer(template, place, { name, taken });
	const { ids } = await writer.add({ kind: "folder", folder: folder.uri.fsPath }, [server]);
	const [main = ""] = place.paths;
	await vscode.window.showTextDocument(vscode.Uri.file(main));
	if (!(await install(template, folder, dirname(main)))) return;
	const [id] = ids;
	if (id !== undefined) await vscode.commands.executeCommand("mcpHost.startServer", { server: id });
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	if (folders.length === 0) throw new HostError("invalid", "Open a folder first. The server is created in it.");
	if (folders.length === 1) return folders[0];
	const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
	return (
		await vscode.window.showQuickPick(items, {
			ignoreFocusOut: true,
			title: "New Server from Template",
			placeHolder: "Choose a folder",
		})
	)?.folder;
}

/** Installs what a template needs, if the user wants that; resolves with whether the server can start now. */
async function install(template: ServerTemplate, folder: vscode.WorkspaceFolder, cwd: string): Promise<boolean> {
	const { install: command, packages } = template;
	if (command === undefined) return true;
	const answer = await askModal(
		`Install the packages of the new server?`,
		`“${command}” runs in ${oneLine(cwd, 200)} and installs ${packages.join(" and ")}. Without it, the server does not start.`,
		"Install",
	);
	if (answer === undefined) return false;
	const execution = await vscode.tasks.executeTask(
		new vscode.Task({ type: "shell" }, folder, command, "MCP Host", new vscode.ShellExecution(command, { cwd })),
	);
	return new Promise((resolve) => {
		const listener = vscode.tasks.onDidEndTaskProcess(({ execution: ended, exitCode }) => {
			if (ended !== execution) return;
			listener.dispose();
			if (exitCode !== 0) void showError(`“${command}” failed. Its output is in the terminal.`);
			resolve(exitCode === 0);
		});
	});
}
