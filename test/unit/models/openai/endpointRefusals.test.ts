import { describe, expect, test } from "vitest";
import type { ModelFailureReason } from "../../../../src/models/failure.ts";
import { adviseRetry, explainFailure, readFailure } from "../../../../src/models/openai/openaiErrors.ts";

function explained(status: number | undefined, body: unknown): { reason: ModelFailureReason; message: string } {
	return explainFailure("Test", "m", readFailure(status, body, []));
}

describe("a refusal is shown by its meaning, with the endpoint's own words", () => {
	const cases: readonly (readonly [reason: ModelFailureReason, status: number | undefined, body: unknown])[] = [
		["too-long", 400, { message: "Input is too long for requested model." }],
		["too-long", 400, { error: { message: "This model's maximum context length is 8192 tokens." } }],
		["too-long", 400, { detail: "Your request exceeded the model's context window" }],
		[
			"too-long",
			422,
			{ errors: [{ message: "input tokens exceed the configured limit: reduce the length of the prompt" }] },
		],
		["too-long", 400, { Message: "Too many input tokens" }],
		["too-long", 500, { error: "prompt does not fit: it is larger than the context window" }],
		["too-long", undefined, { error: { message: "The prompt is longer than the maximum context" } }],
		["too-long", 429, { error: { message: "Request too large for m in organization o on tokens per min (TPM)" } }],
		["blocked", 400, { error: { message: "Your credit balance is too low to access the API." } }],
		["blocked", 403, { error: { code: "insufficient_quota", message: "x" } }],
		["blocked", 429, { error_description: "You have insufficient credits" }],
		["blocked", 400, { error: { message: "The response was filtered due to Azure's content management policy" } }],
		["not-found", 400, { error: { message: "The model 'm' does not exist" } }],
		["not-found", 400, { msg: "unknown model: m" }],
	];
	test.each(cases)("%s for %s %j", (reason, status, body) => {
		expect(explained(status, body).reason).toBe(reason);
	});

	test.each([
		["refused", 401, { message: "Input is too long for requested model." }],
		["refused", 403, { message: "prompt is too long" }],
		["blocked", 429, { message: "Too many requests: too many tokens per minute" }],
		["other", 400, { message: "temperature is too large" }],
		["other", 400, { message: "Invalid value for field" }],
	] as const)("%s for %s %j: words do not change the meaning of a status", (reason, status, body) => {
		expect(explained(status, body).reason).toBe(reason);
	});

	test.each([
		{ message: "why" },
		{ Message: "why" },
		{ msg: "why" },
		{ error: "why" },
		{ error: { message: "why" } },
		{ error: "denied", error_description: "why" },
		{ error: "Bad Request", message: "why", statusCode: 400 },
		{ errors: [{ code: 1, message: "why" }] },
		{ fault: { faultstring: "why" } },
		{ title: "why", status: 400 },
		{ detail: [{ msg: "why" }] },
		"why",
	])("the words of %j are shown", (body) => {
		expect(explained(400, body).message).toMatch(/It says: .*why/);
	});

	test("its words stay on one line, capped, and are not sent again if they are too long", () => {
		const { message } = explained(400, { message: `a\nb\u202E${"x".repeat(1000)}` });
		expect(message).toContain("a b\\u202Ex");
		expect(message.length).toBeLessThan(700);
		const failure = readFailure(500, { error: "prompt is too long" }, []);
		expect(adviseRetry(failure, undefined)).toEqual({ retry: false });
	});
});

describe("a wait is shown with its duration", () => {
	const afterMs = (milliseconds: number): string =>
		explainFailure("Test", "m", { ...readFailure(429, { message: "limit" }, []), afterMs: milliseconds }).message;
	test.each([
		[1, "1 second"],
		[20_000, "20 seconds"],
		[432_000, "8 minutes"],
		[3_600_000, "1 hour"],
		[3_660_000, "1 hour"],
		[7_200_000, "2 hours"],
		[259_200_000, "3 days"],
	])("%i ms as %s", (milliseconds, words) => expect(afterMs(milliseconds)).toContain(`Ask again in ${words}.`));

	test.each([
		["Please try again in 7m12.345s.", "8 minutes"],
		["Please try again in 20s", "20 seconds"],
		["Retry after 30 seconds", "30 seconds"],
		["Quota resets in 2 hours", "2 hours"],
		["wait 5 minutes", "5 minutes"],
	])("from its words: %s", (message, words) => {
		expect(explained(429, { error: { message } }).message).toContain(`Ask again in ${words}.`);
	});

	test("without one it is short", () => {
		expect(explained(429, { error: { message: "Slow down" } }).message).toContain("Wait a moment");
	});
});
