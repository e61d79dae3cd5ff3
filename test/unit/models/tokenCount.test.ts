/** The approximate tokens of a whole request, for budgets and for reviews. */
import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelTool } from "../../../src/models/model.ts";
import { countMessageTokens, estimateRequestTokens } from "../../../src/models/tokenCount.ts";
import { estimateTokens, toolTokens } from "../../../src/models/tokens.ts";

function says(text: string): ModelMessage {
	return { role: "user", content: [{ type: "text", text }] };
}

const tool: ModelTool = { name: "look", description: "Looks at something", inputSchema: { type: "object" } };

describe("estimateRequestTokens", () => {
	it("counts all messages, the system's too, and the tools as they are sent", () => {
		const messages = [{ ...says("Be short."), role: "system" as const }, says("What is the weather?")];
		const sum = messages.reduce((all, message) => all + countMessageTokens(message), 0);
		expect(estimateRequestTokens(messages)).toBe(sum);
		expect(estimateRequestTokens(messages, [tool])).toBe(sum + toolTokens(tool));
		expect(estimateRequestTokens([])).toBe(0);
	});

	it("grows with images and sounds, and with the arguments and results of tools", () => {
		const rest = { mimeType: "image/png", data: "A".repeat(40_000) };
		const result = {
			type: "tool-result",
			callId: "1",
			isError: false,
			content: [{ type: "text", text: "sunny ".repeat(100) }],
		} as const;
		for (const part of [{ type: "image", ...rest }, { type: "audio", ...rest }, result] as const) {
			expect(estimateRequestTokens([{ role: "user", content: [part] }])).toBeGreaterThan(50);
		}
	});

	it("gives long texts the same count each time, also after many others", () => {
		const long = "Barcelona is sunny in May. ".repeat(200_000);
		const first = estimateRequestTokens([says(long)]);
		expect(first).toBeGreaterThan(1_000_000);
		for (let index = 0; index < 20; index++) estimateRequestTokens([says(`${index}${"word ".repeat(200_000)}`)]);
		expect(estimateRequestTokens([says(long)])).toBe(first);
		expect(first).toBe(countMessageTokens(says("")) + estimateTokens(long));
	});
});
