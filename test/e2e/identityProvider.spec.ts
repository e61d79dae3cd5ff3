/** The story of an organization: one sign-in at its identity provider, for two servers; signing out ends both. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthServer, startAuthServer } from "../servers/authServer.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../servers/identityProvider.ts";
import { type ProtectedServer, startProtectedServer } from "../servers/protectedServer.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { container, reviewFromTree } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const names = ["chat", "wiki"] as const;
const clientId = "mcp-host";
let provider: TestIdentityProvider;
let auths: readonly AuthServer[];
let servers: readonly ProtectedServer[];
let editor: RunningEditor;

beforeAll(async () => {
	provider = await startIdentityProvider({ clientId });
	const options = {
		trust: { check: provider.check },
		clients: [{ clientId, redirectUris: [] }],
		registration: "absent",
		scopes: ["small:use"],
		defaultScopes: ["small:use"],
	} as const;
	auths = await Promise.all(names.map(() => startAuthServer(options)));
	servers = await Promise.all(auths.map((auth) => startProtectedServer({ auth })));
	const clients = Object.fromEntries(auths.map(({ issuer }) => [issuer, { clientId }]));
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.identityProvider": { issuer: provider.issuer, clientId, clients },
			"mcpHost.servers": Object.fromEntries(names.map((name, index) => [name, { url: servers[index]?.url }])),
		},
		size: { width: 1440, height: 900 },
	});
});

afterAll(async () => {
	await editor?.stop();
	for (const server of [...(servers ?? []), ...(auths ?? []), provider]) await server?.[Symbol.asyncDispose]();
});

test("one sign-in at the identity provider connects two servers, and signing out ends both", async () => {
	const { tree, dialogs } = editor;
	await tree.open(container);
	const { host } = new URL(provider.issuer);
	const first = await reviewFromTree(editor, "chat");
	await first.button("Approve and Start").click();
	const question = await dialogs.waitForModal(`Sign in at ${host} to use “chat” and other servers`);
	expect(question).toContain("the identity provider of your organization");
	await takePictures(editor, "identity-provider-question");
	const opened = editor.page.context().waitForEvent("page", { timeout: patience });
	await dialogs.answerModal("Open in Browser");
	const page = await opened;
	await page.waitForURL(/\/callback\b/, { timeout: patience });
	await page.close();
	await tree.waitForSpoken("chat", /^chat, running, ann@acme\.example/);
	expect(provider.signIns).toBe(1);

	const second = await reviewFromTree(editor, "wiki");
	await second.button("Approve and Start").click();
	await tree.waitForSpoken("wiki", /^wiki, running, ann@acme\.example/);
	expect(provider.signIns).toBe(1);
	await takePictures(editor, "identity-provider-signed-in");

	await tree.contextMenu("wiki", "Sign Out");
	const leaving = await dialogs.waitForModal(`Sign out of ${host}?`);
	expect(leaving).toContain("All 2 servers that it signed you in to disconnect");
	await dialogs.answerModal("Sign Out");
	for (const name of names) await tree.waitForDescription(name, /signed out|sign in/i);
	await expect.poll(() => provider.revoked, { timeout: patience }).toBe(1);
	await takePictures(editor, "identity-provider-signed-out");
});
