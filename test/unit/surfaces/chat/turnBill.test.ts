import { describe, expect, test } from "vitest";
import type { ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { ServerBills, TurnBill } from "../../../../src/surfaces/chat/turnBill.ts";
import { TurnTexts } from "../../../../src/surfaces/chat/turnTexts.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, User, serve, tool } from "../../features/tools/toolSession.ts";
import { play, type Step } from "./scripted.ts";

const text = { text: { type: "string" } };
const price = { inputPerMillion: 10, outputPerMillion: 100, cachedPerMillion: 1 };

/** Plays a turn with two servers and returns its end line, the text behind it, and the window's totals. */
async function billed(steps: readonly Step[], known: typeof price | "unknown" = price) {
	const talking = await serve("talking", tool("echo", text));
	const silent = await serve("silent\u202E", tool("look", text));
	const directory = directoryOf(talking, silent);
	const window = new ServerBills();
	const bill = new TurnBill(
		{ name: "gpt", provider: "Test" },
		known === "unknown" ? undefined : known,
		() => [...readCatalog(directory).forModels.values()],
		window,
	);
	await play(steps, [talking, silent], new User({ kind: "allow" }), { bill });
	const texts = new TurnTexts();
	const parts: readonly ChatPart[] = bill.parts(texts);
	const [part] = parts;
	const link = part?.kind === "links" ? part.links[0] : undefined;
	return {
		line: link?.label,
		hint: link?.hint ?? "",
		action: link?.action,
		text: texts.textOf(String(link?.detail)),
		talking: window.of(talking.definition.id),
		silent: window.of(silent.definition.id),
	};
}

const call = { name: "talking_echo", arguments: { text: "hi" } };
const cached = { inputTokens: 1200, outputTokens: 40, cachedTokens: 1000 };

describe("MDL-10: the token bill of a turn", () => {
	test("shows in a line the reported usage: tokens, those of a cache, and the price if it is known", async () => {
		const steps = [
			{ calls: [call], usage: { inputTokens: 1000, outputTokens: 20 } },
			{ text: "Done.", usage: cached },
		];
		const { line, hint, action } = await billed(steps);
		// 1200 × 10 + 1000 × 1 + 60 × 100 dollars for a million tokens.
		expect(line).toBe("2,200 tokens in (1,000 of them cached), 60 out · $0.019");
		expect(hint).toMatch(/^2 requests\. Input for tool definitions: ~[\d,]+ tokens; for results: ~[\d,]+ tokens\./);
		expect(action).toBe("turn-text");
		expect((await billed(steps, "unknown")).line).toBe("2,200 tokens in (1,000 of them cached), 60 out");
	});

	test("is marked as an estimate if nothing is reported", async () => {
		expect((await billed([{ text: "Done." }])).line).toMatch(/^About [\d,]+ tokens in, [\d,]+ out · /);
	});

	test("counts for each server the definitions of its tools, and the results of its calls in each later request", async () => {
		const { text: all, talking, silent } = await billed([{ calls: [call] }, { calls: [call] }, { text: "Done." }]);
		expect([talking?.requests, silent?.requests]).toEqual([3, 3]);
		expect(talking?.definitions).toBeGreaterThan(0);
		expect(talking?.results).toBeGreaterThan(0);
		expect(silent?.results).toBe(0);
		expect(talking?.cost).toBeGreaterThan(silent?.cost ?? Infinity);
		expect(all).toMatch(/^3\. About /m);
		expect(all).toMatch(/^talking: definitions ~[\d,]+ tokens, results ~[\d,]+ tokens, /m);
		// Names of servers may hold anything.
		expect(all).toContain("silent");
		expect(all).not.toContain("\u202E");
		expect(all.indexOf("talking:")).toBeLessThan(all.indexOf("silent"));
	});

	test("attributes to a server at most the reported total", async () => {
		const { talking, silent } = await billed([{ text: "Done.", usage: { inputTokens: 400, outputTokens: 5 } }]);
		expect((talking?.definitions ?? 0) + (silent?.definitions ?? 0)).toBeLessThan(400);
		expect(silent?.cost).toBeLessThan(0.004);
	});

	test("is silent for a turn without requests", async () => {
		const bill = new TurnBill({ name: "gpt", provider: "Test" }, price, () => [], new ServerBills());
		expect(bill.parts(new TurnTexts())).toEqual([]);
	});
});
