import { describe, expect, test } from "vitest";
import { AppCall } from "../../../../src/features/apps/appCall.ts";
import { type KeptApp, keptCall, KeptApps } from "../../../../src/features/apps/keptApps.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { KeyValue } from "../../../../src/base/storage.ts";
import { readCatalog, type ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import type { RawToolResult } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, serve, tool, ToolSession } from "../tools/toolSession.ts";
import { budget, done, memory } from "./appScene.ts";

const title = "Budget Allocator · finance";
const left: RawToolResult = { content: [{ type: "text", text: "5 left" }] };

async function entryOf(offered = budget): Promise<ToolEntry> {
	const [entry] = readCatalog(directoryOf(await serve("finance", offered))).entries;
	if (entry === undefined) throw new Error("no tool");
	return entry;
}

/** The apps of a window, and those of the same window after a reload. */
function windows(state: KeyValue = memory()): { readonly open: (now?: number) => KeptApps; readonly state: KeyValue } {
	const redact = (text: string): string => text.replaceAll("hunter-two", "⟦Password⟧");
	return { state, open: (now) => new KeptApps({ state, redact, ...(now === undefined ? {} : { now: () => now }) }) };
}

/** Writes happen in the order of the requests. */
const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function ended(args: JsonObject = { total: 5 }, result = left, offered = budget): Promise<AppCall> {
	return new AppCall(await entryOf(offered), args, done(args, result));
}

describe("open apps over a reload of the window (APP-20)", () => {
	test("are restored with their arguments and result, each once, until they are closed", async () => {
		const { open } = windows();
		const before = open();
		const running = new AppCall(await entryOf(), { total: 6 });
		before.keep(await ended(), title, "1");
		before.keep(running, title, "2");
		await written();
		expect(open().take(title, undefined)).toMatchObject({ id: "1", arguments: { total: 5 }, result: left });
		running.finish(done({ total: 6 }, left));
		await written();
		// Its own are open already.
		expect(before.take(title, undefined)).toBeUndefined();
		const after = open();
		expect([after.take(title, "1")?.id, after.take(title, "1"), after.take(title, "2")?.id]).toEqual([
			"1",
			undefined,
			"2",
		]);
		expect(open().take("Another · finance", "2")).toBeUndefined();
		after.forget("1");
		await written();
		expect(open().take(title, undefined)?.id).toBe("2");
	});

	test("are restored at their place, an editor or the side bar, hidden or not", async () => {
		const { open } = windows();
		const before = open();
		const call = await ended();
		before.keep(call, title, "1").dispose();
		before.keep(await ended({ total: 6 }), title, "2");
		// It was moved.
		before.keep(call, title, "1", "sideBar");
		before.hide("1", true);
		before.hide("3", true);
		await written();
		expect(before.takeInSideBar()).toBeUndefined();
		const after = open();
		expect(after.take(title, "1")).toBeUndefined();
		expect(after.take(title, undefined)?.id).toBe("2");
		expect(after.takeInSideBar()).toMatchObject({ id: "1", place: "sideBar", isHidden: true, result: left });
		expect(after.takeInSideBar()).toBeUndefined();
		// It is shown again, unchanged.
		after.keep(call, title, "1", "sideBar");
		await written();
		expect(open().takeInSideBar()?.isHidden).toBe(true);
		after.forget("1");
		await written();
		expect(open().takeInSideBar()).toBeUndefined();
	});

	test("leave nothing when they are closed, also before their result arrived", async () => {
		const { open, state } = windows();
		const apps = open();
		const running = new AppCall(await entryOf(), { total: 5 });
		apps.keep(running, title, "1").dispose();
		running.finish(done({ total: 5 }, left));
		apps.keep(await ended(), title, "2");
		apps.forget("2");
		await written();
		expect(state.get("mcpHost.openApps")).toBeUndefined();
	});

	const base64 = (of: string | Uint8Array): string => Buffer.from(of).toString("base64");
	const picture = base64(Uint8Array.from({ length: 900 }, (_, index) => (index * 89) % 251));
	const blob = (data: string): RawToolResult => ({
		content: [{ type: "resource", resource: { uri: "file:///a", blob: data } }],
	});
	const text = (words: string): RawToolResult => ({ content: [{ type: "text", text: words }] });
	const image = (data: string): RawToolResult => ({ content: [{ type: "image", data, mimeType: "image/png" }] });
	const file = (words: string): RawToolResult => blob(base64(words));
	const secretTool = tool("budget", {}, { ...budget, description: "d" });
	test.each([
		["a call that was cancelled", async () => new AppCall(await entryOf(), {}, { kind: "cancelled" })],
		["a known secret in the result", () => ended({}, text("the word is hunter-two"))],
		["a known secret in the arguments", () => ended({ word: "hunter-two" })],
		["text that looks like a key in the result", () => ended({}, text(`ghp_${"aB3".repeat(12)}`))],
		["a key in the place of a picture", () => ended({}, image(`AKIA${"A3".repeat(8)}`))],
		["invalid base64 in the place of a picture", () => ended({}, image(`ghp_${"aB3".repeat(40)}`))],
		["a secret in the text of a file", () => ended({}, file(`the word is hunter-two ${"and so on ".repeat(9)}`))],
		["a key in the text of a file", () => ended({}, file(`ghp_${"aB3".repeat(40)}`))],
		["a member that is called a secret", () => ended({}, { ...left, structuredContent: { password: "x" } })],
		["arguments that are called a secret", () => ended({ apiKey: "x" }, left, secretTool)],
		["a result that is long", () => ended({}, text("five left ".repeat(30_000)))],
	])("are not kept with %s (SEC-03)", async (_what, make) => {
		const { open, state } = windows();
		open().keep(await make(), title, "1");
		await written();
		expect(state.get("mcpHost.openApps")).toBeUndefined();
	});

	test.each<[string, RawToolResult]>([
		["a picture", { content: [{ type: "image", data: picture, mimeType: "image/png" }] }],
		["a sound", { content: [{ type: "audio", data: picture, mimeType: "audio/wav" }] }],
		["a file", blob(picture)],
		["a text as a file", blob(base64("five left ".repeat(20)))],
		["a picture as an URL", { ...left, structuredContent: { chart: `data:image/png;base64,${picture}` } }],
	])("are kept with %s, which is not a key although it looks like one", async (_what, result) => {
		const { open } = windows();
		open().keep(await ended({}, result), title, "1");
		await written();
		expect(open().take(title, "1")?.result).toEqual(result);
	});

	test("are limited in number and age, and damaged ones are ignored (SEC-03, SEC-08)", async () => {
		const { open, state } = windows();
		const day = 24 * 60 * 60 * 1000;
		const apps = open(100 * day);
		for (const id of ["1", "2", "3", "4", "5", "6"]) apps.keep(await ended(), title, id);
		await written();
		const ids = (state.get<KeptApp[]>("mcpHost.openApps") ?? []).map(({ id }) => id);
		expect(ids).toEqual(["3", "4", "5", "6"]);
		expect(open(106 * day).take(title, undefined)?.id).toBe("6");
		expect(open(108 * day).take(title, undefined)).toBeUndefined();
		for (const damaged of ["text", [null, 7, { id: "1", title }], { id: "1" }]) {
			await state.update("mcpHost.openApps", damaged);
			expect(open().take(title, undefined)).toBeUndefined();
		}
	});
});

describe("the call of a restored app (APP-20)", () => {
	async function kept(session: ToolSession): Promise<KeptApp> {
		const { id: server, hash: definition } = session.definition;
		const page = "ui://budget/page";
		return {
			id: "1",
			title,
			server,
			definition,
			tool: "budget",
			page,
			arguments: { total: 5 },
			result: { content: [] },
			at: 0,
		};
	}
	const never = new AbortController().signal;

	test("is restored once its server runs, with its arguments and result", async () => {
		const session = new ToolSession("finance");
		const waiting = keptCall(await kept(session), directoryOf(session), never);
		await session.run({ tools: [budget] });
		const call = await waiting;
		expect([call?.arguments, call?.end]).toEqual([{ total: 5 }, { result: { content: [] } }]);
		expect(call?.entry.session).toBe(session);
		expect(session.received).toEqual([]);
	});

	test.each([
		["its server is another one", budget, { definition: "other" }],
		["its tool has another app", tool("budget", {}, { _meta: { ui: { resourceUri: "ui://other" } } }), {}],
		["its tool is gone", tool("other"), {}],
	])("is absent if %s", async (_what, offered, other) => {
		const session = await serve("finance", offered);
		expect(await keptCall({ ...(await kept(session)), ...other }, directoryOf(session), never)).toBeUndefined();
	});

	test("is absent if its server has no tools any more", async () => {
		const session = new ToolSession("finance");
		await session.run({}, { capabilities: {} });
		expect(await keptCall(await kept(session), directoryOf(session), never)).toBeUndefined();
	});

	test("is awaited only while its editor is open", async () => {
		const session = new ToolSession("finance");
		const closed = new AbortController();
		const waiting = keptCall(await kept(session), directoryOf(session), closed.signal);
		closed.abort();
		expect(await waiting).toBeUndefined();
	});
});
