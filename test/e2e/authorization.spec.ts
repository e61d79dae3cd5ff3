/** The story of a server that requires a sign-in: in the browser, again for a tool with more scopes, and signing out. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProtectedServer } from "../servers/protectedServer.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { answerCall, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { startGuardedServer } from "./fixtures/guardedServer.ts";
import { container, reviewFromTree } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
import { answerOnPage, openSignInPage } from "./pages/signIn.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

/** The account that the authorization server signs in next. */
let account = "ann@example.com";
let guarded: ProtectedServer;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	guarded = await startGuardedServer(() => account);
	model = await startScriptedModel();
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.servers": { guarded: { url: guarded.url } },
			"mcpHost.models": [{ name: "Scripted", baseURL: model.url, models: ["scripted-model"] }],
		},
		size: { width: 1440, height: 900 },
	});
});

afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await guarded?.[Symbol.asyncDispose]();
});

/** The scopes of the authorization requests so far. */
function askedScopes(): readonly (string | undefined)[] {
	return guarded.auth
		.requests("authorize")
		.filter(({ method }) => method === "GET")
		.map(({ fields }) => fields["scope"]);
}

/** Approves the server if it is not approved, and declines to sign in: the server is known, and waits. */
async function declineSignIn(): Promise<void> {
	await editor.tree.open(container);
	if ((await editor.tree.read("guarded")).description !== "unapproved") return;
	const panel = await reviewFromTree(editor, "guarded");
	await panel.button("Approve and Start").click();
	await editor.dialogs.waitForModal("Sign in to use “guarded”?");
	await editor.page.keyboard.press("Escape");
	await editor.tree.waitForDescription("guarded", /not sign in/);
}

/** Signs in from the palette, unless already signed in. */
async function signIn(): Promise<void> {
	await declineSignIn();
	if ((await editor.tree.read("guarded")).accessibleName.startsWith("guarded, running, ann@example.com")) return;
	await editor.palette.run("MCP Host: Sign In…");
	await editor.palette.pick("guarded");
	await editor.dialogs.waitForModal("Sign in to use “guarded”?");
	await answerOnPage(await openSignInPage(editor), "Approve");
	await editor.tree.waitForSpoken("guarded", /^guarded, running, ann@example\.com/);
}

test("nothing opens before the user agrees, and Escape is not an agreement", async () => {
	const { tree, dialogs, page } = editor;
	await tree.open(container);
	const panel = await reviewFromTree(editor, "guarded");
	await panel.button("Approve and Start").click();
	const question = await dialogs.waitForModal("Sign in to use “guarded”?");
	const { host } = new URL(guarded.auth.issuer);
	expect(question).toContain(`Sign-in page: ${host}`);
	expect(question).toContain("Asks for: small:use");
	expect(question).toContain(`${guarded.auth.issuer}/authorize?response_type=code`);
	expect(await dialogs.modalButtons()).toHaveLength(3);
	expect(await dialogs.modal.locator(".monaco-button:focus").innerText()).toBe("Copy Address");
	await takePictures(editor, "sign-in-question");

	await page.keyboard.press("Escape");
	await tree.waitForDescription("guarded", /not sign in/);
	expect(guarded.auth.requests("authorize")).toEqual([]);
	expect(page.context().pages()).toHaveLength(1);
	await takePictures(editor, "sign-in-declined");
});

test("a sign-in whose address was copied can be cancelled", async () => {
	const { tree, dialogs, page } = editor;
	await declineSignIn();
	const before = guarded.auth.requests("authorize").length;
	await editor.palette.run("MCP Host: Sign In…");
	await editor.palette.pick("guarded");
	const question = await dialogs.waitForModal("Sign in to use “guarded”?");
	await dialogs.answerModal("Copy Address");
	await dialogs.answerNotification("Waiting for you to sign in at", "Cancel");
	await tree.waitForDescription("guarded", /not sign in/);
	const copied = await page.evaluate<string>("navigator.clipboard.readText()");
	expect(question).toContain(copied);
	expect(new URL(copied).searchParams.get("redirect_uri")).toContain("vscode-authority=mcp-host.mcp-host");
	expect(guarded.auth.requests("authorize")).toHaveLength(before);
});

test("a reload does not ask for another sign-in", async () => {
	await signIn();
	const authorizations = guarded.auth.requests("authorize").length;
	await editor.reload();
	await editor.tree.open(container);
	await editor.tree.waitForSpoken("guarded", /^guarded, running, ann@example\.com/);
	expect(guarded.auth.requests("authorize")).toHaveLength(authorizations);
});

test("a tool that needs more scopes requests them together with those already granted", async () => {
	const { chat, dialogs } = editor;
	await signIn();
	const requests = model.requests.length;
	await chat.open();
	await chat.waitForModel("scripted-model");
	model.next(
		{ toolCalls: [{ nameEndsWith: "echo", arguments: { text: "hello" } }] },
		{ toolCalls: [{ nameEndsWith: "change", arguments: { what: "prompts" } }] },
		{ text: "Both done." },
	);
	await chat.send("@mcp say hello, then change the prompts");
	await answerCall(editor, 1, "Allow Once");
	await answerCall(editor, 2, "Allow Once");
	const question = await dialogs.waitForModal("Grant more permissions to “guarded”?");
	expect(question).toContain("Asks for: small:use, small:change");
	await takePictures(editor, "step-up-question");
	const stepUpPage = await openSignInPage(editor);
	await answerOnPage(stepUpPage, "Approve");
	await chat.waitForText("Both done.");
	expect(toolResults(await model.request(requests + 1))).toEqual(["hello"]);
	expect(toolResults(await model.request(requests + 2))).toEqual(["changed prompts"]);
	expect(askedScopes().at(-1)).toBe("small:use small:change");
	await editor.screenshot("step-up-done-light");
});

test("another account is chosen in the menu of a server, and the row shows which one is used (AUT-26)", async () => {
	const { tree, palette, dialogs } = editor;
	await signIn();
	account = "bob@example.com";
	await tree.contextMenu("guarded", "Choose Account…");
	await palette.pick(/Sign In with Another Account/);
	await dialogs.waitForModal("Sign in to use “guarded”?");
	await answerOnPage(await openSignInPage(editor), "Approve");
	await tree.waitForSpoken("guarded", /^guarded, running, bob@example\.com/);

	await tree.contextMenu("guarded", "Choose Account…");
	await takePictures(editor, "choose-account");
	await palette.pick(/^ann@example\.com/);
	// Its tokens are still there: nobody signs in again.
	await tree.waitForSpoken("guarded", /^guarded, running, ann@example\.com/);
	account = "ann@example.com";

	// Nobody signs in with another account: the server runs with the former one again.
	await tree.contextMenu("guarded", "Choose Account…");
	await palette.pick(/Sign In with Another Account/);
	await dialogs.waitForModal("Sign in to use “guarded”?");
	await editor.page.keyboard.press("Escape");
	await tree.waitForSpoken("guarded", /^guarded, running, ann@example\.com/);
});

test("signing out revokes the tokens, and the server asks again", async () => {
	const { tree, dialogs } = editor;
	await signIn();
	const token = guarded.tokens.at(-1) ?? "";
	expect(guarded.auth.find(token)).toBeDefined();
	await tree.contextMenu("guarded", "Sign Out");
	await tree.waitForDescription("guarded", /signed out|sign in/i);
	await expect.poll(() => guarded.auth.find(token), { timeout: patience }).toBeUndefined();
	const revoked = guarded.auth.requests("revoke").map(({ fields }) => fields["token_type_hint"]);
	expect(revoked).toContain("refresh_token");
	await expect.poll(() => tree.inlineActions("guarded"), { timeout: patience }).toContain("Sign In…");
	await expect.poll(() => tree.contextMenuItems("guarded"), { timeout: patience }).not.toContain("Sign Out");
	await takePictures(editor, "signed-out");

	await tree.inlineAction("guarded", "Sign In…");
	await dialogs.waitForModal("Sign in to use “guarded”?");
	const signInPage = await openSignInPage(editor);
	await answerOnPage(signInPage, "Deny");
	await tree.waitForDescription("guarded", /not sign in/);
	await expect.poll(() => dialogs.notification("Waiting for you").count(), { timeout: patience }).toBe(0);
	await takePictures(editor, "sign-in-denied");
});
