import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { PendingDecisions } from "../../../src/decisions/decision.ts";
import { DecisionQueue } from "../../../src/decisions/queue.ts";
import type { FormSession } from "../../../src/form/formSession.ts";
import { ElicitationService } from "../../../src/elicitation/service.ts";
import { fakeSession } from "../sampling/fakes.ts";

const formParams = {
	message: "Where to?\u202E",
	requestedSchema: {
		type: "object",
		properties: { city: { type: "string" }, nights: { type: "integer", default: 2 } },
		required: ["city"],
	},
};
const urlParams = { mode: "url", message: "Sign in", elicitationId: "1", url: "https://example.com/sign-in?x=1" };

function setUp(openExternal: (url: string) => Promise<boolean> = async () => true) {
	const pending = new PendingDecisions();
	const forms: FormSession[] = [];
	const opened: string[] = [];
	const service = new ElicitationService({
		queue: new DecisionQueue(pending),
		log: silentLog,
		show: (form) => void forms.push(form),
		openExternal: (url) => {
			opened.push(url);
			return openExternal(url);
		},
	});
	const session = fakeSession("travel");
	const controller = new AbortController();
	const ask = (params: object) =>
		service.elicit(session, params as ElicitRequestParams, {
			signal: controller.signal,
			protocolVersion: "2025-11-25",
			during: undefined,
		});
	const form = () => forms.at(-1) as FormSession;
	return { pending, forms, opened, session, controller, ask, form };
}

describe("ElicitationService", () => {
	it.each([undefined, "form"])("asks by a form for the mode %s, and sends typed values", async (mode) => {
		const { ask, form, pending } = setUp();
		const answer = ask({ ...formParams, ...(mode && { mode }) });
		expect(form().document).toMatchObject({
			heading: "travel (server) asks you for an answer",
			quote: "Where to?\\u202E",
			input: { values: ["", "2"] },
		});
		expect(pending.all).toHaveLength(1);
		await form().submit({ kind: "fields", values: ["", "2"] });
		expect(form().state.problems).toEqual([{ field: 0, message: "Fill in this field." }]);
		await form().submit({ kind: "fields", values: ["Rome", "3"] });
		expect(await answer).toEqual({ action: "accept", content: { city: "Rome", nights: 3 } });
		expect(pending.all).toEqual([]);
	});

	it("tells declining from cancelling, and closing is cancelling", async () => {
		const ends: [(form: FormSession) => unknown, string][] = [
			[(form) => form.decline(), "decline"],
			[(form) => form.cancel(), "cancel"],
			[(form) => form.decision.lapse("closed"), "cancel"],
			[(form) => form.decision.lapse("server-gone"), "cancel"],
		];
		for (const [end, action] of ends) {
			for (const params of [formParams, urlParams]) {
				const { ask, form, opened } = setUp();
				const answer = ask(params);
				end(form());
				expect(await answer).toEqual({ action });
				expect(opened).toEqual([]);
			}
		}
	});

	it("opens a URL only after consent, and exactly the one that was shown", async () => {
		const { ask, form, opened } = setUp();
		const answer = ask(urlParams);
		const { body } = form().document;
		expect(opened).toEqual([]);
		await form().submit({ kind: "url" });
		expect(await answer).toEqual({ action: "accept" });
		expect(opened).toEqual(["https://example.com/sign-in?x=1"]);
		expect(body.kind === "url" && body.url.before + body.url.host + body.url.after).toBe(opened[0]);
	});

	it("cancels when the URL could not be opened", async () => {
		for (const open of [async () => false, () => Promise.reject(new Error("no browser"))]) {
			const { ask, form } = setUp(open);
			const answer = ask(urlParams);
			await form().submit({ kind: "url" });
			expect(await answer).toEqual({ action: "cancel" });
		}
	});

	it("refuses what cannot be shown without asking anybody", async () => {
		const { ask, forms } = setUp();
		await expect(ask({ message: "x", requestedSchema: { type: "object" } })).rejects.toMatchObject({ rpcCode: -32602 });
		await expect(ask({ ...urlParams, url: "file:///etc/passwd" })).rejects.toMatchObject({ rpcCode: -32602 });
		expect(forms).toEqual([]);
	});

	it("ends with the request, and says so in the form", async () => {
		const { ask, form, controller, session } = setUp();
		const answer = ask(formParams);
		controller.abort();
		session.state = { kind: "stopped" };
		expect(await answer).toEqual({ action: "cancel" });
		expect(form().state.end).toMatch(/^travel stopped before you answered/);
	});

	it("keeps two requests at a time apart", async () => {
		const { ask, forms, pending } = setUp();
		const first = ask(formParams);
		const second = ask(formParams);
		expect(forms).toHaveLength(1);
		pending.all[1]?.reveal();
		const [one, two] = forms as [FormSession, FormSession];
		await two.submit({ kind: "fields", values: ["Second", "2"] });
		await one.submit({ kind: "fields", values: ["First", "2"] });
		expect(await first).toMatchObject({ content: { city: "First" } });
		expect(await second).toMatchObject({ content: { city: "Second" } });
	});
});
