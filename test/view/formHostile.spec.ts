/** Texts of a hostile server stay plain text everywhere in a form (UI-05, ELC-02, ELC-03). */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exactName } from "../../src/base/exactJson.ts";
import type { QuestionField } from "../../src/questions/form/formQuestion.ts";
import { launchBrowser } from "../editor/browser.ts";
import { text } from "./fixtures/formFields.ts";
import { FormPage, questionOf } from "./fixtures/formPage.ts";
import { editOf } from "./fixtures/objectEdits.ts";
import { payloads } from "./fixtures/payloads.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

test.each(payloads)("%s stays text", async (payload) => {
	const frame = { label: payload, description: payload, warning: payload, isRequired: false };
	const options = [{ value: payload, label: payload }];
	const fields: readonly QuestionField[] = [
		text(payload, { ...frame, suggests: true, recent: [`recent ${payload}`], fills: [{ id: "x", label: payload }] }),
		{ ...frame, name: "boolean", kind: "boolean" },
		{ ...frame, name: "choice", kind: "choice", options },
		{ ...frame, name: "choices", kind: "choices", options },
	];
	await using form = await FormPage.open(
		browser,
		questionOf(fields, {
			heading: payload,
			subject: { kind: "elicitation", server: payload, title: payload, during: payload },
			quote: payload,
			submitLabel: payload,
			complete: async () => ({ values: [payload] }),
			preview: () => payload,
			validate: async () => [
				{ path: [payload], message: payload },
				{ path: [], message: payload },
			],
			actions: () => [{ id: "more", label: payload }],
		}),
	);
	const { page } = form;
	const box = page.locator("#field-0");
	await box.focus();
	await page.keyboard.press("ArrowDown");
	const rows = page.getByRole("listbox").getByRole("option");
	await rows.nth(1).waitFor();
	for (const place of ["h1", "header p", "blockquote", "label[for=field-0]", "#field-0-notes", "legend", "output"]) {
		expect(await page.locator(place).first().innerText(), place).toContain(payload);
	}
	expect((await rows.allInnerTexts()).toSorted()).toEqual([payload, `recent ${payload}`].toSorted());
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("Enter");
	expect(await box.inputValue()).toBe(payload);
	await page.locator("#submit").click();
	await page.getByRole("alert").getByText(payload).waitFor();

	const strange =
		"a, img, svg, iframe, object, video, form, style, base, template, details, main script, [onfocus], [onerror]";
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	expect(await page.locator("main").count()).toBe(1);
	expect(form.trouble).toEqual([]);
	expect(form.session.decision.outcome).toBeUndefined();
});

test.each(payloads)("%s stays text in the form of a schema", async (payload) => {
	const words = { title: payload, description: payload, default: payload };
	const schema = {
		type: "object",
		required: [payload],
		properties: {
			[payload]: { type: "string", ...words, pattern: "^x$" },
			choice: { enum: [payload, "other"], ...words },
			kind: {
				oneOf: [
					{ type: "object", ...words },
					{ type: "array", ...words },
				],
				...words,
			},
			json: { not: {}, ...words },
			list: { type: "array", prefixItems: [{ type: "object", properties: { [payload]: { type: "string" } } }] },
		},
	};
	const initial = { [payload]: payload, json: payload, list: [{ [payload]: payload }], [`other ${payload}`]: payload };
	const subject = { kind: "tool", server: payload, title: payload, during: payload } as const;
	await using form = await FormPage.openObject(
		browser,
		editOf({ schema, initial }, { subject, heading: payload, quote: payload, notes: [payload], submitLabel: payload }),
	);
	const { page, session } = form;
	for (const place of ["h1", "header p", "blockquote", ".notice", ".description", ".variants"]) {
		expect(await page.locator(place).first().textContent(), place).toContain(payload.slice(0, 30));
	}
	// A name in quotation marks is shown as JSON, since it could be mistaken for another one.
	expect(await page.locator("label.label").first().textContent()).toContain(exactName(payload, 120).slice(0, 30));
	expect(await page.locator(".form-body input").first().inputValue()).toBe(payload);
	await page.locator("#submit").click();
	await page.locator(".problem").first().waitFor();
	const strange = "a, img, svg, iframe, object, video, form, style, base, template, main script, [onfocus], [onerror]";
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	await page.getByRole("tab", { name: "JSON" }).click();
	await page.locator("#text").waitFor();
	expect(JSON.parse(await page.locator("#text").inputValue())).toEqual(initial);
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	expect(await page.locator("main").count()).toBe(1);
	expect(form.trouble).toEqual([]);
	expect(session.decision.outcome).toBeUndefined();
});
