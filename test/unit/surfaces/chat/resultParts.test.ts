import { describe, expect, test } from "vitest";
import { type FinishedCall, FinishedCalls } from "../../../../src/features/tools/results/finishedCalls.ts";
import type { ChatLink, ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { resultParts } from "../../../../src/surfaces/chat/resultParts.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { readResult } from "../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../src/permissions/catalog/catalog.ts";
import { hugePng, png, wav } from "../../features/tools/media.ts";
import { directoryOf, serve, tool } from "../../features/tools/toolSession.ts";

function outcomeOf(raw: RawToolResult, problems: readonly string[] = []): FinishedCall["outcome"] {
	return { kind: "done", result: readResult(raw, problems), wanted: {}, sent: {}, isEdited: false, milliseconds: 1234 };
}

function shown(raw: RawToolResult, problems: readonly string[] = []): string {
	return textOf(resultParts(outcomeOf(raw, problems), "**s** · **echo**", "id"));
}

function textOf(parts: readonly ChatPart[]): string {
	return parts.map((part) => (part.kind === "text" ? part.markdown : "")).join("");
}

function linksOf(raw: RawToolResult): readonly ChatLink[] {
	return resultParts(outcomeOf(raw), "**s** · **echo**", "id").flatMap((part) =>
		part.kind === "links" ? part.links : [],
	);
}

const text = (value: string) => ({ type: "text" as const, text: value });
const link = (uri: string, name = "a name") => ({ type: "resource_link" as const, uri, name });
const image = { type: "image" as const, data: png, mimeType: "image/png" };

describe("a result in the chat", () => {
	test("is the same with an app, which a link of ours opens (APP-12)", () => {
		const raw: RawToolResult = { content: [text("5 left")] };
		const [without] = resultParts(outcomeOf(raw), "**s** · **echo**", "id");
		const [shownPart, row] = resultParts(outcomeOf(raw), "**s** · **echo**", "id", true);
		expect(shownPart).toEqual(without);
		expect(row).toMatchObject({
			links: [
				{ label: "Open App", action: "open-app" },
				{ label: "Details", action: "details" },
			],
		});
	});

	test("links to its messages, for errors too (TRC-40)", () => {
		for (const isError of [false, true]) {
			const outcome = { ...outcomeOf({ content: [text("5 left")], isError }), exchange: "here-1" };
			const [, row] = resultParts(outcome, "**s** · **echo**", "id");
			expect(row).toMatchObject({
				links: [
					{ label: "Details", action: "details" },
					{ label: "Show in Trace", action: "trace", detail: "here-1" },
				],
			});
		}
	});

	test("shows in words and with a sign when the tool reported an error (TOL-13)", () => {
		expect(shown({ content: [text("no rooms")], isError: true })).toMatch(
			/^\s*\*\*s\*\* · \*\*echo\*\* · ⚠ the tool reported an error after 1\.2 s\n\n> no rooms/,
		);
		expect(shown({ content: [text("fine")] })).toMatch(/^\s*\*\*s\*\* · \*\*echo\*\* · answered in 1\.2 s\n\n> fine/);
		expect(shown({})).toContain("The result is empty");
	});

	test("shows violations of the output schema, and nevertheless the result (TOL-14, BLT-39)", () => {
		const problems = ["n: wrong [x](y)", "two", "three", "four", "five"];
		const markdown = shown({ structuredContent: { n: "seven" } }, problems);
		expect(markdown).toContain("⚠ The result does not match the tool's output schema. The model was informed.");
		expect(markdown).toContain("- n\\: wrong \\[x\\]\\(y\\)\n- two\n- three\n- 2 more in Details");
		expect(markdown).toContain("seven");
	});

	test("does not flood the chat, for any amount (TOL-15)", () => {
		const blocks = Array.from({ length: 500 }, (_, index) => text(`block ${index}\n${"x".repeat(50_000)}`));
		const markdown = shown({ content: blocks });
		expect(markdown.length).toBeLessThan(4000);
		expect(markdown).toContain("_496 more parts in Details_");
		const links = linksOf({ content: Array.from({ length: 200 }, () => image) });
		expect(links.map(({ label }) => label)).toEqual(["Details", "Show Image 1", "Show Image 2", "Show Image 3"]);
	});

	test.each(["x", "漢", "א", "🚀", "👩‍🚀", "\t", "\u202E"])(
		"shows little of a line of 100 KB of %j (UI-12)",
		(character) => {
			const markdown = shown({ content: [text(character.repeat(100_000))], structuredContent: "y".repeat(100_000) });
			expect(markdown.length).toBeLessThan(5000);
			expect(markdown).toContain("…");
			expect(markdown.isWellFormed()).toBe(true);
		},
	);

	test("offers images, recordings, tables and resources for viewing, in fixed words of ours", () => {
		const links = linksOf({
			content: [
				image,
				{ type: "audio", data: wav, mimeType: "audio/wav" },
				link("trips://1", "[Rome](command:evil)"),
				{ type: "resource", resource: { uri: "file:///notes.txt", text: "hi" } },
			],
			structuredContent: [{ a: 1 }, { a: 2 }],
		});
		expect(links).toEqual([
			{ label: "Details", action: "details" },
			{ label: "Show Image", action: "details" },
			{ label: "Play Audio", action: "details" },
			{ label: "Open Resource 1", action: "open-resource", detail: 2 },
			{ label: "Open Resource 2", action: "open-resource", detail: 3 },
			{ label: "Show Table", action: "details" },
		]);
	});

	test("offers long ones as a document (TOL-27)", () => {
		const labels = (raw: RawToolResult): readonly string[] => linksOf(raw).map(({ label }) => label);
		expect(labels({ content: [text("x".repeat(4001))] })).toEqual(["Details", "Open Whole Result"]);
		expect(labels({ content: [text("rows")], structuredContent: ["x".repeat(4001)] })).toContain("Open Whole Result");
		expect(labels({ content: [text("x".repeat(4000))] })).toEqual(["Details"]);
	});

	test("recognises an image by its bytes, and offers no false or too large one (RES-05, RES-06)", () => {
		expect(shown({ content: [{ ...image, mimeType: "image/jpeg" }] })).toContain(
			"image\\/png \\(the server says image\\/jpeg\\)\\, 29 bytes, 640 × 480",
		);
		for (const data of [hugePng, "AAAA", "not base64!", ""]) {
			expect(shown({ content: [{ ...image, data }] })).toContain("not shown");
			expect(linksOf({ content: [{ ...image, data }] })).toHaveLength(1);
		}
	});

	test("shows that the model gets content for it only, and reports no such result as empty", () => {
		const only = { ...text("Delete all"), annotations: { audience: ["assistant" as const] } };
		expect(shown({ content: [only] })).toContain("1 part is for the model only: it is sent to the model");
		expect(shown({ content: [only, only] })).toContain("2 parts are for the model only");
		expect(shown({ content: [only] })).not.toContain("empty");
		expect(shown({ content: [] })).toContain("The result is empty.");
	});

	test("shows what has an audience that nobody knows, since the model gets it as well", () => {
		const odd = { ...text("for whom"), annotations: { audience: ["Assistant" as "assistant"] } };
		expect(shown({ content: [odd] })).toContain("for whom");
		expect(shown({ content: [odd] })).not.toContain("for the model only");
	});

	test("does not show the user content that is meant for the model", () => {
		const secret = { ...text("instructions for it"), annotations: { audience: ["assistant" as const] } };
		expect(shown({ content: [secret, text("for all")] })).not.toContain(secret.text);
	});
});

/** Addresses that would run, load or open something if a result could cause it. */
const addresses = [
	"file:///etc/passwd",
	"command:workbench.action.terminal.new",
	"javascript:alert(1)",
	"vscode://publisher.extension/run",
	"vscode:extension/evil",
	"http://canary.example/?d=secret",
	"https://canary.example/?d=secret",
	"data:text/html,<script>alert(1)</script>",
	"mailto:a@b.c?subject=secret",
	"\\\\host\\share",
];

describe("an address in a result (TOL-17, UI-01 to UI-04)", () => {
	test.each(addresses)("is shown as inactive text: %s", (address) => {
		const content = [
			link(address, `![x](${address})`),
			{
				type: "resource" as const,
				resource: { uri: address, text: `[x](${address}) ![x](${address}) <img src="${address}">` },
			},
			text(`![x](${address}) [x](${address}) <a href="${address}">x</a> $(shield) <${address}> ${address}`),
		];
		const markdown = shown({ content });
		// No link, image, element or icon begins, and no bare address is turned into a link by Markdown.
		expect(markdown).not.toMatch(/(?<!\\)(?:!\[|\]\(|<\w|\$\(|https?:\/\/|www\.)/);
		for (const { label, action } of linksOf({ content })) {
			expect(label).toMatch(/^(?:Details|Open Resource(?: \d)?)$/);
			expect(["details", "open-resource"]).toContain(action);
		}
	});

	test("of the web is for a browser and cannot be opened from here", () => {
		expect(
			linksOf({ content: addresses.filter((one) => one.startsWith("http")).map((one) => link(one)) }),
		).toHaveLength(1);
	});
});

describe("finished calls", () => {
	async function call(raw: RawToolResult, name = "s"): Promise<FinishedCall> {
		const [entry] = readCatalog(directoryOf(await serve(name, tool("echo")))).entries;
		if (entry === undefined) throw new Error("no tool");
		return { entry, outcome: outcomeOf(raw) };
	}

	test("can be opened, the latest ones, up to a common size (TOL-15)", async () => {
		const calls = new FinishedCalls({ calls: 250, characters: 3500 });
		const small = calls.add(await call({ content: [text("small")] }), "chat");
		const made = await call({ content: [text("x".repeat(1000))] });
		const large = (): FinishedCall => ({ ...made, outcome: { ...made.outcome } });
		const ids = [1, 2, 3, 4].map(() => calls.add(large(), "chat"));
		expect(calls.get(small)).toBeUndefined();
		expect(ids.map((id) => calls.get(id) === undefined)).toEqual([true, false, false, false]);
		const empty = await call({ content: [] });
		const usual = new FinishedCalls();
		const many = Array.from({ length: 251 }, () => usual.add({ ...empty, outcome: { ...empty.outcome } }, "chat"));
		expect(many.map((id) => usual.get(id) === undefined)).toEqual([true, ...many.slice(1).map(() => false)]);
	});

	test("know the links in a server's results, for this server only", async () => {
		const calls = new FinishedCalls();
		const one = await call({
			content: [
				link("x://linked"),
				{ type: "resource", resource: { uri: "x://embedded", blob: "AAAA" } },
				text("x://said"),
				{ ...link("x://withheld"), annotations: { audience: ["user"] } },
			],
			structuredContent: { uri: "x://structured" },
		});
		calls.add(one, "chat");
		const other = await call({}, "other");
		const known = (uri: string) => calls.isLinked(one.entry.session, uri);
		expect(["x://linked", "x://embedded", "x://said", "x://structured"].map(known)).toEqual([true, true, false, false]);
		// Content for the user only is no way in for the model.
		expect(known("x://withheld")).toBe(false);
		expect(calls.isLinked(other.entry.session, "x://linked")).toBe(false);
	});

	test("of a user's own run are not sent to the model, unless it was a command of the chat; each is kept once", async () => {
		const calls = new FinishedCalls();
		const own = await call({ content: [link("x://own")] });
		const known = (): boolean => calls.isLinked(own.entry.session, "x://own");
		expect([calls.add(own, "byHand", "run"), known()]).toEqual(["run", false]);
		expect([calls.add(own, "chat"), known(), calls.all.length]).toEqual(["run", true, 1]);
		calls.clear("byHand");
		expect([calls.get("run")?.outcome, known()]).toEqual([own.outcome, true]);
		calls.clear("chat");
		expect([calls.all, known()]).toEqual([[], false]);
	});
});
