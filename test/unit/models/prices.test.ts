/** The price of models: the user's prices, the host's table, and free ones (SMP-08). */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { demoModelInfo } from "../../../src/models/demoModelInfo.ts";
import { createEndpointModel } from "../../../src/models/directory.ts";
import { ModelFacts } from "../../../src/models/modelFacts.ts";
import type { ModelInfo } from "../../../src/models/model.ts";
import { costOf, type ModelPrice, pricesAsOf } from "../../../src/models/prices.ts";
import { formatCost } from "../../../src/base/amounts.ts";
import { parseEndpoints } from "../../../src/models/parseEndpoints.ts";
import { believableUse } from "../../../src/models/reportedUse.ts";
import { ApiKeys } from "../../../src/models/apiKeys.ts";

function modelAt(baseURL: string, name: string, kind?: string): ModelInfo {
	const { endpoints } = parseEndpoints([{ name: "There", baseURL, ...(kind === undefined ? {} : { kind }) }]);
	const [endpoint] = endpoints;
	if (endpoint === undefined) throw new Error("The endpoint is not valid");
	const secrets = {
		get: async () => undefined,
		store: async () => undefined,
		delete: async () => undefined,
		keys: async () => [],
	};
	return createEndpointModel(endpoint, { name }, new ApiKeys(secrets)).info;
}

const hosted = (name: string): ModelInfo => modelAt("https://models.example.com/v1", name);

/** Input and output per million tokens. */
function priceOf(model: ModelInfo, setting?: unknown): readonly [number, number] | undefined {
	const price = new ModelFacts(setting).priceOf(model);
	return price === undefined ? undefined : [price.inputPerMillion, price.outputPerMillion];
}

describe("without a setting", () => {
	it.each([
		["http://127.0.0.1:11434/v1", "qwen3:8b", undefined],
		["http://localhost:9999/v1", "anything", undefined],
		["http://[::1]:8000/v1", "anything", undefined],
		["http://192.168.1.20:11434/v1", "qwen3:8b", undefined],
		["http://10.0.0.5:8000/v1", "meta-llama/Llama-3.3-70B", "vllm"],
		["http://172.16.3.4:1234/v1", "openai/gpt-oss-20b", undefined],
		["http://tower.local:8080/v1", "model.gguf", "llama.cpp"],
		["http://host.docker.internal:11434/v1", "qwen3:8b", undefined],
	])("a model that runs at %s is free: %s", (url, name, kind) => {
		expect(priceOf(modelAt(url, name, kind))).toEqual([0, 0]);
	});

	it.each([
		["a gateway in one's network", "http://192.168.1.20:4000/v1", "qwen3:8b"],
		["a gateway on this machine with a model that only its maker serves", "http://127.0.0.1:4000/v1", "claude-next"],
		["a model that Ollama forwards", "http://127.0.0.1:11434/v1", "gpt-oss:120b-cloud"],
		["an unknown model elsewhere", "https://models.example.com/v1", "qwen3:8b"],
		["a version that is not in the table", "https://models.example.com/v1", "gpt-4o-audio"],
		["Ollama at a public address", "http://203.0.113.1:11434/v1", "qwen3:8b"],
	])("the price of %s is unknown, which is not free", (_, url, name) => {
		expect(priceOf(modelAt(url, name))).toBeUndefined();
	});

	it.each([
		["gpt-4o-mini", [0.15, 0.6]],
		["openai/gpt-4o-mini", [0.15, 0.6]],
		["GPT-4o-mini-2024-07-18", [0.15, 0.6]],
		["claude-haiku-4-5-20251001", [1, 5]],
		["anthropic/claude-haiku-4.5", [1, 5]],
		["gemini-2.5-pro-preview", [1.25, 10]],
	])("%s has the price of the table", (name, price) => {
		expect(priceOf(hosted(name))).toEqual(price);
		// A gateway on this machine does not make it free.
		expect(priceOf(modelAt("http://127.0.0.1:4000/v1", name))).toEqual(price);
	});

	it("the demo is free, and prices of the editor's models are unknown", () => {
		expect(priceOf(demoModelInfo)).toEqual([0, 0]);
		expect(priceOf({ ...hosted("gpt-4o"), id: "editor/copilot/gpt-4o" })).toBeUndefined();
	});
});

describe("the setting mcpHost.modelPrices", () => {
	it("is documented with the month of the table, so that users check it", async () => {
		const page = await readFile("docs/settings.md", "utf8");
		const month = new Date(`${pricesAsOf}-15`).toLocaleDateString("en-US", { month: "long", year: "numeric" });
		expect(page.replaceAll(/\s+/g, " ")).toContain(`as of ${month}, which you should compare`);
	});

	const set = { input: 7, output: 9 };

	it.each([
		["gpt-4o", { "gpt-4o": set }],
		["gpt-4o", { "GPT-*": set }],
		["gpt-4o", { "there/*": set }],
		["gpt-4o", { "*": { input: 1, output: 2 }, "gpt*": set }],
		["gpt-4o", { "*": { input: 7 }, "gpt*": { output: 9 } }],
		["anthropic/claude:beta", { "*:beta": set }],
	])("gives %s its price by %j", (name, setting) => {
		expect(priceOf(hosted(name), setting)).toEqual([7, 9]);
	});

	it("takes precedence over the table, for one of the two as well, and leaves nothing half known", () => {
		expect(priceOf(hosted("gpt-4o"), { "gpt-4o": { output: 9 } })).toEqual([2.5, 9]);
		expect(priceOf(hosted("mine"), { mine: { output: 9 } })).toBeUndefined();
		expect(priceOf(modelAt("http://127.0.0.1:11434/v1", "qwen3:8b"), { "qwen*": set })).toEqual([7, 9]);
		expect(
			priceOf({ ...hosted("gpt-4o"), id: "editor/copilot/gpt-4o" }, { "editor/*": { input: 0, output: 0 } }),
		).toEqual([0, 0]);
	});

	it.each([
		["no object"],
		[[]],
		[{ "gpt*": 5 }],
		[{ "gpt*": null }],
		[{ "gpt*": { input: "2" } }],
		[{ "gpt*": { input: -1 } }],
		[{ "gpt*": { output: Number.NaN } }],
		[{ "gpt*": { output: Infinity } }],
	])("that is %j makes the price unknown, never lower, and is reported", (setting) => {
		const facts = new ModelFacts(setting);
		expect(facts.priceOf(hosted("gpt-4o"))).toBeUndefined();
		expect(facts.problems).toHaveLength(1);
		expect(facts.problems[0]).toMatch(/^mcpHost\.modelPrices.*\.$/);
	});

	it("MDL-08: prices tokens from the provider's cache, without a price of their own like all others", () => {
		const use = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 750_000 };
		expect(costOf(new ModelFacts({ "gpt*": { ...set, cachedInput: 1 } }).priceOf(hosted("gpt-4o")), use)).toBe(2.5);
		expect(costOf(new ModelFacts({ "gpt*": set }).priceOf(hosted("gpt-4o")), use)).toBe(7);
		// Known of the model: a list's price goes with that list's price of the input.
		expect(costOf(new ModelFacts(undefined).priceOf(hosted("gpt-4o")), use)).toBe(2.5 / 4 + (1.25 * 3) / 4);
		expect(costOf(new ModelFacts({ "gpt*": { output: 9 } }).priceOf(hosted("gpt-4o")), use)).toBe(1.5625);
		expect(costOf(new ModelFacts({ "gpt*": { cachedInput: "1" } }).priceOf(hosted("gpt-4o")), use)).toBe(2.5);
		const wrong = new ModelFacts({ "gpt*": { ...set, cachedInput: -1 } });
		expect([costOf(wrong.priceOf(hosted("gpt-4o")), use), wrong.problems.length]).toEqual([7, 1]);
	});

	it.each([
		[{ inputTokens: 100, outputTokens: 9, cachedTokens: 60 }, 60],
		[{ inputTokens: 100, outputTokens: 9, cachedTokens: 101 }, undefined],
		[{ inputTokens: 100, outputTokens: 9, cachedTokens: -1 }, undefined],
		[{ inputTokens: 100, outputTokens: 9, cachedTokens: 0.5 }, undefined],
		[{ inputTokens: 1, outputTokens: 9, cachedTokens: 1 }, undefined],
	])("MDL-08: rejects a cache that is larger than the request: %j", (reported, cached) => {
		const least = { inputTokens: 50, outputTokens: 1 };
		expect(believableUse(reported, { inputTokens: 90, outputTokens: 9 }, least).cachedTokens).toBe(cached);
	});

	it("keeps prices if only a strength is wrong or a word has no meaning", () => {
		const facts = new ModelFacts({ "gpt*": { ...set, speed: 2, prize: 3, __proto__: null } });
		expect(facts.priceOf(hosted("gpt-4o"))).toEqual({ inputPerMillion: 7, outputPerMillion: 9 });
		expect(facts.problems).toHaveLength(2);
		expect(facts.strengthsOf(hosted("gpt-4o"))).toEqual(new ModelFacts(undefined).strengthsOf(hosted("gpt-4o")));
	});

	it("describes how fast and capable a model is", () => {
		const facts = new ModelFacts({ mine: { speed: 0.9 }, "m*": { intelligence: 0.1 } });
		expect(facts.strengthsOf(hosted("mine"))).toEqual({ speed: 0.9, intelligence: 0.1 });
	});
});

describe("a cost", () => {
	const price: ModelPrice = { inputPerMillion: 3, outputPerMillion: 15 };

	it("is the price of the tokens of both ways, and unknown without a price", () => {
		expect(costOf(price, { inputTokens: 1_000_000, outputTokens: 200_000 })).toBe(6);
		expect(costOf(undefined, { inputTokens: 0, outputTokens: 0 })).toBeUndefined();
	});

	it.each([
		[undefined, "price unknown"],
		[Number.NaN, "price unknown"],
		[-1, "price unknown"],
		[0, "free"],
		[0.000_01, "less than $0.0001"],
		[0.0001, "$0.0001"],
		[0.001_234, "$0.0012"],
		[0.0099, "$0.0099"],
		[0.0199, "$0.02"],
		[0.1, "$0.10"],
		[0.5678, "$0.57"],
		[0.996, "$1.00"],
		[1.2, "$1.20"],
		[1234.5, "$1,234.50"],
	])("of %s dollars is shown as %s", (dollars, text) => {
		expect(formatCost(dollars)).toBe(text);
	});
});
