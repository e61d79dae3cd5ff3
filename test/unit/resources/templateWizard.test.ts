import { describe, expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { TemplateWizard } from "../../../src/resources/templateWizard.ts";

function wizardFor(uriTemplate: string): TemplateWizard {
	return new TemplateWizard({ name: "forecast", title: "Forecast", uriTemplate });
}

describe("TemplateWizard", () => {
	test("asks for each variable and makes the URI", () => {
		const wizard = wizardFor("weather://forecast/{city}/{date}");
		expect(wizard.step).toMatchObject({ name: "city", label: "city", isRequired: true });
		expect(wizard.canGoBack).toBe(false);
		expect(wizard.next("São Paulo")).toEqual({ kind: "step" });
		expect(wizard.step).toMatchObject({ name: "date" });
		expect(wizard.next("2026-07-01")).toEqual({
			kind: "done",
			result: "weather://forecast/S%C3%A3o%20Paulo/2026-07-01",
		});
	});

	test("shows the URI so far, with what is typed", () => {
		const wizard = wizardFor("weather://forecast/{city}/{date}{?units,lang}");
		expect(wizard.title("")).toBe("Forecast (1/4): weather://forecast/{city}/{date}{?units,lang}");
		expect(wizard.title("Pa")).toBe("Forecast (1/4): weather://forecast/Pa/{date}{?units,lang}");
		wizard.next("Paris");
		expect(wizard.title("1/2")).toBe("Forecast (2/4): weather://forecast/Paris/1%2F2{?units,lang}");
		wizard.next("today");
		wizard.next("");
		expect(wizard.title("")).toBe("Forecast (4/4): weather://forecast/Paris/today");
	});

	test("goes back with all that was entered, and completes with the other values only", () => {
		const wizard = wizardFor("x://{a}/{b}/{c}");
		wizard.next("1");
		wizard.next("2");
		expect(wizard.known).toEqual({ a: "1", b: "2" });
		expect(wizard.back("3")).toBe(true);
		expect([wizard.step?.name, wizard.value]).toEqual(["b", "2"]);
		expect(wizard.known).toEqual({ a: "1", c: "3" });
		expect(wizard.back("22")).toBe(true);
		expect(wizard.back("1")).toBe(false);
		wizard.next("1");
		wizard.next(wizard.value);
		expect(wizard.next(wizard.value)).toEqual({ kind: "done", result: "x://1/22/3" });
	});

	test("refuses an empty value where the URI would have a hole, and leaves out what is optional", () => {
		const wizard = wizardFor("x://files/{name}{+path}{?q}");
		expect(wizard.next("")).toEqual({ kind: "refused", message: "name is required" });
		wizard.next("n");
		wizard.next("");
		expect(wizard.next("")).toEqual({ kind: "done", result: "x://files/n" });
	});

	test("takes several values for an exploded variable", () => {
		const wizard = wizardFor("x://s{/path*}{?tags*}");
		expect(wizard.step?.description).toBe("Several values are separated by commas.");
		wizard.next("a, b/c");
		expect(wizard.next("red,green")).toEqual({ kind: "done", result: "x://s/a/b%2Fc?tags=red&tags=green" });
	});

	test("asks once for a variable that occurs twice", () => {
		const wizard = wizardFor("x://{a}/{a}");
		expect(wizard.steps).toHaveLength(1);
		expect(wizard.next("v")).toEqual({ kind: "done", result: "x://v/v" });
	});

	test("has no step for a template without variables", () => {
		const wizard = wizardFor("x://fixed");
		expect(wizard.step).toBeUndefined();
		expect(wizard.next("")).toEqual({ kind: "done", result: "x://fixed" });
	});

	test("takes names from a server as data", () => {
		const wizard = wizardFor("x://{__proto__}/{constructor}");
		wizard.next("a");
		expect(Object.hasOwn(wizard.known, "__proto__")).toBe(true);
		expect(wizard.next("b")).toEqual({ kind: "done", result: "x://a/b" });
	});

	test("refuses a malformed template", () => {
		expect(() => wizardFor("x://{a")).toThrow(HostError);
	});
});
