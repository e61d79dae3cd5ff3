/** The measurements in the editor's window, each as a function of one window that returns the figures of one round. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { questionLink } from "../../e2e/fixtures/chatStory.ts";
import { smallEntry } from "../../e2e/fixtures/serverEntries.ts";
import { container } from "../../e2e/fixtures/serverReview.ts";
import type { RunningEditor } from "../../e2e/pages/startEditor.ts";
import type { ScriptedModel } from "../../servers/scriptedModel.ts";
import { type Frames, framesOf, pressedAt, seenAt } from "./watch.ts";

/** One window with both hosts, and the model that answers `@mcp`. */
export interface Scene {
	readonly editor: RunningEditor;
	readonly model: ScriptedModel;
	/** Where servers write what they receive. */
	readonly log: (name: string) => string;
}

/** The figures of one round; `peer` is the editor's own host in the same window, where it has an equivalent. */
export interface Round {
	readonly host: number;
	readonly peer?: number;
}

/** The number of servers that run here while a window is reloaded. */
const serverCount = 10;
export const serverIndexes = [...Array(serverCount).keys()];
/** How many calls one turn makes. */
export const callsPerTurn = 30;
/** How many resources the large tree has. */
export const resourceCount = 50_000;

const answer = ".interactive-response";
const change = { tool: "change", input: { what: "resource" } };

/** From a saved `mcp.json` to the row of its new server in the tree, and to the editor's own lens above its entry. */
export async function saved({ editor, log }: Scene, round: number): Promise<Round> {
	const name = `added-${round}`;
	const names = ["peer", ...Array.from({ length: round + 1 }, (_, index) => `added-${index}`)];
	// One line each: the editor makes lenses only for visible lines.
	const lines = names.map((one) => `${JSON.stringify(one)}: ${JSON.stringify(smallEntry(log(one)))}`);
	const text = `{\n"servers": {\n${lines.join(",\n")}\n}\n}\n`;
	const row = seenAt(editor.page, { selector: ".part.sidebar .monaco-list-row", text: name });
	const lens = seenAt(editor.page, { selector: ".codelens-decoration", text: "More...", count: names.length });
	const start = Date.now();
	await writeFile(path.join(editor.workspaceFolder, ".vscode/mcp.json"), text);
	return { host: (await row) - start, peer: (await lens) - start };
}

/** From the click that allows a call to its result in the chat. */
export async function allowed({ editor, model }: Scene, round: number): Promise<Round> {
	const { chat, dialogs, page, palette } = editor;
	// The first of the editor's own answers allows the tool for as long as the window lives.
	await palette.run("Chat: Reset Tool Confirmations");
	await dialogs.clearNotifications();
	await chat.startAnew();
	await chat.send(`@peer ${JSON.stringify({ ...change, times: 1 })}`);
	const peerSeen = seenAt(page, { selector: answer, text: "The peer heard: changed" });
	await chat
		.lastResponse()
		.getByRole("button", { name: /^Allow/ })
		.first()
		.click();
	const peer = (await peerSeen) - (await pressedAt(page));
	await chat.waitUntilDone();

	await chat.startAnew();
	model.next(
		{ toolCalls: [{ name: "small_change", arguments: change.input }] },
		{ text: `Changed for the ${round}. time.` },
	);
	await chat.send("@mcp Change the resource");
	const question = await questionLink(editor, 1, "Allow Once");
	const seen = seenAt(page, { selector: answer, text: "changed resource" });
	await chat.click(question);
	const host = (await seen) - (await pressedAt(page));
	await chat.waitUntilDone();
	return { host, peer };
}

/**
 * A turn of thirty calls without questions, from Enter to the last word; those of the editor's own host follow each
 * other.
 */
export async function turnOfCalls({ editor, model }: Scene, round: number): Promise<Round> {
	const { chat, page } = editor;
	const turn = async (said: string, end: string): Promise<number> => {
		await chat.startAnew();
		const seen = seenAt(page, { selector: answer, text: end });
		const start = Date.now();
		await chat.send(said);
		const ms = (await seen) - start;
		await chat.waitUntilDone();
		return ms;
	};
	const peer = await turn(
		`@peer ${JSON.stringify({ tool: "echo", input: { text: `of ${round}` }, times: callsPerTurn })}`,
		`The peer heard: of ${round}`,
	);
	const toolCalls = Array.from({ length: callsPerTurn }, (_, index) => ({
		name: "small_echo",
		arguments: { text: `${round}.${index}` },
	}));
	model.next({ toolCalls }, { text: `All of ${round} are done.` });
	return { host: await turn("@mcp Echo it all", `All of ${round} are done.`), peer };
}

/** Opens, filters and scrolls a tree of many resources; the number of late frames, and the longest pause between two. */
export async function largeTree({ editor }: Scene): Promise<Frames> {
	const { page, tree, palette } = editor;
	const frames = await framesOf(page, async () => {
		await tree.expand(["library", "Resources"]);
		await turnWheel(page, await tree.row(["library", "Resources"]));
		await tree.inlineAction(["library", "Resources"], "Filter…");
		await palette.input.fill("99");
		await tree.waitForDescription(["library", "Resources"], /of 50,000/);
		await page.keyboard.press("Enter");
	});
	await tree.inlineAction(["library", "Resources"], "Clear Filter");
	await tree.collapse(["library", "Resources"]);
	return frames;
}

/** Scrolls the editor's own list of commands as far: the late frames of the machine itself. */
export async function ownList({ editor }: Scene): Promise<Frames> {
	const { page, palette } = editor;
	await palette.openWith(">");
	const frames = await framesOf(page, () => turnWheel(page, palette.widget.locator(".monaco-list-row").first()));
	await page.keyboard.press("Escape");
	return frames;
}

/** Turns the wheel down and up over a row and the rows below it. */
async function turnWheel(page: Page, row: Locator): Promise<void> {
	const box = await row.boundingBox();
	await page.mouse.move((box?.x ?? 100) + 60, (box?.y ?? 200) + 40);
	for (const step of [120, -120]) for (let notch = 0; notch < 60; notch++) await page.mouse.wheel(0, step);
}

/**
 * From the load of a window to the rows of all its servers, and to the side bar that the editor itself draws around
 * them.
 */
export async function reloaded({ editor }: Scene): Promise<Round> {
	const { page } = editor;
	await page.reload({ waitUntil: "commit" });
	const rows = seenAt(page, { selector: ".part.sidebar .monaco-list-row", text: "many-", count: serverCount });
	const frame = seenAt(page, { selector: ".part.sidebar .composite.title", text: container });
	const start = await page.evaluate(() => performance.timeOrigin);
	const round = { host: (await rows) - start, peer: (await frame) - start };
	await editor.waitUntilReady();
	for (const index of serverIndexes) await editor.tree.waitForRunning(`many-${index}`);
	return round;
}

/** One turn that calls all servers one after the other, without questions. */
export async function spreadTurn({ editor, model }: Scene, round: number): Promise<void> {
	const toolCalls = Array.from({ length: callsPerTurn }, (_, index) => ({
		nameEndsWith: `${index % serverCount}_echo`,
		arguments: { text: `${round}.${index}` },
	}));
	model.next({ toolCalls }, { text: `Turn ${round} is done.` });
	await editor.chat.send("@mcp Echo it all");
	await editor.chat.waitForText(`Turn ${round} is done.`);
	await editor.chat.waitUntilDone();
}

/** The memory of the extension host after a collection, in kilobytes. */
export async function memory({
	editor: { chat },
}: Scene): Promise<{ readonly heap: number; readonly resident: number }> {
	await chat.send("@peer memory");
	await chat.waitForText(/MEMORY \{.*\}/);
	const [, json = "{}"] = /MEMORY (\{.*?\})/.exec((await chat.lastResponse().textContent()) ?? "") ?? [];
	return JSON.parse(json) as { heap: number; resident: number };
}
