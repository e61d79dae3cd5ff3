import { describe, expect, it } from "vitest";
import { connectForm } from "../../../src/form/formPort.ts";
import type { FormSession } from "../../../src/form/formSession.ts";
import { until } from "../sampling/fakes.ts";
import { fieldsInput, ownForm, textField } from "./formScene.ts";

function setUp(session: FormSession) {
	const listeners = new Set<(message: unknown) => void>();
	const sent: unknown[] = [];
	const connection = connectForm(session, {
		send: (message) => sent.push(message),
		listen: (listener) => {
			listeners.add(listener);
			return { dispose: () => listeners.delete(listener) };
		},
	});
	let id = 0;
	const call = (method: string, ...args: unknown[]): void => {
		for (const listener of listeners) listener({ rpc: "call", id: ++id, method, args });
	};
	return { connection, sent, call, post: (message: unknown) => listeners.forEach((listener) => listener(message)) };
}

const answer = { by: "person", answer: { action: "accept", input: fieldsInput("typed") } };

describe("a form and its view", () => {
	it("a view that comes again gets all that was entered, and an answer counts once (UI-07)", async () => {
		const session = ownForm([textField("a")]);
		const { call, sent } = setUp(session);
		for (let round = 0; round < 20; round++) {
			call("ready");
			call("change", fieldsInput(`round ${round}`));
			call("ready");
			await until(() =>
				sent.some((message) =>
					JSON.stringify(message).includes(`"input":{"kind":"fields","values":["round ${round}"]`),
				),
			);
		}
		call("submit", fieldsInput("typed"));
		call("submit", fieldsInput("again"));
		await session.decision.settled;
		call("cancel");
		expect(session.decision.outcome).toEqual(answer);
		call("ready");
		await until(() => JSON.stringify(sent.at(-1)).includes('"end":"You answered."'));
	});

	it.each([
		["approve"],
		["accept", fieldsInput("forged")],
		["constructor"],
		["__proto__"],
		["hasOwnProperty", "submit"],
		["submit"],
		["submit", { kind: "fields" }],
		["submit", { kind: "fields", values: [] }],
		["submit", { kind: "fields", values: ["a", "b"] }],
		["submit", { kind: "fields", values: [{ toString: "x" }] }],
		["submit", { kind: "url" }],
		["submit", fieldsInput("x".repeat(10_000_001))],
		["change", fieldsInput("x".repeat(10_000_001))],
		["decline"],
		["act", "more"],
		["act", { id: "more" }],
	])("the message %s %j does nothing (UI-06)", async (method, ...args) => {
		const session = ownForm([textField("a")]);
		const { call, sent } = setUp(session);
		call(method, ...args);
		call("ready");
		await until(() => sent.some((message) => JSON.stringify(message).includes('"heading"')));
		expect(session.decision.outcome).toBeUndefined();
		expect(session.document.input).toEqual(fieldsInput(""));
	});

	it.each([undefined, null, 1, "submit", [], {}, { rpc: "call" }, { rpc: "call", id: 1, method: "cancel" }])(
		"what is no message of ours is ignored: %j (UI-06)",
		(message) => {
			const session = ownForm([textField("a")]);
			const { post, sent } = setUp(session);
			post(message);
			expect(session.decision.outcome).toBeUndefined();
			expect(sent).toEqual([]);
		},
	);

	it("does what a further button stands for while it is offered, and shows the form anew", async () => {
		const done: string[] = [];
		const session = ownForm([textField("a")], {
			actions: () => (done.length === 0 ? [{ id: "copy", label: "Copy" }] : []),
			act: (id) => void done.push(id),
		});
		const { call, sent } = setUp(session);
		expect(session.state.actions).toEqual([{ id: "copy", label: "Copy" }]);
		call("act", "copy");
		await until(() => sent.some((message) => JSON.stringify(message).includes('"actions":[]')));
		call("act", "copy");
		session.cancel();
		await session.decision.settled;
		expect(done).toEqual(["copy"]);
		expect(session.state.actions).toBeUndefined();
	});

	it("a closed view hears and says nothing more", async () => {
		const session = ownForm([textField("a")]);
		const { connection, call, sent } = setUp(session);
		await session.change(fieldsInput("typed"));
		const before = sent.length;
		connection.dispose();
		call("cancel");
		await session.change(fieldsInput("more"));
		expect(sent).toHaveLength(before);
		expect(session.decision.outcome).toBeUndefined();
	});
});
