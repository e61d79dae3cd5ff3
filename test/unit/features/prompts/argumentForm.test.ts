/** The form of a prompt's arguments, which the panel of src/form shows (BLT-29). */
import { describe, expect, test } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { ValueMemory, type RecentValues } from "../../../../src/questions/completion/recentValues.ts";
import type { CompletionQuery } from "../../../../src/questions/completion/feed.ts";
import { argumentForm, type ArgumentForm } from "../../../../src/features/prompts/argumentForm.ts";
import { listPrompts } from "../../../../src/features/prompts/catalog.ts";
import { FakeDirectory, FakeSession, planVacation } from "./fakeDirectory.ts";
import { memory } from "./memory.ts";

const { signal } = new AbortController();

interface Setting {
	readonly form: ArgumentForm;
	readonly asked: CompletionQuery[];
	readonly recent: RecentValues;
}

async function formOf(given: Readonly<Record<string, string>> = {}, prompt = planVacation): Promise<Setting> {
	const directory = new FakeDirectory(await new FakeSession("travel", [prompt]).ready());
	const [entry] = listPrompts(directory);
	if (entry === undefined) throw new Error("no prompt");
	const asked: CompletionQuery[] = [];
	const recent = new ValueMemory(memory(), "values").of(entry.key);
	recent.remember("destination", "Oslo");
	const form = argumentForm(entry, given, {
		log: silentLog,
		complete: (query) => {
			asked.push(query);
			return Promise.resolve({ values: ["Rome"] });
		},
		fills: {
			offers: [],
			onDidChange: new Emitter<void>().event,
			read: (id) => Promise.resolve(id === "clipboard" ? "two\r\nlines" : undefined),
		},
		recent,
	});
	return { form, asked, recent };
}

/** The value of the form whose fields hold these texts. */
function entered(...texts: readonly string[]): JsonObject {
	const names = ["destination", "departure", "budget", "travelers"];
	return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]).filter(([, text]) => text !== ""));
}

describe("the form of a prompt's arguments", () => {
	test("quotes the server's description of the prompt with every character visible, up to a limit", async () => {
		const prompt = { ...planVacation, description: `Safe\u202E ${"x".repeat(5000)}` };
		const { form } = await formOf({}, prompt);
		expect(form.question.quote).toMatch(/^Safe\\u202E x+… \(3,011 more characters\)$/);
	});

	test("has a field for each, with the values so far, recent values and sources to fill it from", async () => {
		const { form } = await formOf({ departure: "2026-06-01" });
		const { question } = form;
		expect(question.subject).toMatchObject({ kind: "form", server: "travel" });
		expect(question.quote).toBe("Flights, hotel and calendar in one go");
		expect(question.initial).toEqual({ departure: "2026-06-01" });
		const fields = question.content.kind === "fields" ? question.content.fields : [];
		expect(fields.map(({ label, isRequired }) => [label, isRequired])).toEqual([
			["destination", true],
			["departure", true],
			["budget", false],
			["travelers", false],
		]);
		expect(fields[0]).toMatchObject({ kind: "text", description: "Where to", suggests: true, recent: ["Oslo"] });
		expect(fields[0]?.fills?.map(({ label }) => label)).toEqual([
			"Editor Selection",
			"Current File",
			"Clipboard",
			"Output of a Command…",
		]);
	});

	test("names missing or too long values, by field", async () => {
		const { form } = await formOf();
		expect(await form.question.validate(entered(" ", "x", "y".repeat(1_000_001), ""))).toEqual([
			{ path: ["destination"], message: "destination is required" },
			{ path: ["budget"], message: "budget is longer than 1,000,000 characters" },
		]);
		expect(await form.question.validate(entered("Rome", "x", "", ""))).toEqual([]);
	});

	test("completes a field with the others as context", async () => {
		const { form, asked } = await formOf();
		await form.question.complete?.("departure", entered("Rome", "20", "", "2"), signal, "20");
		expect(asked).toEqual([{ name: "departure", value: "20", known: { destination: "Rome", travelers: "2" } }]);
	});

	test("returns the values without empty ones; typed values are remembered, filled ones are not", async () => {
		const { form, recent } = await formOf();
		expect(await form.question.fill?.("departure", "clipboard", signal)).toBe("two\r\nlines");
		expect(await form.question.fill?.("budget", "command", signal)).toBeUndefined();
		expect(form.read(entered("Rome", "two\r\nlines", "", ""))).toEqual({
			destination: "Rome",
			departure: "two\r\nlines",
		});
		expect(recent.of("destination")).toEqual(["Rome", "Oslo"]);
		expect(recent.of("departure")).toEqual([]);
	});
});
