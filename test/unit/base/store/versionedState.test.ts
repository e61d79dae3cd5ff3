import { expect, it } from "vitest";
import { versionedState } from "../../../../src/base/store/versionedState.ts";
import { MemoryStore } from "../../servers/fixtures.ts";

it("A stored value is found under its version, and values without a version or of another one are not", async () => {
	const editor = new MemoryStore();
	await editor.update("mcpHost.a", "without");
	await editor.update("mcpHost.a@0", "other");
	const state = versionedState(editor);
	expect(state.get("mcpHost.a")).toBeUndefined();
	await state.update("mcpHost.a", "now");
	expect([state.get("mcpHost.a"), editor.get("mcpHost.a@1")]).toEqual(["now", "now"]);
});
