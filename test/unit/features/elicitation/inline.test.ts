import { describe, expect, it } from "vitest";
import type { InlineEvent, InlineQuestion } from "../../../../src/features/elicitation/inline.ts";
import { submitWith } from "../../questions/form/formScene.ts";
import { fakeSession, formOf, formRequest, pageRequest, Scene } from "./scene.ts";

/** The first question at a place. */
function asked(events: readonly InlineEvent[]): InlineQuestion {
	const [first] = events;
	if (first?.type !== "asked") throw new Error("Nothing was asked.");
	return first.question;
}
const ends = (events: readonly InlineEvent[]) => events.flatMap((event) => (event.type === "ended" ? [event.end] : []));
const call = "tools/call book";

describe("a question during a chat turn's call", () => {
	it("is asked in the chat and opens no panel; its answer is shown there", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		const answer = scene.ask(formOf({ type: "boolean" }), call);
		const question = asked(events);
		expect([scene.forms, scene.pending.all.length]).toEqual([[], 1]);
		expect(question.answers.map(({ label }) => label)).toEqual(["Yes", "No"]);
		expect(scene.inline.get(question.form.decision.id)).toBe(question);
		const [yes] = question.answers;
		expect(yes && question.contentOf(yes.value)).toEqual({ value: true });
		await question.form.submit(yes?.value);
		expect(await answer).toEqual({ action: "accept", content: { value: true } });
		expect(ends(events)).toEqual([{ kind: "answered", content: { value: true }, hidden: [] }]);
		// The answer is not kept.
		expect(scene.inline.get(question.form.decision.id)).toBe("You answered.");
	});

	it("opens its form when the user requests it, and stays open when the form is closed", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		const answer = scene.ask(formRequest, call);
		const question = asked(events);
		expect([question.answers, question.needsForm]).toEqual([[], true]);
		question.open();
		expect([scene.form, scene.reasons]).toEqual([question.form, ["asked"]]);
		expect(question.form.decision.subject.isInline).toBe(true);
		await submitWith(scene.form, "Lyon", "");
		await answer;
		expect(ends(events)).toEqual([{ kind: "answered", content: { city: "Lyon" }, hidden: [] }]);
	});

	it("can be answered from the pending list", () => {
		const scene = new Scene();
		scene.chat();
		void scene.ask(formRequest, call);
		scene.pending.all[0]?.reveal();
		expect(scene.reasons).toEqual(["asked"]);
	});

	it.each([
		["another call runs there as well", "tools/call book, resources/read x"],
		["the server asks on its own", undefined],
	])("is asked in a panel when %s", (_why, during) => {
		const scene = new Scene();
		const { events } = scene.chat();
		void scene.ask(formRequest, during);
		expect([events, scene.forms.length]).toEqual([[], 1]);
	});

	it("is asked in a panel when two turns call the server, when it is another server's, and after the call", () => {
		const scene = new Scene();
		const one = scene.chat();
		void scene.ask(formRequest, call, fakeSession("travel"));
		const two = scene.chat();
		void scene.ask(formRequest, call);
		one.close();
		two.close();
		void scene.ask(formRequest, call);
		expect([one.events, two.events]).toEqual([[], []]);
		expect(scene.pending.all).toHaveLength(3);
	});

	it("is asked one after the other, and each ends where it was asked (ELC-07)", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		const first = scene.ask(formOf({ type: "boolean" }), call);
		const second = scene.ask(formOf({ type: "string", enum: ["a", "b"] }), call);
		expect(events).toHaveLength(1);
		asked(events).form.decline();
		expect(await first).toEqual({ action: "decline" });
		const next = events.find((event) => event.type === "asked" && event.question !== asked(events));
		if (next?.type !== "asked") throw new Error("The second was not asked.");
		await next.question.form.submit(next.question.answers[1]?.value);
		expect(await second).toEqual({ action: "accept", content: { value: "b" } });
		expect(ends(events)).toEqual([
			{ kind: "declined", isForAll: false },
			{ kind: "answered", content: { value: "b" }, hidden: [] },
		]);
	});

	it("reports that the server is gone (ELC-08)", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		const answer = scene.ask(formRequest, call);
		scene.session.state = { kind: "stopped" };
		scene.controller.abort();
		expect(await answer).toEqual({ action: "cancel" });
		expect(ends(events)).toEqual([{ kind: "lapsed", reason: "server-gone" }]);
	});

	it("does not repeat text that looks like a secret", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		const value = { type: "string", description: "Your password for GitHub" };
		const properties = { password: { type: "string" }, value, city: { type: "string" } };
		const answer = scene.ask({ message: "x", requestedSchema: { type: "object", properties } }, call);
		await submitWith(asked(events).form, "hunter2", "hunter3", "Lyon");
		expect(await answer).toMatchObject({ content: { password: "hunter2", value: "hunter3" } });
		expect(ends(events)).toEqual([expect.objectContaining({ hidden: ["password", "value"] })]);
	});

	it("shows a page in full, offers to copy it, and shows when the server reports the end", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		const answer = scene.ask(pageRequest, call);
		const question = asked(events);
		expect(question.answers.map(({ label }) => label)).toEqual(["Open in Browser"]);
		await question.form.act("copy-url");
		expect(events.map(({ type }) => type)).toEqual(["asked", "changed"]);
		await question.form.submit(question.answers[0]?.value);
		await answer;
		expect(events.map(({ type }) => type)).toEqual(["asked", "changed", "ended"]);
		expect(ends(events)).toEqual([{ kind: "opened", isByHand: false }]);
		scene.service.onVisited(scene.session, "1");
		expect(events.at(-1)).toEqual({ type: "visited", server: "travel", host: "example.com" });
	});

	it("shows once in a turn that all questions of a server are declined, however often it asks (ELC-05)", async () => {
		const scene = new Scene();
		for (let count = 0; count < 3; count++) {
			const refused = scene.ask(formRequest);
			await (count < 2 ? scene.form.decline() : scene.form.act("decline-all"));
			expect(await refused).toEqual({ action: "decline" });
		}
		for (let turn = 0; turn < 2; turn++) {
			const { events, close } = scene.chat();
			for (let count = 0; count < 1000; count++) await scene.ask(formRequest, call);
			expect(events).toEqual([{ type: "declined", server: "travel" }]);
			close();
		}
	});

	it("offers to decline all questions of a server after two refusals (ELC-05)", async () => {
		const scene = new Scene();
		const { events } = scene.chat();
		for (let count = 0; count < 3; count++) {
			const answer = scene.ask(formRequest, call);
			const question = events.at(-1);
			if (question?.type !== "asked") throw new Error("Nothing was asked.");
			if (count < 2) question.question.form.decline();
			else await question.question.form.act("decline-all");
			await answer;
		}
		expect(ends(events).map((end) => end.kind === "declined" && end.isForAll)).toEqual([false, false, true]);
		await scene.ask(formRequest, call);
		expect(events.at(-1)).toEqual({ type: "declined", server: "travel" });
	});
});
