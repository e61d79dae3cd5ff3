import { expect, test } from "vitest";
import type { Authorization } from "../../../../src/protocol/authorization.ts";
import { authorizationOf } from "../../../../src/servers/accounts/authorizationOf.ts";
import { SignIns } from "../../../../src/servers/accounts/signIns.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "../../protocol/authorization/authorizationScene.ts";
import { definition, MemorySecrets } from "../fixtures.ts";

const remote = definition("remote", { kind: "http", url: "https://mcp.example/", headers: {}, protocol: "auto" });
const ann = { issuer: "https://auth.example", account: "ann@example.com", scopes: [] };

function remoteOf(signIns: SignIns): Promise<Authorization> {
	return authorizationOf(
		{ signIns },
		remote,
		{},
		{ isInteractive: () => true, whileAsking: (ask, signal) => ask(signal) },
	);
}

test("a sign-in or a refresh that ends after its sign-out restores nothing (AUT-17)", async () => {
	const secrets = new MemorySecrets();
	const signIns = new SignIns(secrets, undefined, undefined, () => Promise.reject(new Error("The network is down.")));
	const { credentials, onDidChangeSignedIn } = await remoteOf(signIns);
	await credentials.set("tokens", "T1");
	onDidChangeSignedIn(ann);
	expect(signIns.accounts.get(remote.id)).toEqual(ann);
	await expect(signIns.signOut(remote)).rejects.toThrow("down");
	await credentials.set("tokens", "T2");
	onDidChangeSignedIn(ann);
	expect([[...secrets.values.values()].join().includes("T"), signIns.accounts.get(remote.id)]).toEqual([
		false,
		undefined,
	]);

	const anew = await remoteOf(signIns);
	await anew.credentials.set("tokens", "T3");
	anew.onDidChangeSignedIn(ann);
	expect([[...secrets.values.values()].join().includes("T3"), signIns.accounts.get(remote.id)]).toEqual([true, ann]);
});

test("all runs of a server share their credentials, so that one refresh runs at a time (AUT-13)", async () => {
	const signIns = new SignIns(new MemorySecrets(), undefined, undefined, () => Promise.resolve());
	const [one, other] = [await remoteOf(signIns), await remoteOf(signIns)];
	expect(one.credentials).toBe(other.credentials);
});

test("without a browser the user is informed that signing in is not possible now", async () => {
	const { browser } = await remoteOf(new SignIns(new MemorySecrets(), undefined, undefined, () => Promise.resolve()));
	await expect(browser.openReceiver(undefined)).rejects.toMatchObject({ code: "needs-sign-in" });
});

test("a refresh that ends after the sign-out in another window keeps nothing, and reports it (AUT-17)", async () => {
	await using server = await startProtectedServer();
	const secrets = new MemorySecrets();
	const at = definition("remote", { kind: "http", url: server.url, headers: {}, protocol: "auto" });
	const [here, there] = [1, 2].map(() => new SignIns(secrets, undefined, undefined, () => Promise.resolve())) as [
		SignIns,
		SignIns,
	];
	const asks = {
		isInteractive: () => true,
		whileAsking: <T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => ask(signal),
	};
	const { credentials } = await authorizationOf({ signIns: there }, at, {}, asks);
	let isLeaving = false;
	const scene = setScene(server.url, {
		authorization: { credentials },
		plainFetch: async (url, init) => {
			const response = await fetch(url, init);
			if (isLeaving && init?.method === "POST") await here.signOut(at);
			return response;
		},
	});
	await scene.call();
	expect(scene.changes).toHaveLength(1);
	expect(JSON.stringify([...secrets.values])).toContain("access_token");
	server.auth.grants.expireAccess();
	isLeaving = true;
	await expect(scene.call()).rejects.toMatchObject({ code: "needs-sign-in" });
	expect(JSON.stringify([...secrets.values])).not.toContain("access_token");
	expect(scene.changes.at(-1)).toBeUndefined();
	expect(scene.browser.opened).toHaveLength(1);

	// A new sign-in applies to both windows.
	isLeaving = false;
	await scene.call();
	expect(scene.browser.opened).toHaveLength(2);
	await here.restore(at);
	expect(here.accounts.get(at.id)).toBeDefined();
});
