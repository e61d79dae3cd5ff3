/** The model that answers a server: hints in order, priorities between matches, and the reason. */
import { describe, expect, it } from "vitest";
import { hasHiddenCharacters } from "../../../../../src/base/text.ts";
import { ModelFacts } from "../../../../../src/models/modelFacts.ts";
import type { ModelInfo } from "../../../../../src/models/model.ts";
import { chooseModel, type ModelPreferences } from "../../../../../src/features/sampling/modelChoice/chooseModel.ts";
import { readSamplingRequest } from "../../../../../src/features/sampling/request.ts";
import { FakeModel } from "../fakes.ts";

const none: ModelPreferences = { hints: [], cost: undefined, speed: undefined, intelligence: undefined };

function infos(names: readonly string[], isLocal = false): readonly ModelInfo[] {
	return names.map((name) => ({ ...new FakeModel(name, "Ollama").info, ...(isLocal && { isLocal: true as const }) }));
}

function choose(names: readonly string[], preferences: Partial<ModelPreferences>, setting?: unknown) {
	const { model, reason } = chooseModel(infos(names), { ...none, ...preferences }, new ModelFacts(setting)) ?? {};
	return { name: model?.name, reason };
}

describe("hints", () => {
	const three = ["llama3:8b", "Qwen3:8b", "claude-sonnet"];

	it.each([
		[three, ["qwen"], "Qwen3:8b", "the server's hint “qwen” matches this model"],
		[
			three,
			["gpt", "sonnet", "llama"],
			"claude-sonnet",
			"the server's hint “sonnet” matches this model; none matches “gpt”",
		],
		[["gpt-4o-mini", "gpt-4o"], ["gpt-4o"], "gpt-4o", "the server's hint “gpt-4o” names this model"],
		[
			["openai/gpt-4o-mini", "openai/gpt-4o"],
			["gpt-4o"],
			"openai/gpt-4o",
			"the server's hint “gpt-4o” names this model",
		],
		[three, ["ollama/qwen3:8b"], "Qwen3:8b", "the server's hint “ollama/qwen3:8b” names this model"],
		[["qwen3:8b", "qwen3:4b"], ["qwen"], "qwen3:8b", "the server's hint “qwen” matches 2 models; the first of them"],
		[three, ["ollama"], "llama3:8b", "the server's hint “ollama” matches 3 models; the first of them"],
	])("of %j choose for %j the model %s", (names, hints, name, reason) => {
		expect(choose(names, { hints })).toEqual({ name, reason });
	});

	it("name a model of two endpoints, between which the priorities decide", () => {
		const [dear, cheap] = [new FakeModel("gpt-4o", "Gateway").info, new FakeModel("gpt-4o", "Provider").info];
		const facts = new ModelFacts({ "gateway/*": { input: 9, output: 9 } });
		expect(chooseModel([dear, cheap], { ...none, hints: ["gpt-4o"], cost: 1 }, facts)).toEqual({
			model: cheap,
			reason: "the server's hint “gpt-4o” names 2 models; the cheapest of them",
		});
	});

	it.each([
		["claude-3.5-sonnet", "claude-3-5-sonnet-20241022"],
		["claude-3-5-sonnet", "claude-3-5-sonnet-20241022"],
		["claude-3-5-sonnet", "anthropic/claude-3.5-sonnet"],
		["mistral-small:24b", "mistral-small-latest"],
		["gpt-4o", "gpt-4o-2024-08-06"],
	])("match %s by the hint %s, ignoring punctuation, provider and release", (name, hint) => {
		expect(choose(["llama3:8b", name], { hints: [hint] }).name).toBe(name);
	});

	it("match names before providers of the same name", () => {
		expect(choose(["qwen3:8b", "ollama-special"], { hints: ["ollama"], speed: 1 }).name).toBe("ollama-special");
	});

	it("of `llama` do not match everything that Ollama has", () => {
		expect(choose(["qwen3:8b", "llama3:8b"], { hints: ["llama"] }).name).toBe("llama3:8b");
	});

	it.each([
		[["gpt-4o", "claude-haiku-4-5", "claude-sonnet-4-5"], "claude-3-5-sonnet", "claude-sonnet-4-5"],
		[["gpt-5", "gpt-5-mini"], "gpt-4o-mini", "gpt-5-mini"],
		[["mine", "qwen2.5:32b"], "qwen3:235b", "qwen2.5:32b"],
		[["gpt-4o", "opus-latest"], "claude", "opus-latest"],
		[["llama3:8b", "gpt-4o"], "openai", "gpt-4o"],
	])("of %j that match no name: %s is replaced by its family's %s", (names, hint, name) => {
		const choice = choose(names, { hints: [hint] });
		expect(choice.name).toBe(name);
		expect(choice.reason).toMatch(/ matches none of the available models; .* of its family/);
	});

	it.each([
		["claude-3-haiku", "qwen3:8b", "(small, fast)"],
		["claude-3-sonnet", "gemini-1.5-pro", "(medium-sized)"],
		["claude-3-opus", "o1", "(large, capable)"],
		// Not by the expensive one of its family either.
		["gpt-4o-mini", "gemini-2.5-flash", "(small, fast)"],
		["gpt-4.1-nano", "claude-haiku-4-5", "(small, fast)"],
	])("of other providers: %s is replaced by %s", (hint, name, size) => {
		const others = ["gemini-1.5-pro", "o1", name.includes("flash") || name.includes("haiku") ? name : "qwen3:8b"];
		expect(choose(others, { hints: [hint] })).toEqual({
			name,
			reason: `the server's hint “${hint}” matches none of the available models; ${name} is of the same class ${size}`,
		});
	});

	it("are all tried by name before any is replaced", () => {
		expect(choose(["gpt-4.1", "my-model"], { hints: ["gpt-4o", "my-model"] }).name).toBe("my-model");
	});

	it("without a meaning leave the choice to the user's order", () => {
		const reason = "the first of the available models; the server has no preference";
		expect(choose(three, {})).toEqual({ name: "llama3:8b", reason });
		expect(choose(three, { hints: ["gpt"] }).reason).toBe("the first of the available models; none matches “gpt”");
		expect(choose(["one"], { hints: ["x-model", "y", "z"] }).reason).toBe(
			"the only available model; it does not match “x-model”, “y” and others",
		);
	});
});

describe("priorities", () => {
	const sizes = ["qwen3:8b", "qwen3:0.6b", "qwen3:32b"];
	const prices = { "qwen3:8b": { input: 1, output: 1 }, "qwen3:0.6b": { input: 2, output: 2 } };

	it.each([
		[{ cost: 1 }, "qwen3:8b", "the cheapest of the available models; the server hints at none"],
		[{ speed: 0.1 }, "qwen3:0.6b", "the fastest of the available models; the server hints at none"],
		[{ intelligence: 0.9 }, "qwen3:32b", "the most capable of the available models; the server hints at none"],
		[
			{ intelligence: 1, cost: 0.2, speed: 0.2 },
			"qwen3:32b",
			"the best of the available models by the server's priorities (intelligence before cost and speed); the server hints at none",
		],
		[{ cost: 0, speed: 0 }, "qwen3:8b", "the first of the available models; the server has no preference"],
		[{ hints: ["qwen"], speed: 1 }, "qwen3:0.6b", "the server's hint “qwen” matches 3 models; the fastest of them"],
		[{ hints: ["qwen"] }, "qwen3:8b", "the server's hint “qwen” matches 3 models; the first of them"],
		[{ hints: ["8b"], speed: 1 }, "qwen3:8b", "the server's hint “8b” matches this model"],
		[{ hints: ["gpt"], intelligence: 1 }, "qwen3:32b", "the most capable of the available models; none matches “gpt”"],
	])("%j take %s (BLT-12)", (preferences, name, reason) => {
		expect(choose(sizes, preferences, prices)).toEqual({ name, reason });
	});

	it("do not treat an unknown price as cheap", () => {
		expect(choose(["dear", "unknown"], { cost: 1 }, { dear: { input: 90, output: 90 } }).name).toBe("dear");
	});

	it("treat models in the user's own network as free", () => {
		const [own, hosted] = [infos(["qwen3:8b"], true), infos(["gpt-5-nano"])];
		const choice = chooseModel([...hosted, ...own], { ...none, cost: 1 }, new ModelFacts(undefined));
		expect(choice?.model.name).toBe("qwen3:8b");
	});

	it("are weighed against each other", () => {
		const models = ["claude-opus-4-5", "gpt-4o-mini"];
		expect(choose(models, { intelligence: 1, cost: 0.3 }).name).toBe("claude-opus-4-5");
		expect(choose(models, { intelligence: 0.3, cost: 1 }).name).toBe("gpt-4o-mini");
	});

	it("follow the user's settings of speed and intelligence", () => {
		const setting = { slow: { speed: 0.1 }, "fast*": { speed: 0.9 } };
		expect(choose(["slow", "faster"], { speed: 1 }, setting).name).toBe("faster");
	});

	it("that distinguish none keep the user's order, and show it", () => {
		const reason = "the first of the available models; the server hints at none";
		expect(choose(["one", "two"], { cost: 1, speed: 1, intelligence: 1 })).toEqual({ name: "one", reason });
	});
});

describe("any input of a server", () => {
	const hostile = [
		"",
		" ",
		"\u0000",
		"\u202Egpt",
		"$(shield) [a](command:x)",
		".*",
		"[",
		"/",
		"///",
		"-",
		"0b",
		"99999999999999999999b",
		"9".repeat(400) + "b",
		"0x0b",
		"1e9b",
		"__proto__",
		"constructor",
		"👍".repeat(1000),
		"a".repeat(1_000_000),
		"-".repeat(1_000_000),
		"\ud800",
	];

	it.each(hostile.map((hint) => [hint.slice(0, 30), hint]))(
		"the hint %j neither throws nor fills the panel (SMP-08)",
		(_, hint) => {
			const { name, reason } = choose(["constructor", "qwen3:8b"], {
				hints: [hint],
				cost: Number.NaN,
				speed: Infinity,
			});
			expect(name).toBeDefined();
			expect(reason?.length).toBeLessThan(200);
			expect(hasHiddenCharacters(reason ?? "") || /\n/.test(reason ?? "")).toBe(false);
		},
	);

	it("hints without a name are ignored, and the others count (BLT-11)", () => {
		const hints = [{}, { name: "qwen" }, {}];
		const { preferences } = readSamplingRequest({
			messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
			maxTokens: 10,
			modelPreferences: { hints, speedPriority: 1 },
		});
		expect(choose(["llama3:8b", "qwen3:32b", "qwen3:8b"], preferences)).toEqual({
			name: "qwen3:8b",
			reason: "the server's hint “qwen” matches 2 models; the fastest of them",
		});
	});

	it("thousands of hints are processed only in part", () => {
		const hints = Array.from({ length: 100_000 }, (_, index) => `no-${index}`);
		expect(choose(["qwen3:8b", "other"], { hints: [...hints, "other"] }).name).toBe("qwen3:8b");
	});

	it.each([[-5], [Number.NaN], [-Infinity], [0]])("the priority %s is ignored", (value) => {
		const preferences = { cost: value, speed: value, intelligence: value };
		expect(choose(["qwen3:32b", "qwen3:0.6b"], preferences).name).toBe("qwen3:32b");
	});

	it("a priority above 1 weighs no more than 1", () => {
		const names = ["claude-opus-4-5", "gpt-4o-mini"];
		const preferences = { intelligence: 1, cost: 0.3 };
		expect(choose(names, { ...preferences, intelligence: 1e300 })).toEqual(choose(names, preferences));
	});

	it("without models there is no choice", () => {
		expect(chooseModel([], none, new ModelFacts(undefined))).toBeUndefined();
	});
});

describe("any request", () => {
	const names =
		"gpt-4o gpt-4o-mini gpt-5 claude-opus-4-5 claude-3-haiku qwen3:8b qwen3:0.6b llama3.3:70b mine o3-mini".split(" ");
	const words = ["gpt", "claude-3-5-sonnet", "qwen", "haiku", "mini", "nothing", "openai/gpt-4o", "", "sonnet", "8b"];

	/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
	function randomFrom(seed: number): () => number {
		let state = seed;
		return () => {
			state = (state + 0x6d2b79f5) | 0;
			let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
			mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
			return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
		};
	}

	function* cases(): Generator<{
		readonly models: readonly ModelInfo[];
		readonly preferences: ModelPreferences;
		readonly random: () => number;
	}> {
		for (let seed = 1; seed <= 500; seed++) {
			const random = randomFrom(seed);
			const priority = (): number | undefined => (random() < 0.3 ? undefined : Math.round(random() * 10) / 10);
			const models = infos(shuffle(names, random).slice(0, 1 + Math.floor(random() * names.length)));
			const hints = shuffle(words, random).slice(0, Math.floor(random() * 4));
			yield { models, preferences: { hints, cost: priority(), speed: priority(), intelligence: priority() }, random };
		}
	}

	function shuffle<T>(items: readonly T[], random: () => number): readonly T[] {
		const rest = [...items];
		return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
	}

	const facts = new ModelFacts(undefined);

	it("is answered with one of its models, the same one each time, and a reason", () => {
		for (const { models, preferences } of cases()) {
			const choice = chooseModel(models, preferences, facts);
			expect(models).toContain(choice?.model);
			expect(choice?.reason).not.toBe("");
			expect(chooseModel(models, preferences, facts)).toEqual(choice);
		}
	});

	it("gets the same model in every order of the models, except for equals, which the order decides", () => {
		let changes = 0;
		for (const { models, preferences, random } of cases()) {
			const model = chooseModel(models, preferences, facts)?.model;
			const again = chooseModel(shuffle(models, random), preferences, facts);
			if (model === undefined || again === undefined) throw new Error("There is always a choice");
			if (again.model === model) continue;
			const other = again.model;
			expect(chooseModel([model, other], preferences, facts)?.model).toBe(model);
			expect(chooseModel([other, model], preferences, facts)?.model).toBe(other);
			changes++;
		}
		// Many have no priorities.
		expect(changes).toBeGreaterThan(0);
		expect(changes).toBeLessThan(250);
	});

	it("is not affected by additional worse models: the choice stays", () => {
		for (const { models, preferences } of cases()) {
			const best = chooseModel(models, preferences, facts);
			if (best === undefined || preferences.hints.length > 0) continue;
			for (const other of models) {
				if (other === best.model) continue;
				const pair = models.filter((model) => model === other || model === best.model);
				expect(chooseModel(pair, preferences, facts)?.model).toBe(best.model);
			}
		}
	});
});
