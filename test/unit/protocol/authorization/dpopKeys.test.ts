import { expect, test } from "vitest";
import { StoredCredentials } from "../../../../src/protocol/authorization/storedCredentials.ts";
import { MemoryCredentials } from "../../../servers/headlessBrowser.ts";
import { dpopSession } from "../../../../src/protocol/authorization/tokenKeeper.ts";

const issuer = "https://auth.example.com";
const request = { htm: "POST", htu: "https://mcp.example.com/mcp", accessToken: "t" };

test("a key for bound tokens outlives the window, one for each issuer", async () => {
	const store = new MemoryCredentials();
	const first = await dpopSession(new StoredCredentials(store), issuer);
	const again = await dpopSession(new StoredCredentials(store), issuer);
	const other = await dpopSession(new StoredCredentials(store), "https://other.example.com");
	expect(again.thumbprint).toBe(first.thumbprint);
	expect(other.thumbprint).not.toBe(first.thumbprint);
	const [head = "", body = "", signature = ""] = (await again.buildProof(request)).split(".");
	const key = await crypto.subtle.importKey(
		"jwk",
		{ ...first.publicJwk },
		{ name: "ECDSA", namedCurve: "P-256" },
		false,
		["verify"],
	);
	const signed = new TextEncoder().encode(`${head}.${body}`);
	const algorithm = { name: "ECDSA", hash: "SHA-256" };
	expect(await crypto.subtle.verify(algorithm, key, Buffer.from(signature, "base64url"), signed)).toBe(true);
	expect(Buffer.from(head, "base64url").toString()).not.toContain('"d"');
});

test("a damaged key is replaced", async () => {
	const store = new MemoryCredentials();
	await dpopSession(new StoredCredentials(store), issuer);
	store.values.set(
		`dpop ${issuer}`,
		JSON.stringify({ privateJwk: { kty: "EC" }, publicJwk: {}, thumbprint: "x", alg: "ES256" }),
	);
	const session = await dpopSession(new StoredCredentials(store), issuer);
	expect((await session.buildProof(request)).split(".")).toHaveLength(3);
});

test("damaged credentials count as absent", async () => {
	const store = new MemoryCredentials();
	const kept = new StoredCredentials(store);
	await kept.saveTokens({ access_token: "t", token_type: "Bearer", issuer, server: "https://mcp.example/mcp" });
	expect(await kept.currentTokens()).toMatchObject({ access_token: "t" });
	for (const value of ["", "{", "null", "[]", '{"access_token":1}', '{"access_token":"t","issuer":"https://evil"}']) {
		store.values.set(`tokens ${issuer}`, value);
		expect(await kept.currentTokens()).toBeUndefined();
	}
	store.values.set("issuers", '{"a":1}');
	expect(await kept.currentTokens()).toBeUndefined();
});
