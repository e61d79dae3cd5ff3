/** What a hostile server puts into a form stays plain text, wherever it stands (security.md UI-05, ELC-02, ELC-03). */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormField } from "../../src/form/formProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { text } from "./fixtures/formFields.ts";
import { FormPage, questionOf } from "./fixtures/formPage.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Each would run, load, link, close or disguise something in a page that took it for more than text. */
const payloads = [
	"<script>alert(1)</script>",
	"<img src=x onerror=alert(1)>",
	"<img src=https://canary.example/p.png>",
	"<svg onload=alert(1)>",
	"<svg><script>alert(1)</script></svg>",
	"<iframe srcdoc='<script>alert(1)</script>'></iframe>",
	"<iframe src=https://canary.example></iframe>",
	"<a href=https://canary.example>click</a>",
	"<a href='command:mcpHost.approve'>approve</a>",
	"[click](command:workbench.action.quit)",
	"[click](https://canary.example)",
	"![](https://canary.example/p.png)",
	"https://canary.example/",
	"javascript:alert(1)",
	'"><script>alert(1)</script>',
	"' onfocus=alert(1) autofocus='",
	'" onmouseover=alert(1) x="',
	"</title><script>alert(1)</script>",
	"</main><form action=https://canary.example><button>Send</button></form>",
	"<style>body{display:none}</style>",
	"<link rel=stylesheet href=https://canary.example/s.css>",
	"<meta http-equiv=refresh content='0;url=https://canary.example'>",
	"<base href=https://canary.example>",
	"<object data=https://canary.example></object>",
	"<video src=https://canary.example/v.mp4 autoplay>",
	"<details open ontoggle=alert(1)>",
	"<input autofocus onfocus=alert(1)>",
	"<template><img src=x onerror=alert(1)></template>",
	"<!--lit-part--><?lit$123456789$?>",
	"${alert(1)} {{constructor.constructor('alert(1)')()}}",
	"&lt;script&gt;alert(1)&lt;/script&gt; &#106;avascript:",
	"$(shield) Verified by Microsoft",
];

test.each(payloads)("%s stays text", async (payload) => {
	const frame = { label: payload, description: payload, warning: payload, isRequired: false };
	const options = [{ value: payload, label: payload }];
	const fields: readonly FormField[] = [
		text(payload, { ...frame, suggests: true, recent: [`recent ${payload}`], fills: [{ id: "x", label: payload }] }),
		{ ...frame, kind: "boolean" },
		{ ...frame, kind: "choice", options },
		{ ...frame, kind: "choices", options },
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
			validate: async () => [{ field: 0, message: payload }, { message: payload }],
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
