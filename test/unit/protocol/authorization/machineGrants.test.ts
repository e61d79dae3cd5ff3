import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { OAuthConfig } from "../../../../src/protocol/authorization.ts";
import { signedIn } from "../../../../src/protocol/authorization/signedIn.ts";
import { HostError } from "../../../../src/base/errors.ts";
import { startAuthServer } from "../../../servers/authServer.ts";
import { HeadlessBrowser } from "../../../servers/headlessBrowser.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

const clients = [{ clientId: "robot", clientSecret: "hush", redirectUris: [] }];

describe("client credentials", () => {
	const config: OAuthConfig = { clientId: "robot", clientSecret: "hush", grant: { kind: "client_credentials" } };

	test("sign in without a user at the configured issuer, even if no question is allowed", async () => {
		await using server = await startProtectedServer({ authOptions: { clients } });
		const scene = setScene(server.url, { config: { ...config, issuer: server.auth.issuer }, isInteractive: false });
		expect((await scene.call()).status).not.toBe(401);
		expect(scene.asked()).toBe(0);
		expect(server.auth.requests("token")[0]?.fields).toMatchObject({
			grant_type: "client_credentials",
			resource: server.url,
			scope: "small:use",
		});
		expect(await signedIn(scene.credentials)).toMatchObject({ account: undefined, scopes: ["small:use"] });
	});

	test("get more scopes if the server requires them, and new tokens when they have expired", async () => {
		await using server = await startProtectedServer({ authOptions: { clients } });
		const scene = setScene(server.url, { config: { ...config, issuer: server.auth.issuer }, isInteractive: false });
		await scene.call();
		expect((await scene.call("change")).status).not.toBe(403);
		server.auth.grants.expireAccess();
		const responses = await Promise.all(Array.from({ length: 5 }, () => scene.call()));
		expect(responses.every(({ status }) => status !== 401)).toBe(true);
		expect(server.auth.requests("token").map(({ fields }) => fields["scope"])).toEqual([
			"small:use",
			"small:use small:change",
			"small:use",
		]);
	});

	test("are sent to no authorization server that the user did not confirm, and to no other one after it (AUT-18)", async () => {
		await using refusing = await startAuthServer();
		await using server = await startProtectedServer({ authOptions: { clients } });
		let { auth } = server;
		await using moving = await startProtectedServer({
			auth: {
				get issuer() {
					return auth.issuer;
				},
				find: (token) => auth.find(token),
			} as typeof auth,
		});
		auth = refusing;
		const unattended = setScene(moving.url, { config, isInteractive: false });
		await expect(unattended.call()).rejects.toMatchObject({
			code: "needs-sign-in",
			message: expect.stringContaining("you have not confirmed") as string,
		});
		const scene = setScene(moving.url, { config });
		await expect(scene.call()).rejects.toMatchObject({ code: "denied" });
		expect(scene.browser.opened).toMatchObject([{ reason: "credentials", issuer: refusing.issuer }]);
		expect(refusing.requests("token")).toHaveLength(1);
		// It refused them: that entitles no other server to them.
		({ auth } = server);
		await expect(scene.call()).rejects.toThrow(/was used at .* before, so nothing was sent/);
		expect(server.auth.requests("token")).toEqual([]);
		expect(scene.browser.opened).toHaveLength(1);
	});

	test("are not sent when the user does not agree (AUT-18)", async () => {
		await using server = await startProtectedServer({ authOptions: { clients } });
		const browser = new HeadlessBrowser();
		browser.open = () => Promise.reject(new HostError("cancelled", "No."));
		const scene = setScene(server.url, { config, browser });
		await expect(scene.call()).rejects.toMatchObject({ code: "cancelled" });
		expect(server.auth.requests("token")).toEqual([]);
	});

	test("that are wrong are refused once, with the reason", async () => {
		await using server = await startProtectedServer({ authOptions: { clients } });
		const wrong = setScene(server.url, { config: { ...config, clientSecret: "SENT-SECRET" } });
		await expect(wrong.call()).rejects.toMatchObject({
			code: "denied",
			message: expect.stringContaining("invalid_client") as string,
		});
		await expect(wrong.call()).rejects.not.toThrow("SENT-SECRET");
		expect(server.auth.requests("token")).toHaveLength(2);
		expect(server.tokens).toEqual([undefined, undefined]);
	});

	test("with a key send an assertion that it signs, and no key", async () => {
		const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
		const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
		await using server = await startProtectedServer();
		const grant = { kind: "client_credentials", privateKey: pem, algorithm: "ES256" } as const;
		// The fake authorization server has no keys; only the request matters.
		await setScene(server.url, { config: { clientId: "robot", grant } })
			.call()
			.catch(() => undefined);
		const { client_assertion: assertion = "", ...fields } = server.auth.requests("token")[0]?.fields ?? {};
		expect(fields).toMatchObject({ grant_type: "client_credentials" });
		const [head = "", payload = "", signature = ""] = assertion.split(".");
		const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
		expect(verify("sha256", Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, "base64url"))).toBe(true);
		const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as object;
		expect(claims).toMatchObject({ iss: "robot", sub: "robot", aud: server.auth.issuer });
		expect(JSON.stringify(server.auth.received)).not.toContain("PRIVATE");
	});
});

test("a workload's assertion is sent unchanged, once", async () => {
	await using server = await startProtectedServer();
	const grant = { kind: "jwt_bearer", assertion: "a.b.c" } as const;
	const scene = setScene(server.url, { config: { clientId: "robot", grant } });
	// The fake authorization server does not support the grant.
	await expect(scene.call()).rejects.toMatchObject({ code: "denied" });
	expect(server.auth.requests("token").map(({ fields }) => fields)).toMatchObject([
		{ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: "a.b.c", client_id: "robot" },
	]);
});

test("an identity provider's refusal is reported as its own, without its words", async () => {
	await using server = await startProtectedServer({ authOptions: { clients } });
	const idp = "https://idp.example.com";
	const scene = setScene(server.url, {
		config: {
			clientId: "robot",
			clientSecret: "hush",
			grant: {
				kind: "cross_app_access",
				idpIssuer: idp,
				idpTokenEndpoint: `${idp}/token`,
				idpClientId: "us",
				idpIdToken: "SENT-ID-TOKEN",
			},
		},
		plainFetch: (input, init) =>
			new URL(input).origin === idp
				? Promise.resolve(Response.json({ error: "SENT", error_description: "SENT" }, { status: 400 }))
				: fetch(input, init),
	});
	const error: unknown = await scene.call().catch((failure: unknown) => failure);
	expect(error).toMatchObject({ message: expect.stringContaining("idp.example.com") as string });
	expect(String(error)).not.toContain("SENT");
	expect(JSON.stringify(server.auth.received)).not.toContain("SENT-ID-TOKEN");
});
