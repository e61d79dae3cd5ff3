/** Stories of the policy: grants given and revoked by the user, and a workspace's rules that ask and deny. */
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerCall, ChatStory, questionCount, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { mkdir, readFile, writeFile } from "node:fs/promises";

const manage = "MCP Host: Manage Rules and Grants…";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

// Grants and shares of a failed story must not reach the next one.
beforeEach(async () => {
	const { palette, dialogs } = story.editor;
	if (existsSync(rulesFile())) await share(`{ "rules": [] }`);
	await palette.run(manage);
	await palette.waitForRow(/Add a Rule for Calls/);
	const labels = (await palette.rows()).map(({ label }) => label);
	for (const grant of labels.filter((label) => label.endsWith(" of small"))) {
		const isRevoked = async (): Promise<boolean> => !(await palette.rows()).some(({ label }) => label === grant);
		await palette.pressRowButton(grant, "Revoke", isRevoked);
	}
	await palette.cancel();
	await dialogs.clearNotifications();
});

/** How many calls reached the server. */
function received(): number {
	return story.received("small", "tools/call").length;
}

function rulesFile(): string {
	return path.join(story.editor.workspaceFolder, ".vscode", "mcp-policy.json");
}

/** Writes the rules of the folder that is open. */
async function share(text: string): Promise<string> {
	const file = rulesFile();
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
	return file;
}

test("a workspace's rules deny and ask despite grants, and while they are broken every call asks", async () => {
	const { editor, model } = story;
	const { palette, chat } = editor;
	await story.askForCall("small_echo", { text: "four" }, "Said four.");
	await answerCall(editor, 1, "Always…");
	await palette.pick("This Tool in This Session");
	await chat.waitForText("Said four.");
	const [calls, requests] = [received(), model.requests.length];

	const file = await share(
		`// Ours.\n{\n\t"rules": [\n\t\t{ "decision": "deny", "tool": "echo", "arguments": { "text": "*secret*" }, "reason": "Secrets stay here" },\n\t\t{ "decision": "allow", "server": "*", "tool": "*" }\n\t]\n}\n`,
	);
	await palette.run(manage);
	await palette.waitForRow(/deny \* · echo/);
	await takePictures(editor, "policy-manage-rules");
	await palette.cancel();
	await story.askForCall("small_echo", { text: "a SECRET\u200B thing" }, "It was denied.");
	await chat.waitForText("It was denied.");
	expect(await questionCount(editor)).toBe(0);
	expect(received()).toBe(calls);
	expect(await chat.lastText()).toMatch(
		/denied by rule 1 of .vscode\/mcp-policy.json in .*: deny \* · echo .*Secrets stay here/,
	);
	expect(toolResults(await model.request(requests + 1)).join()).toMatch(/denied/);
	await takePictures(editor, "policy-denied-by-rule");
	await story.askForCall("small_echo", { text: "five" }, "Said five.");
	await chat.waitForText("Said five.");
	expect(received()).toBe(calls + 1);

	// An allow rule of a workspace is a problem on its line.
	await palette.run(manage);
	await palette.choose(/deny \* · echo/);
	await editor.page
		.locator(".editor-instance .view-lines", { hasText: "Secrets stay here" })
		.waitFor({ timeout: patience });
	await palette.run("Problems: Focus on Problems View");
	const problem = editor.page.locator(".markers-panel .monaco-list-row").filter({ hasText: "MCP Host" });
	await problem.waitFor({ timeout: patience });
	expect(await problem.innerText()).toMatch(/"allow" has no effect here[^]*Ln 5\b/);
	await takePictures(editor, "policy-file");

	await writeFile(file, (await readFile(file, "utf8")).replace('"deny"', '"never"'));
	await problem.filter({ hasText: /must be "allow", "ask" or "deny"/ }).waitFor({ timeout: patience });
	await story.askForCall("small_echo", { text: "six secrets" }, "Asked about six.");
	await answerCall(editor, 1, "Deny");
	await chat.waitForText("Asked about six.");
	expect(await chat.lastText()).toContain("part of which cannot be read");
	expect(received()).toBe(calls + 1);
});

test("a rule is added to the user's own settings, and a tool explains which rule decides about it", async () => {
	const { editor } = story;
	const { palette, tree, chat } = editor;
	await story.askForCall("small_echo", { text: "seven" }, "Said seven.");
	await answerCall(editor, 1, "Always…");
	await palette.pick("This Tool in This Session");
	await chat.waitForText("Said seven.");
	await palette.run(manage);
	await palette.choose(/Add a Rule for Calls/);
	await palette.pick("User Settings");
	await palette.pick(/Deny/);
	await palette.pick("small");
	await palette.pick("add");
	await editor.page
		.locator(".editor-instance .view-lines", { hasText: "policy.rules" })
		.first()
		.waitFor({ timeout: patience });
	// Settings open in an editor above all others, which Escape closes once it has the focus.
	const modal = editor.page.locator(".monaco-modal-editor-block");
	await waitForCondition("The end of the settings", async () => {
		await editor.page.keyboard.press("Escape");
		return succeeds(modal.waitFor({ state: "hidden", timeout: 3000 }));
	});
	await tree.open("MCP Host");
	await tree.expand(["small", "Tools"]);
	await tree.contextMenu(["small", "Tools", "Add Numbers"], "Why Is This Tool Allowed or Denied?");
	await palette.waitForRow("rule 1 of User Settings: deny small · add");
	await takePictures(editor, "policy-explain");
	await palette.cancel();
	story.model.next({ toolCalls: [{ nameEndsWith: "add", arguments: { a: 1, b: 2 } }] }, { text: "No sums today." });
	await chat.send("@mcp add");
	await chat.waitForText("No sums today.");
	expect(await chat.lastText()).toContain("denied by rule 1 of User Settings: deny small · add");

	// The grant for the session has ended with it.
	await editor.reload();
	await palette.run(manage);
	const rows = await palette.waitForRow(/deny small · add/);
	expect(rows.map(({ label }) => label).join()).not.toContain("echo");
	await palette.cancel();
});
