import { describe, expect, test } from "vitest";
import { WaitingAnswers } from "../../../../src/surfaces/chat/waitingAnswers.ts";
import { guestQuestions } from "../../../../src/surfaces/guest/guestQuestions.ts";
import { DecisionQueue } from "../../../../src/questions/decisions/queue.ts";
import type { FormSession } from "../../../../src/questions/form/formSession.ts";
import type { ToolQuestion } from "../../../../src/features/tools/approval.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, User, serve, tool } from "../../features/tools/toolSession.ts";

/** A question about a call of an agent, which waits for the user. */
async function scene() {
	const session = await serve("travel", tool("book", { city: { type: "string" } }));
	const [entry] = readCatalog(directoryOf(session)).entries;
	if (entry === undefined) throw new Error("no tool");
	const { approvals, pending, policy } = new User({ kind: "deny" });
	const queue = new DecisionQueue(pending);
	const forms: FormSession[] = [];
	const followed: unknown[] = [];
	const links = {
		follow: async (...link: readonly unknown[]): Promise<undefined> => {
			followed.push(link[1]);
			return undefined;
		},
	};
	const caller = guestQuestions({ queue, showForm: (form) => void forms.push(form), policy, links });
	const call = { callId: "1", entry, arguments: { city: "Rome" }, caller };
	const question = approvals.ask(call, new AbortController().signal);
	const keys = new WaitingAnswers({
		pending,
		steady: { isSteady: () => true },
		links,
		focusedRow: async () => pending.all[0],
		turns: () => 0,
		showList: () => undefined,
		say: () => undefined,
	});
	const open = (): FormSession => {
		pending.all[0]?.reveal();
		const form = forms.at(-1);
		if (form === undefined) throw new Error("no form");
		return form;
	};
	return { question, pending, queue, forms, followed, keys, open };
}

async function outcomeOf({ decision }: ToolQuestion): Promise<unknown> {
	return decision.settled;
}

describe("a question about a call of another agent (GST-03)", () => {
	test("waits in the list and is announced, without opening automatically", async () => {
		const { pending, queue, forms } = await scene();
		expect(pending.all.map(({ subject }) => [subject.server, subject.title])).toEqual([["travel", "book"]]);
		expect(queue.unseen).toHaveLength(1);
		expect(forms).toEqual([]);
	});

	test("opens in a form with all of its arguments, once for any number of requests", async () => {
		const { question, open, forms } = await scene();
		const form = open();
		expect(form.document).toMatchObject({
			heading: "VS Code's agent wants to call book of travel",
			submitLabel: "Allow Once",
			canDecline: true,
			declineLabel: "Deny",
			isRisky: true,
			during: "a turn of VS Code's agent",
		});
		expect(form.value).toEqual({ city: "Rome" });
		expect(open()).toBe(form);
		expect(new Set(forms).size).toBe(1);
		await form.submit();
		expect(await outcomeOf(question)).toEqual({ by: "user", answer: { kind: "allow" } });
	});

	test("is denied by its form, and not answered by closing it", async () => {
		const { question, open } = await scene();
		open().decision.lapse("closed");
		expect(question.decision.outcome).toBeUndefined();
		open().decision.answer({ action: "cancel" });
		await Promise.resolve();
		expect(question.decision.outcome).toBeUndefined();
		open().decline();
		expect(await outcomeOf(question)).toEqual({ by: "user", answer: { kind: "deny" } });
	});

	test("ends its form when it ends", async () => {
		const { question, open } = await scene();
		const form = open();
		question.decision.lapse("cancelled");
		expect(await form.decision.settled).toEqual({ by: "lapse", reason: "cancelled" });
	});

	test("closes its form if it was answered elsewhere, which has no further effect", async () => {
		const { question, open } = await scene();
		const form = open();
		question.decision.answer({ kind: "deny" });
		expect(await form.decision.settled).toEqual({ by: "user", answer: { action: "cancel" } });
		expect(await outcomeOf(question)).toEqual({ by: "user", answer: { kind: "deny" } });
	});

	test("lets the user allow more than this call", async () => {
		const { open, followed } = await scene();
		await open().question.act?.("always");
		expect(followed).toEqual(["always"]);
	});

	test("is decided by a key on its row, and by none that was pressed in the chat", async () => {
		const { keys, followed, forms } = await scene();
		for (const action of ["allow", "deny", "edit"] as const) await keys.answer(action, undefined);
		expect([followed, forms.length]).toEqual([[], 3]);
		await keys.answer("deny", "list");
		expect(followed).toEqual(["deny"]);
	});
});
