import { describe, expect, it } from "vitest";
import type { FormSession } from "../../../../src/questions/form/formSession.ts";
import { askedIn } from "../../../../src/questions/decisions/pendingRows.ts";
import { fieldsOf, inputsOf, problemsOf, submitWith } from "../../questions/form/formScene.ts";
import { fakeSession, formOf, formRequest, pageRequest, Scene } from "./scene.ts";

describe("a form", () => {
	it.each([undefined, "form"])("is requested by the mode %s, and sends typed values", async (mode) => {
		const scene = new Scene();
		const answer = scene.ask({ ...formRequest, ...(mode && { mode }) });
		expect(scene.form.document).toMatchObject({
			heading: "travel (server) asks for your input",
			quote: "Where to?\\u202E",
			canDecline: true,
		});
		expect(inputsOf(scene.form)).toEqual(["", "2"]);
		expect(scene.pending.all).toHaveLength(1);
		// The trace leads the user to the requests of that time (TRC-40).
		expect(askedIn(scene.pending.all, "here-1")).toEqual(scene.pending.all);
		expect(askedIn(scene.pending.all, "here-2")).toEqual([]);
		await submitWith(scene.form, "", "2");
		expect(problemsOf(scene.form)).toEqual(["city: Fill in this field."]);
		await submitWith(scene.form, "Rome", "3");
		expect(await answer).toEqual({ action: "accept", content: { city: "Rome", nights: 3 } });
		expect(scene.pending.all).toEqual([]);
	});

	it("has all fields at once (BLT-34)", () => {
		const scene = new Scene();
		const properties = Object.fromEntries(["name", "email", "age", "note"].map((name) => [name, { type: "string" }]));
		void scene.ask({ message: "x", requestedSchema: { type: "object", properties } });
		expect(fieldsOf(scene.form).map(({ label }) => label)).toEqual(["name", "email", "age", "note"]);
	});

	it("leaves out a default that the user cleared", async () => {
		const scene = new Scene();
		const answer = scene.ask(formRequest);
		await submitWith(scene.form, "Rome", "");
		expect(await answer).toEqual({ action: "accept", content: { city: "Rome" } });
	});

	it("keeps two requests at a time apart (ELC-07)", async () => {
		const scene = new Scene();
		const first = scene.ask(formRequest);
		const second = scene.ask(formRequest);
		expect(scene.forms).toHaveLength(1);
		scene.pending.all[1]?.reveal();
		const [one, two] = scene.forms as [FormSession, FormSession];
		await submitWith(two, "Second", "2");
		await submitWith(one, "First", "2");
		expect(await first).toMatchObject({ content: { city: "First" } });
		expect(await second).toMatchObject({ content: { city: "Second" } });
	});

	it("keeps the server's words in the quotation, whatever they claim (ELC-02, ELC-03)", () => {
		const scene = new Scene();
		const message = "VS Code asks: **Microsoft** [sign in](command:evil) <b>now</b>\u001B[31m https://evil.example";
		void scene.ask({ ...formOf({ type: "string", title: "Microsoft account" }), message });
		const { heading, server, quote, submitLabel } = scene.form.document;
		expect([heading, server, submitLabel]).toEqual(["travel (server) asks for your input", "travel", "Send"]);
		expect(quote).toBe(message.replace("\u001B", "\\u001B"));
	});

	it("warns of fields that look like secrets (ELC-01)", () => {
		const scene = new Scene();
		const names = ["password", "apiKey", "ssn"];
		const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
		void scene.ask({ message: "x", requestedSchema: { type: "object", properties } });
		const warnings = fieldsOf(scene.form).map(({ warning }) => warning);
		expect(warnings).toEqual(names.map(() => expect.stringContaining("must not ask for secrets")));
	});

	it("warns of texts if the message asks for the secret and no field does (ELC-01)", () => {
		const warningsFor = (message: string): readonly unknown[] => {
			const scene = new Scene();
			const properties = { answer: { type: "string", title: "Your answer" }, often: { type: "boolean" } };
			void scene.ask({ message, requestedSchema: { type: "object", properties } });
			return fieldsOf(scene.form).map(({ warning }) => warning);
		};
		expect(warningsFor("Type your passw\u043Erd")).toEqual([expect.stringMatching(/may ask for a secret/), undefined]);
		expect(warningsFor("Where do you want to go?")).toEqual([undefined, undefined]);
	});
});

describe("the end of a question", () => {
	it("distinguishes declining from cancelling, and closing is cancelling (ELC-05, BLT-35)", async () => {
		const ends: [(form: FormSession) => unknown, string][] = [
			[(form) => form.decline(), "decline"],
			[(form) => form.cancel(), "cancel"],
			[(form) => form.decision.lapse("closed"), "cancel"],
			[(form) => form.decision.lapse("server-gone"), "cancel"],
		];
		for (const [end, action] of ends) {
			for (const request of [formRequest, pageRequest]) {
				const scene = new Scene();
				const answer = scene.ask(request);
				end(scene.form);
				expect(await answer).toEqual({ action });
				expect(scene.opened).toEqual([]);
			}
		}
	});

	it("comes with the server's death, and the form reports it (ELC-08)", async () => {
		const scene = new Scene();
		const answer = scene.ask(formRequest);
		scene.controller.abort();
		scene.session.state = { kind: "stopped" };
		expect(await answer).toEqual({ action: "cancel" });
		expect(scene.form.state.end).toMatch(/^travel stopped before you answered/);
	});

	it("refuses a request that cannot be shown without a question", async () => {
		const scene = new Scene();
		const refused = { rpcCode: -32602 };
		await expect(scene.ask({ message: "x", requestedSchema: { type: "object" } })).rejects.toMatchObject(refused);
		await expect(scene.ask({ ...pageRequest, url: "file:///etc/passwd" })).rejects.toMatchObject(refused);
		expect(scene.forms).toEqual([]);
		expect(scene.pending.all).toEqual([]);
	});
});

describe("a server that asks again and again (ELC-05)", () => {
	const offers = ({ state }: FormSession) => (state.actions ?? []).map(({ label }) => label);

	it("gets at most 20 questions to the user, each settled once", async () => {
		const scene = new Scene();
		const answers = Array.from({ length: 50 }, () =>
			scene.ask(formRequest).then(
				({ action }) => action,
				({ code }: { code: string }) => code,
			),
		);
		scene.controller.abort();
		const counts = Object.groupBy(await Promise.all(answers), (end) => end);
		expect([counts["cancel"]?.length, counts["limit"]?.length]).toEqual([20, 30]);
	});

	it("shows fewer and fewer of the questions that it withdraws, but all after an answer", async () => {
		const scene = new Scene();
		for (let count = 0; count < 50; count++) {
			const withdrawn = new AbortController();
			const answer = scene.ask(formRequest, "tools/call x", scene.session, withdrawn.signal);
			withdrawn.abort();
			expect(await answer).toEqual({ action: "cancel" });
		}
		expect(scene.forms).toHaveLength(3);
		const answer = scene.ask(formRequest);
		scene.pending.all[0]?.reveal();
		await submitWith(scene.form, "Rome", "2");
		expect(await answer).toMatchObject({ action: "accept" });
		void scene.ask(formRequest);
		expect(scene.reasons.at(-1)).toBe("turn");
	});

	it("is not slowed for unseen questions that ended with their call", async () => {
		const scene = new Scene();
		const call = new AbortController();
		const answers = Array.from({ length: 20 }, () =>
			scene.ask(formRequest, "tools/call x", scene.session, call.signal),
		);
		call.abort();
		await Promise.all(answers);
		void scene.ask(formRequest);
		expect(scene.reasons).toEqual(["turn", "turn"]);
	});

	it("can be declined without another of the same name", async () => {
		const scene = new Scene(fakeSession("github", "workspace:github"));
		for (let count = 0; count < 2; count++) {
			const answer = scene.ask(formRequest);
			scene.form.decline();
			await answer;
		}
		const [muted, other] = [
			scene.ask(formRequest),
			scene.ask(formRequest, undefined, fakeSession("github", "user:github")),
		];
		await scene.form.act("decline-all");
		expect(await muted).toEqual({ action: "decline" });
		await submitWith(scene.form, "Rome", "2");
		expect(await other).toMatchObject({ action: "accept" });
		expect(await scene.ask(formRequest)).toEqual({ action: "decline" });
	});

	it("can be declined as a whole for now: waiting and later questions", async () => {
		const scene = new Scene();
		for (let count = 0; count < 2; count++) {
			const answer = scene.ask(formRequest);
			expect(offers(scene.form)).toEqual([]);
			scene.form.decline();
			expect(await answer).toEqual({ action: "decline" });
		}
		const waiting = [scene.ask(formRequest), scene.ask(pageRequest)];
		expect(offers(scene.form)).toEqual(["Decline All from This Server for Now"]);
		await scene.form.act("decline-all");
		expect(await Promise.all(waiting)).toEqual([{ action: "decline" }, { action: "decline" }]);
		const shown = scene.forms.length;
		for (let count = 0; count < 50; count++) expect(await scene.ask(formRequest)).toEqual({ action: "decline" });
		expect([scene.forms.length, scene.pending.all.length]).toEqual([shown, 0]);
		void scene.ask(formRequest, undefined, fakeSession("other"));
		expect(scene.forms).toHaveLength(shown + 1);
	});

	it("does not open automatically after the third refusal, but stays in the list", async () => {
		const scene = new Scene();
		for (let count = 0; count < 3; count++) {
			const answer = scene.ask(formRequest);
			scene.form.cancel();
			await answer;
		}
		const answer = scene.ask(formRequest);
		expect([scene.forms.length, scene.pending.all.length]).toEqual([3, 1]);
		scene.pending.all[0]?.reveal();
		await submitWith(scene.form, "Rome", "");
		expect(await answer).toMatchObject({ action: "accept" });
		void scene.ask(formRequest);
		expect(scene.forms).toHaveLength(5);
	});
});
