import { describe, expect, test } from "vitest";
import { openingParts, contextNote } from "../../../../src/surfaces/chat/opening.ts";
import { openToolBox } from "../../../../src/features/agentTools/toolBox.ts";
import type { LongerContext, ModelInfo, ModelMessage } from "../../../../src/models/model.ts";
import { mostToolTokens, toolBudget } from "../../../../src/features/tools/toolLimits.ts";
import { directoryOf, serve, tool } from "../../features/tools/toolSession.ts";
import { noPins } from "./scripted.ts";

const usual: ModelInfo = {
	id: "ollama/llama3.2",
	name: "llama3.2",
	provider: "Ollama (127.0.0.1:11434)",
	maxInputTokens: 3072,
	maxOutputTokens: 1024,
	supportsTools: true,
	supportsImages: false,
	longerContext: { tokens: 131_072, by: "ollama" },
};

/** The message for a turn with this many tools. */
async function noted(
	info: ModelInfo,
	tools: number,
	{
		toolTokens = 10_000,
		text = "Hello",
		isFirst = true,
	}: { readonly toolTokens?: number; readonly text?: string; readonly isFirst?: boolean } = {},
): Promise<string | undefined> {
	const description =
		"Does something that is worth some twenty words of description to whoever may want to call it one day.";
	const all = Array.from({ length: tools }, (_, index) =>
		tool(`tool${index}`, { place: { type: "string" } }, { description }),
	);
	const box = openToolBox({
		directory: directoryOf(await serve("s", ...all)),
		pins: noPins,
		budgetTokens: toolBudget(toolTokens, info.maxInputTokens),
		mostTokens: mostToolTokens(info.maxInputTokens),
	});
	const messages: readonly ModelMessage[] = [{ role: "user", content: [{ type: "text", text }] }];
	return contextNote({ info, box, toolTokens, history: isFirst ? [] : messages, messages });
}

describe("a model with a short context (TOL-30)", () => {
	test("that does not receive all tools for that reason is named, with the numbers and the next step", async () => {
		expect(await noted(usual, 30)).toMatch(
			/^llama3\.2 has a context of 3,072 tokens\. All 30 tools would need ~[\d,]+ tokens, .*supports 131,072 tokens.* Start Ollama with a larger OLLAMA_CONTEXT_LENGTH/,
		);
		// Once in a chat.
		expect(await noted(usual, 30, { isFirst: false })).toBeUndefined();
		const by = (server: LongerContext["by"]): ModelInfo => ({ ...usual, longerContext: { tokens: 8192, by: server } });
		expect(await noted(by("lm-studio"), 30)).toMatch(
			/supports 8,192 tokens.* Load it in LM Studio with a longer context/,
		);
		expect(await noted(by("llama.cpp"), 30)).toMatch(
			/supports 8,192 tokens.* Start llama\.cpp with a larger --ctx-size/,
		);
		const { longerContext: _, ...other } = usual;
		expect(await noted(other, 30)).toMatch(/Choose a model with a longer context, or use fewer servers/);
	});

	test("into which the request does not fit is named, since its endpoint reports nothing", async () => {
		expect(await noted(usual, 1, { text: "word ".repeat(5000), isFirst: false })).toMatch(
			/this request has ~1[\d],000 tokens.*cut off/,
		);
	});

	test.each<[string, ModelInfo, number, number]>([
		["there is room", usual, 2, 10_000],
		["the user's own limit is the reason", { ...usual, maxInputTokens: 100_000 }, 30, 500],
		["there are too many tools for any model", { ...usual, maxInputTokens: 100_000 }, 300, 10_000],
		["it calls no tools", { ...usual, supportsTools: false }, 30, 10_000],
		["its context is unknown", { ...usual, maxInputTokens: 0 }, 30, 10_000],
	])("is not mentioned if %s", async (_why, info, tools, toolTokens) => {
		expect(await noted(info, tools, { toolTokens })).toBeUndefined();
	});

	test("is offered a longer one if its server supports it", () => {
		const box = openToolBox({ directory: directoryOf(), pins: noPins, budgetTokens: 0 });
		const choice = { without: new Set<string>(), text: "" };
		const pins = { instructionChange: () => undefined };
		const long: readonly ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "word ".repeat(5000) }] }];
		const context = { box, toolTokens: 10_000, history: [], messages: long };
		const give = {
			kind: "links",
			id: usual.id,
			links: [{ label: "Set a Longer Context…", action: "give-context" }],
		};
		expect(openingParts({ info: usual, choice, box, coming: [], pins, context })).toContainEqual(give);
		const { longerContext: _, ...other } = usual;
		// Only Ollama makes one on request.
		const loaded: ModelInfo = { ...usual, longerContext: { tokens: 131_072, by: "lm-studio" } };
		for (const info of [other, loaded]) {
			const plain = JSON.stringify(openingParts({ info, choice, box, coming: [], pins, context }));
			expect(plain).toContain("cut off the beginning");
			expect(plain).not.toContain("give-context");
		}
	});
});
