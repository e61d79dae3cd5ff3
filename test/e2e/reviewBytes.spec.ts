/**
 * The review panel in a browser, with the real review behind it and a model's endpoint behind that: whatever a person does to
 * the texts, the endpoint gets what stands there, and the server gets what stands there, byte for byte (security.md SMP-10).
 */
import type { Browser } from "playwright-core";
import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessagePort } from "../../src/base/rpc.ts";
import { connectReview } from "../../src/sampling/reviewPort.ts";
import type { ReviewSession } from "../../src/sampling/review.ts";
import { launchBrowser } from "../editor/browser.ts";
import { WholeSampling } from "../integration/wholeSampling.ts";
import { githubToken } from "../unit/redaction/samples.ts";
import { Dice } from "../unit/sampling/edits.ts";
import { expectedBody } from "../unit/sampling/expectedBody.ts";
import { assistant, image, result, tool, use, user } from "../unit/sampling/requests.ts";
import { serve } from "../unit/tools/toolSession.ts";
import { ExactText } from "./fixtures/exactTexts.ts";
import { FormPage } from "./fixtures/formPage.ts";
import { payloads } from "./fixtures/payloads.ts";
import { ReviewEditor, type Half } from "./fixtures/reviewEditor.ts";

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const token = "⟦GitHub token 1⟧";
/** What a text area shows otherwise than it is, or not at all. */
const odd =
	"One\r\nTwo\rThree\n\tTab\t\u0000\u0007\u001B[31m\u200B\u202Eright to left\u202C\u00A0👩‍👩‍👧 é\r\n\r\n\r\rשלום\uFEFF\u{E0041} ";
const plain = (text: string) => ({ type: "text", text });
/** The texts of the request as the server sends them, by place. */
const texts: Readonly<Record<string, string>> = {
	system: `Be kind.\r\n${odd}`,
	"message.0.part.0": odd,
	"message.0.part.1": `My token is ${githubToken}, once more: ${githubToken}.\r`,
	"message.1.part.0": "Let me look.\r\n",
	"message.2.part.0": `{"days":[\r\n1,\r2]}${odd}`,
	"message.3.part.0": "\nRome.\n\n",
	"message.4.part.0": "Is this it?",
	"message.5.part.0": "\r\nGo on.\r\n",
};
const at = (place: string): object => plain(texts[place] ?? "");
const params = {
	systemPrompt: texts["system"] ?? "",
	messages: [
		user(at("message.0.part.0"), at("message.0.part.1")),
		assistant(at("message.1.part.0"), use("call_1")),
		user(result("call_1", at("message.2.part.0"))),
		assistant(at("message.3.part.0")),
		user(at("message.4.part.0"), image),
		user(at("message.5.part.0")),
	],
	maxTokens: 500,
	temperature: 0.7,
	stopSequences: ["END", "\r\n\u0000 stop"],
	tools: [tool("t"), tool("other")],
	metadata: { user_id: odd },
	modelPreferences: { hints: [{ name: "scripted" }], speedPriority: 0.5 },
};

/** One request before a person in a browser, who edits at random. */
class Round {
	private readonly dice: Dice;
	private readonly editor: ReviewEditor;
	private readonly panel: FormPage<{ readonly review: ReviewSession }>;
	/** What must stand at each place, by half and place. */
	private readonly texts = new Map<string, ExactText>();
	private readonly came = new Map<string, string>();
	private readonly removed = new Set<string>();
	private sendsMetadata = false;
	private isSecretShown = false;
	edits = 0;

	constructor(panel: FormPage<{ readonly review: ReviewSession }>, dice: Dice) {
		this.panel = panel;
		this.dice = dice;
		this.editor = new ReviewEditor(panel.page, dice);
	}

	/** Notes what is there before any edit: texts as the server sent them, with the secret as its mark. */
	async begin(): Promise<void> {
		await this.editor.unfold();
		for (const [key, shown] of await this.editor.screen()) {
			const [, place = ""] = key.split(" ");
			this.come(key, (texts[place] ?? shown).replaceAll(githubToken, token));
		}
		const json = (place: string): unknown => JSON.parse(this.at("request", place).exact);
		expect(json("tools")).toEqual(params.tools);
		expect(json("metadata")).toEqual(params.metadata);
		expect(json("message.1.part.1")).toEqual({ a: 1 });
		expect(this.at("request", "maxTokens").exact).toBe("500");
	}

	/** Edits the request in one or a few places, at random. */
	async editRequest(): Promise<void> {
		for (let count = 1 + this.dice.below(3); count > 0; count--) {
			await this.editOnce();
			this.edits++;
		}
		await this.expectShown();
	}

	/** What the endpoint must get, of what is on the screen and nothing else. */
	get body(): object {
		const { removed, sendsMetadata } = this;
		const shown = (place: string): string => this.at("request", place).exact.toWellFormed();
		return expectedBody(params, { at: shown, removed, sendsMetadata });
	}

	/** Sends the request, and waits for the completion: a text and, maybe, a call. */
	async send(whole: WholeSampling): Promise<void> {
		const { page } = this.panel;
		const before = whole.endpoint.requests.length;
		const text = `${this.dice.text()}${odd}${this.dice.text()}${before}`;
		const input = this.dice.json();
		whole.endpoint.otherwise(({ tools = [] }) => ({
			text,
			toolCalls: tools.slice(0, 1).map(({ function: { name } }) => ({ id: "c1", name, arguments: input })),
		}));
		await page.locator("#send, #regenerate").click();
		await expect.poll(() => whole.endpoint.requests.length).toBe(before + 1);
		const sent = whole.endpoint.requests.at(-1)?.body;
		expect(JSON.stringify(sent)).toBe(JSON.stringify(this.body));
		const { shown } = new ExactText(text.toWellFormed());
		await expect.poll(async () => (await this.editor.screen()).get("completion text")).toBe(shown);
		await page.locator("#regenerate:enabled").waitFor();
		for (const key of this.texts.keys()) if (key.startsWith("completion")) this.texts.delete(key);
		for (const [key, shown] of await this.editor.screen()) {
			if (key.startsWith("completion")) this.come(key, key === "completion text" ? text.toWellFormed() : shown);
		}
		const call = this.texts.get("completion call.0");
		expect(call === undefined ? undefined : JSON.parse(call.exact)).toEqual(
			sent?.tools === undefined ? undefined : JSON.parse(JSON.stringify(input).toWellFormed()),
		);
		await this.expectShown();
	}

	/** Edits the completion and returns it; gives what the server must get. */
	async answer(): Promise<readonly object[]> {
		const text = this.at("completion", "text");
		for (let count = this.dice.below(3); count > 0; count--) {
			await this.editor.editText("completion", "text", text);
			this.edits++;
		}
		if (this.texts.has("completion call.0") && this.dice.chance(50))
			await this.put("completion", "call.0", this.json());
		await this.expectShown();
		await this.panel.page.locator("#return").click();
		const call = this.texts.get("completion call.0");
		const input = call && (JSON.parse(call.exact) as object);
		return [
			plain(text.exact.toWellFormed()),
			...(input === undefined ? [] : [{ type: "tool_use", id: "c1", name: expect.any(String), input }]),
		];
	}

	private async editOnce(): Promise<void> {
		const { dice, editor } = this;
		const places = Object.keys(texts).filter((place) => this.texts.has(`request ${place}`) && !this.isRemoved(place));
		const place = dice.pick(places);
		const deeds: readonly (() => Promise<unknown>)[] = [
			...Array.from({ length: 6 }, () => () => editor.editText("request", place, this.at("request", place))),
			() => this.reset(place),
			() => this.put("request", "maxTokens", String(1 + dice.below(500))),
			() => this.put("request", "temperature", dice.pick(["", "0", "1.5", "0.001"])),
			() => this.put("request", "stopSequences", JSON.stringify(`${dice.text()}§`)),
			() => this.put("request", "speedPriority", dice.pick(["", "0", "1"])),
			() => this.put("request", "tools", JSON.stringify([tool(`tool_${dice.below(9)}`)], undefined, dice.below(4))),
			() => this.put("request", "metadata", JSON.stringify({ user_id: dice.text(), more: "x" })),
			() => this.put("request", "message.1.part.1", this.json()),
			() => this.chooseTools(dice.pick(["auto", "required", "none"])),
			() => this.tickMetadata(),
			() => this.showSecret(),
			() =>
				this.remove(dice.pick([["message.0.part.0"], ["message.3"], ["message.4.part.1"], ["message.1", "message.2"]])),
		];
		await dice.pick(deeds)();
	}

	/** Gives a field of one line or of JSON another text. */
	private async put(half: Half, place: string, text: string): Promise<void> {
		if (this.isRemoved(place)) return;
		await this.editor.fill(half, place, text);
		this.texts.set(`${half} ${place}`, new ExactText(text));
	}

	private async chooseTools(choice: string): Promise<void> {
		await this.editor.choose("toolChoice", choice);
		this.texts.set("request toolChoice", new ExactText(choice));
	}

	private async reset(place: string): Promise<void> {
		const key = `request ${place}`;
		if (await this.editor.reset("request", place)) this.texts.set(key, new ExactText(this.came.get(key) ?? ""));
	}

	private async tickMetadata(): Promise<void> {
		this.sendsMetadata = !this.sendsMetadata;
		await this.panel.page.locator("#sends-metadata").setChecked(this.sendsMetadata);
	}

	/** Takes the mark off the secret, or puts it back, in the text as it came and in every edit of it. */
	private async showSecret(): Promise<void> {
		const [from, to] = this.isSecretShown ? [githubToken, token] : [token, githubToken];
		await this.panel.page.getByRole("group", { name: "Secrets in the request" }).getByRole("button").click();
		this.isSecretShown = !this.isSecretShown;
		const word = this.isSecretShown ? "Hide" : "Show";
		await this.panel.page.getByRole("button", { name: `${word} GitHub token, ${token}` }).waitFor();
		for (const [key, text] of this.texts) this.texts.set(key, new ExactText(text.exact.replaceAll(from, to)));
		for (const [key, text] of this.came) this.came.set(key, text.replaceAll(from, to));
	}

	private async remove(places: readonly string[]): Promise<void> {
		for (const place of places) {
			await this.editor.toggle(place);
			if (!this.removed.delete(place)) this.removed.add(place);
		}
	}

	private isRemoved(place: string): boolean {
		return [...this.removed].some((whole) => place === whole || place.startsWith(`${whole}.`));
	}

	/** Whether the panel shows, in every field, what the person must take it to hold. */
	private async expectShown(): Promise<void> {
		const shown = [...(await this.editor.screen())].toSorted();
		const expected = [...this.texts].flatMap(([key, text]) =>
			key.startsWith("request") && this.isRemoved(key.slice("request ".length))
				? []
				: [[key, text.shown.toWellFormed()]],
		);
		expect(shown).toEqual(expected.toSorted());
	}

	private at(half: Half, place: string): ExactText {
		const text = this.texts.get(`${half} ${place}`);
		if (text === undefined) throw new Error(`Nothing is shown at ${place}.`);
		return text;
	}

	private come(key: string, exact: string): void {
		this.texts.set(key, new ExactText(exact));
		this.came.set(key, exact);
	}

	private json(): string {
		return JSON.stringify(this.dice.json(), undefined, this.dice.below(4));
	}
}

/** Has a server ask, and shows the review in a browser. */
async function ask(whole: WholeSampling, params: object, during: string) {
	const session = await serve("weather");
	const shown = new Promise<ReviewSession>((resolve) => {
		whole.onReview = resolve;
	});
	const context = { signal: new AbortController().signal, protocolVersion: "2025-11-25", during };
	const answer = whole.service.createMessage(session, params as CreateMessageRequestParams, context);
	// A story that fails does not come to await it.
	answer.catch(() => undefined);
	const review = await shown;
	const services = { denyAll() {}, openRules() {}, manageModels() {}, openLog() {} };
	const panel = await FormPage.openReview(browser, {
		review,
		connect: (port: MessagePort) => connectReview(port, review, services),
	});
	return { answer, panel, page: panel.page };
}

test("the endpoint and the server get what the panel shows, over random edits of every kind (SMP-10)", async () => {
	await using whole = await WholeSampling.begin();
	let edits = 0;
	for (let seed = 1; seed <= 12; seed++) {
		const { answer, panel } = await ask(whole, params, `askTool ${seed}`);
		await using _closing = panel;
		const round = new Round(panel, new Dice(seed));
		await round.begin();
		for (let count = 0; count < 5; count++) {
			await round.editRequest();
			await round.send(whole);
		}
		const returned = await round.answer();
		expect([(await answer).content].flat()).toEqual(returned);
		expect(panel.trouble).toEqual([]);
		edits += round.edits;
	}
	expect(whole.endpoint.requests).toHaveLength(60);
	expect(edits).toBeGreaterThan(100);
});

const strange =
	"a, svg, iframe, object, video, form, main style, main link, meta[http-equiv=refresh], base, template, script:not([nonce]), [onerror], [onload], [onfocus], [onmouseover], [ontoggle]";

test("a message and a completion of a megabyte of hostile text are shown, edited, sent and returned exactly, nothing of them runs or loads, and the record keeps their beginnings (UI-05, UI-12)", async () => {
	await using whole = await WholeSampling.begin();
	const megabyte = (word: string): string => {
		const lines = `${word} ${payloads.join("\r\n")}\r\n`;
		return lines.repeat(Math.ceil(1_000_000 / lines.length));
	};
	const [message, completion] = [megabyte("asked"), megabyte("answered")];
	const asking = { messages: [user(plain(message))], maxTokens: 1_000_000 };
	const { answer, panel, page } = await ask(whole, asking, "askTool");
	await using _closing = panel;
	await page.getByRole("textbox", { name: "1 user" }).focus();
	await page.keyboard.press("Control+End");
	await page.keyboard.type("And?");
	whole.endpoint.next({ chunks: chunksOf(completion) });
	await page.locator("#send").click();
	await page.locator("#return:enabled").waitFor();
	const [sent] = whole.endpoint.requests;
	expect(sent?.body.messages).toEqual([{ role: "user", content: `${message}And?` }]);
	const text = page.getByRole("textbox", { name: "Text that the server gets" });
	expect(await text.inputValue()).toBe(new ExactText(completion).shown);
	await text.focus();
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("First: ");
	await page.getByRole("button", { name: "Show Changes of Text that the server gets" }).click();
	await page
		.getByRole("group", { name: "Changes of Text that the server gets" })
		.getByText("First: ")
		.first()
		.waitFor();
	expect(await page.locator("body").locator(strange).count()).toBe(0);
	await page.locator("#return").click();
	expect((await answer).content).toEqual(plain(`First: ${completion}`));
	expect(panel.trouble).toEqual([]);
	const kept = (whole: string) => ({ original: whole.slice(0, 50_000), originalWhole: { length: whole.length } });
	expect(await whole.record()).toMatchObject([
		{
			request: [{ place: "system" }, kept(message), {}, {}, {}, {}, {}, {}, {}],
			attempts: [{ completion: [kept(completion)] }],
			end: { kind: "returned", returned: [{ editedWhole: { length: completion.length + 7 } }] },
		},
	]);
	expect((await whole.disk()).length).toBeLessThan(1_500_000);
});

/** A long answer in the endpoint's pieces. */
function chunksOf(text: string): readonly object[] {
	const chunk = (delta: object, finish: string | null = null): object => ({
		id: "scripted",
		object: "chat.completion.chunk",
		model: "scripted-model",
		choices: [{ index: 0, delta, finish_reason: finish }],
	});
	const pieces = text.match(/[\s\S]{1,1000}/gu) ?? [];
	return [...pieces.map((content) => chunk({ content })), chunk({}, "stop")];
}
