/** The facts in the names of models: family, size, speed and intelligence. */
import { describe, expect, it } from "vitest";
import { natureOf } from "../../../src/models/strengths.ts";

describe("the nature of a model", () => {
	it.each([
		["claude-3-haiku-20240307", "claude", "small"],
		["anthropic/claude-sonnet-4.5", "claude", "medium"],
		["us.anthropic.claude-opus-4-1-v1:0", "claude", "large"],
		["sonnet", "claude", "medium"],
		["gpt-4o", "gpt", "medium"],
		["gpt-4o-mini", "gpt", "small"],
		["gpt-5-pro", "gpt", "large"],
		["o1", "gpt", "large"],
		["o4-mini", "gpt", "medium"],
		["gpt-oss:20b", "gpt-oss", "medium"],
		["gemini-2.5-pro", "gemini", "medium"],
		["gemini-2.5-flash-lite", "gemini", "small"],
		["gemma3n:e4b", "gemma", "small"],
		["gemma3:27b", "gemma", "medium"],
		["qwen3:8b", "qwen", "small"],
		["qwen3-30b-a3b", "qwen", "medium"],
		["qwen3:235b", "qwen", "large"],
		["mixtral:8x7b", "mistral", "medium"],
		["Llama-3.3-70B-Instruct", "llama", "medium"],
		["smollm2:135m", "smollm", "small"],
		["kimi-k2-1t", "kimi", "large"],
		["deepseek-chat", "deepseek", "medium"],
		["deepseek-reasoner", "deepseek", "large"],
		["minimax-m2", "minimax", "medium"],
		["mistral-small-latest", "mistral", "small"],
		["claude", "claude", undefined],
		["scripted-model", undefined, undefined],
		["", undefined, undefined],
	])("of %s is %s, %s", (name, family, size) => {
		expect(natureOf(name)).toMatchObject({ family, size });
	});

	it.each([
		["qwen3:0.6b", "qwen3:8b"],
		["qwen3:8b", "qwen3:32b"],
		["gpt-5-nano", "gpt-5-mini"],
		["gpt-5-mini", "gpt-5"],
		["gpt-5", "gpt-5-pro"],
		["claude-haiku-4-5", "claude-sonnet-4-5"],
		["claude-sonnet-4-5", "claude-opus-4-5"],
		["gemini-2.5-flash-lite", "gemini-2.5-flash"],
		["gemini-2.5-flash", "gemini-2.5-pro"],
		["deepseek-chat", "deepseek-reasoner"],
	])("has %s faster and less capable than %s", (smaller, larger) => {
		const [fast, capable] = [natureOf(smaller), natureOf(larger)];
		expect(fast.speed).toBeGreaterThan(capable.speed);
		expect(fast.intelligence).toBeLessThan(capable.intelligence);
	});

	it("has a mixture as capable as all its parameters and as fast as the active ones", () => {
		const [mixture, dense] = [natureOf("qwen3-30b-a3b"), natureOf("qwen3:32b")];
		expect(mixture.speed).toBeGreaterThan(dense.speed + 0.2);
		expect(Math.abs(mixture.intelligence - dense.intelligence)).toBeLessThan(0.05);
	});

	it.each([["0b"], ["1e999b"], [`${"9".repeat(400)}b`], ["b"], ["/"], ["x".repeat(1_000_000)], ["\u0000"]])(
		"of any name is between 0 and 1: %j",
		(name) => {
			const { speed, intelligence } = natureOf(name);
			for (const value of [speed, intelligence]) {
				expect(value).toBeGreaterThanOrEqual(0);
				expect(value).toBeLessThanOrEqual(1);
			}
		},
	);
});
