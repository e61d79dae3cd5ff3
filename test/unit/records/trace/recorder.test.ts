import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { ofCall } from "../../../../src/protocol/wireTap.ts";
import { wantedLevel } from "../../../../src/records/trace/levels.ts";
import { all, answer, notification, recorder, request } from "./recorderScene.ts";

describe("The recorder", () => {
	it("pairs by connection, direction and id: ids restart after a reconnect (TRC-02)", () => {
		const { trace, tap } = recorder();
		const first = tap.open("http");
		const call = tap.begin("tools/call status", "model");
		first.sent(request(1, "tools/call", ofCall({ name: "status" }, call)), { bytes: 100 });
		first.received(request(1, "ping"), { bytes: 30 });
		first.sent(answer(1), { bytes: 20 });
		first.closed();
		const second = tap.open("http");
		second.sent(request(1, "initialize"), { bytes: 50 });
		second.received(answer(1), { bytes: 70 });
		second.sent(request(2, "tools/call", ofCall({ name: "status" }, call)), { bytes: 100 });
		second.received(answer(2, { isError: true }), { bytes: 300 });
		call?.end();
		const [one, handshake] = all(trace);
		expect(one).toMatchObject({
			method: "tools/call",
			target: "status",
			origin: "model",
			generation: 2,
			era: "legacy",
			bytesOut: 200,
			bytesIn: 300,
			outcome: { kind: "tool-error" },
			rpcId: 2,
		});
		expect(one?.children).toMatchObject([
			{ kind: "request", outcome: { kind: "unanswered" } },
			{ kind: "serverRequest", label: "ping", outcome: { kind: "ok" } },
			{ kind: "retry", outcome: { kind: "tool-error" } },
		]);
		expect(handshake).toMatchObject({ method: "initialize", origin: "host", outcome: { kind: "ok" }, generation: 2 });
	});

	it("marks an answer without a request, and a missing answer (TRC-02)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("stdio");
		wire.sent(request(4, "ping"), { bytes: 10 });
		wire.received(answer(4), { bytes: 10 });
		wire.received(answer(4), { bytes: 10 });
		wire.sent(request(5, "prompts/list"), { bytes: 10 });
		wire.received(answer(6), { bytes: 10 });
		const call = tap.begin("tools/call status", "user");
		wire.sent(request(7, "tools/call", ofCall({ name: "status" }, call)), { bytes: 100 });
		wire.received(answer(70), { bytes: 10 });
		wire.sent(notification("notifications/cancelled", { requestId: 7 }), { bytes: 10 });
		wire.received(answer(7), { bytes: 10 });
		wire.closed();
		const strays = all(trace).filter(({ method }) => method === "response");
		expect(strays.map(({ target, outcome }) => [target, "message" in outcome && outcome.message])).toEqual([
			["id 4", "a second response: id 4 had already been answered"],
			["id 6", "no open request has the id 6"],
			["id 70", "no open request has the id 70: tools/call status waits with id 7"],
			["status", "too late: tools/call status had already been cancelled"],
		]);
		expect(all(trace).find(({ method }) => method === "prompts/list")?.outcome).toEqual({ kind: "unanswered" });
	});

	it("ends the first try of a request that is sent again as unanswered (TRC-02)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("http");
		const call = tap.begin("resources/read a:b", "user");
		wire.sent(request(1, "resources/read", ofCall({ uri: "a:b" }, call)), { bytes: 100 });
		wire.sent(request(2, "resources/read", ofCall({ uri: "a:b" }, call)), { bytes: 100 });
		wire.received(answer(2), { bytes: 100 });
		call?.end();
		expect(all(trace)).toMatchObject([
			{
				outcome: { kind: "ok" },
				children: [
					{ kind: "request", outcome: { kind: "unanswered" }, ms: expect.any(Number) },
					{ kind: "retry", outcome: { kind: "ok" } },
				],
			},
		]);
	});

	it("shows that a user is asked for a call, and that its result violates its schema (TRC-01, TRC-44)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("stdio");
		const call = tap.begin("tools/call status", "user");
		wire.sent(request(1, "tools/call", ofCall({ name: "status" }, call)), { bytes: 100 });
		call?.asked();
		expect(all(trace)[0]?.outcome).toEqual({ kind: "waiting", on: "user" });
		call?.answered();
		expect(all(trace)[0]?.outcome).toEqual({ kind: "waiting" });
		wire.received(answer(1), { bytes: 100 });
		call?.end();
		call?.unfit();
		expect(all(trace)[0]?.outcome).toEqual({ kind: "ok", isUnfit: true });
	});

	it("keeps the model's view of a result while bodies are kept, redacted, for its own call only (TRC-46)", () => {
		const { trace, tap, levels } = recorder("bodies");
		const wire = tap.open("stdio");
		const send = (id: number) => {
			const call = tap.begin("tools/call status", "model");
			wire.sent(request(id, "tools/call", ofCall({ name: "status" }, call)), { bytes: 100 });
			wire.received(answer(id), { bytes: 100 });
			call?.end();
			return call;
		};
		const first = send(1);
		first?.told(() => ({ isError: false, content: [{ type: "text", text: "It is hunter2-hunter2." }] }));
		expect(trace.body(1)?.told).toEqual({
			kind: "whole",
			value: { isError: false, content: [{ type: "text", text: "It is ⟦password⟧." }] },
		});
		levels.now = "metadata";
		trace.reconsider();
		const second = send(2);
		let made = 0;
		second?.told(() => made++);
		expect(made).toBe(0);
		expect(trace.body(2)).toBeUndefined();
		levels.now = "bodies";
		trace.reconsider();
		for (let id = 3; id <= 2002; id++) send(id);
		// Its record is another call's by now.
		first?.told(() => "late");
		expect(all(trace).filter(({ id }) => trace.body(id)?.told !== undefined)).toEqual([]);
	});

	it("keeps only the last message of a flood, so that earlier ones stay (TRC-03, TRC-06)", () => {
		const { trace, tap } = recorder("bodies");
		const wire = tap.open("stdio");
		const call = tap.begin("tools/call watch", "model");
		wire.sent(request(1, "tools/call", ofCall({ name: "watch" }, call)), { bytes: 100 });
		for (let count = 1; count <= 30_000; count++) {
			wire.received(notification("notifications/resources/updated", { count }), { bytes: 500 });
			wire.received(notification("notifications/message", { count }), { bytes: 500 });
			tap.stderr(`line ${count} ${"x".repeat(500)}`);
		}
		wire.received(answer(1), { bytes: 100 });
		call?.end();
		const [watch, burst] = all(trace);
		const logs = watch?.children.findLast(({ kind }) => kind === "log");
		const last = { kind: "whole", value: { params: { count: 30_000 } } };
		expect(trace.body(watch?.id ?? 0)).toMatchObject({ request: { kind: "whole" }, response: { kind: "whole" } });
		expect(trace.body(watch?.id ?? 0, logs?.bodyId)?.request).toMatchObject(last);
		expect(trace.body(burst?.id ?? 0)?.request).toMatchObject(last);
	});

	it("shows how HTTP refused a request, and does not report a missing answer (TRC-02, TRC-05)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("http");
		const attempt = {
			method: "POST",
			url: "https://shop.example/mcp",
			requestHeaders: {},
			bytesOut: 10,
			isSignIn: false,
		};
		const post = (id: number) => wire.http({ ...attempt, requestId: id });
		wire.sent(request(1, "server/discover"), { bytes: 0 });
		post(1)?.answered(401, new Headers());
		wire.sent(request(2, "tools/list"), { bytes: 0 });
		post(2)?.answered(200, new Headers());
		wire.closed();
		expect(all(trace)).toMatchObject([
			{ method: "server/discover", outcome: { kind: "http-error", status: 401 } },
			{ method: "tools/list", outcome: { kind: "unanswered" } },
		]);
	});

	it("shows how a call ended if the wire does not", () => {
		const { trace, tap } = recorder();
		const ended = (error: unknown): void => tap.begin("tools/call x", "user")?.end(error);
		ended(new HostError("timeout", "too long"));
		ended(new HostError("cancelled", "no more"));
		ended(new HostError("not-connected", "gone"));
		const refused = tap.refused("tools/call y", "model", "the rule deny git");
		expect(all(trace).find(({ id }) => id === trace.find(refused ?? ""))?.outcome.kind).toBe("refused");
		expect(all(trace).map(({ outcome }) => outcome)).toEqual([
			{ kind: "timed-out" },
			{ kind: "cancelled" },
			{ kind: "failed", message: "gone" },
			{ kind: "refused", by: "the rule deny git" },
		]);
		expect(all(trace).at(-1)?.generation).toBe(0);
	});

	it("has one row for a burst of a notification, unread ones included (TRC-06)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("stdio");
		for (let count = 0; count < 10; count++) wire.received(notification("notifications/message"), { bytes: 100 });
		for (let count = 0; count < 99_990; count++) wire.dropped("notifications/message");
		expect(all(trace)).toMatchObject([{ method: "notifications/message", count: 100_000, bytesIn: 1000 }]);
	});

	it("keeps at most 2,000 exchanges, and pending ones (TRC-03)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("stdio");
		wire.sent(request(0, "subscriptions/listen"), { bytes: 10 });
		for (let id = 1; id <= 2500; id++) {
			wire.sent(request(id, "ping"), { bytes: 10 });
			wire.received(answer(id), { bytes: 10 });
		}
		const { exchanges, dropped, firstId } = trace.snapshot(0);
		expect(exchanges).toHaveLength(2000);
		expect(dropped).toBe(501);
		expect(firstId).toBe(1);
		expect(exchanges[0]?.outcome).toEqual({ kind: "waiting" });
		trace.clear();
		expect(all(trace)).toHaveLength(1);
		// Cleared entries are not reported.
		expect(trace.snapshot(0)).toMatchObject({ gone: 2500, dropped: 0 });
	});

	it("removes no entry of a server because of another one's messages (TRC-03)", () => {
		const { trace, tap } = recorder();
		const [quiet, loud] = [tap.open("stdio"), trace.tap("user:loud", "loud").open("stdio")];
		for (let id = 0; id < 40; id++) {
			quiet.sent(request(id, "tools/call"), { bytes: 10 });
			quiet.received(answer(id), { bytes: 10 });
		}
		for (let id = 0; id < 10_000; id++) {
			loud.sent(request(id, "ping"), { bytes: 10 });
			loud.received(answer(id), { bytes: 10 });
		}
		const exchanges = all(trace);
		expect(exchanges).toHaveLength(2000);
		expect(exchanges.filter(({ serverName }) => serverName === "git")).toHaveLength(40);
	});

	it("keeps only a part of long names and ids, and of many, that identifies them (TRC-03)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("stdio");
		const long = "x".repeat(100_000);
		for (let count = 0; count < 5000; count++) wire.received(notification(`notifications/${count}`), { bytes: 10 });
		expect(all(trace).length).toBeLessThanOrEqual(101);
		expect(all(trace).at(-1)).toMatchObject({ method: "(other notifications)", count: 4900 });
		const asked = { jsonrpc: "2.0", id: long, method: long, params: {} } as const;
		wire.received(asked, { bytes: 10 });
		wire.received(notification(`${long}y`), { bytes: 10 });
		expect(JSON.stringify(all(trace)).length).toBeLessThan(100_000);
		wire.sent({ jsonrpc: "2.0", id: long, result: {} }, { bytes: 10 });
		expect(all(trace).find(({ method }) => method.startsWith("xxx"))).toMatchObject({ outcome: { kind: "ok" } });
		const call = tap.begin("tools/call big", "user");
		for (let count = 0; count < 5000; count++) {
			const id = `${long}${count}`;
			wire.received({ jsonrpc: "2.0", id, method: `custom/${count}${long}`, params: {} }, { bytes: 10 });
		}
		call?.end();
		expect(JSON.stringify(all(trace)).length).toBeLessThan(300_000);
	});

	it("keeps each call's own data, even in room taken over from another one (TRC-02, TRC-03)", () => {
		const { trace, tap } = recorder("bodies");
		const wire = tap.open("stdio");
		const send = (id: number, name: string, bytes: number) => {
			const call = tap.begin(`tools/call ${name}`, "user");
			wire.sent(request(id, "tools/call", ofCall({ name }, call)), { bytes });
			return call;
		};
		const first = send(1, "first", 100);
		wire.received(answer(1, { isError: true }), { bytes: 70 });
		first?.end();
		const late = send(2, "late", 20);
		late?.end(new HostError("timeout", "too long"));
		for (let id = 3; id <= 5000; id++) {
			const call = send(id, "next", 10);
			wire.received(answer(id), { bytes: 10 });
			call?.end();
		}
		const before = all(trace);
		// Neither exists any more: a late answer, and a repeated end, do not affect the others.
		wire.received(answer(2, { isError: true }), { bytes: 1_000_000 });
		first?.end(new HostError("cancelled", "no more"));
		expect(trace.find(first?.exchange ?? "")).toBeUndefined();
		expect(all(trace)).toEqual(before);
		expect(before).toHaveLength(2000);
		for (const [index, exchange] of before.entries()) {
			const id = 3001 + index;
			expect(exchange).toMatchObject({ id, rpcId: id, target: "next", bytesOut: 10, bytesIn: 10, children: [] });
			expect(exchange.outcome).toEqual({ kind: "ok" });
		}
		expect(trace.body(4000)).toMatchObject({ request: { value: { id: 4000 } }, response: { value: { id: 4000 } } });
	});

	it("folds equal messages within an exchange (TRC-06)", () => {
		const { trace, tap } = recorder();
		const wire = tap.open("stdio");
		const call = tap.begin("tools/call x", "user");
		wire.sent(request(1, "tools/call", ofCall({ name: "x", _meta: { progressToken: 1 } }, call)), { bytes: 10 });
		for (let progress = 0; progress < 500; progress++)
			wire.received(notification("notifications/progress", { progressToken: 1, progress }), { bytes: 60 });
		tap.stderr("working");
		const [one] = all(trace);
		expect(one?.children).toHaveLength(21);
		expect(one?.children[19]).toMatchObject({ kind: "progress", count: 481 });
		expect(one?.children[20]).toMatchObject({ kind: "stderr" });
	});
});

it("The level of a server's trace is the setting's, by its name or for all", () => {
	expect(wantedLevel("bodies", "git")).toBe("bodies");
	expect(wantedLevel({ git: "off", "*": "bodies" }, "git")).toBe("off");
	expect(wantedLevel({ git: "off", "*": "bodies" }, "other")).toBe("bodies");
	expect(wantedLevel({ git: "metadata" }, "git")).toBe("metadata");
	expect(wantedLevel({}, "toString")).toBe("recent");
	expect(wantedLevel("loud", "git")).toBe("recent");
});
