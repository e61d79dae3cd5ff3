/** A flood of each request that an app can send: what the user decided stays, and other servers are served (APP-09, JRN-07). */
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { call, entriesOf, JournalScene } from "../../records/activity/journal/scene.ts";
import { serve, tool } from "../tools/toolSession.ts";
import { AppScene } from "./appScene.ts";

const spend = tool("spend", { amount: { type: "number" } });
const many = 100_000;
/** How many requests of an app may run; all others are refused at once. */
const mostOpen = 50;

const text = [{ type: "text", text: "please" }];
const requests: readonly (readonly [method: string, params: (index: number) => JsonObject])[] = [
	["tools/call", (index) => ({ name: "spend", arguments: { amount: index } })],
	["tools/call", (index) => ({ name: `none${index}`, arguments: { amount: "x" } })],
	["tools/call", () => ({ name: 5 })],
	["resources/read", (index) => ({ uri: `note://${index}` })],
	["resources/list", () => ({})],
	["resources/templates/list", () => ({})],
	["ui/open-link", (index) => ({ url: `https://h${index}.example/` })],
	["ui/message", () => ({ role: "user", content: text })],
	["ui/update-model-context", (index) => ({ content: [{ type: "text", text: `state ${index}` }] })],
	["ui/download-file", () => ({ contents: [{ type: "resource", resource: { uri: "a:b", text: "x" } }] })],
	["ui/request-display-mode", () => ({ mode: "fullscreen" })],
	["sampling/createMessage", () => ({ messages: [{ role: "user", content: text[0] ?? {} }], maxTokens: 5 })],
	["ping", () => ({})],
	["unknown/method", () => ({})],
];
const notifications: readonly (readonly [method: string, params: (index: number) => JsonObject])[] = [
	["notifications/message", (index) => ({ level: "error", data: `line ${index}` })],
	["ui/notifications/size-changed", (index) => ({ width: index, height: 1 })],
	["ui/notifications/initialized", () => ({})],
	["notifications/none", (index) => ({ index })],
];

async function begin() {
	const journalScene = await JournalScene.begin();
	journalScene.bounds = { days: 90, bytes: 200_000 };
	const window = journalScene.window();
	for (let index = 0; index < 20; index++)
		window.note(call("denied", { id: `c${index}`, by: "user", target: `transfer-${index}` }));
	const scene = await AppScene.begin({ tools: [spend], notes: window });
	onTestFinished(async () => {
		scene.app.dispose();
		await journalScene[Symbol.asyncDispose]();
	});
	await scene.start();
	return { scene, window, journalScene };
}

/** Lets what was answered at once come to its end. */
async function settle(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}

async function flood(scene: AppScene, message: (index: number) => JsonObject): Promise<{ readonly answered: number }> {
	const { load } = scene.app.view;
	let answered = 0;
	for (let index = 0; index < many; index++) {
		scene.app.receive(load, { jsonrpc: "2.0", ...message(index) });
		if (index % 1000 !== 999) continue;
		await settle();
		answered += scene.sent.splice(0).filter(({ result, error }) => result !== undefined || error !== undefined).length;
	}
	return { answered };
}

/** Everything that was decided before is there, and the flood is counted rather than listed. */
async function checkActivity({ window, journalScene }: Awaited<ReturnType<typeof begin>>): Promise<void> {
	await window.tidy();
	const entries = await entriesOf(window);
	expect(entries.filter((entry) => entry.kind === "call" && entry.by === "user")).toHaveLength(20);
	expect(entries.length).toBeLessThan(400);
	expect((await journalScene.verify(window)).findings).toEqual([]);
}

describe("A flood of an app", () => {
	it.each(requests)("by %s is refused or slowed down, and displaces no decision (#%#)", async (method, params) => {
		const begun = await begin();
		const { scene } = begun;
		const other = await serve("healthy", tool("echo"));
		scene.sent.length = 0;
		const { answered } = await flood(scene, (id) => ({ id, method, params: params(id) }));
		expect(answered).toBeGreaterThanOrEqual(many - mostOpen);
		expect(scene.session.received.length + scene.session.reads.length).toBeLessThan(200);
		expect(scene.app.questions.current?.behind ?? 0).toBeLessThan(20);
		expect(scene.drafts).toEqual([]);
		expect(await other.callTool("echo", {})).toMatchObject({ content: [{ text: "echo done" }] });
		await checkActivity(begun);
	});

	it.each(notifications)("by %s leaves nothing that grows (#%#)", async (method, params) => {
		const begun = await begin();
		const { scene } = begun;
		await flood(scene, (index) => ({ method, params: params(index) }));
		scene.app.toggleDetails();
		expect(JSON.stringify(scene.app.view).length).toBeLessThan(20_000);
		await checkActivity(begun);
	});

	it("by messages that are none is counted as one thing", async () => {
		const { scene } = await begin();
		await flood(scene, () => ({ method: 7 }));
		scene.app.toggleDetails();
		expect(JSON.stringify(scene.app.view)).toContain("(100,000 times)");
	});
});
