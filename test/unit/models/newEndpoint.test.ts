import { describe, expect, test } from "vitest";
import { noModelParts } from "../../../src/surfaces/chat/opening.ts";
import { ApiKeys } from "../../../src/models/apiKeys.ts";
import { newEndpoint, readAddress, uniqueName } from "../../../src/models/newEndpoint.ts";
import { explainNoModel } from "../../../src/models/noModel.ts";
import { parseEndpoints } from "../../../src/models/parseEndpoints.ts";
import { endpointPresets } from "../../../src/models/presets.ts";
import { countMessageTokens } from "../../../src/models/tokenCount.ts";
import { estimateTokens } from "../../../src/models/tokens.ts";
import { endpointAt } from "./asking.ts";

const preset = (kind: string) => endpointPresets.find((one) => one.kind === kind);

describe("the address of a new endpoint", () => {
	test.each([
		["https://r.openai.azure.com", { baseURL: "https://r.openai.azure.com/openai/v1" }],
		["https://r.openai.azure.com/openai/v1/", { baseURL: "https://r.openai.azure.com/openai/v1" }],
		[
			"https://r.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21",
			{ baseURL: "https://r.openai.azure.com/openai", apiVersion: "2024-10-21", deployment: "my gpt" },
		],
		[
			"https://r.services.ai.azure.com/openai/v1/chat/completions?api-version=preview",
			{ baseURL: "https://r.services.ai.azure.com/openai/v1" },
		],
	])("of Azure is read as the portal shows it: %s", (text, expected) => {
		expect(readAddress(text, preset("azure"))).toEqual(expected);
		// Also for a user who chose Other….
		expect(readAddress(text, undefined)).toEqual(expected);
	});

	test("with a sign without a meaning is kept unchanged", () => {
		const text = "https://r.openai.azure.com/openai/deployments/100%/chat/completions";
		expect(readAddress(text, preset("azure"))).toMatchObject({ deployment: "100%" });
	});

	test("must be completed if the preset is a template", () => {
		const azure = preset("azure");
		expect(readAddress(azure?.baseURL ?? "", azure)).toMatchObject({
			problem: expect.stringContaining("your resource"),
		});
	});

	test("may be that of a whole request", () => {
		expect(readAddress("http://127.0.0.1:8000/v1/chat/completions", undefined)).toEqual({
			baseURL: "http://127.0.0.1:8000/v1",
		});
	});

	test.each(["", "ftp://x", "https://key@host/v1"])("%j is refused with a sentence", (text) => {
		expect(readAddress(text, undefined)).toHaveProperty("problem");
	});
});

test.each(endpointPresets.filter(({ isTemplate }) => isTemplate !== true).map((one) => [one.name, one] as const))(
	"the entry for %s holds no more than needed, and is read back as intended",
	(name, one) => {
		const added = newEndpoint(name, { baseURL: one.baseURL }, one, []);
		expect(added?.endpoint).toMatchObject({ name, baseURL: one.baseURL, kind: one.kind });
		expect(parseEndpoints([added?.entry]).problems).toEqual([]);
	},
);

test("a second endpoint of the same kind gets a name of its own", () => {
	const used = [endpointAt("http://a/v1"), ...parseEndpoints([{ name: "ollama", baseURL: "http://b/v1" }]).endpoints];
	expect(uniqueName("Ollama", used)).toBe("Ollama 2");
	expect(uniqueName("vLLM", used)).toBe("vLLM");
});

test("faulty fields are reported, and only they are left out", () => {
	const { endpoints, problems } = parseEndpoints([
		{
			name: "A",
			baseURL: "http://a/v1",
			kind: "toaster",
			apiVersion: 7,
			tools: "yes",
			parameters: { model: "other" },
			overrides: { x: 3, y: { images: "no", maxOutputTokens: 10.9 } },
		},
		{ name: "B", baseURL: "http://b/v1", overrides: [] },
	]);
	expect(endpoints).toMatchObject([
		{
			name: "A",
			kind: "other",
			apiVersion: undefined,
			traits: {},
			overrides: [{ pattern: "y", traits: { maxOutputTokens: 10 } }],
		},
		{ name: "B", overrides: [] },
	]);
	expect(problems.map((problem) => problem.replace("mcpHost.models, entry ", ""))).toEqual([
		expect.stringMatching(/^1: the kind of "A" must be one of/),
		expect.stringMatching(/^1: the apiVersion of "A"/),
		'1: the tools of "A" must be true or false.',
		expect.stringMatching(/^1: the parameters of "A" must be an object without model, messages/),
		'1: the value of the override "x" of "A" must be an object.',
		'1: the images of the override "y" of "A" must be true or false.',
		expect.stringMatching(/^2: the overrides of "B"/),
	]);
});

test("a key whose endpoint is gone can be found and forgotten", async () => {
	const stored = new Map([["mcp.other", "x"]]);
	const keys = new ApiKeys({
		get: async (key) => stored.get(key),
		store: async (key, value) => void stored.set(key, value),
		delete: async (key) => void stored.delete(key),
		keys: async () => [...stored.keys()],
	});
	await keys.set({ baseURL: "https://old.example/v1" }, "sk-1");
	await keys.set({ baseURL: "https://new.example/v1" }, "sk-2");
	// The base URL of an endpoint was changed: its key stays with the old origin, and the new one has none (SEC-06).
	expect(await keys.unused([{ baseURL: "https://new.example/v2" }])).toEqual(["https://old.example"]);
	await keys.remove({ baseURL: "https://old.example" });
	expect(await keys.unused([])).toEqual(["https://new.example"]);
});

describe("without a model", () => {
	const none = { models: [], onDidChange: () => ({ dispose: () => undefined }) };
	const textOf = (...args: Parameters<typeof explainNoModel>): string =>
		noModelParts(explainNoModel(...args))
			.map((part) => (part.kind === "text" ? part.markdown : part.links.map(({ label }) => label).join(" | ")))
			.join("\n");

	test("the chat names the missing model and the ways out", () => {
		const text = textOf({ statuses: [], problems: [] }, none);
		expect(text).toContain("**No model yet.**");
		expect(text).toContain("Add Model Endpoint… | Detect Local Models | Try the Demo");
		expect(text).toContain("/tools");
	});

	test("the chat names each endpoint that offers none, and faults of the setting, escaped", () => {
		const endpoint = endpointAt("http://a/v1");
		const statuses = [
			{ endpoint, problem: "Test (a) cannot be reached [x](command:y).", modelCount: 0 },
			{ endpoint, problem: undefined, modelCount: 0 },
		];
		const text = textOf({ statuses, problems: ["entry 3 is wrong"] }, none);
		expect(text).toContain("**No model is available.**");
		expect(text).toContain("- Test has no chat models");
		expect(text).toContain("entry 3 is wrong");
		expect(text).toContain("Manage Models…");
		expect(text).not.toContain("[x](command:y)");
	});
});

test("tokens are counted with the host's estimator, pictures not by their bytes", () => {
	const text = "Plan a vacation in Barcelona for two people.";
	const message = (content: Parameters<typeof countMessageTokens>[0]["content"]) =>
		countMessageTokens({ role: "user", content });
	const plain = message([{ type: "text", text }]);
	expect(plain - estimateTokens(text)).toBeGreaterThan(0);
	expect(plain - estimateTokens(text)).toBeLessThan(10);
	const picture = message([{ type: "image", data: "A".repeat(3_000_000), mimeType: "image/png" }]);
	expect(picture).toBeLessThan(2000);
	const result = {
		type: "tool-result" as const,
		callId: "a",
		isError: false,
		content: [{ type: "text" as const, text }],
	};
	expect(message([result])).toBeGreaterThan(estimateTokens(text));
});
