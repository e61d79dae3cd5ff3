/** Stories of the form itself, in a browser without VS Code: keys, roles, names, sizes, themes, hiding. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionField } from "../../src/questions/form/formQuestion.ts";
import { launchBrowser } from "../editor/browser.ts";
import { completeCities, place, sources, text } from "./fixtures/formFields.ts";
import { FormPage, questionOf } from "./fixtures/formPage.ts";
import type { ThemeName } from "./fixtures/themes.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("Enter does not submit, Escape does not answer a server; the user's own form closes while it is empty", async () => {
	await using asked = await FormPage.open(browser, questionOf([text("Name")]));
	await asked.page.locator("#field-0").focus();
	await asked.page.keyboard.press("Enter");
	await asked.page.keyboard.press("Escape");
	await asked.page.keyboard.type("a");
	await expect.poll(() => asked.session.value).toEqual({ Name: "a" });
	expect(asked.session.decision.outcome).toBeUndefined();

	const own = questionOf([text("Name")], {
		subject: { kind: "form", server: "travel", title: "Run" },
		heading: "Run Plan a Vacation",
		canDecline: false,
	});
	await using form = await FormPage.open(browser, own);
	expect(await form.page.locator("header").innerText()).toMatch(/Server: travel$/);
	expect(await form.page.getByRole("button", { name: "Decline" }).count()).toBe(0);
	await form.page.locator("#field-0").focus();
	await form.page.keyboard.type("a");
	await form.page.keyboard.press("Escape");
	await form.page.keyboard.press("Backspace");
	await expect.poll(() => form.session.value).toEqual({});
	expect(form.session.decision.outcome).toBeUndefined();
	await form.page.getByRole("button", { name: "Reset" }).waitFor({ state: "hidden" });
	await form.page.keyboard.press("Escape");
	await expect.poll(() => form.session.decision.outcome).toMatchObject({ answer: { action: "cancel" } });
});

const everything: readonly QuestionField[] = [
	{ ...place, fills: sources },
	text("E-mail", { format: "email", isRequired: true }),
	text("Arrival", { format: "date" }),
	{ name: "Nights", kind: "number", label: "Nights", isRequired: false },
	{ name: "Breakfast", kind: "boolean", label: "Breakfast", isRequired: false, description: "From 7 to 10." },
	{ name: "Room", kind: "choice", label: "Room", isRequired: true, options: options("Single", "Double") },
	{ name: "Extras", kind: "choices", label: "Extras", isRequired: true, options: options("Parking", "Sea view") },
	{
		name: "Currency",
		kind: "choice",
		label: "Currency",
		isRequired: false,
		options: options(...Array.from({ length: 500 }, currency)),
	},
	text("API key", { warning: "This looks like a secret." }),
	text("Notes", { isLong: true }),
];

function options(...labels: readonly string[]) {
	return labels.map((label) => ({ value: label.toLowerCase(), label }));
}

function currency(_item: unknown, index: number): string {
	return `Currency ${index}`;
}

test("every control has its role, its name, its required state, and all its descriptions", async () => {
	const problems = [
		{ path: ["E-mail"], message: "Enter an email address." },
		{ path: ["Extras"], message: "Choose at least 1." },
		{ path: [], message: "Arrival must be in the future." },
	];
	await using form = await FormPage.open(browser, questionOf(everything, { validate: async () => problems }));
	const { page } = form;
	expect(await page.locator(".problem").count()).toBe(0);
	await page.getByRole("button", { name: "Send" }).click();
	await page.locator("#field-1:focus").waitFor();
	await page.getByRole("alert").getByText("Arrival must be in the future.").waitFor();
	const described = async (name: string) => {
		const box = page.getByRole("textbox", { name });
		return page.locator(`#${await box.getAttribute("aria-describedby")}`).innerText();
	};
	expect(await described("E-mail")).toBe("Enter an email address.");
	expect(await described("API key")).toBe("⚠ This looks like a secret.");
	expect(await page.getByRole("combobox", { name: "Place" }).getAttribute("aria-required")).toBe("true");
	expect(await page.getByRole("group", { name: "Extras (required)" }).getByRole("checkbox").count()).toBe(2);
	expect(await page.getByRole("checkbox", { name: "Breakfast" }).count()).toBe(1);
	expect(await page.getByRole("combobox", { name: "Room" }).count()).toBe(1);
	expect(await page.getByRole("radiogroup", { name: "Currency" }).getByRole("radio").count()).toBe(501);
	const texts = await page.locator("input:not([type=checkbox], [type=radio]), textarea").all();
	for (const box of texts) {
		expect(await box.getAttribute("autocomplete")).toBe("off");
		expect(await box.getAttribute("spellcheck")).toBe("false");
	}
});

test("one of 500 values is found and chosen with the keyboard; Reset restores the first values", async () => {
	await using form = await FormPage.open(browser, questionOf(everything));
	const { page } = form;
	await page.getByRole("searchbox", { name: "Filter Currency" }).focus();
	await page.keyboard.type("457");
	await page.getByText("2 of 501 values").waitFor();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	await expect.poll(() => form.session.value).toMatchObject({ Currency: "currency 457" });
	await page.getByRole("searchbox").focus();
	await page.keyboard.press("Escape");
	await page.getByText("501 values", { exact: true }).waitFor();

	await page.getByRole("textbox", { name: "Arrival" }).fill("2026-1");
	await page.getByRole("button", { name: "Reset" }).click();
	await expect.poll(() => form.session.value).toBe(form.session.question.initial);
	await page.getByRole("button", { name: "Undo Reset" }).click();
	await expect.poll(() => page.getByRole("textbox", { name: "Arrival" }).inputValue()).toBe("2026-1");
});

const sizes = [
	{ what: "a narrow panel", size: { width: 320, height: 600 } },
	{ what: "a low panel", size: { width: 700, height: 300 } },
	{ what: "a small panel at 200 %", size: { width: 320, height: 300 } },
];

test.each(sizes)(
	"the requester, the focused control and the buttons are visible together in $what (BLT-34)",
	async ({ size }) => {
		await using form = await FormPage.open(browser, questionOf(everything), { size });
		const { page } = form;
		expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
		await page.locator("#field-0").focus();
		for (let stop = 0; stop < everything.length + 6; stop++) {
			for (const part of [page.getByText("Server: travel"), page.getByText("travel says:"), page.locator("#submit")]) {
				expect(await part.evaluate(isInSight), `${String(part)} at stop ${stop}`).toBe(true);
			}
			expect(await page.locator(":focus").evaluate(isInSight), `the focus at stop ${stop}`).toBe(true);
			await page.keyboard.press("Tab");
		}
	},
);

/** The part of an element that `isInSight` reads inside the page. The project is compiled without the DOM library. */
interface PlacedElement {
	readonly ownerDocument: { elementFromPoint(x: number, y: number): PlacedElement | null };
	contains(other: PlacedElement): boolean;
	getBoundingClientRect(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Whether an element is in the window and nothing covers it, at its beginning and half of its height. */
function isInSight(element: PlacedElement): boolean {
	const { x, y, width, height } = element.getBoundingClientRect();
	const top = element.ownerDocument.elementFromPoint(x + Math.min(width, 40) / 2, y + height / 2);
	return top !== null && (element.contains(top) || top.contains(element));
}

test.each([
	["one endless word", "x".repeat(100_000)],
	["from right to left", "שלום עולם ".repeat(200)],
	["emoji", "\u{1F469}\u200D\u{1F680}".repeat(500)],
	["without blanks", "情報".repeat(1000)],
	["lines", "line\n".repeat(1000)],
])("texts of a server that are %s stay within the panel, and the frame stays visible (UI-12)", async (_what, long) => {
	const frame = { label: long.slice(0, 300), description: long, warning: long, isRequired: true };
	const fields = [
		text("a", frame),
		{ ...frame, name: "b", kind: "choice" as const, options: options(long.slice(0, 300)) },
	];
	const size = { width: 400, height: 500 };
	await using form = await FormPage.open(browser, questionOf(fields, { quote: long }), { size });
	const { page } = form;
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	expect(await page.evaluate("document.querySelector('.form-body').scrollWidth <= innerWidth")).toBe(true);
	for (const part of ["h1", ".frame p", "#field-0", "#submit"]) {
		await page.locator(part).scrollIntoViewIfNeeded();
		expect(await page.locator(part).evaluate(isInSight), part).toBe(true);
	}
});

test.each<ThemeName>(["dark", "light", "high-contrast", "high-contrast-light"])(
	"shows the form in %s",
	async (theme) => {
		const question = questionOf(everything, {
			complete: completeCities,
			preview: ({ Place }) => `trips://${typeof Place === "string" ? Place : ""}`,
			previewLabel: "URI",
			validate: async () => [{ path: ["E-mail"], message: "Enter an email address." }],
		});
		await using form = await FormPage.open(browser, question, { theme });
		const { page } = form;
		await page.locator("#field-1").fill("nobody");
		await page.locator("#field-0").focus();
		await page.keyboard.type("b");
		await page.getByRole("option", { name: "Bilbao" }).waitFor();
		await page.keyboard.press("ArrowDown");
		await form.screenshot(`form-suggestions-${theme}`);
		await page.keyboard.press("Enter");
		await page.getByText("trips://Lisbon").scrollIntoViewIfNeeded();
		await form.screenshot(`form-preview-${theme}`);
		expect(form.trouble).toEqual([]);
	},
);

test("a form that is hidden and shown twenty times loses nothing and is answered once (UI-07)", async () => {
	await using form = await FormPage.open(browser, questionOf([text("Name"), text("Notes", { isLong: true })]));
	const { page, session } = form;
	let name = "";
	for (let round = 0; round < 20; round++) {
		await page.locator("#field-0").focus();
		await page.keyboard.press("End");
		await page.keyboard.type(String(round % 10));
		name += round % 10;
		await expect.poll(() => session.value).toEqual({ Name: name });
		await form.show();
		expect(await page.locator("#field-0").inputValue()).toBe(name);
	}
	await page.locator("#field-1").focus();
	await form.show();
	await page.locator("#field-1:focus").waitFor();
	await page.getByRole("button", { name: "Send" }).dblclick();
	await expect.poll(() => session.state.end).toBe("You answered.");
	await form.show();
	expect(await page.getByText("You answered.").count()).toBe(1);
	expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
	form.forge({ rpc: "call", id: 1, method: "decline", args: [] });
	expect(session.decision.outcome).toMatchObject({ answer: { action: "accept", value: { Name: name } } });
});
