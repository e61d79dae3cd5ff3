/** Sampling requests in the activity: their contents are found, shown and exported. */
import { expect, test } from "vitest";
import type { ActivityRecord } from "../../../../../src/records/activity/journal/activityJournal.ts";
import { ActivityPort } from "../../../../../src/records/activity/journal/activityPort.ts";
import type {
	ActivityHostApi,
	ActivityList,
	ActivityQuery,
	ActivityViewApi,
} from "../../../../../src/records/activity/journal/activityProtocol.ts";
import { readActivityRequest } from "../../../../../src/records/activity/journal/activityRequest.ts";
import type { ActivityEntry } from "../../../../../src/records/activity/journal/entry.ts";
import { activityLines } from "../../../../../src/records/activity/journal/export.ts";
import { everyActivity, findItems, itemsOf, rowOf } from "../../../../../src/records/activity/journal/items.ts";
import { notedSampling } from "../../../../../src/records/activity/notedSampling.ts";
import type { RecordedAttempt, RecordedEnd } from "../../../../../src/records/activity/samplingRecord.ts";
import { tookOf } from "../../../../../src/records/activity/samplingWords.ts";
import { RpcEndpoint } from "../../../../../src/base/rpc.ts";
import { directoryOf, serve } from "../../../features/tools/toolSession.ts";
import { channel } from "../../../base/channel.ts";
import { CollectedNotes } from "../collectedNotes.ts";
import { type Arrival, arrival, finish, RecordScene, review } from "../recordScene.ts";

const day = 24 * 60 * 60 * 1000;
let n = 0;

/** The entries of a request at the moment of its arrival. */
function recorded(
	{ at, ...asked }: Arrival,
	attempts: readonly RecordedAttempt[],
	end?: RecordedEnd,
): readonly ActivityRecord[] {
	const notes = new CollectedNotes();
	const open = notedSampling(notes, () => "full").open(asked);
	for (const attempt of attempts) open.attempt(attempt);
	if (end !== undefined) open.close(end);
	// As they are read from a file.
	const entries = JSON.parse(JSON.stringify(notes.entries)) as readonly ActivityEntry[];
	return entries.map((entry) => ({ window: "w", n: ++n, at, entry }));
}

const records: readonly ActivityRecord[] = [
	...recorded(arrival({ id: "refused", at: day, serverId: "a", server: "travel" }), [], {
		kind: "refused",
		by: "At most 20 requests a minute",
	}),
	...recorded(
		arrival({
			id: "rejected",
			at: 2 * day,
			serverId: "c",
			server: "weather",
			parameters: { metadata: { tag: "Ünique" } },
		}),
		[{ at: 1, model: { id: "x/large", name: "large" }, request: [], failure: "quota is used up" }],
		{ kind: "rejected", by: "you", reason: "too long" },
	),
	...recorded(
		arrival({
			id: "returned",
			at: 3 * day,
			serverId: "b",
			server: "weather",
			request: [
				{ place: "system", original: "Straße (a|b) [x] ^$ \\d+ {2} . * ? / -" },
				{ place: "message.0.part.0", role: "user", original: "first question" },
				{ place: "message.1.part.0", role: "assistant", original: "first answer" },
			],
		}),
		[
			{ at: 1, model: { id: "x/large", name: "large" }, request: [], inputTokens: 1000, outputTokens: 10, cost: 0.25 },
			{ at: 2, request: [{ place: "system", original: "a", edited: "edited here" }], completion: [] },
			{ at: 3, model: { id: "x/free", name: "free" }, request: [], inputTokens: 5, outputTokens: 5, isEstimated: true },
		],
		{ kind: "returned", by: "you", returned: [{ place: "text", original: "came", edited: "went back" }] },
	),
	...recorded(arrival({ id: "open", at: 4 * day, serverId: "a", server: "travel" }), []),
];

const items = itemsOf(records);

function found(query: Partial<ActivityQuery>): readonly string[] {
	return findItems(items, { ...everyActivity, ...query }).map(({ id }) => id.replace("sampling ", ""));
}

test.each<[Partial<ActivityQuery>, readonly string[]]>([
	[{}, ["open", "returned", "rejected", "refused"]],
	[{ text: "   " }, ["open", "returned", "rejected", "refused"]],
	[{ text: "EDITED here" }, ["returned"]],
	[{ text: "went back" }, ["returned"]],
	[{ text: "quota" }, ["rejected"]],
	[{ text: "too LONG" }, ["rejected"]],
	[{ text: "ünique" }, ["rejected"]],
	[{ text: "at most 20" }, ["refused"]],
	[{ text: "weather" }, ["returned", "rejected"]],
	[{ text: "weather", server: "c" }, ["rejected"]],
	[{ server: "a" }, ["open", "refused"]],
	[{ model: "large" }, ["returned", "rejected"]],
	[{ model: "by hand" }, ["returned"]],
	[{ by: "At most 20 requests a minute" }, ["refused"]],
	[{ standing: "open" }, ["open"]],
	[{ standing: "denied" }, ["rejected", "refused"]],
	[{ group: "call" }, []],
	[{ by: "you", standing: "denied" }, ["rejected"]],
	[{ from: 2 * day, to: 3 * day }, ["rejected"]],
	[{ from: 2 * day }, ["open", "returned", "rejected"]],
])("%o finds %o", (query, ids) => {
	expect(found(query)).toEqual(ids);
});

test("every character of a search matches literally", () => {
	const text = "(a|b) [x] ^$ \\d+ {2} . * ? / -";
	for (let from = 0; from < text.length; from++) {
		for (let to = from + 1; to <= text.length; to++) {
			const part = text.slice(from, to);
			if (part.trim() !== "") expect(found({ text: part }), part).toContain("returned");
		}
	}
	expect(found({ text: "(a|c)" })).toEqual([]);
	expect(found({ text: "f.rst" })).toEqual([]);
	expect(found({ text: "\uD800" })).toEqual([]);
});

/** The activity of a window, in a view. */
function view({ read, onDidChange }: Pick<ReturnType<RecordScene["window"]>["journal"], "read" | "onDidChange">) {
	const [hostEnd, viewEnd] = channel();
	const shown: ActivityList[] = [];
	const saved: string[][] = [];
	const refuse = async (): Promise<never> => Promise.reject(new Error("not in this story"));
	const port = new ActivityPort(hostEnd, {
		read,
		watch: onDidChange,
		notices: (group) => [`Of ${group}.`],
		isTraced: () => false,
		actions: {
			save: async (chosen) => {
				saved.push(chosen.map(({ id }) => id));
				return "";
			},
			trace: refuse,
			copy: refuse,
			clear: refuse,
			verify: refuse,
			chooseContents: refuse,
		},
	});
	const host = new RpcEndpoint<ActivityHostApi, ActivityViewApi>(viewEnd, {
		show: (list) => void shown.push(list as ActivityList),
	});
	return { port, host, shown, saved };
}

/** The activity of these windows without its entries about windows. */
function viewOf({ journal }: ReturnType<RecordScene["window"]>) {
	return view({ read: () => journal.read(), onDidChange: (changed) => journal.onDidChange(changed) });
}

test("a list shows the usage of the found requests, and all search terms (JRN-16)", async () => {
	const { port, host } = view({ read: async () => records, onDidChange: () => ({ dispose: () => undefined }) });
	port.ask({ ...everyActivity, group: "sampling", server: "b" });
	const list = await host.call("ready");
	const took = "about 1,005 tokens in, 15 out · $0.25 and more: some prices are unknown";
	expect(list).toMatchObject({ found: 1, all: 4, took, notices: ["Of sampling."] });
	expect(list.rows).toMatchObject([
		{
			id: "sampling returned",
			event: "returned by you",
			excerpt: "first question",
			details: `free · 3 attempts · edited · ${took}`,
		},
	]);
	// Two servers of one name are distinguished.
	expect(list.servers.map(({ label }) => label)).toEqual(["travel", "weather (b)", "weather (c)"]);
	expect(list.models.map(({ value }) => value)).toEqual(["by hand", "free", "large"]);
	expect(list.deciders.map(({ value }) => value)).toEqual(["At most 20 requests a minute", "you"]);
	expect(tookOf([])).toBe("");
	// A step of a request has no contents beside those of the request.
	const { steps, sampling } = await host.call("detail", "sampling returned");
	expect(steps.map(({ event, contents }) => [event, contents])).toEqual([
		["the server asked for a completion", undefined],
		["sent to the model (large)", undefined],
		["answered by hand", undefined],
		["sent to the model (free)", undefined],
		["returned by you", undefined],
	]);
	expect(sampling).toMatchObject({
		request: [{}, {}, {}],
		attempts: [{}, {}, {}],
		returned: [{ edited: "went back" }],
	});
	port.dispose();
});

test("requests that ended or were interrupted have no decider", () => {
	const ends = (["returned", "rejected", "refused", "lapsed", "interrupted"] as const).flatMap((kind) =>
		recorded(arrival({ id: kind }), [], { kind, by: "somebody" }),
	);
	expect(
		itemsOf(ends)
			.map((item) => rowOf(item).event)
			.toSorted(),
	).toEqual([
		"ended without an answer",
		"interrupted because its window closed",
		"refused by somebody",
		"rejected by somebody",
		"returned by somebody",
	]);
});

test("entries of another window are shown when the activity is read again", async () => {
	await using scene = await RecordScene.begin();
	const [own, other] = [scene.window(), scene.window()];
	const { port, host } = viewOf(own);
	expect((await host.call("ready")).rows).toEqual([]);
	const entry = arrival();
	const open = other.log.open(entry);
	expect((await host.call("ready")).rows).toMatchObject([{ standing: "open" }]);
	finish(open, entry.at);
	expect((await host.call("ready")).rows).toMatchObject([{ standing: "done" }]);
	port.dispose();
});

test("the requested entry is sent until the view has it, and a query of the user ends that", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const [first, second] = [review(window.log), review(window.log, { serverId: "other", server: "other" })];
	const { port, host, saved } = viewOf(window);
	port.ask({ ...everyActivity, server: "other" }, { item: `sampling ${first.id}` });
	const list = await host.call("ready");
	expect(list).toMatchObject({ chosen: `sampling ${first.id}`, query: { server: "other" }, all: 2 });
	expect(list.rows.map(({ id }) => id)).toEqual([`sampling ${second.id}`]);
	expect(await host.call("detail", `sampling ${first.id}`)).toMatchObject({ sampling: { attempts: [{}] } });
	expect(await host.call("ready")).not.toHaveProperty("chosen");
	await host.call("export", "found");
	await host.call("find", everyActivity);
	await host.call("export", "found");
	expect(saved).toEqual([[`sampling ${second.id}`], [`sampling ${second.id}`, `sampling ${first.id}`]]);
	await expect(host.call("detail", "another")).rejects.toThrow("no longer in the activity");
	await expect(host.call("export", "everything" as never)).rejects.toThrow("does not support this selection");
	await expect(host.call("find", { text: 7 } as never)).rejects.toThrow("does not support this search");
	port.dispose();
});

test("a command's argument names a server by its id, its name or a node of the tree; anything else means all", async () => {
	const server = await serve("travel");
	const directory = directoryOf(server);
	const { id } = server.definition;
	expect(readActivityRequest({ server: id }, directory).server).toBe(id);
	expect(readActivityRequest({ server: "travel", entry: "x" }, directory)).toEqual({
		server: id,
		wanted: { item: "sampling x" },
	});
	expect(readActivityRequest({ exchange: "here-1", group: "call" }, directory)).toEqual({
		server: "",
		wanted: { exchange: "here-1", group: "call" },
	});
	expect(readActivityRequest({ server: "not configured any more" }, directory).server).toBe("not configured any more");
	for (const argument of [undefined, 7, "travel", [], { server: 7, entry: {} }]) {
		expect(readActivityRequest(argument, directory)).toEqual({ server: "" });
	}
});

test("an export has the contents of requests, in JSON Lines that parse to exactly the same entries", () => {
	const strange = arrival({ request: [{ place: "system", original: 'a\nb\u2028c\r\n"\u0000\uD800 \u{1F600}' }] });
	const all = [...records, ...recorded(strange, [])];
	const lines = activityLines(all).split("\n");
	expect(lines.pop()).toBe("");
	const read = lines.map((line) => JSON.parse(line) as object);
	for (const [index, { window, n: number, at, entry }] of all.entries())
		expect(read[index]).toEqual({ time: new Date(at).toISOString(), window, n: number, ...entry });
	expect(read.at(-1)).toMatchObject({ contents: { received: { request: strange.request } } });
});
