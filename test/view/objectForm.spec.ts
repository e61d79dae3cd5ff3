/** Stories of the form made from a JSON Schema, in a browser without VS Code (Edit… opens it). */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { acceptedValue } from "../../src/questions/form/formSession.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { editOf, object, trip } from "./fixtures/objectEdits.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("an unchanged form submits the original value; edits are shown, checked and sent exactly (TOL-10)", async () => {
	await using untouched = await FormPage.openObject(browser, editOf(trip));
	await untouched.page.locator("#submit").click();
	expect(await acceptedValue(untouched.session)).toBe(trip.initial);

	await using form = await FormPage.openObject(browser, editOf(trip));
	const { page, session } = form;
	await page.getByRole("textbox", { name: "nights" }).fill("0");
	await page.getByText("Enter 1 or more.").waitFor();
	await page.getByRole("textbox", { name: "Name of the hotel" }).focus();
	await page.keyboard.press("Control+Enter");
	await page.locator("[aria-invalid=true]:focus").waitFor();
	expect(session.decision.outcome).toBeUndefined();
	await page.keyboard.press("Control+A");
	await page.keyboard.type("4");
	await page.getByRole("combobox", { name: "board" }).selectOption("half");
	await page.getByRole("button", { name: "Set to Null: note" }).click();
	await page.getByRole("combobox", { name: "Kind of value: payment" }).selectOption("Cash");
	await page.getByRole("button", { name: "Add Item (guests)" }).click();
	const added = page.getByRole("group", { name: "Item 3" }).getByRole("textbox", { name: "name" });
	await added.and(page.locator(":focus")).waitFor();
	await page.keyboard.type("Alan");
	await page.getByRole("tab", { name: "JSON" }).click();
	const expected = {
		...trip.initial,
		nights: 4,
		note: null,
		guests: [...(trip.initial["guests"] as JsonObject[]), { name: "Alan" }],
		payment: { by: "cash" },
		board: "half",
	};
	await expect.poll(async () => JSON.parse(await page.locator("#text").inputValue()) as unknown).toEqual(expected);
	const shown = await page.locator("#text").inputValue();
	await page.keyboard.press("Control+Enter");
	const sent = await acceptedValue(session);
	expect(JSON.stringify(sent)).toBe(JSON.stringify(JSON.parse(shown)));
	expect(JSON.stringify(sent)).toBe(JSON.stringify(expected));
	expect(form.trouble).toEqual([]);
});

test("tabs change with the keys; an invalid value keeps its tab, and edits go both ways", async () => {
	await using form = await FormPage.openObject(browser, editOf(trip));
	const { page, session } = form;
	await page.getByRole("tab", { name: "Form" }).focus();
	await page.keyboard.press("ArrowRight");
	const json = page.getByRole("textbox", { name: "JSON" });
	await json.waitFor();
	expect(await page.getByRole("tab", { selected: true }).innerText()).toBe("JSON");
	await json.fill('{\n  "hotel": "B",\n  "nights" 5\n}');
	await page.getByText("Line 3, column 12: colon expected.").waitFor();
	await page.getByRole("tab", { name: "Form" }).click();
	await page.locator("#text:focus").waitFor();
	expect(await json.inputValue()).toContain('"nights" 5');
	await page.locator("#submit").click();
	await page.locator("#text:focus").waitFor();
	expect(session.decision.outcome).toBeUndefined();
	await json.fill('{"hotel": "B", "nights": 5.0, "guests": [{"name": "Ada"}], "payment": {"by": "cash"}}');
	await page.getByRole("tab", { name: "Form" }).click();
	const nights = page.getByRole("textbox", { name: "nights" });
	await expect.poll(() => nights.inputValue()).toBe("5");
	await nights.fill("9007199254740993");
	await page.getByText("it would become 9007199254740992").waitFor();
	await page.getByRole("tab", { name: "JSON" }).click();
	await page.locator("[aria-invalid=true]:focus").waitFor();
	expect(await page.getByRole("tab", { selected: true }).innerText()).toBe("Form");
	await page.getByRole("button", { name: "Reset", exact: true }).click();
	await expect.poll(() => nights.inputValue()).toBe("3");
	await page.getByRole("button", { name: "Undo Reset" }).click();
	await expect.poll(() => nights.inputValue()).toBe("5");
});

test("adding, moving or removing an item keeps the focus near, with the keyboard", async () => {
	const schema = object({ list: { type: "array", items: { type: "string" } } });
	await using form = await FormPage.openObject(browser, editOf({ schema, initial: { list: ["a", "b"] } }));
	const { page, session } = form;
	await page.getByRole("button", { name: "Add Item" }).focus();
	await page.keyboard.press("Enter");
	await page.getByRole("textbox", { name: "Item 3" }).and(page.locator(":focus")).waitFor();
	await page.keyboard.type("c");
	await page.getByRole("button", { name: "Move Up: Item 3" }).focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Move Up: Item 2" }).and(page.locator(":focus")).waitFor();
	await page.keyboard.press("Enter");
	await expect.poll(() => page.getByRole("textbox", { name: "Item 1" }).inputValue()).toBe("c");
	await page.getByRole("button", { name: "Remove: Item 3" }).focus();
	await page.keyboard.press("Enter");
	await page.getByRole("textbox", { name: "Item 3" }).waitFor({ state: "hidden" });
	expect(await page.evaluate("document.activeElement !== document.body")).toBe(true);
	await page.keyboard.press("Control+Enter");
	expect(await acceptedValue(session)).toEqual({ list: ["c", "a"] });
});

test("a problem in a closed group opens it and gets the focus", async () => {
	const inner = object({ d: { type: "string", minLength: 2 } });
	const schema = object({ a: object({ b: object({ c: inner }) }) });
	await using form = await FormPage.openObject(browser, editOf({ schema, initial: { a: { b: { c: { d: "x" } } } } }));
	const { page } = form;
	await page.getByRole("button", { name: "a", exact: true }).click();
	await page.getByRole("textbox", { name: "d" }).waitFor({ state: "hidden" });
	await page.locator("#submit").click();
	await page.getByText("Enter at least 2 characters (now 1).").waitFor();
	await page.getByRole("textbox", { name: "d" }).and(page.locator(":focus")).waitFor();
});

test("the form shows the supported parts of the schema, and explains why it shows JSON otherwise", async () => {
	await using form = await FormPage.openObject(
		browser,
		editOf({ schema: { not: { required: ["x"] } }, initial: { a: 1 } }),
	);
	const { page, session } = form;
	await page.getByText("MCP Host cannot show a form: The schema has rules that a form cannot show (not).").waitFor();
	expect(await page.getByRole("tab", { name: "Form" }).isDisabled()).toBe(true);
	await page.locator("#text").fill('{"x": 1}');
	await page.locator(".problem").waitFor();
	await page.locator("#submit").click();
	expect(session.decision.outcome).toBeUndefined();
	await page.locator("#text").fill('{"a": 2}');
	await page.locator("#submit").click();
	expect(await acceptedValue(session)).toEqual({ a: 2 });
});

test("hidden characters are counted and shown as escapes, and stay in place while others are edited (TOL-08)", async () => {
	const note = "pay\u202E\u200B 5\u{E0041} EUR";
	const schema = object({ note: { type: "string" }, "a\u202Eb": { type: "string" } });
	await using form = await FormPage.openObject(browser, editOf({ schema, initial: { note } }));
	const { page, session } = form;
	await page.getByText("This text contains 3 hidden characters").waitFor();
	await page.getByText("pay\\u202E\\u200B 5\\u{E0041} EUR").waitFor();
	expect(await page.locator("label", { hasText: "a\\u202Eb" }).count()).toBe(1);
	await page.getByRole("textbox", { name: "note" }).focus();
	await page.keyboard.press("End");
	await page.keyboard.type("!");
	await page.getByRole("tab", { name: "JSON" }).click();
	await expect.poll(() => page.locator("#text").inputValue()).toContain("pay\\u202E\\u200B 5\\uDB40\\uDC41 EUR!");
	await page.locator("#submit").click();
	expect(await acceptedValue(session)).toEqual({ note: `${note}!` });
});

test("a text of 1 MB is edited like any other, and so are the fields beside it", async () => {
	const schema = object({ long: { type: "string" }, short: { type: "string" } });
	const initial = { long: `${"x".repeat(99)}\n`.repeat(10_000), short: "" };
	await using form = await FormPage.openObject(browser, editOf({ schema, initial }));
	const { page, session } = form;
	await page.getByRole("textbox", { name: "short" }).fill("quick");
	await page.getByRole("textbox", { name: "long" }).focus();
	await page.keyboard.press("Control+End");
	await page.keyboard.type("end");
	await page.keyboard.press("Control+Enter");
	const sent = await acceptedValue(session);
	expect(sent?.["short"]).toBe("quick");
	expect(sent?.["long"] === `${initial.long}end`).toBe(true);
});

test("an edit that is hidden and shown twenty times loses nothing and is submitted once (UI-07); forged messages do nothing (UI-06)", async () => {
	await using form = await FormPage.openObject(browser, editOf(trip));
	const { page, session } = form;
	const nights = page.getByRole("textbox", { name: "nights" });
	for (let round = 1; round <= 20; round++) {
		await nights.fill(String(round));
		await form.show();
		await expect.poll(() => nights.inputValue()).toBe(String(round));
	}
	const before = session.state;
	for (const change of [
		null,
		5,
		{},
		{ kind: "input", id: 9999, input: "x" },
		{ kind: "input", id: 1, input: {} },
		{ kind: "accept" },
	]) {
		form.forge({ rpc: "call", id: 1, method: "change", args: [change] });
	}
	form.forge({ rpc: "call", id: 1, method: "accept", args: [{}] });
	expect(session.state).toEqual(before);
	await page.locator("#submit").dblclick();
	expect(await acceptedValue(session)).toEqual({ ...trip.initial, nights: 20 });
	form.forge({ rpc: "call", id: 2, method: "change", args: [{ kind: "reset" }] });
	form.forge({ rpc: "call", id: 3, method: "cancel", args: [] });
	expect(await acceptedValue(session)).toEqual({ ...trip.initial, nights: 20 });
	await page.getByText("You submitted this.").waitFor();
	expect(await page.locator("#submit").isDisabled()).toBe(true);
});

test("an empty form begins with its first field: one empty item of a required list, and quiet marks (FST-16)", async () => {
	const schema = {
		...object({
			paths: { type: "array", items: { type: "string" }, description: "The files to read" },
			head: { type: "number" },
			note: { type: "string" },
		}),
		required: ["paths"],
	};
	await using form = await FormPage.openObject(browser, editOf({ schema, initial: {} }), {
		size: { width: 600, height: 420 },
	});
	const { page, session } = form;
	const first = page.getByRole("textbox", { name: "Item 1" });
	await first.and(page.locator(":focus")).waitFor();
	expect(await first.getAttribute("placeholder")).toBe("not set");
	await form.screenshot("object-form-first-item");
	await page.keyboard.press("Control+Enter");
	await page.getByText("This is required.").waitFor();
	expect(session.decision.outcome).toBeUndefined();
	await first.focus();
	await page.keyboard.type("a.md");
	expect(await first.inputValue()).toBe("a.md");
	expect(await page.getByText("edited", { exact: true }).count()).toBe(0);
	await page.getByRole("button", { name: "Add Item (paths)" }).click();
	await page.getByRole("textbox", { name: "Item 2" }).and(page.locator(":focus")).waitFor();
	await page.keyboard.type("b.md");
	await form.screenshot("object-form-first-item-filled");
	await page.keyboard.press("Control+Enter");
	expect(await acceptedValue(session)).toEqual({ paths: ["a.md", "b.md"] });
});
