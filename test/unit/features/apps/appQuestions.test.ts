import { expect, test } from "vitest";
import { AppQuestions, type AppQuestion } from "../../../../src/features/apps/appQuestions.ts";

const question = (heading: string): AppQuestion => ({
	heading,
	notes: [],
	warnings: [],
	exact: "",
	answers: [
		{ answer: "deny", label: "Deny" },
		{ answer: "once", label: "Allow Once" },
	],
});

test("questions of an app appear one at a time, and one that has just appeared accepts no answer (APP-09)", async () => {
	let now = 0;
	const questions = new AppQuestions(() => now);
	const { signal } = new AbortController();
	const first = questions.ask(question("first"), signal);
	const second = questions.ask(question("second"), signal);
	const id = questions.current?.id;
	expect(questions.current).toMatchObject({ heading: "first", behind: 1 });
	expect(questions.answer(id, "once")).toBe(false);
	now = 600;
	expect(questions.answer(id, "always")).toBe(false);
	expect(questions.answer("other", "once")).toBe(false);
	expect(questions.answer(id, "once")).toBe(true);
	expect(await first).toBe("once");
	// The click that answered the first does not answer the second.
	expect(questions.answer(questions.current?.id, "once")).toBe(false);
	now = 1200;
	expect(questions.answer(id, "once")).toBe(false);
	expect(questions.answer(questions.current?.id, "deny")).toBe(true);
	expect(await second).toBe("deny");
	expect(questions.current).toBeUndefined();
});

test("a question that ends, or that exceeds the limit, has no answer (APP-09)", async () => {
	const questions = new AppQuestions(() => 0);
	const controller = new AbortController();
	const asked = Array.from({ length: 20 }, (_, index) => questions.ask(question(String(index)), controller.signal));
	expect(await questions.ask(question("more"), new AbortController().signal)).toBeUndefined();
	controller.abort();
	expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
	expect(questions.current).toBeUndefined();
});
