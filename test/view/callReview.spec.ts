/** The review of the calls of a run, in a browser without VS Code: what it shows, and what it sends. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RpcEndpoint } from "../../src/base/rpc.ts";
import type {
	CallReviewAnswer,
	CallReviewHostApi,
	CallReviewState,
	ReviewedCall,
} from "../../src/surfaces/namedCalls/callReviewProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage, type FormPageOptions } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const call: ReviewedCall = {
	name: "Finds the flights of a day",
	place: ".vscode/mcp-calls.json",
	server: "travel",
	target: "tool searchFlights",
	badges: "read-only · open world (assumed)",
	isRisky: false,
	arguments: '{\n  "from": "MAD",\n  "note": "a\\u202Eb"\n}',
	notes: [],
};
const state: CallReviewState = {
	calls: [
		call,
		{
			...call,
			name: "<img src=x> Books a hotel whose name is long: ".concat("long".repeat(30)),
			target: "tool bookHotel",
			badges: "destructive (assumed) · open world (assumed)",
			isRisky: true,
			notes: ["Confirmation required by rule 2 of User Settings: ask travel · book*."],
		},
	],
	grantable: 1,
};

/** Opens the panel; its answers are recorded. */
async function open(shown: CallReviewState, options: FormPageOptions = {}) {
	const answers: CallReviewAnswer[] = [];
	const panel = await FormPage.openView(
		browser,
		"callReview",
		(port) =>
			new RpcEndpoint<object, CallReviewHostApi>(port, {
				ready: () => shown,
				answer: (answer) => void answers.push(answer as CallReviewAnswer),
			}),
		options,
	);
	await panel.page.locator("#none").waitFor();
	return { panel, page: panel.page, answers };
}

for (const theme of ["light", "dark", "high-contrast"] as const) {
	test(`shows each call whole, and marks calls that ask each time, also at 290 px, in ${theme} (CAL-04)`, async () => {
		const { panel, page, answers } = await open(state, { theme });
		await using _ = panel;
		const text = await page.locator("main").innerText();
		for (const part of [
			"Run 2 Calls?",
			"travel · tool searchFlights",
			'"note": "a\\u202Eb"',
			"<img src=x>",
			"rule 2",
		]) {
			expect(text).toContain(part);
		}
		expect(text).toContain("1 of them still need confirmation each time.");
		await panel.screenshot(`call-review-${theme}`);
		await page.setViewportSize({ width: 290, height: 900 });
		expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
		await panel.screenshot(`call-review-${theme}-narrow`);
		expect(panel.trouble).toEqual([]);
		expect(answers).toEqual([]);
	});
}

test("Enter alone runs none; an answer is sent once; a grant without effect is not offered (CAL-04)", async () => {
	const first = await open(state);
	await first.page.keyboard.press("Enter");
	await expect.poll(() => first.answers).toEqual(["none"]);
	await first.panel[Symbol.asyncDispose]();

	const second = await open(state);
	await second.page.getByRole("button", { name: "Run and Allow While Unchanged" }).dblclick();
	await expect.poll(() => second.answers).toEqual(["always"]);
	await second.panel[Symbol.asyncDispose]();

	const { panel, page, answers } = await open({ ...state, grantable: 0 });
	await using _ = panel;
	expect(await page.getByRole("button").allInnerTexts()).toEqual(["Run Once", "Run None"]);
	await page.getByRole("button", { name: "Run Once" }).dblclick();
	await expect.poll(() => answers).toEqual(["once"]);
});
