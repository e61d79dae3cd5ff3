/** The look and the names of the form made from a JSON Schema: themes, sizes, odd texts, every kind of control. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptedValue } from "../../src/questions/form/formSession.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { editOf, object, trip } from "./fixtures/objectEdits.ts";
import type { ThemeName } from "./fixtures/themes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("every node has its name and its role", async () => {
	await using form = await FormPage.openObject(browser, editOf(trip), { size: { width: 800, height: 2600 } });
	const { page } = form;
	await page
		.getByRole("group", { name: "guests" })
		.getByRole("group", { name: "Item 2" })
		.getByRole("group", { name: "friend" })
		.waitFor();
	expect(await page.getByRole("tablist").getByRole("tab").count()).toBe(2);
	expect(await page.getByRole("tabpanel", { name: "Form" }).count()).toBe(1);
	expect(await page.getByRole("combobox", { name: "quiet" }).locator("option").allInnerTexts()).toEqual([
		"(not set)",
		"true",
		"false",
	]);
	const unnamed = "button, input, select, textarea";
	for (const control of await page.locator(unnamed).all()) {
		const name = await control.evaluate(
			(element: {
				labels?: ArrayLike<unknown>;
				getAttribute(name: string): string | null;
				textContent: string | null;
			}) => element.getAttribute("aria-label") ?? (element.labels?.length ? "label" : element.textContent?.trim()),
		);
		expect(name).not.toBe("");
	}
	await form.screenshot("object-form-whole");
});

test.each<ThemeName>(["dark", "light", "high-contrast", "high-contrast-light"])(
	"shows an edit of a call in %s (UI-25)",
	async (theme) => {
		await using form = await FormPage.openObject(browser, editOf(trip), { theme, size: { width: 800, height: 1100 } });
		const { page } = form;
		await page.getByRole("textbox", { name: "nights" }).fill("0");
		await page.getByText("Enter 1 or more.").waitFor();
		const borderOf = async (name: string): Promise<string> => {
			const id = await page.getByRole("textbox", { name }).getAttribute("id");
			return page.evaluate<string>(`getComputedStyle(document.getElementById(${JSON.stringify(id)})).borderTopColor`);
		};
		// Not only by its text, also in themes that give every border one colour.
		expect(await borderOf("nights")).not.toBe(await borderOf("hotel"));
		await form.screenshot(`object-form-${theme}`);
		await page.getByRole("button", { name: "Reset: nights" }).click();
		await page.getByRole("tab", { name: "JSON" }).click();
		await page.getByRole("textbox", { name: "JSON" }).waitFor();
		await form.screenshot(`object-form-json-${theme}`);
		expect(form.trouble).toEqual([]);
	},
);

test.each([
	["narrow", { width: 290, height: 700 }],
	["at 200 %", { width: 400, height: 350 }],
])("a panel that is %s cuts nothing off, and the frame, the tabs and the buttons stay visible", async (what, size) => {
	await using form = await FormPage.openObject(browser, editOf(trip), { size });
	const { page } = form;
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	expect(
		await page.evaluate(
			"document.querySelector('.form-body').scrollWidth <= document.querySelector('.form-body').clientWidth",
		),
	).toBe(true);
	await page.getByRole("textbox", { name: "nights" }).focus();
	for (const part of [
		page.locator("h1"),
		page.getByRole("tab", { name: "JSON" }),
		page.locator("#submit"),
		page.locator(":focus"),
	]) {
		const box = await part.boundingBox();
		expect(box !== null && box.y >= 0 && box.y + box.height <= size.height + 1, String(part)).toBe(true);
	}
	await form.screenshot(`object-form-${what.replace(/\W+/g, "-")}`);
	await page.getByRole("textbox", { name: "number" }).focus();
	await form.screenshot(`object-form-deep-${what.replace(/\W+/g, "-")}`);
});

test.each([
	["one endless word", "x".repeat(100_000)],
	["from right to left", "שלום עולם ".repeat(200)],
	["without blanks", "情報".repeat(1000)],
])("a schema's texts that are %s stay within the panel (UI-12)", async (_what, long) => {
	const words = { title: long, description: long, default: long };
	const name = long.slice(0, 300);
	const schema = object({
		[name]: { type: "string", ...words },
		choice: { enum: [name, `${name}!`], ...words },
		kind: { oneOf: [object({ a: true }, { title: long }), { type: "array", title: long }], ...words },
		group: object({ [name]: object({ [name]: { not: {}, ...words } }, words) }, words),
	});
	const initial = { [name]: long, choice: name, kind: [], group: { [name]: { [name]: long } }, [`${name}?`]: long };
	const size = { width: 400, height: 600 };
	await using form = await FormPage.openObject(browser, editOf({ schema, initial }, { quote: long }), { size });
	const { page } = form;
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	expect(await page.evaluate("document.querySelector('.form-body').scrollWidth <= innerWidth")).toBe(true);
	await page.locator("#submit").scrollIntoViewIfNeeded();
});

test("shows choices, absent kinds of value and lists of every kind", async () => {
	const schema = object({
		currency: { enum: Array.from({ length: 20 }, (_, index) => `Currency ${index}`) },
		when: {
			oneOf: [
				{ type: "string", title: "Day", format: "date" },
				object({ from: { type: "string" } }, { title: "Span" }),
			],
		},
		size: { type: ["number", "null"] },
		point: {
			type: "array",
			prefixItems: [
				{ type: "number", title: "x" },
				{ type: "number", title: "y" },
			],
			items: false,
		},
		sizes: { type: "array", items: { enum: ["S", "M", "L"] } },
		wrong: { type: "integer" },
		places: object({ home: { type: "string" } }),
	});
	const initial = { point: [1, 2], sizes: ["S", "L"], size: null, wrong: "three", places: { other: { floor: 2 } } };
	const size = { width: 700, height: 1500 };
	await using form = await FormPage.openObject(browser, editOf({ schema, initial }), { size });
	const { page, session } = form;
	await form.screenshot("object-form-kinds");
	await page.getByRole("combobox", { name: "Kind of value: when" }).selectOption("Span");
	await page.getByRole("textbox", { name: "from" }).fill("May");
	await page.getByRole("button", { name: "Enter a Value: wrong" }).click();
	await page.getByRole("textbox", { name: "wrong" }).fill("3");
	await page.getByRole("button", { name: "Enter a Value: size" }).click();
	await page.getByRole("textbox", { name: "size" }).fill("1.5");
	await page.getByRole("radio", { name: "Currency 7" }).check();
	await page.getByRole("group", { name: "places" }).locator(".adder summary").click();
	await page.getByRole("textbox", { name: "Name of a member to add to places" }).fill("cellar");
	await page.keyboard.press("Enter");
	await page.getByRole("textbox", { name: "cellar" }).fill("[1.0]");
	await page.getByRole("button", { name: "Remove: Item 1" }).last().click();
	await page.getByRole("combobox", { name: "Item 2" }).waitFor({ state: "detached" });
	await page.getByRole("combobox", { name: "Item 1" }).selectOption("M");
	await page.getByRole("combobox", { name: "Kind of value: when" }).scrollIntoViewIfNeeded();
	await form.screenshot("object-form-kinds-edited");
	await page.keyboard.press("Control+Enter");
	expect(await acceptedValue(session)).toEqual({
		point: [1, 2],
		sizes: ["M"],
		size: 1.5,
		wrong: 3,
		places: { other: { floor: 2 }, cellar: [1] },
		currency: "Currency 7",
		when: { from: "May" },
	});
});
