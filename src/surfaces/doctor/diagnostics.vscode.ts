import { homedir } from "node:os";
import * as vscode from "vscode";
import { copyAsJson } from "../../base/guards.ts";
import type { LastErrors } from "../../base/lastErrors.ts";
import { showInformation } from "../../base/notify.vscode.ts";
import type { McpHost } from "../../servers/host.ts";
import { type ChangedSetting, diagnosticsOf } from "./diagnostics.ts";

/** The part of our manifest that names the settings. */
interface Manifest {
	readonly version: string;
	readonly contributes: {
		readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
	};
}

/** The sources of the diagnostics. */
export interface DiagnosticsServices {
	readonly host: McpHost;
	readonly extension: Pick<vscode.Extension<unknown>, "packageJSON">;
	readonly errors: Pick<LastErrors, "all">;
}

/** Copies the data for an issue of the extension, without known secrets. */
export async function copyDiagnostics({ host, extension, errors }: DiagnosticsServices): Promise<void> {
	const manifest: Manifest = extension.packageJSON;
	const text = diagnosticsOf(
		{
			place: [
				`MCP Host ${manifest.version}`,
				`VS Code ${vscode.version}${vscode.env.uiKind === vscode.UIKind.Web ? " in a browser" : ""}`,
				`Node ${process.version}`,
				`${process.platform} ${process.arch}`,
				...remoteKind(vscode.env.remoteName),
				vscode.workspace.isTrusted ? "trusted workspace" : "Restricted Mode",
			],
			settings: changedSettings(manifest),
			servers: host.registry.sessions,
			errors: errors.all,
			home: homedir(),
		},
		host.secretsInUse,
	);
	await vscode.env.clipboard.writeText(text);
	void showInformation("Copied the diagnostics, without known secrets. Read them before you paste them.");
}

/** The kind of a remote window, such as `ssh-remote`. Where VS Code runs as a server, the name is an address instead. */
function remoteKind(name: string | undefined): readonly string[] {
	if (name === undefined) return [];
	return [/^[a-z][a-z-]*$/.test(name) ? `remote: ${name}` : "remote"];
}

function changedSettings({ contributes }: Manifest): readonly ChangedSetting[] {
	const configuration = vscode.workspace.getConfiguration();
	return contributes.configuration
		.flatMap(({ properties }) => Object.keys(properties))
		.flatMap((name) => {
			const found = configuration.inspect<unknown>(name);
			const places = [
				["user", found?.globalValue],
				["workspace", found?.workspaceValue],
				["folder", found?.workspaceFolderValue],
			] as const;
			return places.flatMap(([where, value]) => {
				const copy = value === undefined ? undefined : copyAsJson(value);
				return copy === undefined ? [] : [{ name, where, value: copy }];
			});
		});
}
