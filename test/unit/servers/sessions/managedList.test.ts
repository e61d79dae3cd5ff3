import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ManagedList } from "../../../../src/servers/sessions/managedList.ts";
import type { Page } from "../../../../src/protocol/connection.ts";

interface Item {
	readonly name: string;
}

type Fetch = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;

function page(names: string, nextCursor?: string): Page<Item> {
	return { items: [...names].map((name) => ({ name })), nextCursor };
}

function makeList(limits?: { pages: number; items: number }): ManagedList<Item> {
	return new ManagedList<Item>(({ name }) => name, limits);
}

function namesOf(list: ManagedList<Item>): string {
	return list.items.map(({ name }) => name).join("");
}

/** A source of pages that answers when the test wants. */
class Manual {
	readonly calls: {
		readonly cursor: string | undefined;
		readonly signal: AbortSignal;
		answer(page: Page<Item>): void;
		fail(error: Error): void;
	}[] = [];

	readonly fetch: Fetch = (cursor, signal) =>
		new Promise((answer, fail) => this.calls.push({ cursor, signal, answer, fail }));
}

/** Lets all settled callbacks run. */
const settle = (): Promise<void> => new Promise((done) => process.nextTick(() => queueMicrotask(done)));
async function rest(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) await settle();
}

describe("ManagedList: paging", () => {
	it("is unsupported until it is connected, and when there is nothing to read", () => {
		const list = makeList();
		expect(list.status).toEqual({ kind: "unsupported" });
		void list.connect(undefined);
		expect([list.status, list.items]).toEqual([{ kind: "unsupported" }, []]);
	});

	it("follows cursors, an empty one included, and shows the first load as it grows", async () => {
		const pages: Record<string, Page<Item>> = { start: page("a", "1"), "1": page("b", ""), "": page("c", undefined) };
		const list = makeList();
		const seen: string[] = [];
		list.onDidChange(() => seen.push(`${list.status.kind} ${namesOf(list)}`));
		const asked: (string | undefined)[] = [];
		void list.connect((cursor) => {
			asked.push(cursor);
			return Promise.resolve(pages[cursor ?? "start"] ?? page(""));
		});
		await rest();
		expect(asked).toEqual([undefined, "1", ""]);
		expect(seen).toEqual(["loading ", "loading a", "loading ab", "ready abc"]);
		expect(list.status).toEqual({ kind: "ready" });
	});

	it("shows not each of many pages, as each time costs a copy of the list, but all slow ones", async () => {
		vi.useFakeTimers({ toFake: ["performance"] });
		try {
			const list = makeList();
			const seen: string[] = [];
			list.onDidChange(() => seen.push(namesOf(list)));
			void list.connect((cursor = "a") => {
				if (cursor > "e") vi.advanceTimersByTime(100);
				return Promise.resolve(
					page(cursor, cursor === "h" ? undefined : String.fromCharCode(cursor.charCodeAt(0) + 1)),
				);
			});
			await rest();
			expect(seen).toEqual(["", "a", "ab", "abcd", "abcdef", "abcdefg", "abcdefgh"]);
		} finally {
			vi.useRealTimers();
		}
	});

	it("keeps an item that is listed twice once", async () => {
		const list = makeList();
		void list.connect((cursor) => Promise.resolve(cursor === undefined ? page("aab", "2") : page("bc")));
		await rest();
		expect(namesOf(list)).toBe("abc");
	});

	it("stops at a repeated cursor and reports it", async () => {
		const list = makeList();
		let calls = 0;
		void list.connect(() => Promise.resolve(page(String(calls++), "A")));
		await rest();
		expect(calls).toBe(2);
		expect(list.status).toEqual({ kind: "ready", truncated: "the server repeated a page cursor" });
	});

	it("ends an endless list at its limits", async () => {
		const endless: Fetch = (cursor) =>
			Promise.resolve(page(String.fromCharCode(97 + Number(cursor ?? 0)), String(Number(cursor ?? 0) + 1)));
		const pages = makeList({ pages: 3, items: 100 });
		void pages.connect(endless);
		const items = makeList({ pages: 100, items: 4 });
		void items.connect(endless);
		await rest();
		expect([namesOf(pages), pages.status]).toEqual([
			"abc",
			{ kind: "ready", truncated: "only the first 3 pages were read" },
		]);
		expect([namesOf(items), items.status]).toEqual([
			"abcd",
			{ kind: "ready", truncated: "only the first 4 are shown" },
		]);
	});

	it("reads its limits at each use, and finds an item by its key", async () => {
		const limits = { pages: 10, items: 1 };
		const list = makeList(limits);
		void list.connect(() => Promise.resolve(page("ab")));
		await rest();
		expect([namesOf(list), list.get("a")?.name, list.get("b")]).toEqual(["a", "a", undefined]);
		limits.items = 2;
		await list.refresh();
		expect([namesOf(list), list.get("b")?.name]).toEqual(["ab", "b"]);
		list.disconnect();
		expect(list.get("a")).toBeUndefined();
	});

	it("is not truncated at exactly the limit", async () => {
		const list = makeList({ pages: 1, items: 2 });
		void list.connect(() => Promise.resolve(page("ab")));
		await rest();
		expect(list.status).toEqual({ kind: "ready" });
	});
});

describe("ManagedList: refreshing", () => {
	it("runs one and keeps one waiting, for any number of requests meanwhile", async () => {
		const source = new Manual();
		const list = makeList();
		void list.connect(source.fetch);
		const waiting = [list.refresh(), list.refresh(), list.refresh()];
		expect(source.calls).toHaveLength(1);
		source.calls[0]?.answer(page("a"));
		await rest();
		expect(source.calls).toHaveLength(2);
		source.calls[1]?.answer(page("b"));
		await Promise.all(waiting);
		expect(source.calls).toHaveLength(2);
		expect(namesOf(list)).toBe("b");
	});

	it.each([0, 1, 2, 3, 4, 5])("reads again when a request arrives %d moments after the last item", async (moments) => {
		const list = makeList();
		let calls = 0;
		list.onDidChange(async () => {
			if (list.status.kind !== "ready" || calls > 1) return;
			for (let moment = 0; moment < moments; moment++) await Promise.resolve();
			await list.refresh();
		});
		void list.connect(() => Promise.resolve(page(String(calls++))));
		await rest();
		expect([calls, namesOf(list)]).toEqual([2, "1"]);
	});

	it("replaces the items in one step", async () => {
		const source = new Manual();
		const list = makeList();
		void list.connect(source.fetch);
		source.calls[0]?.answer(page("old"));
		await rest();
		const seen: string[] = [];
		list.onDidChange(() => seen.push(`${list.status.kind} ${namesOf(list)}`));
		const refreshed = list.refresh();
		source.calls[1]?.answer(page("n", "2"));
		await rest();
		expect(namesOf(list)).toBe("old");
		source.calls[2]?.answer(page("w"));
		await refreshed;
		expect(seen).toEqual(["ready nw"]);
	});

	it("shows a failure as a state, keeps its items, and recovers", async () => {
		const source = new Manual();
		const list = makeList();
		void list.connect(source.fetch);
		source.calls[0]?.fail(new Error("no list today"));
		await rest();
		expect([list.status, list.items]).toEqual([{ kind: "failed", message: "no list today" }, []]);
		const again = list.refresh();
		source.calls[1]?.answer(page("a"));
		await again;
		const third = list.refresh();
		source.calls[2]?.fail(new Error("gone again"));
		await expect(third).resolves.toBeUndefined();
		expect([namesOf(list), list.status]).toEqual(["a", { kind: "failed", message: "gone again" }]);
	});

	it("forgets everything on disconnect, also later answers", async () => {
		const source = new Manual();
		const list = makeList();
		void list.connect(source.fetch);
		const waiting = list.refresh();
		list.disconnect();
		expect(source.calls[0]?.signal.aborted).toBe(true);
		source.calls[0]?.answer(page("late", "2"));
		await waiting;
		expect([list.status, list.items]).toEqual([{ kind: "unsupported" }, []]);
		await list.refresh();
		expect(source.calls).toHaveLength(1);
	});

	it("does not mix two servers", async () => {
		const [former, latter] = [new Manual(), new Manual()];
		const list = makeList();
		void list.connect(former.fetch);
		void list.connect(latter.fetch);
		latter.calls[0]?.answer(page("new"));
		former.calls[0]?.fail(new Error("late failure"));
		await rest();
		expect([namesOf(list), list.status]).toEqual(["new", { kind: "ready" }]);
		const refreshed = list.refresh();
		latter.calls[1]?.answer(page("two"));
		await refreshed;
		expect(namesOf(list)).toBe("two");
	});
});

describe("ManagedList: list_changed", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("makes one refresh of a storm", async () => {
		const list = makeList();
		let calls = 0;
		void list.connect(() => Promise.resolve(page(String(calls++))));
		await vi.advanceTimersByTimeAsync(0);
		for (let count = 0; count < 100_000; count++) list.invalidate();
		expect(vi.getTimerCount()).toBe(1);
		await vi.advanceTimersByTimeAsync(1000);
		expect(calls).toBe(2);
	});

	it("leaves no timer after disconnect or dispose, and ignores changes before a connection", () => {
		const list = makeList();
		list.invalidate();
		expect(vi.getTimerCount()).toBe(0);
		void list.connect(() => Promise.resolve(page("a")));
		list.invalidate();
		list.disconnect();
		expect(vi.getTimerCount()).toBe(0);
		void list.connect(() => Promise.resolve(page("a")));
		list.invalidate();
		list.dispose();
		expect(vi.getTimerCount()).toBe(0);
	});

	/** A list of many pages that changes at every one, as `isStorm` defines; each item has its generation. */
	function storm(pages: number) {
		const list = makeList();
		const shown: string[] = [];
		let generation = 0;
		const state = { isStorm: true, requests: 0 };
		list.onDidChange(() => {
			if (list.status.kind === "ready") shown.push([...new Set(list.items.map(({ name }) => name[0]))].join(""));
		});
		void list.connect(async (cursor) => {
			state.requests++;
			await new Promise((done) => setTimeout(done, 1));
			if (state.isStorm) {
				generation = (generation + 1) % 26;
				list.invalidate();
			}
			const at = Number(cursor ?? 0);
			const name = `${String.fromCharCode(97 + generation)}${at}`;
			return { items: [{ name }], nextCursor: at + 1 < pages ? String(at + 1) : undefined };
		});
		return { list, state, shown };
	}

	it.each([1, 2, 500])(
		"that changes at each of %d pages is requested a few times, and is complete soon after (TRN-59)",
		async (pages) => {
			const { list, state, shown } = storm(pages);
			await vi.advanceTimersByTimeAsync(30_000);
			expect(state.requests).toBeLessThan(100);
			state.isStorm = false;
			await vi.advanceTimersByTimeAsync(3000);
			expect([list.status.kind, list.items.length]).toEqual(["ready", pages]);
			// Never two generations in one list.
			expect(shown.filter((generations) => generations.length !== 1)).toEqual([]);
			// A change after a quiet time is read as soon as ever.
			await vi.advanceTimersByTimeAsync(10_000);
			const before = state.requests;
			list.invalidate();
			await vi.advanceTimersByTimeAsync(300);
			expect(state.requests).toBeGreaterThan(before);
			list.dispose();
		},
	);
});
