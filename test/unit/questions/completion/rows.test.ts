import { withoutIcons } from "../../../../src/base/words.ts";
import { describe, expect, test } from "vitest";
import type { FillOffer } from "../../../../src/questions/completion/fills.ts";
import { argumentRows, placeholderOf, type ArgumentView } from "../../../../src/questions/completion/rows.ts";
import type { ArgumentStep } from "../../../../src/questions/completion/wizard.ts";

describe("the rows under the input", () => {
	const required: ArgumentStep = { name: "to", label: "to", description: "Where to", isRequired: true };
	const optional: ArgumentStep = { name: "budget", label: "budget", description: "", isRequired: false };
	const clipboard: FillOffer = { id: "clipboard", label: "Clipboard", icon: "clippy", about: "“$(x)” · 4 characters" };
	const view: ArgumentView = {
		step: required,
		text: "",
		isTyped: true,
		completions: [],
		recent: [],
		fills: [],
		refusal: undefined,
	};

	test("if the server completes the text, Enter chooses that, and the typed text comes second (FST-03)", () => {
		const rows = argumentRows({ ...view, text: "ro", completions: ["Oslo", "Rome", "Rouen"], recent: ["Rome"] });
		expect(rows).toEqual([
			{ kind: "suggestion", value: "Rome", label: "Rome", description: "Enter to use this value", detail: "Where to" },
			{ kind: "enter", value: "ro", label: "", description: "ro  as you typed it", detail: "" },
			{ kind: "suggestion", value: "Oslo", label: "", description: "Oslo", detail: "" },
			{ kind: "suggestion", value: "Rouen", label: "", description: "Rouen", detail: "" },
		]);
	});

	test.each([
		["a value of the server's, though a longer one begins so", "Rome", ["Rome Fiumicino", "Rome"]],
		["a number, which is whole", "50", ["500", "5000"]],
		["only the middle of a value", "ome", ["Rome"]],
		["a refused value", "Ro", ["Rome"]],
	])("the text stays first if it is %s (FST-03)", (_, text, completions) => {
		const refusal = text === "Ro" ? "not this one" : undefined;
		expect(argumentRows({ ...view, text, completions, refusal })[0]).toMatchObject({ kind: "enter", value: text });
	});

	test("an earlier value is kept by Enter, also if the server would complete it (FST-03)", () => {
		const before = { ...view, text: "Ro", isTyped: false, completions: ["Rome"] };
		expect(argumentRows(before).map(({ kind }) => kind)).toEqual(["enter", "suggestion"]);
	});

	test("the first row describes the effect of Enter, and never chooses a suggestion by accident", () => {
		expect(argumentRows({ ...view, completions: ["Rome", "Oslo"] })).toEqual([
			{
				kind: "enter",
				value: "",
				label: "Type a value or choose one below",
				description: "to is required",
				detail: "Where to",
			},
			{ kind: "suggestion", value: "Rome", label: "", description: "Rome", detail: "" },
			{ kind: "suggestion", value: "Oslo", label: "", description: "Oslo", detail: "" },
		]);
		expect(argumentRows({ ...view, text: "Ro" })[0]).toMatchObject({
			value: "Ro",
			label: "Ro",
			description: "Enter to use this text",
		});
		expect(argumentRows({ ...view, step: optional })[0]).toMatchObject({ label: "Skip", description: "" });
		expect(argumentRows({ ...view, refusal: "to is required" })[0]).toMatchObject({
			label: "$(error) to is required",
			description: "type a value",
		});
	});

	test("rows are suggestions, then matching earlier values, then sources of a value", () => {
		const rows = argumentRows({
			...view,
			text: "ro",
			completions: ["Rome", "Rouen"],
			recent: ["Rome", "Oslo", "Tromsø"],
			fills: [clipboard],
		});
		expect(rows.map((row) => [row.kind, row.kind === "fill" ? row.source : row.value])).toEqual([
			["suggestion", "Rome"],
			["enter", "ro"],
			["suggestion", "Rouen"],
			["recent", "Tromsø"],
			["fill", "clipboard"],
		]);
		// No label: the editor would move a row with a matching label to the top.
		expect(rows.slice(1).map(({ label }) => label)).toEqual(["", "", "", ""]);
		expect(rows.at(-2)?.description).toBe("$(history) Tromsø");
		expect(rows.at(-1)?.description).toBe("$(clippy) Clipboard  “\\$(x)” · 4 characters");
	});

	test("the typed text is not repeated as a suggestion", () => {
		const rows = argumentRows({ ...view, text: "Rome", completions: ["Rome", "Rome Fiumicino"], recent: ["Rome"] });
		expect(rows.map((row) => (row.kind === "fill" ? row.source : row.value))).toEqual(["Rome", "Rome Fiumicino"]);
	});

	test("a text of many lines is shown on one, a long one in a few words, and each is entered exactly", () => {
		const [short] = argumentRows({ ...view, text: "one\r\ntwo\n" });
		expect(short).toMatchObject({ value: "one\r\ntwo\n", label: "one⏎two⏎" });
		const long = `first $(x)\n${"y".repeat(300)}`;
		expect(argumentRows({ ...view, text: long })[0]).toMatchObject({
			value: long,
			label: "“first \\$(x)” · 2 lines, 311 characters",
		});
	});

	test("a server's text shows no icons, line breaks or hidden characters, and is entered exactly", () => {
		const value = "$(verified) a\nb\u202E$(sync~spin)";
		const [, row] = argumentRows({ ...view, completions: [value] });
		expect(row).toMatchObject({ value, description: "\\$(verified) a⏎b\\u202E\\$(sync~spin)" });
		expect(withoutIcons("costs $(5 + 3)")).toBe("costs $(5 + 3)");
	});

	test("the hint distinguishes required from optional", () => {
		expect(placeholderOf(required)).toBe("to (required)");
		expect(placeholderOf(optional)).toBe("budget (optional, Enter to skip)");
	});
});
