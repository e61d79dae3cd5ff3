import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { EditorSettings } from "../../../../src/servers/definitions/editorLimits.ts";
import { configuredProvider } from "../../../../src/servers/definitions/identityProviderSetting.ts";
import { parseMachinePolicy } from "../../../../src/servers/definitions/machinePolicy.ts";

const mine = { issuer: "https://mine.example", clientId: "me" };
const theirs = { issuer: "https://acme.example/tenant", clientId: "mcp-host", redirectPort: 33_418 };
const clients = { "https://auth.example": { clientId: "chat", clientSecret: "hush" } };

/** Settings of a user, and values that a policy of VS Code sets as defaults. */
function settings(user: JsonObject, policy: JsonObject = {}, machine?: unknown): EditorSettings {
	return {
		inspect: (name) => ({ defaultValue: policy[name], globalValue: user[name] }),
		get: (name) => policy[name] ?? user[name],
		...(machine === undefined ? {} : { machine: parseMachinePolicy(JSON.stringify(machine), "/etc/policy.json") }),
	};
}

describe("the identity provider (AUT-25)", () => {
	test("is that of the machine's policy, then of VS Code's policy, then of the user", () => {
		const user = { "mcpHost.identityProvider": mine, "mcp.enterpriseManagedAuth.idp": { ...mine, clientId: "other" } };
		const editor = { "mcp.enterpriseManagedAuth.idp": { ...mine, clientId: "editor" } };
		const machine = { identityProvider: { ...theirs, clients } };
		expect(configuredProvider(settings(user, editor, machine))).toEqual({
			source: "/etc/policy.json",
			config: { ...theirs, clients: new Map(Object.entries(clients)) },
		});
		expect(configuredProvider(settings(user, editor, {}))).toMatchObject({
			source: "mcp.enterpriseManagedAuth.idp",
			config: { clientId: "editor" },
		});
		// A setting of VS Code's own host that is no policy is not ours.
		expect(configuredProvider(settings(user))).toMatchObject({ source: "mcpHost.identityProvider", config: mine });
		expect(configuredProvider(settings({ "mcpHost.identityProvider": {} }))).toBeUndefined();
	});

	test.each([
		[{ clientId: "a" }, '"issuer" must be an https address'],
		[{ issuer: "http://idp.example", clientId: "a" }, '"issuer" must be an https address'],
		[{ issuer: "https://u:p@idp.example", clientId: "a" }, '"issuer" must be an https address'],
		[{ issuer: "https://idp.example" }, '"clientId" must be a string'],
		[{ ...mine, secret: "x" }, '"secret" is not a known key'],
		[{ ...mine, redirectPort: 0 }, '"redirectPort" must be a port'],
		[{ ...mine, clients: { "auth.example": { clientId: "a" } } }, "the key must be the https address"],
		[{ ...mine, clients: { "https://auth.example": { id: "a" } } }, '"id" is not a known key'],
		["https://idp.example", "it must be an object"],
	])("is not used if it cannot be read: %j", (value, words) => {
		expect(() => configuredProvider(settings({ "mcpHost.identityProvider": value }))).toThrow(words);
		const policy = parseMachinePolicy(JSON.stringify({ identityProvider: value }), "/etc/policy.json");
		expect(policy.fault).toContain(words);
	});

	test("cannot be set by a workspace", () => {
		const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
			contributes: { configuration: { properties: Record<string, { scope?: string }> }[] };
		};
		const found = manifest.contributes.configuration.flatMap(
			({ properties }) => properties["mcpHost.identityProvider"] ?? [],
		);
		expect(found).toMatchObject([{ scope: "application" }]);
	});
});
