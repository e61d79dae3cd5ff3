import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ComingServers } from "../../../../src/features/agentTools/comingServers.ts";
import { freshen, freshUntil, noteFreshness } from "../../../../src/servers/sessions/freshness.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";

const now = 1_800_000_000_000;
const hour = 3_600_000;

describe("A list whose server says how long it is fresh (TRN-67)", () => {
	beforeEach(() => void vi.useFakeTimers({ now, toFake: ["Date"] }));
	afterEach(() => void vi.useRealTimers());

	/** A running server whose tools count how often they are read. */
	async function serve(ttlMs: number | undefined): Promise<{ session: FakeSession; reads: () => number }> {
		const session = new FakeSession("s");
		await session.run();
		let reads = 0;
		await session.tools.connect(async () => {
			reads++;
			noteFreshness(session.tools, true, ttlMs);
			return { items: [{ name: `t${reads}`, inputSchema: { type: "object" } }] };
		});
		return { session, reads: () => reads };
	}

	it("is read again when it is used after that time, and not before", async () => {
		const { session, reads } = await serve(5000);
		vi.setSystemTime(now + 5000);
		await freshen([session]);
		expect(reads()).toBe(1);
		vi.setSystemTime(now + 5001);
		await freshen([session]);
		expect(reads()).toBe(2);
		expect(session.tools.items.map(({ name }) => name)).toEqual(["t2"]);
		expect(freshUntil(session.tools)).toBe(now + 10_001);
	});

	it("is read again before a turn begins", async () => {
		const { session, reads } = await serve(1);
		vi.setSystemTime(now + 2);
		await new ComingServers(hour).wait({
			sessions: [session],
			signal: new AbortController().signal,
			say: () => undefined,
		});
		expect(reads()).toBe(2);
	});

	it("is as fresh as its first page to expire, and no longer than a day", () => {
		const { tools } = new FakeSession("s");
		noteFreshness(tools, true, 9000);
		noteFreshness(tools, false, 4000);
		noteFreshness(tools, false, undefined);
		noteFreshness(tools, false, 9000);
		expect(freshUntil(tools)).toBe(now + 4000);
		noteFreshness(tools, true, Number.MAX_VALUE);
		expect(freshUntil(tools)).toBe(now + 24 * hour);
		noteFreshness(tools, true, undefined);
		expect(freshUntil(tools)).toBeUndefined();
	});

	it("is left as it is without that time, and while its server is stopped", async () => {
		const silent = await serve(undefined);
		const stopped = await serve(1);
		stopped.session.setState({ kind: "stopped" });
		vi.setSystemTime(now + hour);
		await freshen([silent.session, stopped.session]);
		expect([silent.reads(), stopped.reads()]).toEqual([1, 1]);
	});

	it("is used as it was if its server does not answer until the user stops waiting", async () => {
		const session = new FakeSession("s");
		await session.run();
		let isHung = false;
		await session.tools.connect(async () => {
			noteFreshness(session.tools, true, 1);
			if (isHung) await new Promise(() => undefined);
			return { items: [{ name: "t", inputSchema: { type: "object" } }] };
		});
		isHung = true;
		vi.setSystemTime(now + 2);
		const stop = new AbortController();
		const done = freshen([session], () => stop.signal);
		stop.abort();
		await done;
		expect(session.tools.items).toHaveLength(1);
		session.tools.disconnect();
	});
});
