import { describe, expect, test } from "vitest";
import { WaitingAnswers } from "../../../../src/surfaces/chat/waitingAnswers.ts";
import { Decision, type CallPlaceSize, type DecisionSubject } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions, type PendingDecision } from "../../../../src/questions/decisions/pendingDecisions.ts";

/** A pending list, with keys to answer it; `log` records their effects. */
function scene() {
	const pending = new PendingDecisions();
	const log: string[] = [];
	const unsteady = new Set<string>();
	const said: string[] = [];
	const chats = { turns: 1 };
	let focused: PendingDecision | undefined;
	const answers = new WaitingAnswers({
		pending,
		steady: { isSteady: (id) => !unsteady.has(id) },
		links: {
			follow: async (id, action) => {
				log.push(`${String(action)} ${pending.all.find((one) => one.id === id)?.subject.title}`);
				return undefined;
			},
		},
		focusedRow: async () => focused,
		turns: () => chats.turns,
		showList: () => log.push("list"),
		say: (words) => said.push(words),
	});
	const ask = (subject: Partial<DecisionSubject> & { readonly title: string }): Decision<string> => {
		const decision = new Decision<string>({ kind: "sampling", server: "s", ...subject }, "no");
		pending.add(decision, () => log.push(`reveal ${subject.title}`));
		return decision;
	};
	const call = (title: string, fitsIn: CallPlaceSize = "row"): Decision<string> =>
		ask({ kind: "tool", title, call: { about: "", exactly: "", fitsIn } });
	const focus = ({ id }: Decision<string>): void => {
		focused = pending.all.find((one) => one.id === id);
	};
	return { answers, log, said, chats, unsteady, ask, call, focus };
}

describe("a key in the chat (UI-20)", () => {
	test("decides the one waiting call there, despite others in the list", async () => {
		const { answers, log, ask, call } = scene();
		ask({ title: "completion" });
		call("book", "chat");
		for (const action of ["allow", "deny", "edit"] as const) await answers.answer(action, undefined);
		expect(log).toEqual(["allow book", "deny book", "edit book"]);
	});

	test("decides nothing while several chats are running, since its chat is unknown, but shows the list", async () => {
		const { answers, log, chats, ask, call } = scene();
		call("book");
		chats.turns = 2;
		for (const action of ["allow", "deny", "edit"] as const) await answers.answer(action, undefined);
		expect(log).toEqual(["list", "list", "list"]);
		const completion = ask({ title: "completion" });
		await answers.answer("deny", undefined);
		expect(completion.outcome).toBeUndefined();
	});

	test("shows its decision, which may be in another chat than the focused one", async () => {
		const { answers, said, call } = scene();
		call("book", "chat");
		await answers.answer("edit", undefined);
		expect(said).toEqual([]);
		await answers.answer("allow", undefined);
		await answers.answer("deny", undefined);
		expect(said).toEqual(["Allowed: book of s", "Denied: book of s"]);
	});

	test("decides none of several, but shows them", async () => {
		const { answers, log, call } = scene();
		call("one");
		call("two");
		await answers.answer("allow", undefined);
		await answers.answer("deny", undefined);
		expect(log).toEqual(["list", "list"]);
	});

	test("decides nothing that the user cannot have read so far", async () => {
		const { answers, log, unsteady, call } = scene();
		unsteady.add(call("book").id);
		expect(await answers.answer("allow", undefined)).toMatch(/^Nothing was decided/);
		expect(await answers.answer("deny", undefined)).toMatch(/^Nothing was decided/);
		expect(log).toEqual([]);
	});

	test("opens the form of a call that must be seen in full", async () => {
		const { answers, log, call } = scene();
		call("book", "form");
		await answers.answer("allow", undefined);
		expect(log).toEqual(["edit book"]);
	});

	test("opens a question that is not a call, and refuses it, but never approves it", async () => {
		const { answers, log, ask } = scene();
		const completion = ask({ title: "completion" });
		await answers.answer("allow", undefined);
		await answers.answer("edit", undefined);
		expect(log).toEqual(["reveal completion", "reveal completion"]);
		expect(completion.outcome).toBeUndefined();
		await answers.answer("deny", undefined);
		expect(completion.outcome).toEqual({ by: "user", answer: "no" });
		expect(await answers.answer("allow", undefined)).toBe("No requests are waiting for you.");
	});

	test("does not decide the approval of a server", async () => {
		const { answers, log, ask } = scene();
		ask({ kind: "start", title: "start" });
		expect(await answers.answer("allow", undefined)).toBe("No requests are waiting for you.");
		expect(log).toEqual([]);
	});
});

describe("a row of Pending (UI-21)", () => {
	test("is decided by its icons, and no other", async () => {
		const { answers, log, call } = scene();
		const [first] = [call("first"), call("second")];
		for (const action of ["allow", "deny", "edit"] as const) await answers.answer(action, { id: first.id });
		expect(log).toEqual(["allow first", "deny first", "edit first"]);
		expect(await answers.answer("allow", { id: "of another window" })).toMatch(/already ended/);
	});

	test("is decided by a key when it has the focus", async () => {
		const { answers, log, call, focus } = scene();
		const [, second] = [call("first"), call("second")];
		expect(await answers.answer("allow", "list")).toBeUndefined();
		expect(log).toEqual([]);
		focus(second);
		await answers.answer("allow", "list");
		expect(log).toEqual(["allow second"]);
	});

	test.each<CallPlaceSize>(["chat", "form"])(
		"opens its form in place of allowing a call that fits only in the %s",
		async (place) => {
			const { answers, log, call, focus } = scene();
			focus(call("book", place));
			await answers.answer("allow", "list");
			await answers.answer("deny", "list");
			expect(log).toEqual(["edit book", "deny book"]);
		},
	);
});
