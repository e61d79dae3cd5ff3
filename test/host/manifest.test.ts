import * as assert from "node:assert/strict";
import * as vscode from "vscode";

interface Manifest {
	readonly contributes: {
		readonly commands: readonly { readonly command: string }[];
		readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
	};
}

suite("Manifest", () => {
	let manifest: Manifest;

	suiteSetup(async () => {
		const extension = vscode.extensions.getExtension("mcp-host.mcp-host");
		assert.ok(extension, "the extension is not installed in this editor");
		await extension.activate();
		manifest = extension.packageJSON as Manifest;
	});

	test("every command that it contributes is registered", async () => {
		const registered = new Set(await vscode.commands.getCommands(true));
		const contributed = manifest.contributes.commands.map(({ command }) => command);
		assert.deepEqual(
			contributed.filter((id) => !registered.has(id)),
			[],
		);
	});

	test("every view that it contributes can be focused", async () => {
		const registered = new Set(await vscode.commands.getCommands(true));
		const views = Object.values(manifest.contributes.views).flat();
		assert.deepEqual(
			views.map(({ id }) => `${id}.focus`).filter((id) => !registered.has(id)),
			[],
		);
	});
});
