import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { silentLog } from "../../../../src/base/log.ts";
import { CompletionFeed, type CompletionQuery, type Completions } from "../../../../src/questions/completion/feed.ts";

interface Question {
	readonly query: CompletionQuery;
	readonly signal: AbortSignal;
	answer(completions: Completions): void;
	fail(error: Error): void;
}

/** A feed on a server that answers when the test wants. */
function feedWithServer(log = silentLog): { feed: CompletionFeed; questions: Question[] } {
	const questions: Question[] = [];
	const feed = new CompletionFeed((query, signal) => {
		const { promise, resolve, reject } = Promise.withResolvers<Completions>();
		questions.push({ query, signal, answer: resolve, fail: reject });
		return promise;
	}, log);
	return { feed, questions };
}

const to = (value: string, known = {}): CompletionQuery => ({ name: "to", value, known });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the completion feed", () => {
	test("keeps no answer whose question contains a whole file", async () => {
		const { feed, questions } = feedWithServer();
		const isAskedTwice = async (known: Readonly<Record<string, string>>): Promise<boolean> => {
			for (const value of ["R", "Ro", "R"]) {
				feed.request(to(value, known));
				await vi.advanceTimersByTimeAsync(150);
				questions.at(-1)?.answer({ values: [] });
				await vi.advanceTimersByTimeAsync(0);
			}
			return questions.splice(0).length === 3;
		};
		expect(await isAskedTwice({ code: "short" })).toBe(false);
		expect(await isAskedTwice({ code: "x".repeat(20_000) })).toBe(true);
	});

	test("asks once after a pause of 150 ms, with the other arguments", async () => {
		const { feed, questions } = feedWithServer();
		feed.request(to("R"));
		await vi.advanceTimersByTimeAsync(149);
		feed.request(to("Ro", { budget: "1" }));
		await vi.advanceTimersByTimeAsync(149);
		expect(questions).toHaveLength(0);
		expect(feed.isBusy).toBe(true);
		await vi.advanceTimersByTimeAsync(1);
		expect(questions.map(({ query }) => query)).toEqual([to("Ro", { budget: "1" })]);
		questions[0]?.answer({ values: ["Rome"] });
		await vi.advanceTimersByTimeAsync(0);
		expect(feed.values).toEqual(["Rome"]);
		expect(feed.isBusy).toBe(false);
	});

	test("answers that are out of order or late are dropped, their requests aborted", async () => {
		const { feed, questions } = feedWithServer();
		feed.request(to("R"));
		await vi.advanceTimersByTimeAsync(150);
		feed.request(to("Ro"));
		await vi.advanceTimersByTimeAsync(150);
		expect(questions[0]?.signal.aborted).toBe(true);
		questions[1]?.answer({ values: ["Rome"] });
		await vi.advanceTimersByTimeAsync(0);
		questions[0]?.answer({ values: ["Reykjavik"] });
		await vi.advanceTimersByTimeAsync(5000);
		expect(feed.values).toEqual(["Rome"]);
	});

	test("values stay while the same argument is typed on, and are removed when another is requested", async () => {
		const { feed, questions } = feedWithServer();
		feed.request(to("R"));
		await vi.advanceTimersByTimeAsync(150);
		questions[0]?.answer({ values: ["Rome"] });
		await vi.advanceTimersByTimeAsync(0);
		feed.request(to("Ro"));
		expect(feed.values).toEqual(["Rome"]);
		feed.request({ name: "budget", value: "", known: {} });
		expect(feed.values).toEqual([]);
	});

	test("the same question is asked once", async () => {
		const { feed, questions } = feedWithServer();
		feed.request(to("R"));
		await vi.advanceTimersByTimeAsync(150);
		questions[0]?.answer({ values: ["Rome"] });
		await vi.advanceTimersByTimeAsync(0);
		feed.request({ name: "budget", value: "", known: {} });
		feed.request(to("R"));
		expect(feed.values).toEqual(["Rome"]);
		expect(feed.isBusy).toBe(false);
		await vi.advanceTimersByTimeAsync(150);
		expect(questions).toHaveLength(1);
	});

	test("100 of 100,000 values are shown, with a note (PRM-05)", async () => {
		const { feed, questions } = feedWithServer();
		feed.request(to(""));
		await vi.advanceTimersByTimeAsync(150);
		const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
		questions[0]?.answer({ values: ["v0", "", ...values], total: 230_100 });
		await vi.advanceTimersByTimeAsync(0);
		expect(feed.values).toEqual(values.slice(0, 100));
		expect(feed.note).toBe("100 of 230,100 values, type to narrow");
		feed.request(to("v"));
		await vi.advanceTimersByTimeAsync(150);
		questions[1]?.answer({ values: ["v1"], hasMore: true });
		await vi.advanceTimersByTimeAsync(0);
		expect(feed.note).toBe("more values exist, type to narrow");
	});

	test("100,000 values without a count are counted; a count below the received number is ignored (PRM-05)", async () => {
		const { feed, questions } = feedWithServer();
		const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
		for (const [index, total] of [undefined, 3].entries()) {
			feed.request(to(`v${index}`));
			await vi.advanceTimersByTimeAsync(150);
			questions[index]?.answer({ values, total });
			await vi.advanceTimersByTimeAsync(0);
			expect(feed.values).toHaveLength(100);
			expect(feed.note).toBe("100 of 100,000 values, type to narrow");
		}
	});

	test.each([0, 500, 1000, 5000])(
		"a server that takes %d ms shows what belongs to the last text (PRM-05)",
		async (delay) => {
			const asked: string[] = [];
			const feed = new CompletionFeed(async ({ value }) => {
				asked.push(value);
				// The first answers come last.
				await new Promise((resolve) => setTimeout(resolve, delay / asked.length));
				return { values: [`${value}!`] };
			}, silentLog);
			const shown: (readonly string[])[] = [];
			feed.onDidChange(() => shown.push(feed.values));
			for (const value of ["R", "Ro", "Rom"]) {
				feed.request(to(value));
				await vi.advanceTimersByTimeAsync(200);
			}
			await vi.advanceTimersByTimeAsync(delay);
			expect(asked).toEqual(["R", "Ro", "Rom"]);
			expect(feed.values).toEqual(["Rom!"]);
			expect(feed.isBusy).toBe(false);
			// A text's answer is never shown once another one is typed.
			if (delay >= 500) expect(shown.flat()).toEqual(["Rom!"]);
		},
	);

	test("an answer for the previous argument is not shown for the next one, early or late (PRM-05)", async () => {
		const { feed, questions } = feedWithServer();
		feed.request(to("R"));
		await vi.advanceTimersByTimeAsync(150);
		feed.request({ name: "budget", value: "", known: { to: "R" } });
		questions[0]?.answer({ values: ["Rome"] });
		await vi.advanceTimersByTimeAsync(150);
		expect(feed.values).toEqual([]);
		expect(feed.isBusy).toBe(true);
		questions[1]?.answer({ values: ["100"] });
		await vi.advanceTimersByTimeAsync(0);
		expect(feed.values).toEqual(["100"]);
	});

	test("a wrong argument, which the server refuses, does not affect the others (PRM-05)", async () => {
		const { feed, questions } = feedWithServer();
		feed.request({ name: "no such argument", value: "", known: {} });
		await vi.advanceTimersByTimeAsync(150);
		questions[0]?.fail(new Error("Invalid params"));
		feed.request(to("R"));
		await vi.advanceTimersByTimeAsync(150);
		questions[1]?.answer({ values: ["Rome"] });
		await vi.advanceTimersByTimeAsync(0);
		expect(feed.values).toEqual(["Rome"]);
	});

	test("an answer is not used for another context", async () => {
		const { feed, questions } = feedWithServer();
		for (const [index, country] of ["France", "Italy"].entries()) {
			feed.request(to("", { country }));
			await vi.advanceTimersByTimeAsync(150);
			questions[index]?.answer({ values: [country === "France" ? "Paris" : "Rome"] });
			await vi.advanceTimersByTimeAsync(0);
		}
		expect(feed.values).toEqual(["Rome"]);
		feed.request(to("", { country: "France" }));
		expect(feed.values).toEqual(["Paris"]);
		expect(questions).toHaveLength(2);
	});

	test("keeps the last 50 answers, not all of them", async () => {
		const { feed, questions } = feedWithServer();
		for (let index = 0; index <= 50; index++) {
			feed.request(to(String(index)));
			await vi.advanceTimersByTimeAsync(150);
			questions[index]?.answer({ values: ["v"] });
			await vi.advanceTimersByTimeAsync(0);
		}
		feed.request(to("50"));
		await vi.advanceTimersByTimeAsync(150);
		expect(questions).toHaveLength(51);
		feed.request(to("0"));
		await vi.advanceTimersByTimeAsync(150);
		expect(questions).toHaveLength(52);
	});

	test("a failure means no suggestions and a line in the log", async () => {
		const lines: string[] = [];
		const { feed, questions } = feedWithServer({ ...silentLog, debug: (line) => lines.push(line) });
		feed.request(to(""));
		await vi.advanceTimersByTimeAsync(150);
		questions[0]?.fail(new Error("no such argument"));
		await vi.advanceTimersByTimeAsync(0);
		expect(feed.values).toEqual([]);
		expect(feed.isBusy).toBe(false);
		expect(lines).toEqual(['Completion of "to" failed: no such argument']);
	});

	test("disposing aborts and reports nothing more", async () => {
		const { feed, questions } = feedWithServer();
		let changes = 0;
		feed.onDidChange(() => changes++);
		feed.request(to(""));
		await vi.advanceTimersByTimeAsync(150);
		feed.dispose();
		questions[0]?.answer({ values: ["late"] });
		await vi.advanceTimersByTimeAsync(0);
		expect(questions[0]?.signal.aborted).toBe(true);
		expect(changes).toBe(1);
	});
});
