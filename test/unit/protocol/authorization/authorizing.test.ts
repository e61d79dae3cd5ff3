import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { signedIn } from "../../../../src/protocol/authorization/signedIn.ts";
import { startAuthServer } from "../../../servers/authServer.ts";
import { HeadlessBrowser } from "../../../servers/headlessBrowser.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

/** Whether the protected server let a request through: the protocol behind it has its own answers to it. */
const isLetIn = ({ status }: Response): boolean => status !== 401 && status !== 403;

describe("signing in", () => {
	test("happens inside the request that met the 401, with PKCE, a state and the server as the resource", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		expect(isLetIn(await scene.call())).toBe(true);
		const fields = server.auth.requests("authorize")[0]?.fields;
		expect(fields).toMatchObject({ code_challenge_method: "S256", resource: server.url, scope: "small:use" });
		expect(fields?.["state"]).toMatch(/^[\w-]{43}$/);
		expect(scene.asked()).toBe(1);
		expect(scene.browser.opened).toMatchObject([{ server: "small", issuer: server.auth.issuer, reason: "sign-in" }]);
		expect(scene.browser.opened[0]?.scopes).toEqual(["small:use"]);
		expect(server.auth.requests("register")[0]?.document).toMatchObject({ application_type: "native" });
		const expected = { issuer: server.auth.issuer, account: "ann@example.com", scopes: ["small:use"] };
		expect(scene.changes).toEqual([expected]);
		expect(await signedIn(scene.credentials)).toEqual(expected);
	});

	test("is shared by simultaneous requests", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		const responses = await Promise.all(Array.from({ length: 10 }, () => scene.call()));
		expect(responses.every(isLetIn)).toBe(true);
		expect(scene.browser.opened).toHaveLength(1);
	});

	test("is kept for the next start, which asks no question", async () => {
		await using server = await startProtectedServer();
		const { credentials } = setScene(server.url);
		expect(isLetIn(await setScene(server.url, { credentials }).call())).toBe(true);
		const next = setScene(server.url, { credentials: copyOf(credentials), isInteractive: false });
		expect(isLetIn(await next.call())).toBe(true);
		expect(next.browser.opened).toEqual([]);
	});

	test("is not requested when no question is allowed, and nothing is sent elsewhere then", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url, { isInteractive: false });
		await expect(scene.call()).rejects.toMatchObject({ code: "needs-sign-in" });
		expect(scene.plain).toEqual([]);
	});

	test("ends with the user's refusal, in the host or in the browser", async () => {
		await using server = await startProtectedServer();
		const browser = new HeadlessBrowser();
		browser.open = () => Promise.reject(new HostError("cancelled", "No."));
		await expect(setScene(server.url, { browser }).call()).rejects.toMatchObject({
			code: "needs-sign-in",
			message: expect.stringContaining("You did not sign in") as string,
		});
		await using denying = await startProtectedServer({ authOptions: { approve: "deny" } });
		await expect(setScene(denying.url).call()).rejects.toMatchObject({ code: "needs-sign-in" });
	});

	test("is cancelled when the last waiting request is", async () => {
		await using server = await startProtectedServer();
		const browser = new HeadlessBrowser();
		const { promise, resolve } = Promise.withResolvers<AbortSignal>();
		browser.open = (_request, signal) => {
			resolve(signal);
			return new Promise(() => undefined);
		};
		const scene = setScene(server.url, { browser });
		const [first, second] = [new AbortController(), new AbortController()];
		const calls = [scene.call("echo", first.signal), scene.call("echo", second.signal)].map((call) =>
			call.catch((error: unknown) => error),
		);
		const asking = await promise;
		first.abort(new Error("first"));
		expect(await calls[0]).toMatchObject({ message: "first" });
		expect(asking.aborted).toBe(false);
		second.abort(new Error("second"));
		expect(await calls[1]).toMatchObject({ message: "second" });
		expect(asking.aborted).toBe(true);
	});

	test("does not happen in order to leave", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		expect((await scene.fetch(server.url, { method: "DELETE" })).status).toBe(401);
		expect(scene.plain).toEqual([]);
	});
});

describe("step-up", () => {
	test("asks for the union of the scopes and repeats the request (AUT-15)", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		expect(isLetIn(await scene.call("change"))).toBe(true);
		expect(scene.browser.opened.map(({ reason, scopes }) => ({ reason, scopes }))).toEqual([
			{ reason: "sign-in", scopes: ["small:use"] },
			{ reason: "step-up", scopes: ["small:use", "small:change"] },
		]);
		expect((await signedIn(scene.credentials))?.scopes).toEqual(["small:use", "small:change"]);
	});

	test("that the user declines ends the call, and nothing else", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		scene.browser.open = () => Promise.reject(new HostError("cancelled", "No."));
		await expect(scene.call("change")).rejects.toMatchObject({ code: "cancelled" });
		expect(isLetIn(await scene.call())).toBe(true);
	});

	test("that cannot be asked for fails its request only: the tokens are valid for the others", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		const unattended = setScene(server.url, { credentials: scene.credentials, isInteractive: false });
		await expect(unattended.call("change")).rejects.toMatchObject({ code: "denied" });
		expect(isLetIn(await unattended.call())).toBe(true);
	});

	test("and sign-in together end after three attempts (TRN-37)", async () => {
		await using server = await startProtectedServer();
		let sent = 0;
		const always = (status: number, error: string) =>
			setScene(server.url, {
				serverFetch: () => {
					sent++;
					const header = `Bearer error="${error}", scope="small:use extra${sent}"`;
					return Promise.resolve(new Response("", { status, headers: { "www-authenticate": header } }));
				},
			});
		await expect(always(403, "insufficient_scope").call()).rejects.toMatchObject({ code: "denied" });
		expect(sent).toBe(3);
		await expect(always(401, "invalid_token").call()).rejects.toMatchObject({ code: "needs-sign-in" });
		expect(sent).toBe(6);
	});

	test("is not for other refusals", async () => {
		await using server = await startProtectedServer();
		const serverFetch = () => Promise.resolve(new Response("no", { status: 403 }));
		const response = await setScene(server.url, { serverFetch }).call();
		expect([response.status, await response.text()]).toEqual([403, "no"]);
	});
});

describe("refreshing", () => {
	test("happens once for twenty calls with an expired token (AUT-13)", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		server.auth.grants.expireAccess();
		const responses = await Promise.all(Array.from({ length: 20 }, () => scene.call()));
		expect(responses.every(isLetIn)).toBe(true);
		expect(server.auth.requests("token").map(({ fields }) => fields["grant_type"])).toEqual([
			"authorization_code",
			"refresh_token",
		]);
		expect(scene.browser.opened).toHaveLength(1);
		expect(await signedIn(scene.credentials)).toMatchObject({ account: "ann@example.com" });
	});

	test("takes what another window has refreshed", async () => {
		await using server = await startProtectedServer();
		const one = setScene(server.url);
		await one.call();
		// Another process reads the same key store with an object of its own.
		const other = setScene(server.url, { credentials: sharing(one.credentials), isInteractive: false });
		await other.call();
		server.auth.grants.expireAccess();
		await one.call();
		expect(isLetIn(await other.call())).toBe(true);
		expect(server.auth.requests("token")).toHaveLength(2);
	});

	test("that is refused deletes the tokens, reports it, and asks the user", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		server.auth.grants.revokeAll();
		expect(isLetIn(await scene.call())).toBe(true);
		expect(scene.browser.opened).toHaveLength(2);
		expect(scene.changes).toHaveLength(3);
		expect(scene.changes[1]).toBeUndefined();
	});

	test("that is refused while no question is allowed ends in a state, not in a loop", async () => {
		await using server = await startProtectedServer();
		const scene = setScene(server.url);
		await scene.call();
		server.auth.grants.revokeAll();
		const unattended = setScene(server.url, { credentials: scene.credentials, isInteractive: false });
		await expect(unattended.call()).rejects.toMatchObject({ code: "needs-sign-in" });
		expect(await signedIn(scene.credentials)).toBeUndefined();
	});

	test("is finished although its request was cancelled, so that no refresh token is used twice", async () => {
		const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
		const { promise: refreshes, resolve: note } = Promise.withResolvers<void>();
		let isHeld = false;
		await using server = await startProtectedServer({
			authOptions: {
				beforeToken() {
					if (!isHeld) return Promise.resolve();
					note();
					return open;
				},
			},
		});
		const scene = setScene(server.url);
		await scene.call();
		server.auth.grants.expireAccess();
		isHeld = true;
		const caller = new AbortController();
		const given = scene.call("echo", caller.signal);
		await refreshes;
		caller.abort(new Error("gone"));
		await expect(given).rejects.toThrow("gone");
		const next = scene.call();
		letGo();
		expect(isLetIn(await next)).toBe(true);
		expect(server.auth.requests("token")).toHaveLength(2);
		expect(scene.browser.opened).toHaveLength(1);
	});

	test("names the server that does not answer", async () => {
		const auth = await startAuthServer({ defaultScopes: ["small:use"] });
		await using server = await startProtectedServer({ auth });
		const scene = setScene(server.url);
		await scene.call();
		auth.grants.expireAccess();
		await auth[Symbol.asyncDispose]();
		await expect(scene.call()).rejects.toMatchObject({
			code: "unreachable",
			message: expect.stringContaining(new URL(auth.issuer).host) as string,
		});
		expect(await signedIn(scene.credentials)).toBeDefined();
	});

	test("at a broken authorization server signs no user out", async () => {
		let isBroken = false;
		await using server = await startProtectedServer({
			authOptions: {
				beforeToken: () => (isBroken ? Promise.reject(new Error("The database is on fire")) : Promise.resolve()),
			},
		});
		const scene = setScene(server.url);
		await scene.call();
		server.auth.grants.expireAccess();
		isBroken = true;
		await expect(scene.call()).rejects.toMatchObject({ code: "unreachable" });
		expect(scene.browser.opened).toHaveLength(1);
		isBroken = false;
		expect(isLetIn(await scene.call())).toBe(true);
		expect(scene.browser.opened).toHaveLength(1);
	});
});

test("a server that moves to another authorization server receives nothing of the former one (AUT-14)", async () => {
	await using first = await startAuthServer({ defaultScopes: ["small:use"] });
	await using second = await startAuthServer({ defaultScopes: ["small:use"] });
	let auth = first;
	await using server = await startProtectedServer({
		auth: {
			get issuer() {
				return auth.issuer;
			},
			find: (token) => auth.find(token),
		} as typeof first,
	});
	const scene = setScene(server.url);
	await scene.call();
	const formerClient = first.registered[0]?.clientId ?? "";
	auth = second;
	expect(isLetIn(await scene.call())).toBe(true);
	expect(second.requests("register")).toHaveLength(1);
	const secrets = [...scene.credentials.values.values()].join("\n");
	expect(secrets).toContain(second.issuer);
	expect(JSON.stringify(second.received)).not.toContain(formerClient);
	expect(JSON.stringify(second.received)).not.toContain("refresh-");
	expect((await signedIn(scene.credentials))?.issuer).toBe(second.issuer);
});

test("tokens go to the server's own origin only (AUT-10)", async () => {
	await using server = await startProtectedServer();
	await using other = await startProtectedServer();
	const scene = setScene(server.url);
	await scene.call();
	expect((await scene.fetch(other.url)).status).toBe(401);
	expect(other.tokens).toEqual([undefined]);
	expect(server.tokens.at(-1)).toMatch(/^access-/);
});

function copyOf(credentials: ReturnType<typeof setScene>["credentials"]): typeof credentials {
	const copy = sharing(credentials);
	for (const [key, value] of credentials.values) copy.values.set(key, value);
	return copy;
}

/** Another object over the same values, as in another window. */
function sharing(credentials: ReturnType<typeof setScene>["credentials"]): typeof credentials {
	return Object.assign(Object.create(Object.getPrototypeOf(credentials) as object) as typeof credentials, {
		values: credentials.values,
	});
}
