/** The form of a resource template, in a browser without VS Code: missing values, lists, many values and slow ones. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { parseTemplate } from "../../src/features/resources/templates/template.ts";
import { templateQuestion } from "../../src/features/resources/templates/templateForm.ts";
import type { Session } from "../../src/servers/sessions/session.ts";
import { launchBrowser } from "../editor/browser.ts";
import { facts, FakeSession } from "../unit/features/resources/fakeSession.ts";
import { FormPage, type FormPageOptions } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Opens the form of a template whose server completes its variables in this way. */
function open(
	uriTemplate: string,
	complete: Session["complete"] = async () => ({ values: [] }),
	options: FormPageOptions = {},
): Promise<FormPage> {
	const session = Object.assign(new FakeSession("small"), { complete });
	session.setState({ kind: "running", facts: { ...facts, capabilities: { resources: {}, completions: {} } } });
	const question = templateQuestion({
		listed: { session, template: { name: "city", title: "A City", uriTemplate } },
		template: parseTemplate(uriTemplate),
		given: new Map(),
		recentOf: () => [],
		log: silentLog,
	});
	return FormPage.open(browser, question, options);
}

const preview = (page: Page): Promise<string> => page.getByRole("status", { name: "URI", exact: true }).innerText();
const field = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });

test("a missing value is explained below its field, in words for a screen reader; Escape closes the form", async () => {
	await using form = await open("small://city/{country}/{city}");
	const { page } = form;
	for (const name of ["country", "city"]) {
		expect(await field(page, name).getAttribute("aria-required")).toBe("true");
	}
	await page.getByRole("button", { name: "Open Resource", exact: true }).click();
	await page.getByText("country is required: the URI needs it.").waitFor();
	await field(page, "country").and(page.locator(":focus")).waitFor();
	expect(await field(page, "country").getAttribute("aria-invalid")).toBe("true");
	const notes = page.locator(`#${await field(page, "country").getAttribute("aria-describedby")}`);
	expect(await notes.innerText()).toContain("country is required");
	await form.screenshot("template-missing");
	await page.keyboard.press("Escape");
	await expect.poll(() => form.session.decision.outcome).toMatchObject({ answer: { action: "cancel" } });
	expect(form.trouble).toEqual([]);
});

test("a list takes a value per line, and the URI shows the result of each", async () => {
	await using form = await open("tree://shelves{/path*}{#mark}");
	const { page } = form;
	const path = page.getByRole("textbox", { name: "path", exact: true });
	await expect.poll(() => preview(page)).toBe("tree://shelves");
	await path.focus();
	await page.keyboard.type("north wing");
	await page.keyboard.press("Enter");
	await page.keyboard.type("a/b");
	await expect.poll(() => preview(page)).toBe("tree://shelves/north%20wing/a%2Fb");
	await page.keyboard.press("Tab");
	await page.keyboard.type("top/1");
	await expect.poll(() => preview(page)).toBe("tree://shelves/north%20wing/a%2Fb#top/1");
	await page.keyboard.press("Control+Enter");
	await expect
		.poll(() => form.session.decision.outcome)
		.toMatchObject({ answer: { action: "accept", value: { path: "north wing\na/b", mark: "top/1" } } });
});

test("of 100,000 values 100 are shown, and the last typed text counts (PRM-05)", async () => {
	const asked: string[] = [];
	const answers = new Map<string, () => void>();
	await using form = await open("small://item/{value}", (_ref, { value }) => {
		asked.push(value);
		const values = Array.from({ length: 100 }, (_, index) => `${value}-${index}`);
		return new Promise((resolve) => answers.set(value, () => resolve({ values, total: 100_000, hasMore: true })));
	});
	const { page } = form;
	await field(page, "value").focus();
	for (const typed of ["a", "ab", "abc"]) {
		await page.keyboard.type(typed.slice(-1));
		await expect.poll(() => asked).toContain(typed);
	}
	// The server answers in the reverse order.
	for (const typed of ["abc", "ab", "a"]) answers.get(typed)?.();
	await page.getByText("100 of 100,000 values, type to narrow").first().waitFor();
	expect(await page.getByRole("option").count()).toBe(100);
	expect((await page.getByRole("option").allInnerTexts()).every((row) => row.startsWith("abc-"))).toBe(true);
	await form.screenshot("template-many");
});

test("is usable in a narrow window and in high contrast", async () => {
	const options = { size: { width: 320, height: 500 }, theme: "high-contrast" } as const;
	await using form = await open("small://city/{country}/{city}", undefined, options);
	const { page } = form;
	await field(page, "country").fill("France");
	await expect.poll(() => preview(page)).toBe("small://city/France/{city} (still needed: city)");
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	const submit = page.getByRole("button", { name: "Open Resource", exact: true });
	const box = await submit.boundingBox();
	expect(box !== null && box.y >= 0 && box.y + box.height <= 500).toBe(true);
	await form.screenshot("template-narrow-contrast");
	expect(form.trouble).toEqual([]);
});
