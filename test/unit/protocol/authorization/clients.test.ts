import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { HeadlessBrowser, MemoryCredentials } from "../../../servers/headlessBrowser.ts";
import { startAuthServer, type AuthServer } from "../../../servers/authServer.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

const redirect = "http://127.0.0.1:3000/callback";

function clientsUsed(auth: AuthServer): readonly (string | undefined)[] {
	return auth.requests("authorize").map(({ fields }) => fields["client_id"]);
}

describe("the client that signs in", () => {
	test("is the configured one first, with its secret", async () => {
		const clients = [{ clientId: "mine", clientSecret: "hush", redirectUris: [redirect] }];
		const clientDocuments = { "https://host.example/client.json": { redirectUris: [redirect] } };
		await using server = await startProtectedServer({ authOptions: { clients, clientDocuments } });
		const config = {
			clientId: "mine",
			clientSecret: "hush",
			clientMetadataUrl: "https://host.example/client.json",
			scopes: ["small:use", "small:change"],
			redirectPort: 3000,
		};
		const scene = setScene(server.url, { config });
		expect((await scene.call("change")).status).not.toBe(403);
		expect(clientsUsed(server.auth)).toEqual(["mine"]);
		expect(server.auth.requests("register")).toEqual([]);
		expect(scene.browser.ports).toEqual([3000]);
		expect(scene.browser.opened[0]?.scopes).toEqual(["small:use", "small:change"]);
	});

	test("is a metadata document before a registration, if the authorization server accepts one", async () => {
		const clientMetadataUrl = "https://host.example/client.json";
		const clientDocuments = { [clientMetadataUrl]: { redirectUris: [redirect] } };
		await using taking = await startProtectedServer({ authOptions: { clientDocuments } });
		await setScene(taking.url, { config: { clientMetadataUrl } }).call();
		expect(clientsUsed(taking.auth)).toEqual([clientMetadataUrl]);
		await using other = await startProtectedServer();
		await setScene(other.url, { config: { clientMetadataUrl } }).call();
		expect(other.auth.requests("register")).toHaveLength(1);
	});

	test("is registered once, and again when the redirect is another one or it was forgotten", async () => {
		await using server = await startProtectedServer();
		const credentials = new MemoryCredentials();
		const signInAgain = async (browser: HeadlessBrowser): Promise<void> => {
			server.auth.grants.revokeAll();
			await setScene(server.url, { credentials, browser }).call();
		};
		await signInAgain(new HeadlessBrowser());
		const second = new HeadlessBrowser();
		await signInAgain(second);
		expect(server.auth.registered).toHaveLength(1);
		// The port of the registration is requested, so that strict servers accept the redirect.
		expect(second.ports).toEqual([3000]);
		await signInAgain(new HeadlessBrowser("https://vscode.dev/redirect?for=me"));
		expect(server.auth.registered).toHaveLength(2);
	});

	test("gets another port if that of its registration is taken, but not in place of a configured one", async () => {
		await using server = await startProtectedServer();
		const credentials = new MemoryCredentials();
		await setScene(server.url, { credentials }).call();
		server.auth.grants.revokeAll();
		class Busy extends HeadlessBrowser {
			override openReceiver(port: number | undefined): ReturnType<HeadlessBrowser["openReceiver"]> {
				if (port === undefined) return super.openReceiver(port);
				return Promise.reject(new HostError("start-failed", `Port ${port} is taken.`));
			}
		}
		const browser = new Busy("http://127.0.0.1:4000/callback");
		expect((await setScene(server.url, { credentials, browser }).call()).status).not.toBe(401);
		const fixed = setScene(server.url, { browser, config: { redirectPort: 3000 } });
		await expect(fixed.call()).rejects.toThrow("Port 3000 is taken.");
	});

	test("must be configured if the authorization server registers no clients", async () => {
		await using server = await startProtectedServer({ authOptions: { registration: "absent" } });
		await expect(setScene(server.url).call()).rejects.toMatchObject({
			code: "invalid",
			message: expect.stringContaining('"clientId"') as string,
		});
	});

	test("is not requested if the server only requires a key", async () => {
		const notFound = (): Promise<Response> => Promise.resolve(new Response("", { status: 404 }));
		const scene = setScene("http://127.0.0.1:1/mcp", {
			serverFetch: () => Promise.resolve(new Response("", { status: 401 })),
			plainFetch: notFound,
		});
		await expect(scene.call()).rejects.toThrow('add it to "headers"');
	});
});

describe("a configured client", () => {
	const clients = [{ clientId: "mine", clientSecret: "hush", redirectUris: [redirect] }];
	const config = { clientId: "mine", clientSecret: "hush" };

	test("is not used with another authorization server than before (AUT-14)", async () => {
		await using first = await startAuthServer({ clients, defaultScopes: ["small:use"] });
		await using second = await startAuthServer({ clients, defaultScopes: ["small:use"] });
		const credentials = new MemoryCredentials();
		await using server = await startProtectedServer({ auth: first });
		await setScene(server.url, { config, credentials }).call();
		await using moved = await startProtectedServer({ auth: second });
		await expect(setScene(moved.url, { config, credentials: freshTokens(credentials) }).call()).rejects.toMatchObject({
			code: "denied",
			message: expect.stringContaining("sign out first") as string,
		});
		expect(second.received.map(({ endpoint }) => endpoint)).toEqual(["metadata"]);
	});

	test("belongs to the issuer that is configured with it", async () => {
		await using auth = await startAuthServer({ clients, defaultScopes: ["small:use"] });
		await using server = await startProtectedServer({ auth });
		const wrong = setScene(server.url, { config: { ...config, issuer: "https://login.example.com" } });
		await expect(wrong.call()).rejects.toMatchObject({ code: "denied" });
		expect(auth.received).toEqual([]);
		const right = setScene(server.url, { config: { ...config, issuer: `${auth.issuer}/` } });
		expect((await right.call()).status).not.toBe(401);
	});
});

/** The rest of credentials without their tokens. */
function freshTokens(credentials: MemoryCredentials): MemoryCredentials {
	for (const key of credentials.values.keys()) if (key.startsWith("tokens ")) credentials.values.delete(key);
	return Object.assign(new MemoryCredentials(), { values: credentials.values });
}
