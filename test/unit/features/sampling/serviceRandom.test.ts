import { describe, expect, it } from "vitest";
import { mergeEdit, shownText } from "../../../../media/shared/exactText.ts";
import { HostError } from "../../../../src/base/errors.ts";
import { FakeAdmission } from "./reviewFakes.ts";
import { makeRandom, setUpService } from "./serviceFakes.ts";

describe("SamplingService, at random", () => {
	it("settles everything exactly once, for any events in any order (UI-07)", async () => {
		const random = makeRandom(11);
		for (let round = 0; round < 200; round++) {
			const mode = (["review", "request-only", "auto"] as const)[Math.floor(random() * 3)] ?? "review";
			const { ask, shown, model, pending, controller, session, notes, record, admission } = setUpService(
				new FakeAdmission(mode, "Rule"),
			);
			let outcomes = 0;
			const answer = ask().then(
				() => outcomes++,
				() => outcomes++,
			);
			const deeds: readonly (() => unknown)[] = [
				() => shown[0]?.review.approve(shown[0].review.document.draft),
				() => shown[0]?.review.stop(),
				() => shown[0]?.review.answerByHand(),
				() => shown[0]?.review.reject("no"),
				() => {
					const now = shown[0]?.review.state.step;
					if (now?.kind === "completion") {
						shown[0]?.review.returnToServer({ ...now.completion.draft, changes: { text: "mine" } });
					}
				},
				() => shown[0]?.review.decision.lapse("closed"),
				() => controller.abort(),
				() => {
					session.state = { kind: "stopped" };
					controller.abort(new HostError("not-connected", "gone"));
				},
				() => pending.dispose(),
				() => model.answer("Socks."),
				() => model.say({ type: "text", text: "par" }),
				() => model.say(new Error("cut")),
				() => new Promise((resolve) => setImmediate(resolve)),
				() => new Promise((resolve) => setImmediate(resolve)),
				() => Promise.resolve(),
			];
			for (let step = 0; step < 12; step++) await deeds[Math.floor(random() * deeds.length)]?.();
			shown[0]?.review.reject("");
			controller.abort();
			await answer;
			const numbers = admission.settled.map(({ number }) => number);
			expect([outcomes, admission.ends, notes.length, record.entries.length]).toEqual([1, 1, 1, 1]);
			expect(record.entries[0]?.ends).toHaveLength(1);
			expect([...numbers].sort((a, b) => a - b)).toEqual(admission.sends.map((_send, index) => index + 1));
			expect(new Set(numbers).size).toBe(numbers.length);
			expect(pending.all).toEqual([]);
			expect(model.requests.every(({ options }) => options.signal.aborted)).toBe(true);
			expect(record.entries[0]?.attempts.filter(({ model: used }) => used !== undefined)).toHaveLength(numbers.length);
		}
	});

	it("sends and returns exactly the texts after 50 random edits (SMP-10)", async () => {
		const random = makeRandom(7);
		for (let round = 0; round < 50; round++) {
			const { ask, whenShown, model } = setUpService();
			const original = randomText(random);
			const answer = ask({
				systemPrompt: original,
				messages: [{ role: "user", content: { type: "text", text: original } }],
			});
			const { review, draft, reach, completionDraft } = await whenShown();
			const prompt = editInTextArea(original, random);
			const message = editInTextArea(original, random);
			// The panel does this on every keystroke and on approval.
			const edited = draft({ changes: { system: prompt.exact, "message.0.part.0": message.exact } });
			review.edit(edited);
			review.approve(edited);
			const completion = `${randomText(random)}.`;
			model.answer(completion);
			await reach("completion");
			const returned = editInTextArea(completion, random);
			const isEmpty = returned.exact === "";
			review.returnToServer(completionDraft({ text: isEmpty ? "." : returned.exact }));

			const sent = model.requests[0]?.messages ?? [];
			// Characters that no encoding can carry are replaced before they are sent.
			const whole = (exact: string) => exact.toWellFormed();
			const text = (exact: string) => [{ type: "text", text: whole(exact) }];
			const system = prompt.exact === "" ? [] : [{ role: "system", content: text(prompt.exact) }];
			expect(sent).toEqual([...system, { role: "user", content: text(message.exact) }]);
			expect((await answer).content).toEqual({ type: "text", text: isEmpty ? "." : whole(returned.exact) });
			for (const edit of [prompt, message, returned]) expect(shownText(edit.exact)).toBe(edit.shown);
		}
	});
});

const pieces = [
	"a",
	"Zoë ",
	"  ",
	"\t",
	"\n",
	"\r\n",
	"\r",
	"\n\n",
	"日本",
	"👩‍💻",
	"\u202E",
	"\u0000",
	"\uFEFF",
	"\uD800",
	"<b>",
	"&amp;",
	"${x}",
	"`",
];

function randomText(random: () => number): string {
	return Array.from({ length: Math.floor(random() * 20) }, () => pieces[Math.floor(random() * pieces.length)]).join("");
}

/** Replaces a random range of a text area's content, and merges it like the view. */
function editInTextArea(exact: string, random: () => number): { exact: string; shown: string } {
	const before = shownText(exact);
	const [start = 0, end = 0] = [random(), random()]
		.map((part) => Math.floor(part * (before.length + 1)))
		.sort((a, b) => a - b);
	const shown = before.slice(0, start) + shownText(randomText(random)) + before.slice(end);
	return { exact: mergeEdit(exact, shown), shown };
}
