/**
 * The review panel, in a browser without VS Code: what it sends and when, how edits are shown and kept, and where the
 * focus is.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReviewDocument, ReviewState } from "../../src/features/sampling/review/reviewProtocol.ts";
import { launchBrowser } from "../editor/browser.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { completionOf, field, fullReview, plainReview, textMessage } from "./fixtures/reviewDocuments.ts";
import { ReviewHost } from "./fixtures/reviewHost.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A panel with its host. */
interface Shown extends AsyncDisposable {
	readonly panel: FormPage<ReviewHost>;
	readonly page: Page;
	readonly host: ReviewHost;
}

async function open(document: ReviewDocument = plainReview()): Promise<Shown> {
	const host = new ReviewHost(document);
	const panel = await FormPage.openReview(browser, host);
	return {
		panel,
		page: panel.page,
		host,
		[Symbol.asyncDispose]: async () => {
			expect(panel.trouble).toEqual([]);
			await panel[Symbol.asyncDispose]();
		},
	};
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name });
const completed = (text: string): ReviewState => ({
	...plainReview().state,
	step: { kind: "completion", completion: completionOf(text) },
});
const focused = (page: Page): Promise<string> =>
	page.evaluate<string>("document.activeElement.id || document.activeElement.tagName");

test("the shown text is sent, with untouched bytes exactly as received (SMP-10)", async () => {
	await using shown = await open(plainReview({ messages: [textMessage(0, "user", "one\r\ntwo\rthree\r\n")] }));
	const { page, host } = shown;
	await textbox(page, "1 user").fill("one\nTWO\nthree\n");
	await textbox(page, "System prompt").fill("Be \u{1F31E} kind.\n\tAlways ");
	await page.getByText("Parameters").click();
	await textbox(page, "Temperature").fill("");
	await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "glm-4.6 · Example Cloud" });
	await button(page, "Send to Model").click();
	await expect.poll(() => host.asked).toEqual(["approve"]);
	expect(host.approved).toEqual({
		revision: 1,
		changes: {
			"message.0.part.0": "one\r\nTWO\rthree\r\n",
			system: "Be \u{1F31E} kind.\n\tAlways ",
			temperature: "",
		},
		removed: [],
		modelId: "large",
		isModelByHand: true,
		context: "none",
		sendsMetadata: false,
	});
});

test("every edit is shown as a difference, found again and reverted, one by one or all at once", async () => {
	await using shown = await open(fullReview());
	const { page, host } = shown;
	await textbox(page, "System prompt").fill("You are a patient assistant.");
	await button(page, "Show Changes of System prompt").click();
	const changes = page.getByRole("group", { name: "Changes of System prompt" });
	expect(await changes.locator("ins").allInnerTexts()).toEqual(["patient"]);
	expect(await changes.locator("del").allInnerTexts()).toEqual(["travel"]);
	await textbox(page, "System prompt").fill("You are a patient and brief assistant.");
	await expect.poll(() => changes.locator("ins").allInnerTexts()).toEqual(["patient", "and brief "]);
	await page.getByText("Parameters").click();
	await textbox(page, "Max tokens").fill("20");
	await page.getByText("was 400", { exact: true }).waitFor();
	await page.getByRole("combobox", { name: "Tool choice" }).selectOption("none");
	await page.getByText("was auto", { exact: true }).waitFor();
	await button(page, "Remove Part 2 of Message 4").click();
	await page.getByText("Model preferences of the server").click();
	await textbox(page, "Hints").fill('"glm"');
	await page.getByText("Model preferences of the server").click();
	const places: string[] = [];
	for (let round = 0; round < 6; round++) {
		await button(page, "5 edits").click();
		places.push(await page.evaluate<string>("document.activeElement.id || document.activeElement.dataset.edit"));
	}
	expect(places).toEqual([
		"request-system",
		"message.3.part.1",
		"request-maxTokens",
		"request-toolChoice",
		"request-hints",
		"request-system",
	]);
	await button(page, "Reset Tool choice").click();
	await button(page, "Put Back Part 2 of Message 4").click();
	await button(page, "Reset Max tokens").click();
	expect(await textbox(page, "Max tokens").inputValue()).toBe("400");
	await button(page, "Reset All Edits").click();
	expect(await textbox(page, "System prompt").inputValue()).toBe("You are a travel assistant.");
	expect(await page.getByText("edited", { exact: true }).count()).toBe(0);
	await button(page, "Send to Model").click();
	await expect.poll(() => [host.approved?.changes, host.approved?.removed]).toEqual([{}, []]);
});

test("a decision is sent once: double clicks, held keys and forged messages do nothing (UI-06, UI-07)", async () => {
	await using shown = await open();
	const { page, host } = shown;
	await button(page, "Send to Model").dblclick();
	await expect.poll(() => host.asked).toEqual(["approve"]);
	host.show(completed("Answer."));
	await button(page, "Return to Server").waitFor();
	// The page obeys no message: an action requested by a message still needs a click of the user.
	await page.evaluate(`for (const method of ["approve", "returnToServer", "reject", "edit", "constructor"]) {
		postMessage({ rpc: "call", id: 7, method, args: [{}] }, origin);
	}`);
	await button(page, "Return to Server").focus();
	await page.keyboard.down("Enter");
	for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down("Enter");
	await page.keyboard.up("Enter");
	await expect.poll(() => host.asked).toEqual(["approve", "return"]);
	expect(host.returned).toEqual({ attempt: 1, changes: {}, removed: [] });
});

test("the safe answer has the focus, Escape never approves, and Ctrl+Enter approves only in a field of that half", async () => {
	await using shown = await open(fullReview());
	const { page, host } = shown;
	await expect.poll(() => focused(page)).toBe("reject");
	await page.keyboard.press("Escape");
	await page.keyboard.press("Control+Enter");
	await textbox(page, "System prompt").focus();
	await page.keyboard.press("Escape");
	await page.keyboard.press("Enter");
	expect(host.asked).toEqual([]);
	await page.keyboard.press("Control+Enter");
	await expect.poll(() => host.asked).toEqual(["approve"]);
	host.show({ ...completed("Answer."), alsoWaiting: 3 });
	await textbox(page, "Text that the server receives").fill("My answer.");
	await page.keyboard.press("Control+Enter");
	await expect.poll(() => host.asked).toEqual(["approve", "return"]);
	expect(host.returned?.changes).toEqual({ text: "My answer." });
	// A click before the view has received the last decision is ignored.
	await shown.panel.hears();
	await button(page, "Reject All from This Server").click();
	await button(page, "Rules for This Server").click();
	await expect.poll(() => host.asked.slice(2)).toEqual(["deny all", "rules"]);
});

test("Reject is one click, and a reason one more line", async () => {
	await using shown = await open();
	const { page, host } = shown;
	await button(page, "Reject").click();
	await expect.poll(() => host.asked).toEqual(["reject "]);
	await button(page, "Add Reason…").click();
	await page.keyboard.type("not");
	await page.keyboard.press("Escape");
	await expect.poll(() => focused(page)).toBe("reject");
	await button(page, "Add Reason…").click();
	await expect.poll(() => focused(page)).toBe("reason");
	await page.keyboard.type("Ask me <b>later</b>");
	await page.keyboard.press("Enter");
	await expect.poll(() => host.asked).toEqual(["reject ", "reject Ask me <b>later</b>"]);
});

test("an answer streams: a reader at its end stays there, a reader who scrolled back is not moved", async () => {
	await using shown = await open();
	const { page, host } = shown;
	await button(page, "Send to Model").focus();
	await page.keyboard.press("Enter");
	const lines = (count: number): string => Array.from({ length: count }, (_, index) => `Line ${index}`).join("\n");
	const stream = (count: number): void => {
		host.show({ step: { kind: "generating", model: "qwen3:8b", text: lines(count) } });
	};
	stream(1);
	await button(page, "Stop").waitFor();
	await expect.poll(() => focused(page)).toBe("stop");
	const toEnd = (): Promise<number> =>
		page.evaluate<number>(
			"(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('#stream'))",
		);
	// New text is also announced from time to time, in a text of its own.
	const isThere = (count: number): Promise<void> => page.locator("#stream", { hasText: `Line ${count - 1}` }).waitFor();
	for (const count of [50, 200, 3000]) {
		stream(count);
		await isThere(count);
		expect(await toEnd()).toBeLessThan(2);
	}
	await page.evaluate("document.querySelector('#stream').scrollTop = 1000");
	stream(3100);
	await isThere(3100);
	expect(await page.evaluate<number>("document.querySelector('#stream').scrollTop")).toBe(1000);
	// Of a long answer only its end arrives, and moves on: still the read text stays in its place.
	const beginning = (): Promise<string> => page.evaluate("document.querySelector('#stream').textContent.slice(0, 20)");
	const shownFirst = await beginning();
	for (const count of [6000, 7000, 8000]) {
		const text = lines(count).slice(-50_000);
		host.show({ step: { kind: "generating", model: "qwen3:8b", text, note: "Only its end is shown." } });
		await isThere(count);
		expect(await page.evaluate<number>("document.querySelector('#stream').scrollTop")).toBe(1000);
		expect(await beginning()).toBe(shownFirst);
	}
	await page.getByText("Only its end is shown.").waitFor();
	expect(await page.locator("#request-system").getAttribute("readonly")).not.toBeNull();
	await page.keyboard.press("Enter");
	await expect.poll(() => host.asked).toEqual(["approve", "stop"]);
	host.show(completed(lines(3100)));
	// The Enter that was meant for Stop does not press the button that replaces it.
	await expect.poll(() => focused(page)).toBe("completion-title");
	expect(await button(page, "Return to Server").isEnabled()).toBe(true);
	await page.keyboard.press("Enter");
	expect(host.asked).toHaveLength(2);
});

test("a completion is edited, its calls are removed, it is requested again from another model, and an earlier one is restored", async () => {
	const second = { attempt: 2, model: "glm-4.6", draft: { attempt: 2, changes: {}, removed: [] } };
	await using shown = await open({ ...plainReview(), state: completed("First.\r\nLine.") });
	const { page, host } = shown;
	await textbox(page, "Text that the server receives").fill("First.\nLine, edited.");
	await textbox(page, "Call of tides").fill("{");
	await page.getByText("This is not valid JSON.").waitFor();
	await textbox(page, "Call of tides").fill('{ "city": "Sitges" }');
	await button(page, "2 edits").waitFor();
	await button(page, "Remove Call of tides").click();
	await page.getByText("removed: it is not returned").waitFor();
	await button(page, "Regenerate with Another Model").click();
	await page.getByRole("menuitem", { name: "tiny-1" }).click({ force: true });
	await page.getByRole("menuitem", { name: "glm-4.6" }).click();
	await expect.poll(() => host.asked).toEqual(["approve"]);
	expect(host.approved).toMatchObject({ modelId: "large", isModelByHand: true });
	expect(host.completion).toEqual({
		attempt: 1,
		changes: { text: "First.\r\nLine, edited.", "call.0": '{ "city": "Sitges" }' },
		removed: ["call.0"],
	});
	host.show({
		step: { kind: "completion", completion: completionOf("Second.", second) },
		attempts: [
			{ attempt: 1, label: "1 · qwen3:8b" },
			{ attempt: 2, label: "2 · glm-4.6" },
		],
	});
	await expect.poll(() => textbox(page, "Text that the server receives").inputValue()).toBe("Second.");
	await page.getByRole("combobox", { name: "Completions so far" }).selectOption("1 · qwen3:8b");
	await expect.poll(() => host.asked).toEqual(["approve", "attempt 1"]);
	const draft = host.completion ?? { attempt: 1, changes: {}, removed: [] };
	host.show({ step: { kind: "completion", completion: completionOf("First.\r\nLine.", { draft }) } });
	await expect.poll(() => textbox(page, "Text that the server receives").inputValue()).toBe("First.\nLine, edited.");
	await button(page, "Return to Server").click();
	await expect.poll(() => host.returned).toEqual(draft);
});

test("a secret is revealed in its place: the focus, the caret and the scroll stay, and so does text typed elsewhere", async () => {
	const long = "A line of the message.\n".repeat(100);
	const document = {
		...fullReview(),
		messages: [textMessage(0, "user", `${long}⟦GitHub token 1⟧`), textMessage(1, "user", long)],
	};
	await using shown = await open(document);
	const { page, host } = shown;
	await textbox(page, "2 user").fill(`${long}typed`);
	await button(page, "Show GitHub token, ⟦GitHub token 1⟧").click();
	await expect.poll(() => host.asked).toEqual(["show r1"]);
	expect(host.draft.changes).toEqual({ "message.1.part.0": `${long}typed` });
	await textbox(page, "1 user").click();
	const scroll = await textbox(page, "1 user").evaluate((element) => {
		const area = element as never as { scrollTop: number; setSelectionRange(from: number, to: number): void };
		area.setSelectionRange(30, 40);
		area.scrollTop = 300;
		return area.scrollTop;
	});
	const outer = await page.evaluate<number>("scrollY");
	const secret = `${long}ghp_0123456789`;
	host.load({ messages: [textMessage(0, "user", secret), textMessage(1, "user", long)] });
	await expect.poll(() => textbox(page, "1 user").inputValue()).toBe(secret);
	await expect.poll(() => focused(page)).toBe("request-message-0-part-0");
	expect(
		await page.evaluate<unknown>(
			"[document.activeElement.selectionStart, document.activeElement.selectionEnd, document.activeElement.scrollTop, scrollY]",
		),
	).toEqual([30, 40, scroll, outer]);
	expect(await textbox(page, "2 user").inputValue()).toBe(`${long}typed`);
});

test("context is sent only when it is chosen after it was shown; metadata only with its tick (SMP-04)", async () => {
	await using shown = await open(fullReview());
	const { page, host } = shown;
	await page.getByText("The server requested the context of all servers.").waitFor();
	expect(await page.getByRole("radio", { name: "None" }).isChecked()).toBe(true);
	await page.getByRole("radio", { name: "This server" }).check();
	await page.getByText("The context is being collected…").waitFor();
	await expect.poll(() => host.draft.context).toBe("thisServer");
	host.load({ context: { asked: "allServers", field: field("context", "Context", "The library has 3 books.") } });
	expect(await textbox(page, "Context").inputValue()).toBe("The library has 3 books.");
	await page.getByText("Metadata is not sent").click();
	await page.getByRole("checkbox", { name: "Send the metadata to the model's provider" }).check();
	await button(page, "Send to Model").click();
	await expect.poll(() => host.approved).toMatchObject({ context: "thisServer", sendsMetadata: true });
});

test("a panel that is hidden and shown twenty times keeps edits, open changes and its place (UI-07)", async () => {
	await using shown = await open(fullReview());
	const { panel, page, host } = shown;
	await textbox(page, "System prompt").fill("Edited.");
	await button(page, "Show Changes of System prompt").click();
	await page.getByText("Model preferences of the server").click();
	await textbox(page, "Speed priority").fill("1");
	await expect.poll(() => host.draft.changes).toEqual({ system: "Edited.", speedPriority: "1" });
	for (let round = 0; round < 20; round++) {
		await panel.show();
		expect(await textbox(page, "System prompt").inputValue()).toBe("Edited.");
		await page.getByRole("group", { name: "Changes of System prompt" }).waitFor();
		expect(await textbox(page, "Speed priority").inputValue()).toBe("1");
		await expect.poll(() => focused(page)).toBe("request-speedPriority");
	}
	expect(host.asked).toEqual([]);
	expect(await button(page, "Show in Activity").count()).toBe(0);
	host.show({ step: { kind: "done", end: "weather stopped before you answered." } });
	await panel.show();
	for (const name of ["Send to Model", "Answer by Hand", "Reject"]) {
		expect(await button(page, name).isDisabled()).toBe(true);
	}
	await textbox(page, "System prompt").selectText();
	await page.keyboard.press("Control+C");
	expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe("Edited.");
	await page.keyboard.press("Control+Enter");
	await button(page, "Show in Activity").click();
	await expect.poll(() => host.asked).toEqual(["log"]);
});
