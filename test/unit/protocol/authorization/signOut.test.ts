import { describe, expect, test } from "vitest";
import { signedIn } from "../../../../src/protocol/authorization/signedIn.ts";
import { signOut } from "../../../../src/protocol/authorization/signOut.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

const { signal } = new AbortController();

describe("signing out (AUT-17)", () => {
	test.each([
		["a client that registered itself", {}, []],
		[
			"a client with a secret",
			{ clientId: "mine", clientSecret: "h:u sh" },
			[{ clientId: "mine", clientSecret: "h:u sh", redirectUris: ["http://127.0.0.1:3000/callback"] }],
		],
	])("revokes the tokens of %s and leaves nothing", async (_who, config, clients) => {
		await using server = await startProtectedServer({ authOptions: { clients } });
		const scene = setScene(server.url, { config });
		await scene.call();
		expect(server.auth.grants.liveAccessTokens).toBe(1);
		await signOut({ credentials: scene.credentials, serverUrl: new URL(server.url), fetch, signal });
		expect(server.auth.grants.liveAccessTokens).toBe(0);
		expect(server.auth.requests("revoke").map(({ fields }) => fields["token_type_hint"])).toEqual([
			"refresh_token",
			"access_token",
		]);
		expect([...scene.credentials.values.keys()]).toEqual([]);
		expect(await signedIn(scene.credentials)).toBeUndefined();
	});

	test("deletes also if the network does not answer or the address is not allowed", async () => {
		await using server = await startProtectedServer();
		for (const fetchThen of [
			() => Promise.reject(new TypeError("fetch failed")),
			() => Promise.resolve(new Response("", { status: 503 })),
		]) {
			const scene = setScene(server.url);
			await scene.call();
			await signOut({ credentials: scene.credentials, serverUrl: new URL(server.url), fetch: fetchThen, signal });
			expect(scene.credentials.values.size).toBe(0);
		}
		await using elsewhere = await startProtectedServer({
			authOptions: { alter: { metadata: (it) => ({ ...it, revocation_endpoint: "http://10.0.0.1/revoke" }) } },
		});
		const scene = setScene(elsewhere.url);
		await scene.call();
		const asked: string[] = [];
		const note = (url: string | URL): Promise<Response> => {
			asked.push(String(url));
			return Promise.resolve(new Response(""));
		};
		await signOut({ credentials: scene.credentials, serverUrl: new URL(elsewhere.url), fetch: note, signal });
		expect(asked).toEqual([]);
		expect(scene.credentials.values.size).toBe(0);
	});

	test("does nothing if no user is signed in", async () => {
		const scene = setScene("http://127.0.0.1:1/mcp");
		const asked: string[] = [];
		await signOut({
			credentials: scene.credentials,
			serverUrl: new URL("http://127.0.0.1:1/mcp"),
			fetch(url) {
				asked.push(String(url));
				return Promise.resolve(new Response(""));
			},
			signal,
		});
		expect(asked).toEqual([]);
	});
});
