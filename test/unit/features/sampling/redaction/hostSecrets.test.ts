/** All secrets that the host knows are searched for by value, and nothing else is (SEC-02). */
import { expect, test } from "vitest";
import { Credentials } from "../../../../../src/servers/accounts/credentialStore.ts";
import { StoredCredentials } from "../../../../../src/protocol/authorization/storedCredentials.ts";
import { ApiKeys } from "../../../../../src/models/apiKeys.ts";
import type { Secrets } from "../../../../../src/base/storage.ts";
import { parseEndpoints } from "../../../../../src/models/parseEndpoints.ts";
import { hostSecrets, type HostSecretSources } from "../../../../../src/features/sampling/redaction/hostSecrets.ts";
import type { KnownSecret } from "../../../../../src/base/secrets/knownSecret.ts";
import type { InputDefinition, ServerConfig, ServerDefinition } from "../../../../../src/servers/definitions/config.ts";
import { InputValues } from "../../../../../src/servers/definitions/inputValues.ts";

class MemorySecrets implements Secrets {
	readonly values = new Map<string, string>();
	keys = async (): Promise<readonly string[]> => [...this.values.keys()];
	get = async (key: string): Promise<string | undefined> => this.values.get(key);
	store = async (key: string, value: string): Promise<void> => void this.values.set(key, value);
	delete = async (key: string): Promise<void> => void this.values.delete(key);
}

function server(name: string, config: ServerConfig, inputs: readonly InputDefinition[] = []): ServerDefinition {
	const origin = { kind: "user-settings", label: "User Settings", isWorkspace: false } as const;
	return { id: `settings:user/${name}`, name, config, origin, inputs, hash: `hash of ${name}` };
}

const local = { kind: "stdio", command: "node", args: [], env: {}, protocol: "auto" } as const;
const remote = { kind: "http", url: "https://example.org/mcp", headers: {}, protocol: "auto" } as const;

async function learn(sources: Partial<HostSecretSources>): Promise<readonly KnownSecret[]> {
	const all = {
		definitions: () => [],
		endpoints: () => [],
		store: new MemorySecrets(),
		environment: {},
		environmentFile: async () => ({}),
		...sources,
	};
	const { secrets, problems } = await hostSecrets(all);
	expect(problems).toEqual([]);
	return secrets;
}

async function valuesOf(sources: Partial<HostSecretSources>): Promise<readonly string[]> {
	return (await learn(sources)).map(({ value }) => value);
}

test("MDL-13: the API keys and secret headers of all endpoints, and leftover ones", async () => {
	const store = new MemorySecrets();
	const { endpoints } = parseEndpoints([{ name: "Ollama", baseURL: "http://127.0.0.1:11434/v1" }]);
	const keys = new ApiKeys(store);
	await keys.set({ baseURL: "http://127.0.0.1:11434" }, "ollama-key-1");
	await keys.set({ baseURL: "https://api.example.org/v1" }, "left-key-2");
	await keys.setHeader({ baseURL: "https://api.example.org/v1" }, "x-tenant", "left-header-3");
	expect(await learn({ store, endpoints: () => endpoints })).toEqual([
		{ value: "ollama-key-1", name: "API key", label: "API key of Ollama" },
		{ value: "left-key-2", name: "API key", label: "API key of https://api.example.org" },
		{ value: "left-header-3", name: "x-tenant", label: "x-tenant of https://api.example.org" },
	]);
});

test("values of inputs that are secret by kind, name, place or form; the user is not asked", async () => {
	const store = new MemorySecrets();
	const input = (id: string, isPassword = false): InputDefinition => ({ id, description: "", isPassword });
	const inputs = [
		input("code", true),
		input("db-password"),
		input("region"),
		input("k"),
		input("url"),
		input("missing", true),
	];
	const definition = server("db", { ...local, env: { API_KEY: "${input:k}", REGION: "${input:region}" } }, inputs);
	let asked = 0;
	const values = new InputValues(store, async (_definition, { id }) => {
		asked++;
		return id === "url" ? "https://example.org/" : `value of ${id}`;
	});
	for (const { id } of inputs) if (id !== "missing") await values.get(definition, id, () => true);
	expect(asked).toBe(5);
	expect(await learn({ store, definitions: () => [definition] })).toEqual([
		{ value: "value of code", name: "input value", label: "value of input “code”" },
		{ value: "value of db-password", name: "input value", label: "value of input “db-password”" },
		{ value: "value of k", name: "input value", label: "value of input “k”" },
	]);
	expect(asked).toBe(5);
	// Another definition under the same name has values of its own (CFG-11).
	expect(await valuesOf({ store, definitions: () => [{ ...definition, hash: "other" }] })).toEqual([]);
});

test("leftovers of a sign-in: tokens, the client's secret, the private part of its key", async () => {
	const store = new MemorySecrets();
	const definition = server("remote", remote);
	const kept = new StoredCredentials(new Credentials(store).of(definition));
	const issuer = "https://issuer.example.org";
	const tokens = { access_token: "access-1", refresh_token: "refresh-2", token_type: "Bearer", scope: "read write" };
	await kept.saveTokens({ ...tokens, issuer, server: "https://example.org/mcp" });
	await kept.saveClient(issuer, { client_id: "public-id", client_secret: "client-3", issuer });
	const privateJwk = { kty: "EC", x: "public-x", d: "private-4" };
	await kept.saveDpopKey(issuer, { alg: "ES256", privateJwk, publicJwk: { x: "public-x" }, thumbprint: "thumb" });
	const secrets = await learn({ store, definitions: () => [definition] });
	expect(secrets.map(({ value }) => value).toSorted()).toEqual(["access-1", "client-3", "private-4", "refresh-2"]);
	expect(new Set(secrets.map(({ label }) => label))).toEqual(new Set(["sign-in at “remote”"]));
});

test("values at secret places in the entries of servers, and nothing beside them", async () => {
	const key = `sk-x${"A1b2C3d4".repeat(5)}`;
	const definitions = [
		server("one", {
			...local,
			args: ["--token=token-1", "--api-key", "key-2", "--verbose", "index.js", "--token", "--port=80", key],
			env: { DB_PASSWORD: "env-3", NODE_ENV: "production", TOKEN_FILE: "/run/secrets/token", SECRET: "${env:MINE}" },
		}),
		server("two", {
			...remote,
			url: "https://example.org/mcp?apikey=query-5&page=2&key=short-6",
			headers: {
				Authorization: "Bearer header-7",
				"X-Api-Key": "header-8",
				Accept: "application/json",
				"X-Env": "${env:OTHER}",
			},
			oauth: { clientId: "public", clientSecret: "client-9", grant: { kind: "jwt_bearer", assertion: "assertion-10" } },
		}),
	];
	const environment = { MINE: "mine-4", OTHER: "other" };
	expect(await valuesOf({ definitions: () => definitions, environment })).toEqual([
		"env-3",
		"mine-4",
		"token-1",
		"key-2",
		key,
		"header-7",
		"header-8",
		"query-5",
		"short-6",
		"client-9",
		"assertion-10",
	]);
});

test("variables of a server's environment file, by name and form; an unreadable one is reported", async () => {
	const key = `sk-x${"A1b2C3d4".repeat(5)}`;
	const values = { DB_PASSWORD: "file-1", NODE_ENV: "production", OTHER: key, TOKEN_FILE: "/run/secrets/token" };
	const definitions = (): readonly ServerDefinition[] => [server("db", { ...local, envFile: ".env" })];
	expect(await learn({ definitions, environmentFile: async () => values })).toEqual([
		{ value: "file-1", name: "configured value", label: "secret in the environment file of “db”" },
		{ value: key, name: "configured value", label: "secret in the environment file of “db”" },
	]);
	const unreadable = await hostSecrets({
		definitions,
		endpoints: () => [],
		store: new MemorySecrets(),
		environment: {},
		environmentFile: () => Promise.reject(new Error("secret text")),
	});
	expect(unreadable).toEqual({
		secrets: [],
		problems: ["The environment file of “db” could not be read, so the request was not searched for them."],
	});
});

test("variables of the environment by their names; paths and the working directory are none", async () => {
	const environment = {
		GITHUB_TOKEN: "github-1",
		AWS_SECRET_ACCESS_KEY: "aws-2",
		PGPASSWORD: undefined,
		DB_PASSWORD: "database-3",
		PWD: "/srv/apps/one",
		GOOGLE_APPLICATION_CREDENTIALS: "/home/me/key.json",
		GIT_CREDENTIAL_HELPER: "manager-core",
		TOKEN_LIMIT: "200000",
		PATH: "/usr/bin",
		HOME: "/home/me",
		SSH_AUTH_SOCK: "/tmp/ssh-1/agent",
	};
	expect(await learn({ environment })).toEqual([
		{ value: "github-1", name: "environment variable", label: "environment variable GITHUB_TOKEN" },
		{ value: "aws-2", name: "environment variable", label: "environment variable AWS_SECRET_ACCESS_KEY" },
		{ value: "database-3", name: "environment variable", label: "environment variable DB_PASSWORD" },
	]);
});

test("unreadable secrets are reported without their content, and the rest counts", async () => {
	const store = new MemorySecrets();
	store.get = () => Promise.reject(new Error("locked: hunter2"));
	const { secrets, problems } = await hostSecrets({
		environmentFile: async () => ({}),
		definitions: () => [
			server("one", { ...local, env: { API_KEY: "env-1" } }, [{ id: "a", description: "", isPassword: true }]),
		],
		endpoints: () => parseEndpoints([{ name: "Ollama", baseURL: "http://127.0.0.1:1/v1" }]).endpoints,
		store,
		environment: {},
	});
	expect(secrets.map(({ value }) => value)).toEqual(["env-1"]);
	expect(problems).toEqual([
		"The API keys of models could not be read, so the request was not searched for them.",
		"The inputs of “one” could not be read, so the request was not searched for them.",
		"The sign-in at “one” could not be read, so the request was not searched for them.",
	]);
});
