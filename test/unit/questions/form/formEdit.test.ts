import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { editQuestion, type ObjectEditRequest } from "../../../../src/questions/form/formQuestion.ts";
import { connectForm } from "../../../../src/questions/form/formPort.ts";
import { acceptedValue, FormSession } from "../../../../src/questions/form/formSession.ts";
import type { SchemaProblem } from "../../../../src/base/schema/schema.ts";
import { editOf, trip } from "../../../view/fixtures/objectEdits.ts";
import { until } from "../../features/sampling/fakes.ts";

const schema: JsonObject = {
	type: "object",
	required: ["a"],
	properties: { a: { type: "string", minLength: 2 }, b: { type: "number" } },
};

function open(initial: JsonObject, more: Partial<ObjectEditRequest> = {}): FormSession {
	return new FormSession(editQuestion(editOf({ schema, initial }, more)));
}

/** Types into the control of a member of the object itself. */
function type(session: FormSession, label: string, input: string): void {
	const { root } = session.state;
	const node = root?.kind === "group" ? root.children.find((child) => child.label === label) : undefined;
	session.change({ kind: "input", id: node?.id, input }, 1);
}

describe("the edit of an object", () => {
	it("returns exactly the initial value when nothing was edited, and the shown one when something was", async () => {
		const initial = { b: 1, a: "xy" };
		const same = open(initial);
		await same.submit();
		expect(await acceptedValue(same)).toBe(initial);
		const edited = open(initial);
		type(edited, "a", "xyz");
		await edited.submit();
		expect(JSON.stringify(await acceptedValue(edited))).toBe('{"b":1,"a":"xyz"}');
	});

	it("is not submitted while it is invalid, and shows it at every place then", async () => {
		const session = open({});
		await until(() => session.state.problems.length === 0);
		await session.submit();
		expect(session.decision.outcome).toBeUndefined();
		expect(session.state.failures).toBe(1);
		expect(JSON.stringify(session.state.root)).toContain("Fill in this field.");
		type(session, "a", "x");
		await until(() => JSON.stringify(session.state.root).includes("Enter at least 2 characters (now 1)."));
		type(session, "b", "1..");
		type(session, "a", "xy");
		await session.submit();
		expect(session.decision.outcome, "a text that is no number").toBeUndefined();
		type(session, "b", "1");
		await session.submit();
		expect(await acceptedValue(session)).toEqual({ a: "xy", b: 1 });
	});

	it("submits nothing that was typed during the check", async () => {
		const checks: (() => void)[] = [];
		const session = open(
			{ a: "xy" },
			{ validate: () => new Promise<readonly SchemaProblem[]>((resolve) => checks.push(() => resolve([]))) },
		);
		const submitted = session.submit();
		type(session, "a", "later");
		for (const check of checks) check();
		await submitted;
		expect(session.decision.outcome).toBeUndefined();
	});

	it("checks one value at a time, and the last one in the end, however fast the user types", async () => {
		const values: JsonObject[] = [];
		let running = 0;
		const session = open(
			{},
			{
				validate: async (value) => {
					expect(++running).toBe(1);
					values.push(value);
					await new Promise((resolve) => setImmediate(resolve));
					running--;
					return [];
				},
			},
		);
		for (let index = 0; index < 200; index++) type(session, "a", `text ${index}`);
		await until(() => values.at(-1)?.["a"] === "text 199");
		expect(values.length).toBeLessThan(10);
	});

	it("has no value when it is cancelled, closed or aborted; none of them is consent", async () => {
		const cancelled = open({ a: "xy" });
		cancelled.cancel();
		expect(await acceptedValue(cancelled)).toBeUndefined();
		const closed = open({ a: "xy" });
		closed.decision.lapse("closed");
		expect(await acceptedValue(closed)).toBeUndefined();
		const controller = new AbortController();
		const aborted = open({ a: "xy" });
		aborted.decision.lapseOn(controller.signal);
		controller.abort();
		expect(await acceptedValue(aborted)).toBeUndefined();
		await aborted.submit();
		expect(await acceptedValue(aborted)).toBeUndefined();
		expect(aborted.state.end).toMatch(/Nothing was sent/);
	});

	it("ends with its own panel, also when its question is in a chat", () => {
		const subject = { kind: "tool", server: "travel", title: "bookHotel", isInline: true } as const;
		expect(open({}, { subject }).decision.subject).toEqual({ kind: "tool", server: "travel", title: "bookHotel" });
	});

	it("shows problems of the JSON with their place", async () => {
		const session = open({ a: "x" });
		session.change({ kind: "tab", tab: "json" }, 1);
		await until(() => session.state.problems.length > 0);
		expect(session.state.problems).toEqual(["a: Must have at least 2 characters, but has 1."]);
		session.change({ kind: "json", text: "{" }, 2);
		expect(session.state).toMatchObject({ seen: 2, text: "{", problems: ["Line 1, column 2: close brace expected."] });
		session.change({ kind: "tab", tab: "form" }, 3);
		expect(session.state).toMatchObject({ tab: "json", failures: 1 });
	});
});

describe("an edit and its view", () => {
	function setUp(session: FormSession) {
		const listeners = new Set<(message: unknown) => void>();
		const sent: unknown[] = [];
		connectForm(session, {
			send: (message) => sent.push(message),
			listen: (listener) => {
				listeners.add(listener);
				return { dispose: () => listeners.delete(listener) };
			},
		});
		const call = (method: string, ...args: unknown[]): void => {
			for (const listener of listeners) listener({ rpc: "call", id: 1, method, args });
		};
		return { call, sent };
	}

	it.each<[string, ...unknown[]]>([
		["change"],
		["change", null, 1],
		["change", [], 1],
		["change", { kind: "accept", value: {} }, 1],
		["change", { kind: "input", id: 1 }, 1],
		["change", { kind: "input", id: "1", input: "x" }, 1],
		["change", { kind: "input", id: 1, input: { toString: "x" } }, 1],
		["change", { kind: "input", id: 1, input: "x".repeat(10_000_001) }, 1],
		["change", { kind: "input", id: 0, input: "x" }, 1],
		["change", { kind: "input", id: 999, input: "x" }, 1],
		["change", { kind: "action", id: 1, action: "constructor" }, 1],
		["change", { kind: "action", id: 1, action: "up" }, 1],
		["change", { kind: "action", id: 0, action: "remove" }, 1],
		["change", { kind: "variant", id: 1, index: 0 }, 1],
		["change", { kind: "addItem", id: 0 }, 1],
		["change", { kind: "addMember", id: 1, name: "x" }, 1],
		["change", { kind: "toggle", id: 1 }, 1],
		["change", { kind: "tab", tab: "other" }, 1],
		["change", { kind: "json", text: "{}" }, 1],
		["change", { kind: "json", text: 5 }, 1],
		["approve"],
		["accept", {}],
		["constructor"],
		["__proto__"],
	])("%s %j changes nothing and accepts nothing (UI-06)", async (method, ...args) => {
		const session = new FormSession(editQuestion(editOf(trip)));
		const { call } = setUp(session);
		const { root } = session.state;
		call(method, ...args);
		await new Promise((resolve) => setImmediate(resolve));
		expect(session.state.root).toEqual(root);
		expect(session.decision.outcome).toBeUndefined();
		await session.submit();
		expect(await acceptedValue(session)).toBe(trip.initial);
	});

	it("a view that is reopened gets all entered values, and an answer counts once (UI-07)", async () => {
		const session = open({ a: "xy" });
		const { call, sent } = setUp(session);
		for (let round = 0; round < 20; round++) {
			call("ready");
			type(session, "a", `round ${round}`);
			call("ready");
			await until(() => JSON.stringify(sent.at(-1)).includes(`"input":"round ${round}"`));
		}
		call("submit");
		call("submit");
		await session.decision.settled;
		call("cancel");
		call("change", { kind: "reset" }, 99);
		expect(await acceptedValue(session)).toEqual({ a: "round 19" });
		call("ready");
		await until(() => JSON.stringify(sent.at(-1)).includes('"end":"You submitted this."'));
	});
});
