import { describe, expect, test } from "vitest";
import { AppHealth } from "../../../src/apps/appHealth.ts";

function health(): { readonly known: AppHealth; readonly wait: (ms: number) => void } {
	let now = 1000;
	return { known: new AppHealth(() => now), wait: (ms) => (now += ms) };
}

describe("why an app is blank (APP-11)", () => {
	test("is not said before it is late, and never of one that is there", () => {
		const { known, wait } = health();
		known.read(2048);
		known.loaded();
		known.failed("boom");
		expect(known.verdict).toBeUndefined();
		known.asked();
		known.initialized();
		wait(20_000);
		expect(known.verdict).toBeUndefined();
	});

	test.each([
		["its page was not loaded", () => undefined, /has not been loaded yet/],
		[
			"the policy stopped a script that another needs",
			(known: AppHealth) => (
				known.loaded(),
				known.violated("script-src-elem https://cdn.example/x.js"),
				known.failed("L is not defined")
			),
			/needs what it did not ask for .*cdn\.example/,
		],
		[
			"a script failed",
			(known: AppHealth) => (known.loaded(), known.failed("L is not defined (page:3)")),
			/script of the app failed: L is not defined/,
		],
		["it says nothing", (known: AppHealth) => known.loaded(), /has not asked for its host yet \(ui\/initialize\)/],
		["it stops half-way", (known: AppHealth) => (known.loaded(), known.asked()), /has not said that it is initialized/],
	])("is said when %s", (_name, happen, verdict) => {
		const { known, wait } = health();
		happen(known);
		wait(9000);
		expect(known.verdict).toMatch(verdict);
	});

	test("is said of one without a size; a checker that tries to compile is no cause", () => {
		const { known, wait } = health();
		known.loaded();
		known.violated("script-src eval");
		wait(9000);
		expect(known.verdict).toMatch(/has not asked for its host yet/);
		known.initialized();
		known.resized(0, 100);
		expect(known.verdict).toMatch(/no size/);
		expect(known.violations).toBe(0);
	});

	test("keeps a bounded number of everything, with how often", () => {
		const { known } = health();
		for (let index = 0; index < 500; index++) {
			known.failed(`error ${index} ${"x".repeat(1000)}`);
			known.violated(index < 3 ? "connect-src https://a.example" : `img-src https://a${index}.example`);
			known.misbehaved("Too much");
		}
		const lines = known.lines.map(({ text }) => text);
		expect(lines).toContain("Stopped by the policy (3 times): connect-src https://a.example");
		expect(lines).toContain("Too much (500 times)");
		expect(lines.length).toBeLessThan(60);
	});
});
