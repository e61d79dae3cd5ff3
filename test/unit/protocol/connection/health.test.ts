import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { Health, StreamWatch } from "../../../../src/protocol/connection/health.ts";
import { initialized, startSessionServer } from "../../../servers/sessionServer.ts";
import { until } from "../stdio/processes.ts";
import { http, Scene } from "./connectScene.ts";

/** A server from the view of its pings. */
class Silent {
	pings = 0;
	deaths = 0;
	heardAt = 0;
	isBusy = false;
	answer: () => Promise<unknown> = () => Promise.resolve();
	readonly health = new Health(
		{
			lastHeard: () => this.heardAt,
			isBusy: () => this.isBusy,
			ping: (signal) => {
				this.pings++;
				return Promise.race([
					this.answer(),
					new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
				]);
			},
			onDead: () => this.deaths++,
		},
		60_000,
	);
}

describe("Health", () => {
	beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ["setTimeout", "clearTimeout", "performance"] }));
	afterEach(() => void vi.useRealTimers());

	it("pings a server that is silent for a minute, and again after the next one", async () => {
		const silent = new Silent();
		await vi.advanceTimersByTimeAsync(59_999);
		expect(silent.pings).toBe(0);
		await vi.advanceTimersByTimeAsync(1);
		expect(silent.pings).toBe(1);
		silent.heardAt = 60_000;
		await vi.advanceTimersByTimeAsync(60_000);
		expect([silent.pings, silent.deaths]).toEqual([2, 0]);
		silent.health.dispose();
		expect(vi.getTimerCount()).toBe(0);
	});

	it("does not ping a server that sends or works", async () => {
		const silent = new Silent();
		silent.heardAt = 50_000;
		await vi.advanceTimersByTimeAsync(109_999);
		expect(silent.pings).toBe(0);
		silent.isBusy = true;
		await vi.advanceTimersByTimeAsync(300_000);
		expect(silent.pings).toBe(0);
		silent.health.dispose();
	});

	it("accepts an error as an answer", async () => {
		const silent = new Silent();
		silent.answer = () => Promise.reject(new HostError("protocol", "Method not found"));
		await vi.advanceTimersByTimeAsync(60_000);
		expect([silent.pings, silent.deaths]).toEqual([1, 0]);
		silent.health.dispose();
	});

	it("reports a server once that does not answer twice", async () => {
		const silent = new Silent();
		silent.answer = () => Promise.reject(new HostError("not-connected", "refused"));
		await vi.advanceTimersByTimeAsync(60_000);
		expect([silent.pings, silent.deaths]).toEqual([1, 0]);
		await vi.advanceTimersByTimeAsync(30_000);
		expect([silent.pings, silent.deaths]).toEqual([2, 1]);
		await vi.advanceTimersByTimeAsync(300_000);
		expect([silent.pings, silent.deaths, vi.getTimerCount()]).toEqual([2, 1, 0]);
	});

	it("gives no server up whose requests run: a ping may wait with them for a user", async () => {
		const silent = new Silent();
		silent.isBusy = true;
		silent.health.check();
		expect(silent.pings).toBe(0);
		silent.isBusy = false;
		silent.answer = () => Promise.reject(new HostError("not-connected", "refused"));
		silent.health.check();
		silent.isBusy = true;
		await vi.advanceTimersByTimeAsync(30_000);
		expect([silent.pings, silent.deaths]).toEqual([2, 0]);
		silent.isBusy = false;
		await vi.advanceTimersByTimeAsync(90_000);
		expect([silent.pings, silent.deaths]).toEqual([4, 1]);
	});

	it("pings at once on a sign of trouble", async () => {
		const silent = new Silent();
		silent.health.check();
		silent.health.check();
		expect(silent.pings).toBe(1);
		await vi.advanceTimersByTimeAsync(9000);
		silent.health.check();
		expect(silent.pings).toBe(1);
		await vi.advanceTimersByTimeAsync(1000);
		silent.health.check();
		expect(silent.pings).toBe(2);
		silent.health.dispose();
		silent.health.check();
		expect(silent.pings).toBe(2);
	});
});

describe("StreamWatch", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("reopens a stream that stayed away, and only then", () => {
		let opened = 0;
		const watch = new StreamWatch(() => opened++);
		watch.note(true);
		vi.advanceTimersByTime(1_000_000);
		watch.note(false);
		vi.advanceTimersByTime(60_000);
		watch.note(false);
		vi.advanceTimersByTime(60_000);
		watch.note(true);
		vi.advanceTimersByTime(1_000_000);
		expect(opened).toBe(0);
		watch.note(false);
		vi.advanceTimersByTime(90_000);
		expect(opened).toBe(1);
		watch.note(false);
		watch.dispose();
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe("an idle connection over HTTP", () => {
	it("is pinged, and its lost session renewed before it is needed", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({ methods: { initialize: () => initialized({}) } });
		await scene.connect(http(server.url), { verdict: { kind: "legacy" }, pingAfterMs: 50 });
		await until(() => server.paramsOf("ping").length > 1);
		server.loseSessions();
		await until(() => server.paramsOf("initialize").length === 2);
		expect(scene.host.ends).toEqual([]);
	});

	it("is pinged no more after it was closed", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({ methods: { initialize: () => initialized({}) } });
		await using other = await startSessionServer({ methods: { initialize: () => initialized({}) } });
		const pinged = { verdict: { kind: "legacy" }, pingAfterMs: 20 } as const;
		const connection = await scene.connect(http(server.url), pinged);
		await scene.connect(http(other.url), pinged);
		await until(() => server.paramsOf("ping").length > 0);
		await connection.close();
		const pings = server.paramsOf("ping").length;
		// One that stays open shows that there was time for pings.
		const others = other.paramsOf("ping").length;
		await until(() => other.paramsOf("ping").length > others + 4);
		expect(server.paramsOf("ping")).toHaveLength(pings);
		expect(scene.host.ends).toEqual([]);
	});

	it("checks its server when the stream of its messages ends", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({ methods: { initialize: () => initialized({}) } });
		await scene.connect(http(server.url), { verdict: { kind: "legacy" } });
		await until(() => server.streams.size === 1);
		server.loseSessions();
		for (const stream of server.streams) stream.end();
		await until(() => server.paramsOf("initialize").length === 2 && server.streams.size === 1);
		expect(scene.host.ends).toEqual([]);
	});
});
