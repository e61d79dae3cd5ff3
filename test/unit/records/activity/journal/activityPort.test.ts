import type { CallActivity } from "../../../../../src/records/activity/journal/entry.ts";
import { expect, it } from "vitest";
import type {
	ActivityHostApi,
	ActivityList,
	ActivityViewApi,
} from "../../../../../src/records/activity/journal/activityProtocol.ts";
import { ActivityPort, readActivityQuery } from "../../../../../src/records/activity/journal/activityPort.ts";
import { RpcEndpoint } from "../../../../../src/base/rpc.ts";
import {
	everyActivity,
	findItems,
	isUnaskedOf,
	itemsOf,
	rowOf,
	standingOf,
} from "../../../../../src/records/activity/journal/items.ts";
import { eventOf, subjectOf } from "../../../../../src/records/activity/journal/words.ts";
import { channel } from "../../../base/channel.ts";
import { call, JournalScene, started } from "./scene.ts";

it("groups all steps of one call, and leaves out data for verifying (JRN-16)", async () => {
	await using scene = await JournalScene.begin();
	const [one, two] = [scene.window(), scene.window()];
	one.note(call("asked"));
	two.note(call("allowed", { id: "call-2", by: "rule", byLabel: "rule 1" }));
	one.note(call("allowed", { by: "user" }));
	two.note(call("denied", { id: "call-2", by: "rule", byLabel: "rule 1" }));
	one.note(started("travel"));
	await one.tidy();
	const items = itemsOf(await one.read());
	expect(
		items.map(rowOf).map(({ subject, event, standing, isUnasked }) => [subject, event, standing, isUnasked]),
	).toEqual([
		["travel", "started", "noted", false],
		["bookHotel", "denied by rule 1", "denied", true],
		["bookHotel", "allowed by you", "open", false],
	]);
	expect(findItems(items, { ...everyActivity, isUnasked: true })).toHaveLength(1);
	expect(findItems(items, { ...everyActivity, from: Infinity })).toEqual([]);
});

it("has words for everything, also of a later version (JRN-16)", () => {
	for (const phase of ["invalid", "asked", "lapsed", "sent", "failed", "unknown", "cancelled", "later"])
		expect(eventOf(call(phase as CallActivity["phase"]))).not.toBe("");
	expect(eventOf({ kind: "journal", event: "later" } as never)).not.toBe("");
	expect(subjectOf(call("asked", { target: "a\u202Eb\nc" }))).toBe("a\\u202Eb c");
	const records = [{ window: "w", n: 1, at: 1, entry: call("later" as never) }];
	expect(standingOf({ id: "x", group: "call", records })).toBe("noted");
	expect(isUnaskedOf({ id: "x", group: "call", records })).toBe(false);
});

it("leads to the entry of an exchange until the view has it, however early it was requested (JRN-17)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	window.note(call("asked"));
	window.note(call("answered", { exchange: "here-1" }));
	await window.tidy();
	const [hostEnd, viewEnd] = channel();
	const refuse = async (): Promise<never> => Promise.reject(new Error("not in this story"));
	const port = new ActivityPort(hostEnd, {
		read: () => window.read(),
		watch: () => ({ dispose: () => undefined }),
		notices: () => [],
		isTraced: () => false,
		actions: { trace: refuse, copy: refuse, save: refuse, clear: refuse, verify: refuse, chooseContents: refuse },
	});
	const shown: ActivityList[] = [];
	const host = new RpcEndpoint<ActivityHostApi, ActivityViewApi>(viewEnd, {
		show: (list) => void shown.push(list as ActivityList),
	});
	port.ask(everyActivity, { exchange: "here-1" });
	await expect.poll(() => shown.length).toBe(1);
	// The page was not ready for the earlier content when it asked.
	const { chosen = "", notices } = await host.call("ready");
	expect([chosen, notices]).toEqual(["call call-1", []]);
	expect(await host.call("detail", chosen)).toMatchObject({ id: chosen });
	expect(await host.call("ready")).not.toHaveProperty("chosen");
	// A request during the call is in the same exchange.
	window.note({
		kind: "sampling",
		id: "s1",
		server: "travel",
		serverId: "user:travel",
		phase: "asked",
		exchange: "here-1",
	});
	await window.tidy();
	const lead = async (group?: string): Promise<string | undefined> => {
		port.ask(everyActivity, { exchange: "here-1", group });
		return (await host.call("ready")).chosen;
	};
	expect([await lead("call"), await lead("sampling"), await lead("question")]).toEqual([
		chosen,
		"sampling s1",
		undefined,
	]);
	port.ask(everyActivity, { exchange: "another-1" });
	expect((await host.call("ready")).notices).toEqual(["No entry exists for this, or it has been deleted."]);
	expect((await host.call("find", everyActivity)).notices).toEqual([]);
	port.dispose();
});

it("trusts no message of a view (UI-06)", () => {
	expect(readActivityQuery(everyActivity)).toEqual(everyActivity);
	for (const change of [
		{ text: 3 },
		{ group: "x" },
		{ standing: null },
		{ isUnasked: "yes" },
		{ from: "now" },
		{ turn: "x".repeat(10_001) },
	])
		expect(readActivityQuery({ ...everyActivity, ...change })).toBeUndefined();
	expect(readActivityQuery(null)).toBeUndefined();
});
