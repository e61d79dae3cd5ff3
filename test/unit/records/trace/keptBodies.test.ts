import { describe, expect, it } from "vitest";
import { all, answer, notification, recorder, request } from "./recorderScene.ts";

describe("The bodies that a recorder keeps", () => {
	it("keep a message as text if the transport has it, and show it like any other (TRC-03, TRC-04)", () => {
		const { trace, tap } = recorder("bodies");
		const wire = tap.open("stdio");
		const json =
			'{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"a":1},"password":"b","text":"It is hunter2-hunter2."}}';
		wire.sent(request(1, "tools/call", { name: "status" }), { bytes: 10 });
		wire.received(answer(1), { bytes: json.length, json });
		const shown = trace.body(1);
		expect(shown?.hidden).toBe(2);
		expect(JSON.stringify(shown?.response)).toBe(
			'{"kind":"whole","value":{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"a":1},"password":"⟦hidden⟧","text":"It is ⟦password⟧."}}}',
		);
		wire.sent(request(2, "ping"), { bytes: 10 });
		const large = JSON.stringify(answer(2, { text: "x".repeat(300_000) }));
		wire.received(answer(2, { text: "x".repeat(300_000) }), { bytes: large.length, json: large });
		expect(trace.body(2)?.response).toMatchObject({ kind: "head", length: large.length });
	});

	it("are at most 8 MB of a server, the latest, and of large ones the head (TRC-03)", () => {
		const { trace, tap } = recorder("bodies");
		const wire = tap.open("stdio");
		for (let id = 1; id <= 100; id++) {
			wire.sent(request(id, "ping"), { bytes: 10 });
			wire.received(answer(id, { text: "x".repeat(200_000) }), { bytes: 200_020 });
		}
		const kept = all(trace).filter(({ id }) => trace.body(id)?.response !== undefined);
		expect(kept.length).toBeGreaterThan(35);
		expect(kept.length).toBeLessThan(45);
		expect(kept.at(-1)?.rpcId).toBe(100);
		wire.sent(request(101, "ping"), { bytes: 10 });
		wire.received(answer(101, { text: "x".repeat(300_000) }), { bytes: 300_020 });
		expect(trace.body(101)?.response).toMatchObject({
			kind: "head",
			length: expect.any(Number) as number,
			sha256: expect.stringMatching(/^[\da-f]{64}$/) as string,
		});
		wire.sent(request(102, "ping"), { bytes: 10 });
		wire.received(answer(102, { text: "x".repeat(9_000_000), after: 1 }), { bytes: 9_000_030 });
		const huge = trace.body(102)?.response;
		expect(huge).toMatchObject({ kind: "head", length: 9_000_030 });
		expect(JSON.stringify(huge).length).toBeLessThan(10_000);
	});

	it("keeps recent bodies by default, at most 2 MB of a server, and more while somebody looks (TRC-03)", () => {
		const { trace, tap } = recorder("recent");
		const other = trace.tap("user:calm", "calm").open("stdio");
		other.sent(request(1, "initialize"), { bytes: 10 });
		other.received(answer(1, { protocolVersion: "2025-11-25" }), { bytes: 60 });
		const wire = tap.open("stdio");
		const send = (from: number, to: number): void => {
			for (let id = from; id <= to; id++) {
				wire.sent(request(id, "ping"), { bytes: 10 });
				wire.received(answer(id, { text: "x".repeat(200_000) }), { bytes: 200_020 });
			}
		};
		const kept = (): number => all(trace).filter(({ id }) => trace.body(id)?.response !== undefined).length;
		send(1, 50);
		expect(kept()).toBe(11);
		const held = trace.holdBodies();
		send(51, 100);
		expect(kept()).toBeGreaterThan(35);
		held.dispose();
		expect(kept()).toBe(11);
		expect(JSON.stringify(trace.body(1)?.response)).toContain("2025-11-25");
	});

	it("are kept while the view is open, and nothing at all if the trace is off (TRC-03)", () => {
		const { trace, tap, levels } = recorder();
		const wire = tap.open("stdio");
		wire.received(notification("notifications/a"), { bytes: 10 });
		const held = trace.holdBodies();
		wire.received(notification("notifications/b"), { bytes: 10 });
		held.dispose();
		wire.received(notification("notifications/c"), { bytes: 10 });
		levels.now = "off";
		trace.reconsider();
		trace.holdBodies();
		wire.received(notification("notifications/d"), { bytes: 10 });
		expect(tap.begin("tools/call x", "user")).toBeUndefined();
		expect(all(trace).map(({ method, hasBodies }) => [method, hasBodies])).toEqual([
			["notifications/a", false],
			["notifications/b", true],
			["notifications/c", false],
		]);
	});

	it("show no secret: neither known ones nor text that looks like one (TRC-04, SEC-10)", () => {
		const { trace, tap } = recorder("bodies");
		const wire = tap.open("stdio");
		const secret = { password: "abc", note: "hunter2-hunter2", key: `ghp_${"a1B2".repeat(9)}`, token: { of: "x" } };
		wire.sent(request(1, "tools/call", { name: "login", arguments: secret, ["__proto__x"]: 1 }), { bytes: 10 });
		const body = trace.body(1);
		const text = JSON.stringify(body);
		expect(text).not.toMatch(/abc|hunter2|ghp_/);
		expect(text).toContain("⟦password⟧");
		expect(body?.hidden).toBe(3);
	});
});
