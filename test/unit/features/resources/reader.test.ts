import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import type { SlowWork } from "../../../../src/base/patience.ts";
import { bytesOf, hexDump, type ResourceRead, ResourceReader } from "../../../../src/features/resources/reader.ts";
import type { Patience } from "../../../../src/features/resources/runningSession.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { FakeDirectory, FakeSession } from "./fakeSession.ts";

const uri = "memo://a";
let session: FakeSession;
let directory: FakeDirectory;
let reader: ResourceReader;
/** The reads that were announced because they were slow. */
let announced: SlowWork[];

function readerWith({ startingMs = 60_000, settled = Promise.resolve() }: Partial<Patience> = {}): ResourceReader {
	return new ResourceReader(directory, { startingMs, settled }, (_session, _uri, slow) => announced.push(slow));
}

async function textOf(address: { server: string; uri: string; part?: number }): Promise<string> {
	return new TextDecoder().decode(bytesOf(await reader.read(address), address));
}

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
	session = new FakeSession("memo");
	directory = new FakeDirectory(session);
	announced = [];
	reader = readerWith();
	await session.run();
});
afterEach(() => {
	reader.dispose();
	vi.useRealTimers();
});

describe("reading", () => {
	const address = { server: "user-settings/memo", uri };

	test("requests the exact URI from the server, whatever its scheme (RES-01, RES-03, RES-09)", async () => {
		for (const odd of ["https://example.com/a", "file:///etc/passwd", "urn:isbn:1", "command:x", "memo://A?b#c"]) {
			expect(await textOf({ server: address.server, uri: odd })).toBe(`text of ${odd}`);
		}
		expect(session.reads).toEqual([
			"https://example.com/a",
			"file:///etc/passwd",
			"urn:isbn:1",
			"command:x",
			"memo://A?b#c",
		]);
	});

	test("counts as a call of the user only where they asked for it: editors read what the server says has changed", async () => {
		const unasked: unknown[] = [];
		const read = session.readResource.bind(session);
		session.readResource = (one, options) => {
			unasked.push(options?.isUnasked);
			return read(one, options);
		};
		await reader.read(address);
		reader.invalidate(address);
		await reader.readForEditor(address);
		reader.invalidate(address);
		await reader.readQuietly(address);
		expect(unasked).toEqual([false, true, true]);
	});

	test("is recorded when a user waits for it, once a minute, with its outcome and not its contents (JRN-18)", async () => {
		const notes = new CollectedNotes();
		const noting = new ResourceReader(directory, { startingMs: 0, settled: Promise.resolve() }, () => undefined, notes);
		await noting.readQuietly({ server: address.server, uri: "memo://quiet" });
		await noting.read(address);
		noting.invalidate(address);
		await noting.read(address);
		expect(session.reads).toEqual(["memo://quiet", uri, uri]);
		expect(notes.steps).toEqual(["call sent", "call answered"]);
		const of = { server: "memo", target: uri, isResource: true, origin: "user" };
		expect(notes.entries).toMatchObject([of, { ...of, exchange: "here-1", ms: expect.any(Number) as number }]);
		expect(JSON.stringify(notes.entries)).not.toContain("text of");
		session.onRead = () => Promise.reject(new HostError("protocol", "It is gone."));
		await expect(noting.read({ ...address, uri: "memo://gone" })).rejects.toThrow("gone");
		session.onRead = () => Promise.reject(new HostError("cancelled", "Stopped."));
		await expect(noting.read({ ...address, uri: "memo://stopped" })).rejects.toThrow("Stopped");
		expect(notes.steps.slice(2)).toEqual(["call sent", "call failed", "call sent", "call cancelled"]);
		noting.dispose();
	});

	test("asks the server that listed it, not another with the same URI (RES-04)", async () => {
		const other = new FakeSession("other");
		directory.set(session, other);
		await other.run();
		await textOf({ server: other.definition.id, uri });
		expect([session.reads, other.reads]).toEqual([[], [uri]]);
	});

	test("is shared by all who ask within a moment, and repeated later", async () => {
		await Promise.all([reader.read(address), reader.read(address), reader.read(address)]);
		await reader.read(address);
		expect(session.reads).toHaveLength(1);
		vi.advanceTimersByTime(2000);
		await reader.read(address);
		expect(session.reads).toHaveLength(2);
	});

	test("keeps the time of change while the contents stay, and advances it for equal-length contents", async () => {
		let text = "A v1";
		session.onRead = async () => ({ contents: [{ uri, text }] });
		const first = await reader.read(address);
		reader.invalidate(address);
		const second = await reader.read(address);
		text = "A v2";
		reader.invalidate(address);
		const third = await reader.read(address);
		expect(second.modified).toBe(first.modified);
		// The clock does not advance in this test: even two changes in one millisecond have different times.
		expect(third.modified).toBeGreaterThan(second.modified);
	});

	test("that a change overtakes does not count as the newer contents", async () => {
		const answers: ((text: string) => void)[] = [];
		session.onRead = () =>
			new Promise((resolve) => {
				answers.push((text) => resolve({ contents: [{ uri, text }] }));
			});
		const old = textOf(address);
		await expect.poll(() => answers).toHaveLength(1);
		reader.invalidate(address);
		const fresh = textOf(address);
		await expect.poll(() => answers).toHaveLength(2);
		answers[1]?.("new");
		expect(await fresh).toBe("new");
		answers[0]?.("old");
		expect(await old).toBe("old");
		expect(await textOf(address)).toBe("new");
	});

	test("that a change overtakes has a time that no other contents have", async () => {
		const answers: ((text: string) => void)[] = [];
		session.onRead = () =>
			new Promise((resolve) => {
				answers.push((text) => resolve({ contents: [{ uri, text }] }));
			});
		const reads: Promise<{ modified: number }>[] = [];
		for (let count = 1; count <= 3; count++) {
			reader.invalidate(address);
			reads.push(reader.read(address));
			await expect.poll(() => answers).toHaveLength(count);
			if (count === 1) {
				answers[0]?.("v1");
				await reads[0];
			}
		}
		// The newest answer arrives before the one that it overtook.
		answers[2]?.("v3");
		await reads[2];
		answers[1]?.("v2");
		const times = (await Promise.all(reads)).map(({ modified }) => modified);
		expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
	});

	test("of a resource that is read repeatedly is remembered, whatever is read in between", async () => {
		const { modified } = await reader.read(address);
		for (let count = 0; count < 1500; count++) {
			await reader.read({ ...address, uri: `memo://${count}` });
			if (count % 500 !== 0) continue;
			reader.invalidate(address);
			await reader.read(address);
		}
		reader.invalidate(address);
		expect((await reader.read(address)).modified).toBe(modified);
	});

	test("is announced with its contents, but not when a change overtook it", async () => {
		const reads: ResourceRead[] = [];
		reader.onDidRead((read) => reads.push(read));
		expect(reader.hasAsked(address)).toBe(false);
		const snapshot = await reader.read({ ...address, part: 0 });
		expect(reader.hasAsked(address)).toBe(true);
		expect(reads).toEqual([{ address, snapshot }]);
		reader.invalidate(address);
		const overtaken = reader.read(address);
		reader.invalidate(address);
		await Promise.all([overtaken, reader.read(address)]);
		expect(reads).toHaveLength(2);
	});

	test("that is slow is announced, and cancelling it reaches the server and all who wait", async () => {
		let isCancelled = false;
		session.readResource = (_uri, options) =>
			new Promise((_resolve, reject) => {
				options?.signal?.addEventListener("abort", () => {
					isCancelled = true;
					reject(options.signal?.reason as Error);
				});
			});
		const reads = Promise.allSettled([reader.read(address), reader.read(address)]);
		await vi.advanceTimersByTimeAsync(900);
		expect(announced).toHaveLength(0);
		await vi.advanceTimersByTimeAsync(200);
		expect(announced).toHaveLength(1);
		announced[0]?.cancel();
		const results = await reads;
		expect(isCancelled).toBe(true);
		expect(results.map((result) => result.status === "rejected" && HostError.is(result.reason, "cancelled"))).toEqual([
			true,
			true,
		]);
	});

	test("for which no caller waits is not announced, unless one joins it", async () => {
		session.onRead = () =>
			new Promise((resolve) => {
				setTimeout(() => resolve({ contents: [{ uri, text: "x" }] }), 3000);
			});
		const quiet = reader.readQuietly(address);
		await vi.advanceTimersByTimeAsync(3000);
		await quiet;
		expect(announced).toHaveLength(0);
		reader.invalidate(address);
		void reader.readQuietly(address);
		const joined = reader.read(address);
		await vi.advanceTimersByTimeAsync(3000);
		await joined;
		expect(announced).toHaveLength(1);
	});

	test("that fails fails for all who wait and is retried by the next", async () => {
		session.onRead = async () => {
			throw new HostError("protocol", "memo: no such note (error -32002)");
		};
		const results = await Promise.allSettled([reader.read(address), reader.read(address)]);
		expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
		expect(session.reads).toHaveLength(1);
		session.onRead = async () => ({ contents: [{ uri, text: "now it is there" }] });
		expect(await textOf(address)).toBe("now it is there");
	});

	test("returns a part by its number and reports when there is no such part any more", async () => {
		session.onRead = async () => ({
			contents: [
				{ uri: "memo://x", mimeType: "text/css", text: "one" },
				{ uri: "memo://y", text: "two" },
			],
		});
		expect(await textOf({ ...address, part: 1 })).toBe("two");
		await expect(textOf({ ...address, part: 2 })).rejects.toThrow("only 2 contents");
		expect(reader.mimeTypeOf({ ...address, part: 0 })).toBe("text/css");
		expect(reader.mimeTypeOf(address)).toBeUndefined();
	});
});

describe("a server that does not run", () => {
	const address = { server: "user-settings/memo", uri };

	test.each([
		[{ kind: "stopped" }, "not-connected", 'The server "memo" is not running.'],
		[{ kind: "needs-approval", reason: "changed" }, "not-approved", "waits for your approval"],
		[{ kind: "left-to-editor" }, "not-connected", "is left to VS Code, so MCP Host does not run it."],
		[{ kind: "failed", message: "spawn ENOENT", stderr: [] }, "not-connected", "spawn ENOENT"],
	] as const)("in state %j is reported at once", async (state, code, message) => {
		session.setState(state);
		const error: unknown = await reader.read(address).catch((caught: unknown) => caught);
		expect(HostError.is(error, code)).toBe(true);
		expect(error).toMatchObject({ message: expect.stringContaining(message) as string });
	});

	test("is awaited while it starts", async () => {
		session.setState({ kind: "starting" });
		const reading = textOf(address);
		await session.run();
		expect(await reading).toBe("text of memo://a");
	});

	test("that fails to start ends the wait with its reason", async () => {
		session.setState({ kind: "starting" });
		const reading = reader.read(address);
		session.setState({ kind: "failed", message: "exited with code 1", stderr: [] });
		await expect(reading).rejects.toThrow("exited with code 1");
	});

	test("and is not even configured so far is awaited while the window opens", async () => {
		directory.set();
		reader = readerWith({ settled: new Promise(() => undefined) });
		const reading = textOf(address);
		directory.set(session);
		session.setState({ kind: "stopped" });
		session.setState({ kind: "starting" });
		await session.run();
		expect(await reading).toBe("text of memo://a");
	});

	test("and whose turn to start comes late is awaited, however many start before it (RES-15)", async () => {
		session.setState({ kind: "stopped" });
		const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
		reader = readerWith({ settled });
		const reading = textOf(address);
		await vi.advanceTimersByTimeAsync(30_000);
		session.setState({ kind: "starting" });
		settle();
		await vi.advanceTimersByTimeAsync(0);
		await session.run();
		expect(await reading).toBe("text of memo://a");
	});

	test("and is not among those that start with the window is awaited only as long as they take", async () => {
		session.setState({ kind: "stopped" });
		const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
		reader = readerWith({ settled });
		const reading = reader.read(address);
		settle();
		await expect(reading).rejects.toThrow("is not running");
	});

	test("is awaited for a limited time", async () => {
		vi.useRealTimers();
		session.setState({ kind: "starting" });
		reader = readerWith({ startingMs: 20 });
		await expect(reader.read(address)).rejects.toThrow("still starting");
		directory.set();
		reader = readerWith({ startingMs: 20, settled: new Promise(() => undefined) });
		await expect(reader.read(address)).rejects.toThrow("not configured");
	});
});

test("bytes are listed with their offsets and their ASCII characters", () => {
	const bytes = Buffer.concat([Buffer.from("Hello, world! ~"), Buffer.from([0x7f, 0x00, 0xff, 0x0a])]);
	expect(Buffer.from(hexDump(bytes)).toString()).toBe(
		[
			"00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 7e 7f  Hello, world! ~.",
			`00000010  00 ff 0a${" ".repeat(42)}...`,
			"",
		].join("\n"),
	);
});

test("an empty content is marked, and of many bytes the first are shown", () => {
	expect(Buffer.from(hexDump(new Uint8Array())).toString()).toBe("(no bytes)\n");
	const dump = Buffer.from(hexDump(new Uint8Array(1024 * 1024 + 1234))).toString();
	expect(dump.endsWith("\n… (1,234 more bytes)\n")).toBe(true);
	expect(dump.split("\n")).toHaveLength(65_536 + 2);
});
