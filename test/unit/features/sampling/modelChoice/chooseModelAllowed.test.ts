/** Which models servers may use: the setting `mcpHost.sampling.models` (SMP-08). */
import { describe, expect, it } from "vitest";
import * as library from "../../../../../src/base/glob.ts";
import { ModelFacts } from "../../../../../src/models/modelFacts.ts";
import { notReadYet, parseAllowedModels } from "../../../../../src/features/sampling/modelChoice/allowedModels.ts";
import type { Asker } from "../../../../../src/permissions/budgets/asker.ts";
import { type ModelPreferences, SamplingModels } from "../../../../../src/features/sampling/modelChoice/chooseModel.ts";
import type { ServerDefinition } from "../../../../../src/servers/definitions/config.ts";
import { FakeModel } from "../fakes.ts";

const names = ["qwen3:8b", "Llama3:70B", "gpt-5-pro", "openai/gpt-5-mini"];
const models = names.map((name) => new FakeModel(name, "Ollama").info);
const none: ModelPreferences = { hints: [], cost: undefined, speed: undefined, intelligence: undefined };

function asker(name: string, configured = name): Asker {
	const origin = { kind: "user-settings", label: "User Settings", isWorkspace: false } as const;
	const id = `user-settings:#${configured}`;
	return {
		id,
		name,
		definition: { id, name, origin } as unknown as ServerDefinition,
		during: undefined,
		isForUser: false,
	};
}

function allowedFor(server: Asker | string, setting: unknown): readonly string[] {
	const parsed = parseAllowedModels(setting, library);
	const by = typeof server === "string" ? asker(server) : server;
	return models.filter((model) => parsed.whyNot(model, by) === undefined).map(({ name }) => name);
}

describe("the models of a server (SMP-08)", () => {
	it.each([
		[undefined, names],
		[{}, names],
		[{ other: [] }, names],
		[{ weather: [] }, []],
		[{ weather: ["qwen3:8b"] }, ["qwen3:8b"]],
		[{ weather: ["QWEN*", "llama*"] }, ["qwen3:8b", "Llama3:70B"]],
		[{ weather: ["*"] }, names],
		[{ weather: ["ollama/gpt*"] }, ["gpt-5-pro"]],
		[{ weather: ["*mini"] }, ["openai/gpt-5-mini"]],
		[{ weather: ["{qwen,gpt}*"] }, ["qwen3:8b", "gpt-5-pro"]],
		[{ weather: ["!gpt*"] }, ["qwen3:8b", "Llama3:70B", "openai/gpt-5-mini"]],
		[{ weather: ["!*gpt*"] }, ["qwen3:8b", "Llama3:70B"]],
		[{ weather: ["*gpt*", "!*pro"] }, ["openai/gpt-5-mini"]],
		[{ "*": ["qwen*"] }, ["qwen3:8b"]],
		[{ "w*": ["qwen*"], "*": [] }, ["qwen3:8b"]],
		// The first matching pattern counts, and an exact name takes precedence.
		[{ "*": [], "w*": ["qwen*"] }, []],
		[{ "*": [], weather: ["qwen*"] }, ["qwen3:8b"]],
		[{ "!github": ["qwen*"] }, ["qwen3:8b"]],
		[{ "!weather": ["qwen*"] }, names],
	])("by %j are %j", (setting, expected) => {
		expect(allowedFor("weather", setting)).toEqual(expected);
		expect(parseAllowedModels(setting, library).problems).toEqual([]);
	});

	it.each([
		["no object", []],
		[[], []],
		[true, []],
		[{ weather: "qwen*" }, []],
		[{ weather: null }, []],
		[{ weather: { models: ["*"] } }, []],
		[{ weather: ["*", 5] }, []],
		[{ weather: ["*", ""] }, []],
		[{ weather: ["*", "a\\b"] }, []],
		[{ weather: ["*", "!"] }, []],
		[{ weather: ["*", "!!gpt*"] }, []],
		[{ weather: ["*", "x".repeat(2000)] }, []],
		[{ weather: ["*", "{1..100000}"] }, []],
		[{ weather: Array.from({ length: 500 }, () => "*") }, []],
		[{ "\u200Bweather": ["*"] }, []],
		[{ "{1..100000}": ["*"] }, []],
		[Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, ["*"]])), []],
		// An entry for the exact name is read before an invalid pattern.
		[{ "a\\b": [], weather: ["qwen*"] }, ["qwen3:8b"]],
		[{ "*": 5, weather: ["qwen*"] }, ["qwen3:8b"]],
	])("by %j, which cannot be read, are at most %j, and the fault is reported", (setting, expected) => {
		expect(allowedFor("weather", setting)).toEqual(expected);
		const { problems } = parseAllowedModels(setting, library);
		expect(problems.length).toBeGreaterThan(0);
		for (const problem of problems) expect(problem).toMatch(/^mcpHost\.sampling\.models.*\.$/);
	});

	it("are also those of its name in its file, and a similar name does not evade the limit", () => {
		const setting = { weather: ["qwen*"] };
		expect(allowedFor(asker("weather (.mcp.json)", "weather"), setting)).toEqual(["qwen3:8b"]);
		expect(allowedFor("wea\u200Bther", { "weather*": ["qwen*"] })).toEqual(["qwen3:8b"]);
		expect(allowedFor("WEATHER", { "weather*": ["qwen*"] })).toEqual(["qwen3:8b"]);
	});

	it("show why others are not allowed", () => {
		const [, llama] = models;
		if (llama === undefined) throw new Error("missing");
		const { whyNot } = parseAllowedModels({ weather: ["qwen*"], broken: 5 }, library);
		expect(whyNot(llama, asker("weather"))).toBe("not allowed for this server");
		expect(whyNot(llama, asker("broken"))).toBe("not allowed, because mcpHost.sampling.models cannot be read");
		expect(notReadYet.whyNot(llama, asker("weather"))).toBe("mcpHost.sampling.models is being read");
	});

	it("a model whose name hides characters is not allowed by a pattern", () => {
		const { info } = new FakeModel("qwen\u200B3");
		expect(parseAllowedModels({ "*": ["qwen*"] }, library).whyNot(info, asker("weather"))).toBeDefined();
	});
});

describe("choosing for a server", () => {
	const setting = { weather: ["qwen*", "gpt-5-pro"], nobody: [], "b*": [7] };

	function chooser(): SamplingModels {
		const choice = new SamplingModels();
		choice.update(new ModelFacts(undefined), parseAllowedModels(setting, library));
		return choice;
	}

	it("a hint at an expensive model does not force it if it is not allowed (SMP-08, BLT-12)", () => {
		const preferences = { ...none, hints: ["llama", "gpt-5-mini"], intelligence: 1 };
		const { chooser: choice } = chooser();
		expect(choice.choose(models, preferences, asker("other"))?.model.name).toBe("Llama3:70B");
		const allowed = choice.choose(models, preferences, asker("weather"));
		expect(allowed?.model.name).toBe("qwen3:8b");
	});

	it("never chooses a model that is not allowed, for any hints and priorities", () => {
		const { chooser: choice } = chooser();
		for (const hint of [...names, "", "gpt", "claude-3-haiku", "ollama", "*"]) {
			for (const intelligence of [undefined, 1]) {
				for (const server of ["weather", "nobody", "broken", "other"]) {
					const by = asker(server);
					const chosen = choice.choose(models, { ...none, hints: [hint], intelligence }, by)?.model;
					const allowed = allowedFor(by, setting);
					if (allowed.length === 0) expect(chosen).toBeUndefined();
					else expect(allowed).toContain(chosen?.name);
				}
			}
		}
	});

	it("announces that the settings have changed", () => {
		const choice = new SamplingModels();
		const seen: string[] = [];
		choice.chooser.onDidChange(() => seen.push("models"));
		choice.prices.onDidChange(() => seen.push("prices"));
		choice.update(new ModelFacts([]), parseAllowedModels([], library));
		expect(seen).toEqual(["models", "prices"]);
		expect(choice.problems).toHaveLength(2);
	});
});
