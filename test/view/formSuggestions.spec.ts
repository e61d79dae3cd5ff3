/** Stories of suggestions and sources in a form, in a browser without VS Code. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { completeCities, place, sources, text } from "./fixtures/formFields.ts";
import { FormPage, questionOf } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("suggestions have the keys of a combobox, list recent values first, and take nothing by accident", async () => {
	await using form = await FormPage.open(browser, questionOf([place, text("Guest")], { complete: completeCities }));
	const { page } = form;
	const box = page.getByRole("combobox", { name: "Place" });
	const active = () => box.getAttribute("aria-activedescendant");
	await box.focus();
	expect(await box.getAttribute("aria-expanded")).toBe("false");
	await page.keyboard.type("be");
	// The answer to the first letter has other rows.
	await expect.poll(() => page.locator(".list-note").innerText()).toBe("2 of 1,234 values, type to narrow");
	expect(await page.getByRole("listbox", { name: "Suggestions for Place" }).ariaSnapshot()).toBe(
		`- listbox "Suggestions for Place":
  - group "Recently used":
    - text: Recently used
    - option "Bergen"
  - group "Suggestions":
    - text: Suggestions
    - option "Berlin"
    - option "Bern"`,
	);
	expect(await box.getAttribute("aria-controls")).toBe("field-0-list");

	// No row is active: Enter takes nothing and submits nothing.
	expect(await active()).toBeNull();
	await page.keyboard.press("Enter");
	expect(await box.inputValue()).toBe("be");
	expect(form.session.decision.outcome).toBeUndefined();

	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	expect(await page.locator(`#${await active()}`).innerText()).toBe("Berlin");
	expect(await box.inputValue()).toBe("be");
	await page.keyboard.press("Escape");
	expect(await box.getAttribute("aria-expanded")).toBe("false");
	expect(await page.getByRole("listbox").count()).toBe(0);

	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("Control+Enter");
	expect(await box.inputValue()).toBe("Bern");
	expect(form.session.decision.outcome, "the keys took a row, and submitted nothing yet").toBeUndefined();
	await page.keyboard.press("Control+z");
	expect(await box.inputValue()).toBe("be");

	await box.fill("x");
	// The button of an open list would close it.
	await page.getByRole("listbox").waitFor({ state: "hidden" });
	await page.getByRole("button", { name: "Suggestions for Place" }).click();
	await page.getByText("No suggestions.").waitFor();
	await page.keyboard.press("Tab");
	await page.locator("#field-1:focus").waitFor();
	await page.keyboard.press("Control+Enter");
	await expect
		.poll(() => form.session.decision.outcome)
		.toMatchObject({
			answer: { action: "accept", value: { Place: "x" } },
		});
	expect(form.trouble).toEqual([]);
});

test("a late answer changes neither the text nor the row that the user moved to", async () => {
	const answers = new Map<string, (values: readonly string[]) => void>();
	await using form = await FormPage.open(
		browser,
		questionOf([place], {
			complete: (_name, _value, _signal, typed) =>
				new Promise((resolve) => answers.set(typed, (values) => resolve({ values }))),
		}),
	);
	const { page } = form;
	const box = page.getByRole("combobox", { name: "Place" });
	await box.focus();
	await page.keyboard.type("b");
	await expect.poll(() => answers.has("b")).toBe(true);
	await page.locator(".combobox.busy").waitFor();
	await page.keyboard.type("e");
	await expect.poll(() => answers.has("be")).toBe(true);
	await expect.poll(() => page.getByRole("option").allInnerTexts()).toEqual(["Bergen"]);
	await page.keyboard.press("ArrowDown");
	expect(await page.getByRole("option", { selected: true }).innerText()).toBe("Bergen");
	answers.get("b")?.(["Barcelona"]);
	answers.get("be")?.(["Berlin"]);
	await page.getByRole("option", { name: "Berlin" }).waitFor();
	expect(await page.getByRole("option", { name: "Barcelona" }).count()).toBe(0);
	expect(await page.getByRole("option", { selected: true }).innerText()).toBe("Bergen");
	expect(await box.inputValue()).toBe("be");
	await page.keyboard.type("rn");
	expect(await box.inputValue()).toBe("bern");
});

test("a list with a value per line is completed line by line", async () => {
	const asked: string[] = [];
	await using form = await FormPage.open(
		browser,
		questionOf([text("Path", { isLong: true, isList: true, suggests: true })], {
			complete: async (_name, _value, _signal, typed) => {
				asked.push(typed);
				return { values: [`${typed}-taken`] };
			},
		}),
	);
	const { page } = form;
	await page.locator("#field-0").focus();
	await page.locator("#field-0").fill("one\ntw\nx");
	await page.keyboard.press("Backspace");
	await page.keyboard.insertText("three");
	// A list that appears after Escape would take the arrow.
	await page.getByRole("option", { name: "three-taken" }).waitFor();
	await page.keyboard.press("Escape");
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("End");
	asked.length = 0;
	await page.keyboard.type("o");
	await page.getByRole("option", { name: "two-taken" }).waitFor();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	expect(await page.locator("#field-0").inputValue()).toBe("one\ntwo-taken\nthree");
	expect(asked).toEqual(["two"]);
});

test("a field is filled from a source, grows with its text, and restores its old text", async () => {
	const filled = "first line\r\nsecond line";
	await using form = await FormPage.open(
		browser,
		questionOf([text("Text", { fills: sources }), text("Other")], {
			fill: async (_name, source) => {
				if (source === "file") throw new Error("No file is open.");
				return filled;
			},
		}),
	);
	const { page } = form;
	const box = page.getByRole("textbox", { name: "Text", exact: true });
	await box.fill("by hand");
	await page.keyboard.press("Tab");
	const button = page.getByRole("button", { name: "Fill From… (Text)" });
	const firstSource = page.getByRole("menuitem", { name: "Clipboard" }).and(page.locator(":focus"));
	await page.keyboard.press("ArrowDown");
	await firstSource.waitFor();
	expect(await button.getAttribute("aria-expanded")).toBe("true");
	await page.keyboard.press("End");
	await page.keyboard.press("Enter");
	await page.getByText("No file is open.").waitFor();
	expect(await box.inputValue()).toBe("by hand");

	await button.click();
	await firstSource.waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("menu").waitFor({ state: "hidden" });
	await button.and(page.locator(":focus")).waitFor();
	await button.click();
	await firstSource.waitFor();
	await page.keyboard.press("Enter");
	await page.getByText("Filled from Clipboard.").waitFor();
	expect(await page.locator("textarea#field-0").inputValue()).toBe("first line\nsecond line");
	expect(form.session.value, "line breaks as they came").toEqual({ Text: filled });
	await page.keyboard.press("Control+z");
	expect(await box.inputValue()).toBe("by hand");
	// Until then the visible Undo is for the first one.
	await page.getByText("Filled from Clipboard.").waitFor({ state: "detached" });

	await button.click();
	await firstSource.waitFor();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Undo" }).click();
	expect(await box.inputValue()).toBe("by hand");
	await page.locator("#field-0:focus").waitFor();
	expect(form.trouble).toEqual([]);
});
