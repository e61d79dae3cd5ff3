import type { FetchLike } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { MemoryCredentials } from "../../../servers/headlessBrowser.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

/** Whether the protected server let a request through: the protocol behind it has its own answers to it. */
const isLetIn = ({ status }: Response): boolean => status !== 401 && status !== 403;

test("tokens stay with the address that they were issued for, although a URL with variables may lead elsewhere (AUT-10)", async () => {
	await using server = await startProtectedServer();
	const scene = setScene(server.url);
	await scene.call();
	const sent: (string | null)[] = [];
	const elsewhere = setScene("http://localhost:1/mcp", {
		credentials: scene.credentials,
		isInteractive: false,
		serverFetch: (_url, init) => {
			sent.push(new Headers(init?.headers).get("authorization"));
			return Promise.resolve(new Response("", { status: 401 }));
		},
	});
	await expect(elsewhere.call()).rejects.toMatchObject({ code: "needs-sign-in" });
	expect(sent).toEqual([null]);
	expect(isLetIn(await scene.call())).toBe(true);
	expect(scene.browser.opened).toHaveLength(1);
});

test("a client can register itself although the key store does not accept it", async () => {
	await using server = await startProtectedServer();
	const credentials = new MemoryCredentials();
	credentials.set = () => Promise.reject(new Error("locked"));
	expect(isLetIn(await setScene(server.url, { credentials }).call())).toBe(true);
});

test("tokens that the key store does not accept last as long as the connection, refreshes included", async () => {
	const clients = [{ clientId: "mine", redirectUris: ["http://127.0.0.1:3000/callback"] }];
	await using server = await startProtectedServer({ authOptions: { clients } });
	const credentials = new MemoryCredentials();
	credentials.set = () => Promise.reject(new Error("locked"));
	const scene = setScene(server.url, { credentials, config: { clientId: "mine" } });
	await scene.call();
	server.auth.grants.expireAccess();
	expect(isLetIn(await scene.call())).toBe(true);
	expect(scene.browser.opened).toHaveLength(1);
});

test.each(["oauth-protected-resource", "oauth-authorization-server"])(
	"a refresh signs no user out, and asks no question, while %s is unavailable",
	async (document) => {
		await using server = await startProtectedServer();
		let isDown = false;
		const plainFetch: FetchLike = async (url, init) =>
			isDown && new URL(url).pathname.includes(document) ? new Response("", { status: 503 }) : fetch(url, init);
		const scene = setScene(server.url, { plainFetch });
		await scene.call();
		server.auth.grants.expireAccess();
		isDown = true;
		await expect(scene.call()).rejects.toMatchObject({ code: "unreachable" });
		isDown = false;
		expect(isLetIn(await scene.call())).toBe(true);
		expect(scene.browser.opened).toHaveLength(1);
	},
);

test("a refresh token that another window used first ends no sign-in, although that window is slow to store it", async () => {
	await using server = await startProtectedServer();
	const faster = setScene(server.url);
	await faster.call();
	const sharing = Object.assign(new MemoryCredentials(), { values: faster.credentials.values });
	let [refused, looks] = [0, 0];
	const { get } = sharing;
	sharing.get = async (name) => {
		// The other window is done when this one checks for the second time.
		if (refused > 0 && name.startsWith("tokens ") && ++looks === 2) await faster.call();
		return get.call(sharing, name);
	};
	const slower = setScene(server.url, {
		credentials: sharing,
		isInteractive: false,
		plainFetch: async (url, init) => {
			if (init?.method !== "POST") return fetch(url, init);
			refused++;
			return Response.json({ error: "invalid_grant" }, { status: 400 });
		},
	});
	expect(isLetIn(await slower.call())).toBe(true);
	server.auth.grants.expireAccess();
	expect(isLetIn(await slower.call())).toBe(true);
	expect([refused, slower.changes]).toEqual([1, []]);
	expect(server.auth.requests("token")).toHaveLength(2);
});

test("tokens that another window refreshes during our discovery are used, and the refresh token is not used twice", async () => {
	await using server = await startProtectedServer();
	const faster = setScene(server.url);
	await faster.call();
	const sharing = Object.assign(new MemoryCredentials(), { values: faster.credentials.values });
	let isRefreshed = false;
	const slower = setScene(server.url, {
		credentials: sharing,
		isInteractive: false,
		plainFetch: async (url, init) => {
			if (!isRefreshed) {
				isRefreshed = true;
				await faster.call();
			}
			return fetch(url, init);
		},
	});
	expect(isLetIn(await slower.call())).toBe(true);
	server.auth.grants.expireAccess();
	expect(isLetIn(await slower.call())).toBe(true);
	expect(server.auth.requests("token")).toHaveLength(2);
});
