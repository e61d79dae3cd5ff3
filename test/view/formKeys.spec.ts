/** Stories of a form's keys, screen reader announcements and marks, in a browser without VS Code. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { text } from "./fixtures/formFields.ts";
import { FormPage, questionOf } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("a key submits only when it was pressed in this form: not a key for another place, nor a held key (UI-22)", async () => {
	await using form = await FormPage.open(browser, questionOf([text("Name")]));
	const { page, session } = form;
	await page.locator("#field-0").fill("Ada");
	const enter = async (init: object): Promise<void> => {
		await page.locator("#field-0").dispatchEvent("keydown", { key: "Enter", ctrlKey: true, ...init });
	};
	// Ctrl was pressed before the form had the focus.
	await enter({});
	await page.keyboard.down("Control");
	await enter({ repeat: true });
	await page.keyboard.up("Control");
	await enter({});
	await page.evaluate("document.activeElement.blur()");
	await page.locator("#field-0").focus();
	expect(session.decision.outcome).toBeUndefined();
	await page.keyboard.press("Control+Enter");
	await expect
		.poll(() => session.decision.outcome)
		.toMatchObject({ answer: { action: "accept", value: { Name: "Ada" } } });
});

test("a polite live region announces a server's question, once its panel is there (UI-24)", async () => {
	await using form = await FormPage.open(browser, questionOf([text("Name")]));
	const { page } = form;
	const region = page.locator("body > [role=status]");
	await expect.poll(() => region.textContent()).toBe("travel (server) asks for your input");
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send("Accessibility.getFullAXTree");
	const status = nodes.find(({ role, name }) => role?.value === "status" && String(name?.value ?? "") === "");
	expect(status?.properties?.find(({ name }) => name === "live")?.value.value).toBe("polite");
});

test("required fields are marked at once, and only invalid ones get the red border after the answer (UI-25)", async () => {
	await using form = await FormPage.open(
		browser,
		questionOf([text("Name", { isRequired: true }), text("Note")], {
			validate: async (value) =>
				value["Name"] === undefined ? [{ path: ["Name"], message: "Fill in this field." }] : [],
		}),
	);
	const { page } = form;
	const name = page.locator("#field-0");
	expect(await page.locator("label .required").count()).toBe(1);
	expect(await page.getByRole("textbox", { name: "Name", exact: true }).getAttribute("aria-required")).toBe("true");
	expect(await page.locator(".problem").count()).toBe(0);
	expect(await name.getAttribute("aria-invalid")).not.toBe("true");
	await page.locator("#submit").click();
	await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
	const borderOf = (id: string): Promise<string> =>
		page.evaluate(`getComputedStyle(document.querySelector("#${id}")).borderTopColor`);
	const red = await page.evaluate<string>(`(() => {
		const probe = document.createElement("i");
		probe.style.color = "var(--vscode-inputValidation-errorBorder)";
		document.body.append(probe);
		return getComputedStyle(probe).color;
	})()`);
	expect(await borderOf("field-0")).toBe(red);
	expect(await borderOf("field-1")).not.toBe(red);
	expect(await page.locator("#field-0:focus").count()).toBe(1);
});
