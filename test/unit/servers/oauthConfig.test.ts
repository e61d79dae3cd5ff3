import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import type { ConfigOrigin, ServerDefinition } from "../../../src/servers/definitions/config.ts";
import { define, parseConfig } from "../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../src/servers/review/review.ts";
import { resolveVariables } from "../../../src/servers/definitions/variables.ts";

const url = "https://mcp.example.com/mcp";
const origin: ConfigOrigin = {
	kind: "mcp-json",
	label: ".vscode/mcp.json",
	file: "/w/.vscode/mcp.json",
	folder: "/w",
	isWorkspace: true,
};
const user: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

function parse(entry: JsonObject) {
	const text = JSON.stringify({ servers: { one: { url, ...entry } } });
	const { definitions, problems } = parseConfig({ origin, content: { text } });
	const [definition] = definitions;
	const config = definition?.config;
	return {
		oauth: config !== undefined && config.kind !== "stdio" ? config.oauth : undefined,
		isUsed: definition !== undefined,
		problems: problems.map(({ path, message, severity, range }) => ({
			path: path.slice(2).join("."),
			message,
			severity,
			at: range === undefined ? undefined : text.slice(range.offset, range.offset + range.length),
		})),
	};
}

describe("oauth in a configuration", () => {
	test("is read in full", () => {
		const oauth = {
			clientId: "mine",
			clientSecret: "${input:secret}",
			issuer: "https://auth.example.com",
			clientMetadataUrl: "https://host.example/client.json",
			scopes: ["a", "b"],
			redirectPort: 3000,
			allowMissingPkce: true,
			grant: { kind: "client_credentials", privateKey: "${input:key}", algorithm: "ES256" },
		};
		expect(parse({ oauth })).toEqual({ oauth, isUsed: true, problems: [] });
		expect(parse({}).oauth).toBeUndefined();
	});

	test.each([
		["Claude Code", { oauth: { clientId: "mine", callbackPort: 8080 } }, { clientId: "mine", redirectPort: 8080 }],
		[
			"Cursor",
			{ auth: { CLIENT_ID: "mine", CLIENT_SECRET: "${env:SECRET}", scopes: ["a"] } },
			{ clientId: "mine", clientSecret: "${env:SECRET}", scopes: ["a"] },
		],
		["others, with the scopes in one text", { oauth: { scope: "a  b" } }, { scopes: ["a", "b"] }],
		[
			"others, with a short grant",
			{ oauth: { clientId: "m", clientSecret: "s", grant: "client_credentials" } },
			{ clientId: "m", clientSecret: "s", grant: { kind: "client_credentials" } },
		],
	] as const)("is read as %s writes it", (_host, entry, expected) => {
		expect(parse(entry)).toEqual({ oauth: expected, isUsed: true, problems: [] });
	});

	test.each([
		[{ oauth: false }, "oauth", "false"],
		[{ auth: "x" }, "auth", '"x"'],
		[{ oauth: { clientId: 1 } }, "oauth.clientId", "1"],
		[{ oauth: { clientSecret: "" } }, "oauth.clientSecret", '""'],
		[{ oauth: { issuer: "auth.example.com" } }, "oauth.issuer", '"auth.example.com"'],
		[{ oauth: { clientMetadataUrl: "http://a/b" } }, "oauth.clientMetadataUrl", '"http://a/b"'],
		[{ oauth: { scopes: [1] } }, "oauth.scopes", "[1]"],
		[{ oauth: { redirectPort: 70_000 } }, "oauth.redirectPort", "70000"],
		[{ oauth: { callbackPort: "80" } }, "oauth.callbackPort", '"80"'],
		[{ oauth: { allowMissingPkce: "yes" } }, "oauth.allowMissingPkce", '"yes"'],
		[{ oauth: { grant: "password" } }, "oauth.grant", '"password"'],
		[{ oauth: { clientId: "a", grant: { kind: "jwt_bearer" } } }, "oauth.grant", '"grant"'],
		[{ oauth: { grant: { kind: "jwt_bearer", assertion: "a" } } }, "oauth", '"oauth"'],
		[{ oauth: { clientId: "a", grant: "client_credentials" } }, "oauth", '"oauth"'],
	] as const)("%j is an error at its place, and the server is not used", (entry, path, at) => {
		const { problems, isUsed } = parse(entry);
		expect(isUsed).toBe(false);
		expect(problems).toMatchObject([{ path, at, severity: "error" }]);
	});

	test("warns of values without a meaning", () => {
		const { problems, isUsed } = parse({
			headers: { authorization: "Bearer x" },
			oauth: {
				authServerMetadataUrl: "https://a",
				clientId: "a",
				grant: { kind: "jwt_bearer", assertion: "a", other: 1 },
			},
		});
		expect(isUsed).toBe(true);
		expect(problems.map(({ path, severity }) => `${severity} ${path}`)).toEqual([
			"warning oauth.authServerMetadataUrl",
			"warning oauth.grant.other",
			"warning headers",
		]);
	});

	test("reads nothing from an object's prototype (CFG-19)", () => {
		const text = `{"servers":{"one":{"url":"${url}","oauth":{"__proto__":{"clientId":"evil"},"grant":"constructor"}}}}`;
		expect(parseConfig({ origin, content: { text } }).definitions).toEqual([]);
		expect(({} as Record<string, unknown>)["clientId"]).toBeUndefined();
	});
});

function definition(oauth: object, from: ConfigOrigin = user): ServerDefinition {
	const inputs = [{ id: "secret", description: "The secret", isPassword: true }];
	return define("one", { kind: "http", url, headers: {}, protocol: "auto", oauth }, from, inputs);
}

describe("oauth of a definition", () => {
	const context = {
		folders: [],
		isWorkspaceTrusted: () => true,
		environment: { SECRET: "from-env" },
		input: (id: string) => Promise.resolve(`value of ${id}`),
	};

	test("is part of the approved definition (CFG-02)", () => {
		const base = definition({ clientId: "a", scopes: ["x"] }).hash;
		for (const oauth of [
			{},
			{ clientId: "b", scopes: ["x"] },
			{ clientId: "a", scopes: ["x", "y"] },
			{ clientId: "a", scopes: ["x"], allowMissingPkce: true },
			{ clientId: "a", scopes: ["x"], grant: { kind: "jwt_bearer", assertion: "a" } },
		]) {
			expect(definition(oauth).hash).not.toBe(base);
		}
	});

	test("has its variables resolved, wherever they are", async () => {
		const oauth = {
			clientSecret: "${input:secret}",
			scopes: ["${env:SECRET}"],
			redirectPort: 1,
			allowMissingPkce: true,
			grant: { kind: "jwt_bearer", assertion: "x-${env:SECRET}" },
		};
		const launch = await resolveVariables(definition(oauth), context);
		expect(launch).toMatchObject({
			oauth: {
				clientSecret: "value of secret",
				scopes: ["from-env"],
				redirectPort: 1,
				allowMissingPkce: true,
				grant: { kind: "jwt_bearer", assertion: "x-from-env" },
			},
		});
	});

	test("asks for its inputs, and only for those", () => {
		expect(definition({ clientSecret: "${input:secret}" }).inputs).toHaveLength(1);
		expect(definition({ clientSecret: "plain" }).inputs).toEqual([]);
	});

	test("may not use the environment in a workspace's sign-in (CFG-10)", async () => {
		for (const oauth of [
			{ clientSecret: "${env:SECRET}" },
			{ grant: { kind: "jwt_bearer", assertion: "${env:SECRET}" } },
		]) {
			await expect(resolveVariables(definition(oauth, origin), context)).rejects.toMatchObject({ code: "invalid" });
		}
		await expect(
			resolveVariables(definition({ clientSecret: "${input:secret}" }, origin), context),
		).resolves.toBeDefined();
	});

	test("is shown in the review without its secrets", () => {
		const oauth = {
			clientId: "mine",
			clientSecret: "very-secret",
			issuer: "https://auth.example.com",
			scopes: ["files:read", "files:\u202Ewrite"],
			redirectPort: 3000,
			allowMissingPkce: true,
			grant: {
				kind: "cross_app_access",
				idpIssuer: "https://idp.example.com",
				idpTokenEndpoint: "https://idp.example.com/token",
				idpClientId: "us",
				idpIdToken: "very-secret-token",
			},
		};
		const review = reviewServer(definition(oauth), undefined);
		const shown = Object.fromEntries(review.rows.map(({ label, values }) => [label, values]));
		expect(shown).toMatchObject({
			"Signs in as client": ["mine"],
			"Client secret": ["(masked: 11 characters)"],
			"Signs in at": ["https://auth.example.com"],
			"Asks for scopes": ["files:read", "files:\\u202Ewrite"],
			"Redirect port": ["3000"],
			"Signs in without asking you": ["cross_app_access"],
			"Identity provider": ["https://idp.example.com", "https://idp.example.com/token", "us"],
			"Identity token": ["(masked: 17 characters)"],
		});
		expect(review.warnings.join(" ")).toContain("PKCE");
		expect(JSON.stringify(review)).not.toContain("very-secret");
	});
});
