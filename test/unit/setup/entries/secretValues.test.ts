import { describe, expect, it } from "vitest";
import { extractSecrets, secretValuesOf } from "../../../../src/setup/entries/secretValues.ts";

describe("values of an entry that look secret", () => {
	it.each([
		["API_KEY", "abcdef123", true],
		["GITHUB_TOKEN", "ghp_0123456789abcdef", true],
		["DATA", "ghp_0123456789abcdefgh", true],
		["API_KEY", "${env:API_KEY}", false],
		["API_KEY", "", false],
		["API_KEY", "<your-key>", false],
		["LEVEL", "verbose-output", false],
	])("are recognised in %s=%s", (name, value, isSecret) => {
		expect(secretValuesOf({ command: "x", env: { [name]: value } })).toHaveLength(isSecret ? 1 : 0);
	});

	it("become inputs with ids of their own; the word before a token and the rest of a text stay (EDT-05)", () => {
		const server = {
			name: "Acme Ltd",
			entry: {
				url: "https://example.com/mcp?api_key=k1-secret&x=1&token=t2-secret",
				headers: { Authorization: "Bearer s3cret-token", Accept: "text/plain" },
			},
			inputs: [{ id: "acme-ltd-authorization" }],
			values: new Map<string, string>(),
		};
		const { entry, inputs, values } = extractSecrets(server);
		expect(entry).toEqual({
			url: "https://example.com/mcp?api_key=${input:acme-ltd-api-key}&x=1&token=${input:acme-ltd-token}",
			headers: { Authorization: "Bearer ${input:acme-ltd-authorization-2}", Accept: "text/plain" },
		});
		expect(inputs.at(-1)).toMatchObject({ id: "acme-ltd-authorization-2", password: true, type: "promptString" });
		expect(Object.fromEntries(values)).toEqual({
			"acme-ltd-authorization-2": "s3cret-token",
			"acme-ltd-api-key": "k1-secret",
			"acme-ltd-token": "t2-secret",
		});
		expect(server.entry.headers.Authorization).toBe("Bearer s3cret-token");
	});

	it("are found among arguments", () => {
		const server = {
			name: "a",
			entry: { command: "x", args: ["--api-key", "abc123def", "-v"] },
			inputs: [],
			values: new Map<string, string>(),
		};
		expect(extractSecrets(server).entry).toEqual({ command: "x", args: ["--api-key", "${input:a-api-key}", "-v"] });
	});
});
