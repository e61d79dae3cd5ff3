import * as assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { makeCertificates } from "../servers/certificates.ts";
import { startProxyServer } from "../servers/proxyServer.ts";
import { openWritten, waitFor, waitForQuickFix } from "./waiting.ts";

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

	test("is bound by one click, through the editor's proxy, and its registry receives only its name (REG-12)", async () => {
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
		try {
			await set(["http", "proxy"], proxy.url);
			await set(["mcpHost", "certificateAuthorities"], [authorityPath]);
			const document = await openWritten(file, text);
			const bind = await waitForQuickFix(document, "@acme", `Bind to the Latest Version (Asks ${home})`);
			assert.ok(bind.command);
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
