/** Attacks on the destination of configured credentials. */
import { describe, expect, it } from "vitest";
import type { OAuthConfig } from "../../../../src/protocol/authorization.ts";
import { startAuthServer } from "../../../servers/authServer.ts";
import { MemoryCredentials } from "../../../servers/headlessBrowser.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

const clients = [{ clientId: "robot", clientSecret: "hush", redirectUris: [] }];
const config: OAuthConfig = { clientId: "robot", clientSecret: "hush", grant: { kind: "client_credentials" } };

/** A server that names another authorization server at will. */
async function moving() {
	const evil = await startAuthServer();
	const server = await startProtectedServer({ authOptions: { clients } });
	const state = { auth: server.auth };
	const resource = await startProtectedServer({
		auth: {
			get issuer() {
				return state.auth.issuer;
			},
			find: (token: string) => state.auth.find(token),
		} as typeof server.auth,
	});
	return { evil, server, state, resource };
}

describe("configured credentials", () => {
	it("are not sent to a second authorization server because another window confirms the first one meanwhile (AUT-18)", async () => {
		const { evil, server, state, resource } = await moving();
		await using _one = evil;
		await using _two = server;
		await using _three = resource;
		state.auth = evil;
		// The same key store, as in two windows. While this window is past its check of the binding, the other one binds.
		const credentials = new MemoryCredentials();
		const get = credentials.get.bind(credentials);
		let looked = false;
		credentials.get = async (key) => {
			const value = await get(key);
			if (key === "bound-issuer" && !looked) {
				looked = true;
				credentials.values.set("bound-issuer", JSON.stringify(server.auth.issuer));
			}
			return value;
		};
		const scene = setScene(resource.url, { config, credentials });
		await scene.call().catch(() => undefined);
		expect(looked).toBe(true);
		// The user was not asked about the evil one …
		expect(scene.browser.opened).toEqual([]);
		// … and it has the secret.
		expect(evil.requests("token")).toEqual([]);
	});
});
