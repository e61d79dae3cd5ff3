/** Sampling requests in the activity: their content, also if only that is left. */
import { expect, test } from "vitest";
import { isEntry } from "../../../../../src/records/activity/entryLines.ts";
import { ActivityPort } from "../../../../../src/records/activity/journal/activityPort.ts";
import type {
	ActivityHostApi,
	ActivityList,
	ActivityQuery,
	ActivityViewApi,
} from "../../../../../src/records/activity/journal/activityProtocol.ts";
import { readActivityRequest } from "../../../../../src/records/activity/journal/activityRequest.ts";
import { clearItems } from "../../../../../src/records/activity/journal/clear.ts";
import { everyActivity, findItems, itemsOf, rowOf } from "../../../../../src/records/activity/journal/items.ts";
import { digestOfSampling, notedSampling } from "../../../../../src/records/activity/notedSampling.ts";
import type { SamplingLog } from "../../../../../src/records/activity/samplingLog.ts";
import type { SamplingEntry } from "../../../../../src/records/activity/samplingRecord.ts";
import { samplingExportName, samplingLines, tookOf } from "../../../../../src/records/activity/samplingWords.ts";
import { RpcEndpoint } from "../../../../../src/base/rpc.ts";
import { Store } from "../../../../../src/base/store/store.ts";
import { directoryOf, serve } from "../../../features/tools/toolSession.ts";
import { channel } from "../../../base/channel.ts";
import { arrival, finish, RecordScene, review } from "../recordScene.ts";
import { JournalScene } from "./scene.ts";

const day = 24 * 60 * 60 * 1000;

const entries: readonly SamplingEntry[] = [
	{ ...arrival({ id: "open", at: 4 * day, serverId: "a", server: "travel" }), attempts: [] },
	{
		...arrival({
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
		attempts: [
			{ at: 1, model: { id: "x/large", name: "large" }, request: [], inputTokens: 1000, outputTokens: 10, cost: 0.25 },
			{ at: 2, request: [{ place: "system", original: "a", edited: "edited here" }], completion: [] },
			{ at: 3, model: { id: "x/free", name: "free" }, request: [], inputTokens: 5, outputTokens: 5, isEstimated: true },
		],
		end: { at: 4, kind: "returned", by: "you", returned: [{ place: "text", original: "came", edited: "went back" }] },
	},
	{
		...arrival({
			id: "rejected",
			at: 2 * day,
			serverId: "c",
			server: "weather",
			parameters: { metadata: { tag: "Ünique" } },
		}),
		attempts: [{ at: 1, model: { id: "x/large", name: "large" }, request: [], failure: "quota is used up" }],
		end: { at: 4, kind: "rejected", by: "you", reason: "too long" },
	},
	{
		...arrival({ id: "refused", at: day, serverId: "a", server: "travel" }),
		attempts: [],
		end: { at: 4, kind: "refused", by: "At most 20 requests a minute" },
	},
];

const items = itemsOf([], entries);

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

/** The activity with only the record of a window, in a view. */
function view(log: Pick<SamplingLog, "read">, { folder }: Pick<RecordScene, "folder">) {
	const [hostEnd, viewEnd] = channel();
	const shown: ActivityList[] = [];
	const saved: string[][] = [];
	const refuse = async (): Promise<never> => Promise.reject(new Error("not in this story"));
	const port = new ActivityPort(hostEnd, {
		read: async () => [],
		readSampling: () => log.read(),
		watch: (changed) => {
			const store = new Store({ folder, onProblem: () => undefined });
			store.onDidTouch(changed);
			return store;
		},
		notices: (group) => [`Of ${group}.`],
		isTraced: () => false,
		actions: {
			save: async (chosen) => {
				saved.push(chosen.flatMap(({ sampling }) => sampling?.id ?? []));
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

test("a list shows the usage of the found requests, and all search terms", async () => {
	await using scene = await RecordScene.begin();
	const { port, host } = view({ read: async () => ({ entries, troubles: ["A line is damaged."] }) }, scene);
	port.ask({ ...everyActivity, group: "sampling", server: "b" });
	const list = await host.call("ready");
	const took = "about 1,005 tokens in, 15 out · $0.25 and more: some prices are unknown";
	expect(list).toMatchObject({ found: 1, all: 4, took, notices: ["Of sampling.", "A line is damaged."] });
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
	port.dispose();
});

test("requests that ended or were interrupted have no decider", () => {
	const ends = (["returned", "rejected", "refused", "lapsed", "interrupted"] as const).map((kind): SamplingEntry =>
		Object.assign(arrival({ id: kind }), { attempts: [], end: { at: 1, kind, by: "somebody" } }),
	);
	expect(
		itemsOf([], ends)
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

test("a request that is in the journal and in the record is one, and stays one after clearing (JRN-16)", async () => {
	await using scene = await RecordScene.begin();
	await using journals = await JournalScene.begin();
	const { log } = scene.window();
	const journal = journals.window();
	const { id } = review(notedSampling(log, journal));
	const read = async () => itemsOf(await journal.read(), (await log.read()).entries);
	const [item, ...others] = await read();
	expect(others).toEqual([]);
	expect(item).toMatchObject({ id: `sampling ${id}`, records: [{}, {}, {}], sampling: { id } });
	const [entry] = (await log.read()).entries;
	expect(item?.records.at(-1)?.entry).toMatchObject({ digest: entry === undefined ? "" : digestOfSampling(entry) });
	const before = item === undefined ? undefined : rowOf(item);
	// Entries that the journal no longer keeps come from the record; unrecorded ones come from the journal.
	await journal.remove(({ entry: { kind } }) => kind === "sampling");
	const left = (await read()).find(({ group }) => group === "sampling");
	expect(left === undefined ? undefined : rowOf(left)).toEqual({ ...before, at: left?.sampling?.at });
	const other = review(notedSampling(log, journal)).id;
	const cleared = (await read()).filter((one) => one.id === `sampling ${other}`);
	await clearItems(cleared, "found", { journal: { remove: async () => 0 }, sampling: log });
	expect((await log.read()).entries.map((one) => one.id)).toEqual([id]);
	const [noted] = await read();
	expect(noted).toMatchObject({ id: `sampling ${other}`, records: [{}, {}, {}] });
	expect(noted?.sampling).toBeUndefined();
	await clearItems(await read(), "sampling", { journal, sampling: log });
	expect((await read()).map(({ group }) => group)).toEqual(["journal"]);
	await clearItems(await read(), "all", { journal, sampling: log });
	expect((await read()).map(({ records }) => records.length)).toEqual([1]);
});

test("entries of another window are shown while the activity is open", async () => {
	await using scene = await RecordScene.begin();
	const [own, other] = [scene.window(), scene.window()];
	const { port, host, shown } = view(own.log, scene);
	expect((await host.call("ready")).rows).toEqual([]);
	const entry = arrival();
	const open = other.log.open(entry);
	await expect.poll(() => shown.at(-1)?.rows.map(({ standing }) => standing)).toEqual(["open"]);
	finish(open, entry.at);
	await expect.poll(() => shown.at(-1)?.rows.map(({ standing }) => standing)).toEqual(["done"]);
	port.dispose();
});

test("the requested entry is sent until the view has it, and a query of the user ends that", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const [first, second] = [review(window.log), review(window.log, { serverId: "other", server: "other" })];
	const { port, host, saved } = view(window.log, scene);
	port.ask({ ...everyActivity, server: "other" }, { item: `sampling ${first.id}` });
	const list = await host.call("ready");
	expect(list).toMatchObject({ chosen: `sampling ${first.id}`, query: { server: "other" }, all: 2 });
	expect(list.rows.map(({ id }) => id)).toEqual([`sampling ${second.id}`]);
	expect(await host.call("detail", `sampling ${first.id}`)).toMatchObject({ sampling: { attempts: [{}] } });
	expect(await host.call("ready")).not.toHaveProperty("chosen");
	await host.call("export", "found");
	await host.call("find", everyActivity);
	await host.call("export", "found");
	expect(saved).toEqual([[second.id], [second.id, first.id]]);
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

test("an export is JSON Lines that parse to exactly the same entries, the oldest first", () => {
	const strange = {
		...arrival({ request: [{ place: "system", original: 'a\nb\u2028c\r\n"\u0000\uD800 \u{1F600}' }] }),
		attempts: [],
	};
	const text = samplingLines([...entries, strange]);
	const lines = text.split("\n");
	expect(lines.pop()).toBe("");
	const read = lines.map((line) => JSON.parse(line) as unknown);
	expect(read).toEqual([strange, ...entries.toReversed()]);
	expect(read.every(isEntry)).toBe(true);
	expect(samplingLines([])).toBe("");
	expect(samplingExportName(new Date(Date.UTC(2026, 10, 22)))).toBe("mcp-sampling-log-2026-11-22.jsonl");
});
