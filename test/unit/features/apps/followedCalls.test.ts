import { describe, expect, test, vi } from "vitest";
import type { AppCall } from "../../../../src/features/apps/appCall.ts";
import { FollowedCalls } from "../../../../src/features/apps/followedCalls.ts";
import type { AppsSetting } from "../../../../src/features/apps/appsSetting.ts";
import { readCatalog, type ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import { RunningCall } from "../../../../src/features/tools/runningCall.ts";
import { directoryOf, serve, tool } from "../tools/toolSession.ts";
import { budget, done } from "./appScene.ts";

interface Scene {
	readonly followed: FollowedCalls;
	readonly opened: AppCall[];
	readonly entry: ToolEntry;
	readonly other: ToolEntry;
	run(entry: ToolEntry, sent?: object): RunningCall;
}

async function begin(setting: AppsSetting, allowsAll = true): Promise<Scene> {
	const opened: AppCall[] = [];
	const followed = new FollowedCalls({
		setting: () => setting,
		allowsAll: () => allowsAll,
		open: (call) => opened.push(call),
	});
	const { entries } = readCatalog(directoryOf(await serve("finance", budget, tool("plain"))));
	const [entry, other] = entries as readonly [ToolEntry, ToolEntry];
	const run = (one: ToolEntry, sent: object = {}): RunningCall =>
		new RunningCall({ callId: "1", entry: one, arguments: {} }, { ...sent }, new AbortController().signal);
	return { followed, opened, entry, other, run };
}

describe("the calls of the chat that have apps", () => {
	test.each([
		["always", 2],
		["firstTime", 1],
		["onRequest", 0],
		["off", 0],
	] as const)(
		"with the setting %s %i of two open automatically; a tool without an app never (APP-12)",
		async (setting, count) => {
			const { followed, opened, entry, other, run } = await begin(setting);
			for (const one of [entry, other, entry]) followed.follow(run(one))(done({}, { content: [] }));
			expect(opened).toHaveLength(count);
			expect(followed.has(other)).toBe(false);
			expect(followed.has(entry)).toBe(setting !== "off");
		},
	);

	test("are found while they run, and notified how they ended (APP-16)", async () => {
		const { followed, entry, run } = await begin("onRequest");
		const running = run(entry, { total: 5 });
		const ended = followed.follow(running);
		const call = followed.get(running.id);
		expect([call?.arguments, call?.end]).toEqual([{ total: 5 }, undefined]);
		ended(done({ total: 5 }, { content: [] }));
		expect([followed.get(running.id), call?.end]).toEqual([undefined, { result: { content: [] } }]);
	});

	test("open while they are written, and get the partial arguments, the sent ones and the end (APP-24)", async () => {
		vi.useFakeTimers();
		const { followed, opened, entry, run } = await begin("firstTime");
		const written = followed.write(entry);
		expect(opened).toEqual([written?.call]);
		expect(followed.get(written?.id ?? "")).toBe(written?.call);
		written?.take('{"tot');
		expect(written?.call.written).toEqual({});
		// Updates in quick succession are sent together.
		for (const text of ['{"total', '{"total": 5', '{"total": 5, "note": "for M']) written?.take(text);
		expect(written?.call.written).toEqual({});
		vi.runAllTimers();
		expect(written?.call.written).toEqual({ total: 5, note: "for M" });
		written?.take('{"total": 5, "note": "for May"}');
		const running = run(entry, { total: 6 });
		const ended = followed.follow(running, written);
		vi.runAllTimers();
		vi.useRealTimers();
		expect([written?.call.written, written?.call.arguments]).toEqual([undefined, { total: 6 }]);
		expect([followed.get(written?.id ?? ""), followed.get(running.id)]).toEqual([undefined, written?.call]);
		ended(done({}, { content: [] }));
		expect(opened).toHaveLength(1);
	});

	test("that are not sent in the end have no result (APP-24)", async () => {
		const { followed, entry } = await begin("onRequest");
		const written = followed.write(entry);
		written?.take('{"total": 5,');
		written?.end({ kind: "denied" });
		written?.take('{"total": 5, "more": 1,');
		expect(written?.call.end).toEqual({ cancelled: "The call was denied." });
		expect([written?.call.written, followed.get(written?.id ?? "")]).toEqual([undefined, undefined]);
	});

	test("that may still be denied do not reach an app before they are sent, nor do those without an app (APP-24)", async () => {
		const asking = await begin("always", false);
		expect(asking.followed.write(asking.entry)).toBeUndefined();
		expect(asking.opened).toEqual([]);
		const off = await begin("off");
		expect(off.followed.write(off.entry)).toBeUndefined();
		const { followed, other } = await begin("always");
		expect(followed.write(other)).toBeUndefined();
	});
});
