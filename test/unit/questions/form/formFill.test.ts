import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { enter, inputsOf, ownForm, textField } from "./formScene.ts";

const fills = [
	{ id: "clipboard", label: "Clipboard" },
	{ id: "file", label: "Current File" },
];

function setUp(fill: (source: string, signal: AbortSignal) => Promise<string | undefined>) {
	const asked: [string, string][] = [];
	const session = ownForm([textField("a", { fills }), textField("b")], {
		fill: (name, source, signal) => {
			asked.push([name, source]);
			return fill(source, signal);
		},
	});
	const filled: unknown[] = [];
	session.onDidFill((filling) => filled.push(filling));
	return { session, asked, filled };
}

describe("filling a field", () => {
	it("puts the text into the kept value, exactly, and shows its source until the user types", async () => {
		const { session, filled } = setUp(async () => "one\r\ntwo");
		enter(session, "old", "other");
		await session.fill(0, "clipboard");
		expect(inputsOf(session)).toEqual(["one\r\ntwo", "other"]);
		expect(filled).toEqual([{ field: 0, text: "one\r\ntwo" }]);
		expect(session.state.fill).toEqual({ field: 0, step: "done", message: "Filled from Clipboard." });
		enter(session, "one\r\ntwo", "else");
		expect(session.state.fill).toBeDefined();
		enter(session, "typed", "else");
		expect(session.state.fill).toBeUndefined();
	});

	it.each([
		["the user gives none", async () => undefined, undefined],
		["there is no text", async () => "", "Clipboard contains no text."],
		["the text is endless", async () => "x".repeat(10_000_001), "The text of Clipboard is too long."],
		["it fails", () => Promise.reject(new HostError("invalid", "No file is open.")), "No file is open."],
	])("leaves the field as it is when %s", async (_what, fill, message) => {
		const { session, filled } = setUp(fill);
		enter(session, "old", "");
		await session.fill(0, "clipboard");
		expect(inputsOf(session)).toEqual(["old", ""]);
		expect(filled).toEqual([]);
		expect(session.state.fill).toEqual(message && { field: 0, step: "failed", message });
	});

	it("accepts no more than the whole form can hold: it can still be submitted", async () => {
		const { session } = setUp(async () => "x".repeat(6_000_000));
		enter(session, "", "y".repeat(6_000_000));
		await session.fill(0, "clipboard");
		expect(session.state.fill).toMatchObject({ step: "failed", message: "The text of Clipboard is too long." });
		await session.submit();
		expect(session.decision.outcome).toBeDefined();
	});

	it("keeps text typed into other fields meanwhile", async () => {
		const { promise, resolve } = Promise.withResolvers<string>();
		const { session } = setUp(() => promise);
		const filling = session.fill(0, "file");
		expect(session.state.fill).toMatchObject({ step: "running", message: "Filling from Current File…" });
		enter(session, "", "typed");
		resolve("text");
		await filling;
		expect(inputsOf(session)).toEqual(["text", "typed"]);
	});

	it("uses the last requested source, and none once the form has ended", async () => {
		const answers = new Map<string, (text: string) => void>();
		const signals: AbortSignal[] = [];
		const { session, filled } = setUp((source, signal) => {
			signals.push(signal);
			return new Promise((resolve) => answers.set(source, resolve));
		});
		const first = session.fill(0, "clipboard");
		const second = session.fill(0, "file");
		expect(signals[0]?.aborted).toBe(true);
		answers.get("clipboard")?.("stale");
		await first;
		expect(filled).toEqual([]);
		session.cancel();
		await session.decision.settled;
		answers.get("file")?.("late");
		await second;
		expect(signals[1]?.aborted).toBe(true);
		expect(filled).toEqual([]);
		expect(session.state.fill).toBeUndefined();
		expect(inputsOf(session)).toEqual(["", ""]);
	});

	it.each([
		[1, "clipboard"],
		[0, "registry"],
		[0, undefined],
		[7, "clipboard"],
		[-1, "clipboard"],
		["0", "clipboard"],
		["__proto__", "clipboard"],
		[undefined, undefined],
	])("never requests an unoffered source: field %j, source %j (UI-06)", async (field, source) => {
		const { session, asked } = setUp(async () => "text");
		await session.fill(field, source);
		expect(asked).toEqual([]);
		expect(session.state.fill).toBeUndefined();
	});
});
