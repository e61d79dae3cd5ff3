import { describe, expect, it } from "vitest";
import { connectForm } from "../../../../src/questions/form/formPort.ts";
import type { FormSession } from "../../../../src/questions/form/formSession.ts";
import { until } from "../../features/sampling/fakes.ts";
import { accepted, enter, inputsOf, ownForm, textField } from "./formScene.ts";

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

const typed = (input: unknown) => ({ kind: "input", id: 0, input });

describe("a form and its view", () => {
	it("a view that is reopened gets all entered values, and an answer counts once (UI-07)", async () => {
		const session = ownForm([textField("a")]);
		const { call, sent } = setUp(session);
		for (let round = 0; round < 20; round++) {
			call("ready");
			call("change", typed(`round ${round}`), round);
			call("ready");
			await until(() => JSON.stringify(sent.at(-1)).includes(`"input":"round ${round}"`));
		}
		call("submit");
		call("submit");
		await session.decision.settled;
		call("cancel");
		expect(session.decision.outcome).toEqual(accepted({ a: "round 19" }));
		call("ready");
		await until(() => JSON.stringify(sent.at(-1)).includes('"end":"You answered."'));
	});

	it.each([
		["approve"],
		["accept", { a: "forged" }],
		["constructor"],
		["__proto__"],
		["hasOwnProperty", "submit"],
		["change"],
		["change", { a: "x" }, 1],
		["change", { kind: "accept", value: {} }, 1],
		["change", { kind: "input", id: 0, input: { toString: "x" } }, 1],
		["change", { kind: "input", id: "0", input: "x" }, 1],
		["change", { kind: "input", id: 1, input: "x" }, 1],
		["change", { kind: "json", text: '{"a":"x"}' }, 1],
		["change", { kind: "input", id: 0, input: "x".repeat(10_000_001) }, 1],
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
		expect(inputsOf(session)).toEqual([""]);
		expect(session.value).toEqual({});
	});

	it.each([undefined, null, 1, "submit", [], {}, { rpc: "call" }, { rpc: "call", id: 1, method: "cancel" }])(
		"an invalid message is ignored: %j (UI-06)",
		(message) => {
			const session = ownForm([textField("a")]);
			const { post, sent } = setUp(session);
			post(message);
			expect(session.decision.outcome).toBeUndefined();
			expect(sent).toEqual([]);
		},
	);

	it("runs the action of a further button while it is offered, and shows the form again", async () => {
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

	it("a closed view receives and sends nothing more", async () => {
		const session = ownForm([textField("a")]);
		const { connection, call, sent } = setUp(session);
		enter(session, "typed");
		const before = sent.length;
		connection.dispose();
		call("cancel");
		enter(session, "more");
		expect(sent).toHaveLength(before);
		expect(session.decision.outcome).toBeUndefined();
	});

	it("a field is sent to the view once while it stays the same, and again to a reopened view", async () => {
		const session = ownForm([textField("a", { description: "only once" })]);
		const { call, sent } = setUp(session);
		const count = (): number => sent.filter((message) => JSON.stringify(message).includes("only once")).length;
		call("ready");
		await until(() => count() === 1);
		for (let round = 0; round < 3; round++) call("change", typed(`round ${round}`), round);
		await until(() => JSON.stringify(sent.at(-1)).includes('"input":"round 2"'));
		expect(count()).toBe(1);
		call("ready");
		await until(() => count() === 2);
	});
});
