import { describe, expect, it } from "vitest";
import { requestBody } from "../../../../../src/models/openai/requestBody.ts";
import { readDraft } from "../../../../../src/features/sampling/review/draft.ts";
import type { ApprovedRequest, DraftProblem } from "../../../../../src/features/sampling/fields.ts";
import { expectedBody } from "../expectedBody.ts";
import { randomEdits } from "../randomRequest.ts";

const profile = {
	maxInputTokens: 10_000,
	maxOutputTokens: 10_000,
	tools: true,
	images: true,
	maxTokensField: "max_tokens",
	systemRole: "system",
	parameters: {},
} as const;

function bytesOf(approved: ApprovedRequest | DraftProblem): string {
	if ("problem" in approved) throw new Error(`${approved.problem} (${approved.place ?? "nowhere"})`);
	const { signal } = new AbortController();
	const { messages, temperature, toolChoice, metadata, ...rest } = approved;
	const endpoint = { baseURL: "http://127.0.0.1/v1", kind: "other" } as const;
	const body = requestBody({ endpoint, model: "scripted-model", profile }, messages, {
		...rest,
		signal,
		...(temperature === undefined ? {} : { temperature }),
		...(toolChoice === undefined ? {} : { toolChoice }),
		...(metadata === undefined ? {} : { metadata }),
	});
	return JSON.stringify(body);
}

describe("SMP-10: the shown text is sent, byte for byte", () => {
	it.each(Array.from({ length: 80 }, (_, index) => index + 1))("after the random edits of seed %i", (seed) => {
		const { request, params, originals, draft, shown } = randomEdits(seed);
		const sent = bytesOf(readDraft(request, originals, draft));
		expect(sent).toBe(JSON.stringify(expectedBody(params, shown)));
	});

	it("with edits of every place, and removals, among them", () => {
		const all = Array.from({ length: 80 }, (_, index) => randomEdits(index + 1));
		const places = new Set(all.flatMap(({ draft }) => Object.keys(draft.changes)));
		expect([...(all[0]?.originals.keys() ?? [])].filter((place) => !places.has(place))).toEqual([]);
		expect(all.filter(({ draft }) => draft.removed.length > 0).length).toBeGreaterThan(20);
	});
});
