import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { KeyValue } from "../../../../src/base/storage.ts";
import { LiveResources } from "../../../../src/features/resources/live.ts";
import { ResourceReader } from "../../../../src/features/resources/reader.ts";
import { Snapshots } from "../../../../src/features/resources/snapshots.ts";
import { WatchList, watchLimit } from "../../../../src/features/resources/watchList.ts";
import { FakeDirectory, FakeSession } from "./fakeSession.ts";

const address = { server: "user-settings/memo", uri: "memo://a" };
let session: FakeSession;
let directory: FakeDirectory;
let snapshots: Snapshots;
let reader: ResourceReader;
let live: LiveResources;
let text: string;
let changes: string[];
let updates: string[];
let memory: Map<string, unknown>;
let state: KeyValue;

function newLive(): LiveResources {
	const made = new LiveResources({ directory, reader, snapshots, watchList: new WatchList(state) });
	made.onDidChange(({ uri }) => changes.push(uri));
	made.onDidUpdate(({ uri }) => updates.push(uri));
	return made;
}

/** The server has other contents, and notifies of it. */
function change(to: string, uri = address.uri): void {
	text = to;
	session.update(uri);
}

/** The user watches the resource, and the server acknowledges the subscription. */
async function watch(): Promise<void> {
	const watching = live.watch(address);
	session.acknowledge(address.uri);
	await watching;
}

/** Work that is due after an update: reads, and the interval in which updates are gathered. */
async function settle(): Promise<void> {
	await vi.advanceTimersByTimeAsync(1000);
}

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
	text = "one";
	changes = [];
	updates = [];
	memory = new Map();
	state = {
		get: (key) => memory.get(key) as never,
		update: async (key, value) => void memory.set(key, value),
	};
	session = new FakeSession("memo");
	directory = new FakeDirectory(session);
	session.onRead = async (uri) => ({ contents: [{ uri, text }] });
	snapshots = new Snapshots();
	reader = new ResourceReader(directory, { startingMs: 0, settled: Promise.resolve() }, () => undefined);
	live = newLive();
	await session.run();
});
afterEach(() => {
	live.dispose();
	reader.dispose();
	vi.useRealTimers();
});

/** The text of the contents for comparison. */
function formerText(): string | undefined {
	const bytes = live.comparableTo(address)?.parts[0]?.bytes;
	return bytes && new TextDecoder().decode(bytes);
}

describe("an open resource", () => {
	test("is subscribed to while an editor shows it, once for all editors, and not after (RES-10)", () => {
		const first = live.open(address);
		const second = live.open(address);
		expect(live.stateOf(address)).toEqual({ isOpen: true, isWatched: false, isChanged: false });
		expect(session.subscribed).toEqual(["memo://a"]);
		first.dispose();
		expect(session.subscribed).toEqual(["memo://a"]);
		second.dispose();
		second.dispose();
		expect(session.subscribed).toEqual([]);
		expect(live.stateOf(address).isOpen).toBe(false);
		for (let round = 0; round < 100; round++) live.open(address).dispose();
		expect(session.subscribed).toEqual([]);
	});

	test("is marked when it changes while it is hidden, until it is visible", async () => {
		await reader.read(address);
		live.open(address);
		changes.length = 0;
		change("two");
		await settle();
		expect(updates).toEqual(["memo://a"]);
		expect(live.stateOf(address).isChanged).toBe(true);
		expect(changes).toEqual(["memo://a"]);
		live.look(address);
		expect(live.stateOf(address).isChanged).toBe(false);
		expect(changes).toEqual(["memo://a", "memo://a"]);
	});

	test("is not marked while the user looks at it, nor when nothing changed", async () => {
		await reader.read(address);
		live.open(address);
		change("one");
		await settle();
		expect(live.stateOf(address).isChanged).toBe(false);
		live.look(address);
		change("two");
		await settle();
		expect(live.stateOf(address).isChanged).toBe(false);
		live.look(undefined);
		change("six");
		await settle();
		expect(live.stateOf(address).isChanged).toBe(true);
	});

	test("that was closed is not read, announced or marked any more (RES-11)", async () => {
		await reader.read(address);
		live.open(address).dispose();
		const { length } = session.reads;
		change("two");
		await settle();
		expect([session.reads.length, updates, live.stateOf(address).isChanged]).toEqual([length, [], false]);
	});

	test("is read once more when the server acknowledges the subscription after the first read", async () => {
		await reader.read(address);
		live.open(address);
		text = "changed before the subscription";
		session.acknowledge("memo://a");
		await settle();
		expect(updates).toEqual(["memo://a"]);
		expect(live.stateOf(address).isChanged).toBe(true);
		expect(formerText()).toBe("one");
	});

	test("is not read twice if the subscription was first", async () => {
		const preparing = live.prepare(address, 300);
		session.acknowledge("memo://a");
		const watch = await preparing;
		await reader.read(address);
		live.open(address);
		watch.dispose();
		await settle();
		expect([session.reads, session.subscribed, updates]).toEqual([["memo://a"], ["memo://a"], []]);
	});

	test("waits only briefly for a server that is slow to acknowledge", async () => {
		vi.useRealTimers();
		(await live.prepare(address, 1)).dispose();
		expect(session.subscribed).toEqual([]);
	});

	test("that changes a thousand times in a moment is read a few times, including the last state", async () => {
		await reader.read(address);
		live.open(address);
		for (let round = 0; round < 1000; round++) change(`round ${round}`);
		await settle();
		expect(session.reads.length).toBeLessThan(10);
		expect(updates.length).toBeLessThan(10);
		expect(new TextDecoder().decode((await reader.read(address)).parts[0]?.bytes)).toBe("round 999");
	});

	test("is read again when its server returns", async () => {
		live.open(address);
		session.setState({ kind: "starting" });
		await session.run();
		await settle();
		expect(updates).toEqual(["memo://a"]);
		expect(session.subscribed).toEqual(["memo://a"]);
	});

	test("whose server cannot return it now stays unchanged", async () => {
		await reader.read(address);
		live.open(address);
		session.onRead = () => Promise.reject(new Error("broken"));
		session.update("memo://a");
		await settle();
		expect(live.stateOf(address)).toEqual({ isOpen: true, isWatched: false, isChanged: false });
	});
});

describe("a watched resource", () => {
	test("is followed without an editor, and across a reload of the window", async () => {
		await watch();
		await settle();
		expect(live.stateOf(address)).toEqual({ isOpen: false, isWatched: true, isChanged: false });
		// Once: the subscription was first.
		expect([session.subscribed, session.reads]).toEqual([["memo://a"], ["memo://a"]]);
		change("two");
		await settle();
		expect(live.stateOf(address).isChanged).toBe(true);
		expect(formerText()).toBe("one");

		live.dispose();
		expect(session.subscribed).toEqual([]);
		live = newLive();
		expect(live.watched).toEqual([address]);
		expect(live.stateOf(address).isWatched).toBe(true);
		expect(session.subscribed).toEqual(["memo://a"]);
	});

	test("is read silently, however slow its server is", async () => {
		let announced = 0;
		const slow = new ResourceReader(directory, { startingMs: 0, settled: Promise.resolve() }, () => announced++);
		session.onRead = (uri) =>
			new Promise((resolve) => {
				setTimeout(() => resolve({ contents: [{ uri, text }] }), 3000);
			});
		const watching = new LiveResources({ directory, reader: slow, snapshots, watchList: new WatchList(state) });
		void watching.watch(address);
		session.acknowledge(address.uri);
		await vi.advanceTimersByTimeAsync(10_000);
		change("two");
		await vi.advanceTimersByTimeAsync(10_000);
		expect(watching.stateOf(address).isChanged).toBe(true);
		expect(announced).toBe(0);
		watching.dispose();
		slow.dispose();
	});

	test("is replaced by a newer one when too many are watched", async () => {
		const count = 130;
		for (let index = 0; index < count; index++) await live.watch({ ...address, uri: `memo://${index}` });
		const kept = live.watched.map(({ uri }) => uri);
		expect(session.subscribed).toEqual(kept);
		expect([kept.length, kept.at(-1)]).toEqual([watchLimit, `memo://${count - 1}`]);
		expect(live.stateOf({ ...address, uri: "memo://0" }).isWatched).toBe(false);
	});

	test("is no longer followed after Unwatch, except by an editor that shows it", async () => {
		await live.watch(address);
		await live.watch(address);
		const editor = live.open(address);
		await live.unwatch(address);
		expect(live.stateOf(address)).toMatchObject({ isOpen: true, isWatched: false });
		expect(session.subscribed).toEqual(["memo://a"]);
		editor.dispose();
		expect([session.subscribed, live.watched]).toEqual([[], []]);
		await live.unwatch(address);
	});

	test("keeps its mark when an editor that showed it is closed", async () => {
		await watch();
		const editor = live.open(address);
		await settle();
		change("two");
		await settle();
		editor.dispose();
		expect(live.stateOf(address)).toEqual({ isOpen: false, isWatched: true, isChanged: true });
	});

	test("that is too large to be kept is marked without being read repeatedly", async () => {
		text = "x".repeat(17 * 1024 * 1024);
		await watch();
		await settle();
		const { length } = session.reads;
		change(text);
		await settle();
		expect([session.reads.length, live.stateOf(address).isChanged]).toEqual([length, true]);
	});
});

describe("the contents for comparison", () => {
	test("are the previous ones, for a user who sees every change", async () => {
		live.look(address);
		live.open(address);
		await reader.read(address);
		expect(formerText()).toBeUndefined();
		for (const next of ["two", "six"]) {
			change(next);
			await settle();
		}
		expect(formerText()).toBe("two");
	});

	test("are those that the user saw last, after any number of changes", async () => {
		await watch();
		await settle();
		for (const next of ["two", "six", "ten"]) {
			change(next);
			await settle();
		}
		expect(formerText()).toBe("one");
		live.acknowledge(address);
		expect(live.stateOf(address).isChanged).toBe(false);
		expect(formerText()).toBe("six");
	});
});

describe("the result of the last read", () => {
	test("is shown as entries if there are several contents (BLT-22, BLT-23)", async () => {
		session.onRead = async () => ({
			contents: [
				{ uri: "memo://a/x", mimeType: "text/plain", text: "été" },
				{ uri: "memo://a/x", blob: "AAEC/w==" },
			],
		});
		expect(live.partsOf(address)).toEqual([]);
		await reader.read(address);
		expect(live.partsOf({ ...address })).toEqual([
			{ uri: "memo://a/x", mimeType: "text/plain", size: 5 },
			{ uri: "memo://a/x", mimeType: undefined, size: 4 },
		]);
		expect(live.answeredAs(address)).toBeUndefined();
		expect(changes).toEqual(["memo://a"]);
		session.onRead = async (uri) => ({ contents: [{ uri, text }] });
		reader.invalidate(address);
		await reader.read(address);
		expect(live.partsOf(address)).toEqual([]);
		expect(changes).toEqual(["memo://a", "memo://a"]);
	});

	test("shows another URI in the server's answer, and never confuses the two (RES-04, BLT-21)", async () => {
		session.onRead = async (uri) => ({ contents: [{ uri: uri === "memo://a" ? "memo://b" : uri, text: `of ${uri}` }] });
		await reader.read(address);
		const other = { ...address, uri: "memo://b" };
		const snapshot = await reader.read(other);
		expect(new TextDecoder().decode(snapshot.parts[0]?.bytes)).toBe("of memo://b");
		expect([live.answeredAs(address), live.answeredAs(other)]).toEqual(["memo://b", undefined]);
	});
});
