/** The trace in a browser without VS Code: its rows, its filter, one whole exchange (TRC-32 to TRC-36). */
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../editor/browser.ts";
import { exchange, fillScene } from "../unit/records/trace/exchangeScene.ts";
import { workOfFrames } from "./fixtures/frames.ts";
import { showTrace, type ShownTrace } from "./fixtures/tracePanel.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

function lines({ panel }: ShownTrace): Locator {
	return panel.page.locator(".line[aria-level]");
}

async function isRowCount(shown: ShownTrace, count: number): Promise<void> {
	await expect.poll(() => shown.panel.page.locator("#grid").getAttribute("aria-rowcount")).toBe(String(count + 1));
}

for (const theme of ["light", "dark", "high-contrast", "high-contrast-light"] as const) {
	test(`shows each exchange as one row with requester, time, duration, bytes and outcome, in ${theme} (TRC-32)`, async () => {
		await using shown = await showTrace(browser, fillScene, { theme, size: { width: 1300, height: 380 } });
		const { page } = shown.panel;
		await isRowCount(shown, 12);
		const text = (index: number): Promise<string> =>
			lines(shown)
				.nth(index)
				.evaluate((row: { innerText: string }) => row.innerText.replace(/\s+/g, " ").trim());
		await expect.poll(() => lines(shown).count()).toBe(12);
		expect(await text(3)).toMatch(
			/tools\/call book_hotel travel you [\d:.]+ 1\.3 s \+ you 8\.0 s 214 B 1\.8 KB ✓ ok, sent again after HTTP 401$/,
		);
		expect(await text(4)).toContain("✗ tool error");
		expect(await text(5)).toContain("resources/read file:///a\\u202Eb.txt");
		expect(await text(5)).toContain("✗ error -32002: resource not found");
		expect(await text(6)).toContain("timed out");
		expect(await text(7)).toContain("⊘ not sent: the rule “no deletions”");
		expect(await text(8)).toContain("cancelled");
		expect(await text(9)).toContain("HTTP 502");
		expect(await text(10)).toContain("notifications/message × 100,000");
		expect(await text(11)).toMatch(/… waiting \d+ s/);
		await shown.panel.screenshot(`trace-${theme}`);
		await lines(shown).nth(2).click();
		const detail = page.locator("#detail");
		await detail.getByText("Found 12 places.").waitFor();
		await shown.panel.screenshot(`trace-${theme}-detail`);
		await page.setViewportSize({ width: 420, height: 600 });
		await shown.panel.screenshot(`trace-${theme}-narrow-detail`);
		expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
		await page.getByRole("button", { name: "Close Details" }).click();
		await lines(shown).nth(2).waitFor();
		await shown.panel.screenshot(`trace-${theme}-narrow`);
		expect(shown.panel.trouble).toEqual([]);
	});
}

test("messages in between fold below their row and unfold by key; a user's time is separate (TRC-32)", async () => {
	await using shown = await showTrace(browser, fillScene);
	const { page } = shown.panel;
	await isRowCount(shown, 12);
	await lines(shown).nth(3).click();
	await page.locator("#detail").getByText("9.3 s (you 8.0 s, server 1.3 s, MCP Host 20 ms)").waitFor();
	await page.locator("#grid").focus();
	await page.keyboard.press("ArrowRight");
	await isRowCount(shown, 16);
	await expect.poll(() => page.locator(".line.level-2").allInnerTexts()).toHaveLength(4);
	const below = (await page.locator(".line.level-2 .what").allInnerTexts()).map((text) => text.trim());
	expect(below).toEqual([
		"the server asked: elicitation/create",
		"HTTP: POST https://travel.example/mcp",
		"sign-in: POST https://login.example/token",
		"sent again: tools/call",
	]);
	await shown.panel.screenshot("trace-folded-out");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	await page.locator("#detail").getByText("401", { exact: true }).waitFor();
	// From a lower row to its exchange, and folded.
	await page.keyboard.press("ArrowLeft");
	await expect.poll(() => page.locator("[aria-selected=true].level-1").count()).toBe(1);
	await page.keyboard.press("ArrowLeft");
	await isRowCount(shown, 12);
	expect(shown.panel.trouble).toEqual([]);
});

test("a line with completion and presets filter it; unreadable parts are reported (TRC-33)", async () => {
	await using shown = await showTrace(browser, fillScene);
	const { page } = shown.panel;
	const filter = page.locator("#filter");
	await filter.fill("ser");
	await page.getByRole("option", { name: /server:/ }).waitFor();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await expect.poll(() => filter.inputValue()).toBe("server:");
	await page.getByRole("option", { name: "travel" }).waitFor();
	await shown.panel.screenshot("trace-completion");
	await filter.pressSequentially("tr");
	await expect.poll(() => page.getByRole("option").count()).toBe(1);
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await expect.poll(() => filter.inputValue()).toBe("server:travel ");
	await isRowCount(shown, 2);
	await page.getByText("2 of 12 exchanges").waitFor();
	await filter.fill("server:travel sttus:ok");
	await page.getByText("“sttus:” is not a field. Did you mean “status:”?").waitFor();
	await isRowCount(shown, 2);
	await shown.panel.screenshot("trace-problem");
	await page.getByRole("button", { name: "Errors" }).click();
	await isRowCount(shown, 4);
	expect(await page.getByRole("button", { name: "Errors" }).getAttribute("aria-pressed")).toBe("true");
	await page.getByRole("button", { name: "Slow" }).click();
	await expect.poll(async () => (await lines(shown).allInnerTexts()).length).toBe(2);
	await page.getByRole("button", { name: "Slow" }).click();
	await isRowCount(shown, 12);
	await filter.fill('text:"fast-forward"');
	await isRowCount(shown, 1);
	await filter.fill("nothing-like-this");
	await page.getByText("No exchange matches the filter.").waitFor();
	expect(shown.panel.trouble).toEqual([]);
});

test("a suggestion replaces the whole typed word, even if the answer to the last key is late (TRC-33)", async () => {
	await using shown = await showTrace(browser, fillScene);
	const { page } = shown.panel;
	const filter = page.locator("#filter");
	await filter.fill("server:t");
	await page.getByRole("option", { name: "travel" }).waitFor();
	// Nothing is answered within one task of the page.
	await page.evaluate(`(() => {
		const filter = document.querySelector("#filter");
		filter.value = "server:tr";
		filter.dispatchEvent(new InputEvent("input", { bubbles: true }));
		for (const key of ["ArrowDown", "Enter"]) filter.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
	})()`);
	await expect.poll(() => filter.inputValue()).toBe("server:travel ");
	await isRowCount(shown, 2);
	expect(shown.panel.trouble).toEqual([]);
});

test("details that arrive after they were closed stay closed (TRC-36)", async () => {
	await using shown = await showTrace(browser, fillScene);
	const { page } = shown.panel;
	await lines(shown).nth(3).waitFor();
	await page.evaluate(`(() => {
		document.querySelectorAll(".line[aria-level]")[3].click();
		document.querySelector("#grid").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
	})()`);
	// Later requests are answered later.
	await page.locator("#grid:focus").waitFor();
	await page.keyboard.press("ArrowRight");
	await isRowCount(shown, 16);
	expect(await page.locator("#detail").count()).toBe(0);
});

test("follows new rows, answers to waiting requests, and dropped rows (TRC-34)", async () => {
	await using shown = await showTrace(browser, () => undefined);
	const { page } = shown.panel;
	await page.getByText("No messages yet.").waitFor();
	shown.trace.put(exchange(1, { outcome: { kind: "waiting" }, startedAt: Date.now() - 3000 }));
	const waited = async (): Promise<number> =>
		Number(/waiting (\d+) s/.exec(await page.locator("#grid").innerText())?.[1]);
	await expect.poll(waited).toBeGreaterThan(0);
	const before = await waited();
	await expect.poll(waited).toBeGreaterThan(before);
	shown.trace.put(exchange(1));
	await page.locator(".line.ok").waitFor();
	for (let id = 2; id <= 200; id++) shown.trace.put(exchange(id, { target: `tool-${id}` }));
	// The last row stays visible as long as the user does not scroll.
	await page.getByText("tools/call tool-200").waitFor();
	await lines(shown).first().hover();
	// Beyond the beginning, at its end: in between the scroll would still be in progress.
	await page.mouse.wheel(0, -20_000);
	const top = (): Promise<number> => page.locator("#grid").evaluate((grid: { scrollTop: number }) => grid.scrollTop);
	await expect.poll(top).toBe(0);
	shown.trace.put(exchange(201, { target: "tool-201" }));
	await page.getByText("201 exchanges").waitFor();
	expect(await top()).toBe(0);
	shown.trace.drop(100);
	await page.getByText("101 exchanges").waitFor();
	await page.getByText("100 older entries were dropped.").waitFor();
	expect(shown.panel.trouble).toEqual([]);
});

test("works by keyboard, and names the active row to screen readers (TRC-35)", async () => {
	await using shown = await showTrace(browser, (trace) => {
		fillScene(trace);
		trace.put(...Array.from({ length: 5000 }, (_, index) => exchange(100 + index, { target: `t${index}` })));
	});
	const { page } = shown.panel;
	const named = (): Promise<string> =>
		page.evaluate<string>(
			"document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.innerText ?? ''",
		);
	await page.locator("#filter:focus").waitFor();
	await page.keyboard.type("-method:notifications/*");
	await page.getByText("5,011 of 5,012 exchanges").waitFor();
	await page.keyboard.press("Enter");
	await page.locator("#grid:focus").waitFor();
	await page.keyboard.press("End");
	await expect.poll(named).toContain("tools/call t4999");
	await page.keyboard.press("PageUp");
	await expect.poll(named).toMatch(/tools\/call t49[89]\d/);
	await page.keyboard.press("Home");
	await expect.poll(named).toContain("initialize");
	for (let step = 0; step < 2; step++) {
		await page.keyboard.press("ArrowDown");
		await expect.poll(named).toContain(step === 0 ? "tools/list" : "search_code");
	}
	await page.keyboard.press("Enter");
	await expect.poll(() => shown.done).toEqual(["3 open"]);
	await page.locator("#detail").waitFor();
	await page.keyboard.press("Escape");
	await expect.poll(() => page.locator("#detail").count()).toBe(0);
	await page.locator("#grid:focus").waitFor();
	expect(await page.locator("[aria-selected=true]").getAttribute("aria-rowindex")).toBe("4");
	expect(shown.panel.trouble).toEqual([]);
});

test("keys apply to the found and chosen rows while previous rows are still drawn (TRC-35)", async () => {
	await using shown = await showTrace(browser, fillScene);
	const { page } = shown.panel;
	const last = page.locator("[aria-selected=true]", { hasText: "wait_for_it" });
	await lines(shown).nth(11).waitFor();
	// At the moment at which the number of rows is drawn, the rows themselves are only requested.
	const pressWithCount = (key: string, count: string): Promise<unknown> =>
		page.evaluate(`new MutationObserver((_, observer) => {
			if (!document.querySelector(".count").textContent.trim().startsWith("${count}")) return;
			observer.disconnect();
			document.querySelector("#grid").dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }));
		}).observe(document.body, { subtree: true, childList: true, characterData: true })`);
	await pressWithCount("End", "11 of 12");
	await page.locator("#filter").fill("-method:notifications/*");
	await last.waitFor();
	await pressWithCount("Enter", "12 exchanges");
	await page.locator("#filter").fill("");
	await expect.poll(() => shown.done).toEqual(["12 open"]);
	await last.waitFor();
});

test("shows a whole exchange: messages with tokens, decoded headers, hidden parts, what the model saw, and its actions (TRC-36, TRC-46)", async () => {
	await using shown = await showTrace(browser, fillScene, { size: { width: 1200, height: 700 } });
	const { page } = shown.panel;
	await lines(shown).nth(2).click();
	const detail = page.locator("#detail");
	await detail.getByText("Found 12 places.").waitFor();
	const text = await detail.innerText();
	for (const part of [
		"about",
		"tokens",
		"One secret is hidden.",
		"⟦token 1⟧",
		"=?base64?c3VjaGU=?= → suche",
		"first of its window",
		"As the Model Saw It",
		"3 of 12 are left out",
		"fits the protocol",
	]) {
		expect(text).toContain(part);
	}
	await detail.getByRole("button", { name: "JSON-RPC" }).click();
	await page.getByText("Copied as JSON-RPC.").waitFor();
	await detail.getByRole("button", { name: "Open Answer" }).click();
	await detail.getByRole("button", { name: "Compare with Answer" }).click();
	await detail.getByRole("button", { name: "Run Again…" }).click();
	await expect.poll(() => shown.done).toEqual(["3 copy:json", "3 open:response", "3 beside:told", "3 again"]);
	await shown.panel.screenshot("trace-whole");
	expect(shown.panel.trouble).toEqual([]);
});

test("the search and the selection survive a view that is closed and reopened; the user is led to a row (TRC-36)", async () => {
	await using shown = await showTrace(browser, fillScene);
	const { page } = shown.panel;
	await page.locator("#filter").fill("server:git");
	await isRowCount(shown, 10);
	await lines(shown).nth(2).click();
	await page.locator("#detail").waitFor();
	await shown.panel.show();
	await page.locator("#detail", { hasText: "Found 12 places." }).waitFor();
	expect(await page.locator("#filter").inputValue()).toBe("server:git");
	shown.port.ask({ filter: "target:push", toNewest: true });
	await page.locator("[aria-selected=true]", { hasText: "push" }).waitFor();
	await page.locator("#detail", { hasText: "not a fast-forward" }).waitFor();
	await page.locator("#grid:focus").waitFor();
});

test("forged messages do nothing (UI-06)", async () => {
	await using shown = await showTrace(browser, fillScene);
	for (const args of [
		["rows", -1, 5],
		["rows", 0, "x"],
		["detail", "99"],
		["detail", {}],
		["act", "3/77", "open"],
		["filter", 7],
	]) {
		const [method, ...rest] = args;
		shown.panel.forge({ rpc: "call", id: 1, method, args: rest });
	}
	await isRowCount(shown, 12);
	expect(shown.done).toEqual([]);
});

test("a hundred thousand rows scroll with some fifty in the page; long frames are counted (TRC-35)", async () => {
	await using shown = await showTrace(browser, (trace) =>
		trace.put(...Array.from({ length: 100_000 }, (_, index) => exchange(index + 1, { target: `tool-${index}` }))),
	);
	const { page } = shown.panel;
	await isRowCount(shown, 100_000);
	await browser.startTracing(page, {
		categories: ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline"],
	});
	const frames = await page.evaluate<{ count: number; long: number; longest: number }>(`new Promise((done) => {
		const grid = document.querySelector("#grid");
		grid.scrollTop = 0;
		const times = [];
		let last = performance.now();
		const step = (now) => {
			times.push(now - last);
			last = now;
			grid.scrollTop += 440;
			if (times.length < 200) requestAnimationFrame(step);
			else done({ count: times.length, long: times.filter((time) => time > 17.5).length, longest: Math.round(Math.max(...times)) });
		};
		requestAnimationFrame(step);
	})`);
	const work = workOfFrames(await browser.stopTracing());
	console.log(
		`100,000 rows, 20 rows a frame: ${frames.long} of ${frames.count} frames took longer than 16.7 ms, the longest ${frames.longest} ms; ` +
			`of the page's own time each took ${work.each.toFixed(1)} ms, the longest task ${work.longest.toFixed(1)} ms`,
	);
	expect(work.frames).toBeGreaterThan(100);
	expect(await page.locator(".line").count()).toBeLessThan(80);
	await page.locator("#grid").focus();
	await page.keyboard.press("End");
	await lines(shown).last().getByText("tools/call tool-99999").waitFor();
	expect(shown.panel.trouble).toEqual([]);
});
