import * as assert from "node:assert/strict";
import * as vscode from "vscode";

const id = "mcp-host.mcp-host";

/** The times that the editor records of the stages of activations, in milliseconds since 1970. */
interface EditorMarks {
	getMarks(): readonly { readonly name: string; readonly startTime: number }[];
}

suite("Activation", () => {
	suiteSetup(async () => {
		await vscode.extensions.getExtension(id)?.activate();
	});

	test("reports its duration", function () {
		const marks = Reflect.get(globalThis, "MonacoPerformanceMarks") as EditorMarks | undefined;
		const at = (stage: string): number =>
			marks?.getMarks().find(({ name }) => name === `code/extHost/${stage}/${id}`)?.startTime ?? Number.NaN;
		const loading = at("didLoadExtensionCode") - at("willLoadExtensionCode");
		const activating = at("didActivateExtension") - at("willActivateExtension");
		assert.ok(this.test);
		// A figure without a limit: it depends on the machine as much as on the extension.
		this.test.title = `took ${loading + activating} ms: ${loading} to load the code, ${activating} in activate`;
	});

	test("registers everything that the editor may call at once before later loading", async () => {
		const nowhere = vscode.Uri.parse("mcphost-resource://nowhere/resource.txt");
		await assert.rejects(async () => vscode.workspace.fs.writeFile(nowhere, new Uint8Array()), {
			code: "NoPermissions",
		});
		await assert.rejects(async () => vscode.workspace.fs.readFile(nowhere), { code: "FileNotFound" });
	});
});
