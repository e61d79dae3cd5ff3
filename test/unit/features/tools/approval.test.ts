import { describe, expect, test } from "vitest";
import { answerAll, type ToolQuestion } from "../../../../src/features/tools/approval.ts";
import { argumentChanges } from "../../../../src/features/tools/outcome.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, User, serve, tool } from "./toolSession.ts";

async function scene(): Promise<{ readonly user: User; readonly ask: () => ToolQuestion }> {
	const server = await serve("s", tool("echo", {}, { inputSchema: { type: "object" } }));
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const user = new User(() => undefined);
	const { signal } = new AbortController();
	const ask = (): ToolQuestion =>
		user.approvals.ask({ callId: "1", entry, arguments: { text: "x".repeat(1_000_000) } }, signal);
	return { user, ask };
}

describe("an open question", () => {
	test("keeps its links however many others are asked after it; ended ones make room (TOL-11)", async () => {
		const { user, ask } = await scene();
		const [first, second] = [ask(), ask()];
		second.decision.answer({ kind: "deny" });
		for (let count = 0; count < 600; count++) ask();
		expect(user.approvals.get(first.decision.id)).toBe(first);
		expect(user.approvals.get(second.decision.id)).toBeUndefined();
	});
});

describe("a settled question", () => {
	test("is found by its links, without its megabytes of content", async () => {
		const { user, ask } = await scene();
		const question = ask();
		expect(user.approvals.get(question.decision.id)).toBe(question);
		question.decision.answer({ kind: "deny" });
		await question.decision.settled;
		const kept = user.approvals.get(question.decision.id);
		expect(kept?.decision.outcome).toEqual({ by: "user", answer: { kind: "deny" } });
		expect(kept?.call.arguments).toEqual({});
	});

	test("leaves its group once all of it are settled", async () => {
		const { user, ask } = await scene();
		const group = user.approvals.group([ask(), ask()]);
		group.questions[0]?.decision.answer({ kind: "allow" });
		await group.questions[0]?.decision.settled;
		expect(user.approvals.groupOf(group.id)).toBe(group);
		answerAll(group, { kind: "deny" });
		await expect.poll(() => user.approvals.groupOf(group.id)).toBeUndefined();
		expect(group.questions.map(({ decision }) => decision.outcome)).toEqual([
			{ by: "user", answer: { kind: "allow" } },
			{ by: "user", answer: { kind: "deny" } },
		]);
	});
});

test("a user's changes are shown member by member, before and after", () => {
	expect(
		argumentChanges(
			{ hotel: "Arts", nights: 3, same: { a: 1, b: 2 }, gone: null },
			{ hotel: "Ritz", nights: 3, same: { b: 2, a: 1 }, added: [1], long: "x".repeat(5000) },
		),
	).toEqual([
		'"hotel": "Arts" → "Ritz"',
		'"gone": null → (absent)',
		'"added": (absent) → [1]',
		expect.stringMatching(/^"long": \(absent\) → "x{499}… \(4,502 more characters\)$/),
	]);
	expect(argumentChanges({}, { toString: 1 })).toEqual(['"toString": (absent) → 1']);
});
