import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ApiKeys } from "../../../src/models/apiKeys.ts";
import {
	checkBaseURL,
	endpointKinds,
	endpointLabel,
	guessKind,
	requestTo,
	secretsOf,
} from "../../../src/models/endpoints.ts";
import { parseEndpoints } from "../../../src/models/parseEndpoints.ts";
import { endpointPresets } from "../../../src/models/presets.ts";

describe("the setting mcpHost.models", () => {
	test("is read with its defaults, addresses without a slash at the end", () => {
		expect(parseEndpoints([{ name: "LM Studio", baseURL: "http://127.0.0.1:1234/v1/" }])).toEqual({
			problems: [],
			endpoints: [
				{
					id: "lm-studio",
					name: "LM Studio",
					baseURL: "http://127.0.0.1:1234/v1",
					kind: "lm-studio",
					apiVersion: undefined,
					keyHeader: undefined,
					secretHeaders: [],
					headers: {},
					models: undefined,
					traits: {},
					overrides: [],
				},
			],
		});
	});

	test("keeps the valid entries beside the invalid ones", () => {
		const { endpoints, problems } = parseEndpoints([
			7,
			{ baseURL: "http://a/v1" },
			{ name: "A", baseURL: "http://a/v1", models: ["x", "x", "y"], maxInputTokens: -5, images: true, tools: false },
			{ name: "a", baseURL: "http://b/v1" },
			{ name: "B", baseURL: "ftp://b" },
			{ name: "C", baseURL: "http://c", models: "x" },
		]);
		expect(endpoints).toMatchObject([{ name: "A", models: ["x", "y"], traits: { images: true, tools: false } }]);
		expect(problems).toHaveLength(6);
		expect(problems.join("\n")).toMatch(
			/entry 1: .*\n.*entry 2: the name is missing.*\n.*entry 3: the maxInputTokens of "A" must be.*\n.*entry 4: .*another endpoint has/,
		);
	});

	test.each([[null], ["x"], [{}]])("that is %j is a problem, not a crash", (setting) => {
		expect(parseEndpoints(setting)).toMatchObject({ endpoints: [], problems: [expect.stringContaining("list")] });
	});

	test.each(["", "localhost:11434", "file:///x", "http://me:secret@host/v1", "http://host/v1?key=1", "http://host/#x"])(
		"refuses the address %j",
		(address) => {
			expect(checkBaseURL(address)).toHaveProperty("problem");
		},
	);

	test("accepts every preset", () => {
		for (const preset of endpointPresets) {
			expect(checkBaseURL(preset.baseURL)).toEqual({ url: preset.baseURL });
			expect(endpointLabel(preset)).toMatch(/ \(.+\)$/);
		}
	});
});

test("MDL-07: headers of the setting are sent; the key goes in the one that it names, and no secret is in the setting", () => {
	const headers = {
		"X-Team": "7",
		Authorization: "Bearer sk-1",
		"x-api-key": "sk-1",
		"bad name": "x",
		"x-split": "a\r\nb",
	};
	const { endpoints, problems } = parseEndpoints([
		{ name: "A", baseURL: "http://a/v1", keyHeader: "X-Api-Key", headers },
	]);
	const [endpoint] = endpoints;
	if (endpoint === undefined) throw new Error("no endpoint");
	expect(requestTo(endpoint, "sk-2").headers).toEqual({ "x-team": "7", "x-api-key": "sk-2" });
	expect(requestTo(endpoint, undefined).headers).toEqual({ "x-team": "7" });
	expect(problems).toHaveLength(4);
	expect(problems[0]).toMatch(
		/"Authorization" of "A" is not read from the settings\. Set the API key with "MCP Host: Manage Models…"/,
	);
	expect(problems.join()).not.toContain("sk-1");
	expect(
		parseEndpoints([{ name: "A", baseURL: "http://a/v1", keyHeader: "no name", headers: [] }]).problems,
	).toHaveLength(2);
});

describe("MDL-13: a secret header", () => {
	const named = {
		name: "A",
		baseURL: "https://a.example/v1",
		secretHeaders: ["X-Tenant", "x-tenant", "Authorization"],
	};

	/** An endpoint, and the keys of a new store. */
	function scene() {
		const [endpoint] = parseEndpoints([named]).endpoints;
		if (endpoint === undefined) throw new Error("no endpoint");
		const stored = new Map<string, string>();
		const keys = new ApiKeys({
			get: async (key) => stored.get(key),
			store: async (key, value) => void stored.set(key, value),
			delete: async (key) => void stored.delete(key),
			keys: async () => [...stored.keys()],
		});
		return { endpoint, keys, stored };
	}

	test("is named in the setting, and sent with the value that is kept for its origin", async () => {
		const { endpoint, keys } = scene();
		expect(endpoint.secretHeaders).toEqual(["x-tenant", "authorization"]);
		await keys.setHeader(endpoint, "x-tenant", " t-1 ");
		// Kept, but no longer named.
		await keys.setHeader(endpoint, "x-old", "o-1");
		const filled = await keys.filled(endpoint);
		expect(requestTo(filled, "sk-1").headers).toEqual({ authorization: "Bearer sk-1", "x-tenant": "t-1" });
		expect(secretsOf(filled, "sk-1")).toEqual(["sk-1", "t-1"]);
		const moved = await keys.filled({ ...endpoint, baseURL: "https://b.example/v1" });
		expect(requestTo(moved, undefined).headers).toEqual({});
		// The stored and shown data of an endpoint has no value in it.
		expect(JSON.stringify(endpoint)).not.toContain("t-1");
	});

	test("is removed with its endpoint, and is not kept secretly", async () => {
		const { endpoint, keys, stored } = scene();
		await keys.setHeader(endpoint, "x-tenant", "t-1");
		await keys.set(endpoint, "sk-1");
		expect([await keys.unused([endpoint]), await keys.unused([])]).toEqual([[], ["https://a.example"]]);
		await keys.removeHeader(endpoint, "x-tenant");
		expect(await keys.headers(endpoint)).toEqual(new Map());
		await keys.setHeader(endpoint, "x-tenant", "t-2");
		await keys.removeAll(endpoint);
		expect([...stored]).toEqual([]);
	});

	test("with an invalid value or name is reported and not sent", async () => {
		const { endpoint, keys } = scene();
		await keys.setHeader(endpoint, "x-tenant", "t\n1");
		const filled = await keys.filled(endpoint);
		expect(() => requestTo(filled, undefined)).toThrow(/The header x-tenant of A \(a\.example\) cannot be sent/);
		const { problems } = parseEndpoints([
			{ ...named, secretHeaders: ["Host", "bad name"] },
			{ ...named, name: "B", secretHeaders: { "x-tenant": "t-1" } },
		]);
		expect(problems).toHaveLength(3);
		expect(problems.join()).not.toContain("t-1");
	});
});

test.each([
	["https://generativelanguage.googleapis.com/v1beta/openai", "gemini"],
	["https://api.anthropic.com/v1", "anthropic"],
	["https://api.mistral.ai/v1", "mistral"],
	["https://api.deepseek.com", "deepseek"],
	["https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen"],
	["https://ws-1.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", "qwen"],
	["https://models.github.ai/inference", "github"],
	["https://api.openai.com/v1", "openai"],
	["https://evil-mistral.ai.example/v1", "other"],
	["https://notdeepseek.com/v1", "other"],
	["https://notmaas.aliyuncs.com/v1", "other"],
])("MDL-04: %s is recognised as %s", (address, kind) => {
	expect(guessKind(address)).toBe(kind);
});

test("MDL-04: each family is offered by Add Model Endpoint, except GitHub Models, which is marked as retired", () => {
	const offered = new Set(endpointPresets.map(({ kind }) => kind));
	expect(endpointKinds.filter((kind) => !offered.has(kind))).toEqual(["github", "other"]);
	const { endpoints, problems } = parseEndpoints([{ name: "Old", baseURL: "https://models.github.ai/inference" }]);
	expect(endpoints).toHaveLength(1);
	expect(problems).toEqual([expect.stringContaining("retired GitHub Models on 30 July 2026")]);
});

test("the manifest describes every member that is read of the setting, for endpoints and for overrides", () => {
	const file = new URL("../../../package.json", import.meta.url);
	const { contributes } = JSON.parse(readFileSync(file, "utf8")) as {
		contributes: { configuration: readonly { properties: Record<string, { scope: string; items: ItemSchema }> }[] };
	};
	const [setting] = contributes.configuration.flatMap(({ properties }) => properties["mcpHost.models"] ?? []);
	// SEC-06: only the user's own settings count.
	expect(setting?.scope).toBe("application");
	const { properties = {} } = setting?.items ?? {};
	expect(properties["kind"]?.enum).toEqual(endpointKinds);
	const traits = Object.keys(properties["overrides"]?.additionalProperties?.properties ?? {});
	const own = ["name", "baseURL", "kind", "apiVersion", "keyHeader", "headers", "secretHeaders", "models", "overrides"];
	expect(Object.keys(properties).toSorted()).toEqual([...own, ...traits].toSorted());
	// A wrong value of each of them is reported, so each of them is read.
	const wrong = Object.fromEntries(traits.map((name) => [name, []]));
	const { problems } = parseEndpoints([{ name: "A", baseURL: "http://a/v1", overrides: { x: wrong } }]);
	expect(problems).toHaveLength(traits.length);
});

interface ItemSchema {
	readonly enum?: readonly string[];
	readonly properties?: Readonly<Record<string, ItemSchema>>;
	readonly additionalProperties?: ItemSchema;
}

describe("an API key", () => {
	test("belongs to the origin that it was given for (SEC-01, SEC-06)", async () => {
		const stored = new Map<string, string>();
		const keys = new ApiKeys({
			get: async (key) => stored.get(key),
			store: async (key, value) => void stored.set(key, value),
			delete: async (key) => void stored.delete(key),
			keys: async () => [...stored.keys()],
		});
		await keys.set({ baseURL: "https://models.example/v1" }, " sk-1 \n");
		expect(await keys.get({ baseURL: "https://models.example/other/v2" })).toBe("sk-1");
		for (const elsewhere of ["http://models.example/v1", "https://models.example:8443/v1", "https://evil.example/v1"]) {
			expect(await keys.get({ baseURL: elsewhere })).toBeUndefined();
		}
		await keys.remove({ baseURL: "https://models.example/v1" });
		expect(stored.size).toBe(0);
	});
});
