/** A desktop VS Code. Nothing here was run on the machines it was written on: none is available there. */
import { resolveCliArgsFromVSCodeExecutablePath } from "@vscode/test-electron";
import type { DesktopEditor } from "./ensureEditor.ts";
import { runCommand, tail } from "./processes.ts";
import type { Profile, Trust } from "./profile.ts";

/** Installs a packaged extension into a profile. */
export async function installInDesktop(editor: DesktopEditor, profile: Profile, vsix: string): Promise<void> {
	const [cli = editor.executablePath, ...cliArgs] = resolveCliArgsFromVSCodeExecutablePath(editor.executablePath);
	const isProfileArg = /^--(user-data-dir|extensions-dir)/;
	const args = [
		...cliArgs.filter((arg) => !isProfileArg.test(arg)),
		...profileArgs(profile),
		"--install-extension",
		vsix,
	];
	const result = await runCommand(cli, args, { env: desktopEnvironment() });
	if (result.code !== 0) {
		throw new Error(`${vsix} could not be installed:\n${tail(result.output, 10)}`);
	}
}

/** The arguments that open a workspace in a profile. */
export function desktopArgs(profile: Profile, workspace: string, trust: Trust): string[] {
	const quiet = ["--new-window", "--skip-welcome", "--skip-release-notes", "--disable-telemetry", "--disable-updates"];
	const args = [workspace, ...profileArgs(profile), ...quiet, "--no-sandbox", "--password-store=basic"];
	return trust === "everything" ? [...args, "--disable-workspace-trust"] : args;
}

/** This process's environment without variables that make VS Code run as Node or that a package manager added. */
export function desktopEnvironment(): Record<string, string> {
	const unwanted = /^(npm_|VITEST|VSCODE_|NODE_OPTIONS$|NODE_ENV$|ELECTRON_RUN_AS_NODE$)/;
	const defined = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
	return Object.fromEntries(defined.filter(([name]) => !unwanted.test(name)));
}

function profileArgs(profile: Profile): string[] {
	return [`--user-data-dir=${profile.userDataFolder}`, `--extensions-dir=${profile.extensionsFolder}`];
}
