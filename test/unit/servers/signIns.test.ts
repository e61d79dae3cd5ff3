import { expect, test } from "vitest";
import type { Authorization } from "../../../src/protocol/authorization/authorization.ts";
import { SignIns } from "../../../src/servers/signIns.ts";
import { definition, MemorySecrets } from "./fixtures.ts";

const remote = definition("remote", { kind: "http", url: "https://mcp.example/", headers: {}, protocol: "auto" });
const ann = { issuer: "https://auth.example", account: "ann@example.com", scopes: [] };

function authorizationOf(signIns: SignIns): Authorization {
	return signIns.authorization(remote, {}, { isInteractive: () => true, whileAsking: (ask, signal) => ask(signal) });
}

test("a sign-in or a refresh that ends after its sign-out brings nothing back (AUT-17)", async () => {
	const secrets = new MemorySecrets();
	const signIns = new SignIns(secrets, undefined, () => Promise.reject(new Error("The network is down.")));
	const { credentials, onDidChangeSignedIn } = authorizationOf(signIns);
	await credentials.set("tokens", "T1");
	onDidChangeSignedIn(ann);
	expect(signIns.accounts.get(remote.id)).toEqual(ann);
	await expect(signIns.signOut(remote)).rejects.toThrow("down");
	await credentials.set("tokens", "T2");
	onDidChangeSignedIn(ann);
	expect([secrets.values.size, signIns.accounts.get(remote.id)]).toEqual([0, undefined]);

	const anew = authorizationOf(signIns);
	await anew.credentials.set("tokens", "T3");
	anew.onDidChangeSignedIn(ann);
	expect([secrets.values.size, signIns.accounts.get(remote.id)]).toEqual([1, ann]);
});

test("all runs of a server share their credentials, so that one refresh runs at a time (AUT-13)", () => {
	const signIns = new SignIns(new MemorySecrets(), undefined, () => Promise.resolve());
	expect(authorizationOf(signIns).credentials).toBe(authorizationOf(signIns).credentials);
});

test("without a browser a person is told that signing in is not possible yet", async () => {
	const { browser } = authorizationOf(new SignIns(new MemorySecrets(), undefined, () => Promise.resolve()));
	await expect(browser.openReceiver(undefined)).rejects.toMatchObject({ code: "needs-sign-in" });
});
