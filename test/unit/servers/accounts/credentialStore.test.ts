import { describe, expect, test } from "vitest";
import type { OAuthConfig } from "../../../../src/protocol/authorization.ts";
import { Credentials } from "../../../../src/servers/accounts/credentialStore.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { definition, MemorySecrets, userOrigin, workspaceOrigin } from "../fixtures.ts";

function remote(
	changes: { url?: string; name?: string; headers?: Record<string, string>; oauth?: OAuthConfig } = {},
): ServerDefinition {
	const { url = "https://mcp.example/mcp", name = "remote", headers = {}, oauth } = changes;
	return definition(name, { kind: "http", url, headers, protocol: "auto", ...(oauth === undefined ? {} : { oauth }) });
}

test("values are kept, listed and deleted, in the key store only", async () => {
	const secrets = new MemorySecrets();
	const store = new Credentials(secrets).of(remote());
	await Promise.all([store.set("tokens/https://auth.example", "T"), store.set("client/https://auth.example", "C")]);
	const again = new Credentials(secrets);
	expect(await again.keys(remote())).toEqual(["tokens/https://auth.example", "client/https://auth.example"]);
	expect(await again.of(remote()).get("tokens/https://auth.example")).toBe("T");
	await store.delete("client/https://auth.example");
	expect(await again.keys(remote())).toEqual(["tokens/https://auth.example"]);
	await store.delete("tokens/https://auth.example");
	expect(secrets.values.size).toBe(0);
});

test("a write is seen by the read that follows it", async () => {
	const store = new Credentials(new MemorySecrets()).of(remote());
	void store.set("key", "1");
	expect(await store.get("key")).toBe("1");
});

test.each([
	["another address", remote({ url: "https://evil.example/mcp" })],
	["another way of signing in", remote({ oauth: { clientId: "other" } })],
	["another server", remote({ name: "other" })],
	["the same words in a workspace", definition("remote", remote().config, workspaceOrigin)],
])("values are absent for %s", async (_what, other) => {
	const secrets = new MemorySecrets();
	const credentials = new Credentials(secrets);
	await credentials.of(remote()).set("key", "secret");
	expect(await credentials.of(other).get("key")).toBeUndefined();
	expect(await credentials.keys(other)).toEqual([]);
});

test("values stay when only headers change, and end when the address does", async () => {
	const secrets = new MemorySecrets();
	const credentials = new Credentials(secrets);
	await credentials.of(remote()).set("key", "secret");
	expect(await credentials.of(remote({ headers: { "x-team": "a" } })).get("key")).toBe("secret");
	await credentials.of(remote({ url: "https://moved.example/mcp" })).set("key", "new");
	expect(await credentials.of(remote()).get("key")).toBeUndefined();
	expect([...secrets.values.values()].join()).not.toContain("secret");
});

test.each([
	["no JSON", "{"],
	["another value", "[1]"],
	["no values", '{"reached":"x"}'],
])("a damaged store (%s) is empty and can be written", async (_what, text) => {
	const secrets = new MemorySecrets();
	const store = new Credentials(secrets).of(remote());
	await store.set("key", "value");
	const [key = ""] = secrets.values.keys();
	secrets.values.set(key, text);
	expect(await store.get("key")).toBeUndefined();
	await store.set("key", "value");
	expect(await store.get("key")).toBe("value");
});

test("values that are not text are absent, the others stay", async () => {
	const secrets = new MemorySecrets();
	const store = new Credentials(secrets).of(remote());
	await store.set("good", "value");
	const [key = ""] = secrets.values.keys();
	secrets.values.set(key, (secrets.values.get(key) ?? "").replace('"values":{', '"values":{"bad":5,'));
	expect(await store.get("bad")).toBeUndefined();
	expect(await store.get("good")).toBe("value");
});

test("forgetting deletes all of one server, of any definition, and nothing else", async () => {
	const secrets = new MemorySecrets();
	const credentials = new Credentials(secrets);
	await credentials.of(remote({ name: "kept" })).set("key", "kept");
	await credentials.of(remote()).set("key", "gone");
	await credentials.forget(remote({ url: "https://elsewhere.example/" }).id);
	expect(await credentials.of(remote()).get("key")).toBeUndefined();
	expect([...secrets.values.values()].join()).not.toContain("gone");
	expect(await credentials.of(remote({ name: "kept" })).get("key")).toBe("kept");
});

test("a failed write is reported to its caller and does not block the next one", async () => {
	const secrets = new MemorySecrets();
	const store = new Credentials({
		get: (key) => secrets.get(key),
		store: (key, value) => (value.includes("bad") ? Promise.reject(new Error("locked")) : secrets.store(key, value)),
		delete: (key) => secrets.delete(key),
		keys: () => secrets.keys(),
	}).of(definition("remote", remote().config, userOrigin));
	const failing = store.set("a", "bad");
	const following = store.set("b", "good");
	await expect(failing).rejects.toThrow("locked");
	await following;
	expect(await store.get("b")).toBe("good");
});

test("an old store of a server that was forgotten, or has another address, cannot change anything", async () => {
	const secrets = new MemorySecrets();
	const credentials = new Credentials(secrets);
	const former = credentials.of(remote());
	expect(credentials.of(remote({ headers: { "x-team": "a" } }))).toBe(former);
	await former.set("key", "before");
	await credentials.forget(remote().id);
	expect(await former.set("key", "late")).toBe(false);
	expect([...secrets.values.values()].join()).not.toMatch(/late|before/);
	expect(await credentials.keys(remote())).toEqual([]);
	const moved = remote({ url: "https://moved.example/mcp" });
	await credentials.of(remote()).set("key", "again");
	const before = credentials.of(remote());
	await credentials.of(moved).set("key", "moved");
	await before.set("key", "late");
	expect(await credentials.of(moved).get("key")).toBe("moved");
	expect(credentials.isInUse(moved.id, before)).toBe(false);
});

describe("a sign-out in one window (AUT-17)", () => {
	test("is not undone by another window that writes its old data", async () => {
		const secrets = new MemorySecrets();
		const [one, other] = [new Credentials(secrets), new Credentials(secrets)];
		const held = other.of(remote());
		await held.set("tokens", "T1");
		const since = await held.signOuts();
		expect(await held.set("tokens", "T2", since)).toBe(true);
		await one.forget(remote().id);
		expect(await held.set("tokens", "T3", since)).toBe(false);
		for (const window of [one, other, new Credentials(secrets)]) expect(await window.keys(remote())).toEqual([]);
		expect([...secrets.values.values()].join()).not.toMatch(/T\d/);
	});

	test("is not undone by a pending write, nor by its leftovers", async () => {
		const secrets = new MemorySecrets();
		const one = new Credentials(secrets);
		let isSlow = false;
		const slow = new Credentials({
			get: (key) => secrets.get(key),
			store: async (key, value) => {
				if (isSlow) await one.forget(remote().id);
				await secrets.store(key, value);
			},
			delete: (key) => secrets.delete(key),
			keys: () => secrets.keys(),
		});
		const held = slow.of(remote());
		await held.set("tokens", "T1");
		const since = await held.signOuts();
		await one.of(remote()).get("tokens");
		isSlow = true;
		await held.set("tokens", "T2", since);
		for (const window of [one, slow, new Credentials(secrets)]) expect(await window.keys(remote())).toEqual([]);
		// The next one to write here replaces it.
		await one.of(remote()).set("tokens", "T3");
		expect([...secrets.values.values()].join()).not.toContain("T2");
	});

	test("applies to data from before the following sign-in", async () => {
		const secrets = new MemorySecrets();
		const [one, other] = [new Credentials(secrets), new Credentials(secrets)];
		const held = other.of(remote());
		await held.set("tokens", "ann's");
		const since = await held.signOuts();
		await one.forget(remote().id);
		await one.of(remote()).set("tokens", "bob's");
		expect(await held.set("tokens", "ann's again", since)).toBe(false);
		expect(await held.get("tokens")).toBe("bob's");
		expect(await held.set("tokens", "bob's again", await held.signOuts())).toBe(true);
		expect(await one.of(remote()).get("tokens")).toBe("bob's again");
	});

	test("deletes also if the key store accepts nothing new, and leaves nothing for a server without sign-ins", async () => {
		const secrets = new MemorySecrets();
		await new Credentials(secrets).of(remote()).set("tokens", "T1");
		const full = new Credentials({
			get: (key) => secrets.get(key),
			store: () => Promise.reject(new Error("full")),
			delete: (key) => secrets.delete(key),
			keys: () => secrets.keys(),
		});
		await expect(full.forget(remote().id)).rejects.toThrow("full");
		expect(secrets.values.size).toBe(0);
		await new Credentials(secrets).forget(remote().id);
		expect(secrets.values.size).toBe(0);
	});
});
