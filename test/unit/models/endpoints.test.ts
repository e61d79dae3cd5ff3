import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ApiKeys } from "../../../src/models/apiKeys.ts";
import { checkBaseURL, endpointKinds, endpointLabel } from "../../../src/models/endpoints.ts";
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
					models: undefined,
					traits: {},
					overrides: [],
				},
			],
		});
	});

	test("keeps the good entries beside the bad ones", () => {
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
			/entry 1: .*\n.*entry 2: the name is missing.*\n.*entry 3: the maxInputTokens of "A" must be.*\n.*entry 4: .*used by another/,
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

test("the manifest describes what the setting is read for, for endpoints and for overrides", () => {
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
	const own = ["name", "baseURL", "kind", "apiVersion", "models", "overrides"];
	expect(Object.keys(properties).toSorted()).toEqual([...own, ...traits].toSorted());
	// A wrong value of each of them is noticed, so each of them is read.
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
