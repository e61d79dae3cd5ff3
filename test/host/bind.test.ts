import * as assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { makeCertificates } from "../servers/certificates.ts";
import { startProxyServer } from "../servers/proxyServer.ts";

/** How long to wait for what the extension does on its own, in milliseconds. */
const patience = 50_000;

suite("A package that is not bound to a version", () => {
	const settings: readonly (readonly [section: string, name: string])[] = [
		["http", "proxy"],
		["mcpHost", "certificateAuthorities"],
	];
	const set = async ([section, name]: (typeof settings)[number], value: unknown): Promise<void> =>
		vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);

	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
	});

	test("is bound by one click, by way of the editor's proxy, and its registry is asked for its name alone (REG-12)", async () => {
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const own = mkdtempSync(path.join(tmpdir(), "mcp-host-bind-"));
		const home = "registry.npmjs.org";
		const { authorityPath, key, certificate } = await makeCertificates(own, home);
		const asked: string[] = [];
		const registry = createServer({ key, cert: certificate }, (request, response) => {
			asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
			response.writeHead(200, { "content-type": "application/json" }).end('{"version":"1.4.0"}');
		});
		await new Promise<void>((resolve) => void registry.listen(0, "127.0.0.1", resolve));
		const { port } = registry.address() as AddressInfo;
		await using proxy = await startProxyServer({ resolveTo: "127.0.0.1", resolveToPort: port });
		const file = vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
		const text =
			'{\n\t"servers": {\n\t\t"weather": {\n\t\t\t"command": "npx", // mine\n\t\t\t"args": ["-y", "@acme/weather@latest", "--x"]\n\t\t}\n\t}\n}\n';
		await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
		try {
			await set(["http", "proxy"], proxy.url);
			await set(["mcpHost", "certificateAuthorities"], [authorityPath]);
			const { document } = await vscode.window.showTextDocument(file);
			const at = document.positionAt(text.indexOf("@acme") + 1);
			let bind: vscode.CodeAction | undefined;
			await waitFor("the click", async () => {
				const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
					"vscode.executeCodeActionProvider",
					file,
					new vscode.Range(at, at),
					vscode.CodeActionKind.QuickFix.value,
				);
				bind = actions.find(({ title }) => title === `Bind to the Latest Version (Asks ${home})`);
				return bind !== undefined;
			});
			assert.ok(bind?.command);
			assert.deepEqual(asked, []);
			await vscode.commands.executeCommand(bind.command.command, ...(bind.command.arguments ?? []));
			await waitFor("the version", async () => document.getText() === text.replace("@latest", "@1.4.0"));
			assert.deepEqual(asked, ["GET /@acme%2Fweather/latest "]);
			assert.ok(proxy.asked.includes(`CONNECT ${home}:443`));
		} finally {
			for (const one of settings) await set(one, undefined);
			await vscode.commands.executeCommand("workbench.action.files.revert");
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			await vscode.workspace.fs.delete(file);
			registry.closeAllConnections();
			registry.close();
			rmSync(own, { recursive: true, force: true });
		}
	});
});

/** Polls until `isTrue` holds. */
async function waitFor(what: string, isTrue: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + patience;
	while (!(await isTrue())) {
		assert.ok(Date.now() < deadline, `${what} did not appear`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
