import * as assert from "node:assert/strict";
import * as vscode from "vscode";

/** Functions of proposed APIs, by their objects. Each editor has some of them. */
const proposed: readonly (readonly [object, string])[] = [
	[vscode.chat, "registerChatOutputRenderer"],
	[vscode.chat, "createDynamicChatParticipant"],
	[vscode.chat, "registerChatSessionItemProvider"],
	[vscode.lm, "registerEmbeddingsProvider"],
	[vscode.lm, "registerIgnoredFileProvider"],
	[vscode.workspace, "registerFileSearchProvider"],
	[vscode.workspace, "registerTextSearchProvider"],
];

suite("Proposed API", () => {
	test("is refused by this editor, so that a use of it would fail here as it would for every user", () => {
		const tried = proposed.filter(([owner, name]) => typeof Reflect.get(owner, name) === "function");
		assert.notEqual(tried.length, 0, "this editor knows none of the proposed functions that the test tries");
		for (const [owner, name] of tried) {
			const call = Reflect.get(owner, name) as (...args: readonly unknown[]) => unknown;
			assert.throws(() => call.call(owner, "probe", {}, {}), /CANNOT use API proposal/, name);
		}
	});

	test("is not requested in the manifest", () => {
		const manifest: unknown = vscode.extensions.getExtension("mcp-host.mcp-host")?.packageJSON;
		assert.ok(typeof manifest === "object" && manifest !== null);
		assert.equal("enabledApiProposals" in manifest, false);
	});
});
