import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import {
	ArgumentWizard,
	checkArguments,
	isSecretArgument,
	missingArguments,
	requireArguments,
	withAll,
	withoutEmpty,
} from "../../../../src/features/prompts/arguments.ts";
import { readPromptAddress, readRunRequest } from "../../../../src/features/prompts/request.ts";
import { planVacation } from "./fakeDirectory.ts";

describe("the argument wizard", () => {
	test("asks for each argument in order and returns them all", () => {
		const wizard = new ArgumentWizard(planVacation);
		expect(wizard.title()).toBe("Plan a Vacation (1/4)");
		expect(wizard.step).toEqual({
			name: "destination",
			label: "destination",
			description: "Where to",
			isRequired: true,
		});
		expect(wizard.next("Barcelona")).toEqual({ kind: "step" });
		expect(wizard.known).toEqual({ destination: "Barcelona" });
		expect(wizard.next("2026-06-01")).toEqual({ kind: "step" });
		expect(wizard.step?.isRequired).toBe(false);
		expect(wizard.next("2000")).toEqual({ kind: "step" });
		expect(wizard.title()).toBe("Plan a Vacation (4/4)");
		expect(wizard.next("")).toEqual({
			kind: "done",
			result: { destination: "Barcelona", departure: "2026-06-01", budget: "2000" },
		});
	});

	test("begins at the first argument to change the given values, with each value filled in (FST-04)", () => {
		const wizard = new ArgumentWizard(planVacation, withAll(planVacation, { destination: "Rome", departure: "May" }));
		expect([wizard.step?.name, wizard.value]).toEqual(["destination", "Rome"]);
		expect(wizard.next("Oslo")).toEqual({ kind: "step" });
		expect(wizard.value).toBe("May");
		wizard.next("May");
		expect(wizard.next("")).toEqual({ kind: "step" });
		expect(wizard.next("")).toEqual({ kind: "done", result: { destination: "Oslo", departure: "May" } });
	});

	test("refuses a required argument without a value and stays there", () => {
		const wizard = new ArgumentWizard(planVacation);
		expect(wizard.next("")).toEqual({ kind: "refused", message: "destination is required" });
		expect(wizard.next("  ")).toEqual({ kind: "refused", message: "destination is required" });
		expect(wizard.title()).toContain("(1/4)");
		expect(wizard.next("x".repeat(1_000_001))).toMatchObject({ kind: "refused" });
		expect(wizard.next("Rome")).toEqual({ kind: "step" });
	});

	test("BLT-29: each step is completed with the others as context", () => {
		const wizard = new ArgumentWizard(planVacation);
		expect(wizard.known).toEqual({});
		wizard.next("Rome");
		wizard.next("2026-06-01");
		expect(wizard.known).toEqual({ destination: "Rome", departure: "2026-06-01" });
		expect(wizard.entered("900")).toEqual({ destination: "Rome", departure: "2026-06-01", budget: "900" });
	});

	test("Back keeps the typed text, and the other values stay known", () => {
		const wizard = new ArgumentWizard(planVacation);
		expect(wizard.canGoBack).toBe(false);
		expect(wizard.back("Ro")).toBe(false);
		wizard.next("Rome");
		expect(wizard.back("2026-")).toBe(true);
		expect(wizard.value).toBe("Rome");
		expect(wizard.known).toEqual({ departure: "2026-" });
		wizard.next("Oslo");
		expect(wizard.value).toBe("2026-");
	});

	test("values given in advance are kept; asking starts at the first missing one", () => {
		const wizard = new ArgumentWizard(planVacation, { destination: "Rome", budget: "900" });
		expect(wizard.step?.name).toBe("departure");
		expect(wizard.back("")).toBe(true);
		expect(wizard.value).toBe("Rome");
	});

	test("a prompt without arguments is complete at once; a duplicate argument is asked for once", () => {
		expect(new ArgumentWizard({ name: "plain" }).next("")).toEqual({ kind: "done", result: {} });
		const twice = new ArgumentWizard({ name: "twice", arguments: [{ name: "a" }, { name: "a", required: true }] });
		expect(twice.steps).toHaveLength(1);
	});

	test("names of object members are plain names", () => {
		const wizard = new ArgumentWizard({ name: "odd", arguments: [{ name: "__proto__", required: true }] });
		expect(missingArguments({ name: "odd", arguments: [{ name: "toString", required: true }] }, {})).toEqual([
			"toString",
		]);
		const advance = wizard.next("value");
		expect(advance.kind === "done" && Object.entries(advance.result)).toEqual([["__proto__", "value"]]);
	});
});

describe("arguments from outside", () => {
	test("PRM-04: unknown, missing and oversized ones are reported by name", () => {
		expect(() => checkArguments(planVacation, { destinatoin: "x" })).toThrow(
			'"plan-vacation" has no argument "destinatoin". Its arguments: destination, departure, budget, travelers.',
		);
		expect(() => checkArguments({ name: "plain" }, { a: "" })).toThrow("Its arguments: none.");
		expect(() => checkArguments(planVacation, { budget: "9".repeat(1_000_001) })).toThrow("longer than 1,000,000");
		expect(() => requireArguments(planVacation, { departure: " " })).toThrow(
			'"plan-vacation" needs the arguments destination, departure. Write destination="…" departure="…" after it.',
		);
		expect(() => requireArguments(planVacation, { destination: "a", departure: "b" })).not.toThrow();
		expect(withoutEmpty({ a: "", b: "1" })).toEqual({ b: "1" });
	});

	test("the command takes a prompt with texts, numbers and booleans, or a node of the tree", () => {
		expect(
			readRunRequest({ server: "travel", prompt: "p", arguments: { budget: 2000, fast: true, to: "Rome" } }),
		).toEqual({
			server: "travel",
			prompt: { server: "travel", prompt: "p" },
			arguments: { budget: "2000", fast: "true", to: "Rome" },
		});
		expect(readRunRequest({ kind: "prompt", server: "user/travel", prompt: "p" })).toEqual({
			server: "user/travel",
			prompt: { server: "user/travel", prompt: "p" },
			arguments: undefined,
		});
		expect(readRunRequest('travel/p to="New York"')).toEqual({
			server: undefined,
			prompt: "travel/p",
			arguments: { to: "New York" },
		});
	});

	test("without a prompt the user chooses", () => {
		for (const value of [undefined, null, "", [], {}, { kind: "resource" }]) {
			expect(readRunRequest(value)).toBeUndefined();
		}
		expect(readRunRequest({ server: "travel" })).toEqual({
			server: "travel",
			prompt: undefined,
			arguments: undefined,
		});
	});

	test("a command on one prompt takes its server and name", () => {
		expect(readPromptAddress({ kind: "prompt", server: "s", prompt: "p" })).toEqual({ server: "s", prompt: "p" });
		for (const value of [undefined, {}, { server: "s" }, { server: "s", prompt: 1 }]) {
			expect(() => readPromptAddress(value)).toThrow(HostError);
		}
	});

	test("names and descriptions reveal secret arguments", () => {
		const prompt = {
			name: "p",
			arguments: [{ name: "api_key" }, { name: "k", description: "Your password" }, { name: "to" }],
		};
		expect(["api_key", "k", "to"].map((name) => isSecretArgument(prompt, name))).toEqual([true, true, false]);
	});

	test.each([
		{ prompt: "p" },
		{ server: 1, prompt: "p" },
		{ server: "s", prompt: {} },
		{ server: "s", prompt: "p", arguments: "a=b" },
		{ server: "s", prompt: "p", arguments: { a: { b: 1 } } },
		{ server: "s", prompt: "p", arguments: { a: null } },
	])("refuses %j", (value) => {
		expect(() => readRunRequest(value)).toThrow(HostError);
	});
});
