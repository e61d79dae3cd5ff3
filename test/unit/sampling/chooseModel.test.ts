import { describe, expect, it } from "vitest";
import { chooseModel } from "../../../src/sampling/chooseModel.ts";
import { FakeModel } from "./fakes.ts";

const models = [new FakeModel("llama3:8b"), new FakeModel("Qwen3:8b"), new FakeModel("claude-sonnet")].map(
	({ info }) => info,
);

describe("chooseModel", () => {
	it.each([
		[["qwen"], "Qwen3:8b", "matches the server's hint “qwen”"],
		[["gpt", "sonnet", "llama"], "claude-sonnet", "matches the server's hint “sonnet”"],
		[["gpt"], "llama3:8b", "the first of your models; none matches “gpt”"],
		[["", "  "], "llama3:8b", "the first of your models; none matches “”, “”"],
		[[], "llama3:8b", "the first of your models; the server has no preference"],
	])("takes for the hints %j the model %s", (hints, name, reason) => {
		expect(chooseModel(models, hints)).toMatchObject({ model: { name }, reason });
	});

	it("shows what is hidden in a hint and keeps it short", () => {
		const { reason } = chooseModel(models, [`\u202E${"x".repeat(500)}`]) ?? { reason: "" };
		expect(reason).toContain("\\u202E");
		expect(reason.length).toBeLessThan(200);
	});

	it("has no choice without models", () => {
		expect(chooseModel([], ["qwen"])).toBeUndefined();
	});
});
