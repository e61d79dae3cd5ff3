import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { RequestLog } from "../../../../src/servers/sessions/requestLog.ts";

describe("RequestLog", () => {
	it("gives each request exactly one outcome", () => {
		const log = new RequestLog();
		const errors = [
			undefined,
			new HostError("protocol", "no"),
			new HostError("cancelled", "stopped"),
			new HostError("timeout", "late"),
			new HostError("outcome-unknown", "cut"),
			new TypeError("odd"),
		];
		for (const [index, error] of errors.entries()) {
			const request = log.begin(`tools/call t${index}`, false);
			request.end(error);
			request.end();
		}
		expect(log.ended.map(({ id, ended }) => [id, ended?.outcome])).toEqual([
			[1, "result"],
			[2, "error"],
			[3, "cancelled"],
			[4, "timed-out"],
			[5, "unknown"],
			[6, "error"],
		]);
		expect(log.counts).toEqual({ result: 1, error: 2, cancelled: 1, "timed-out": 1, unknown: 1 });
		expect(log.running).toEqual([]);
	});

	it("lists running requests, with the latest progress, and drops late updates", () => {
		const log = new RequestLog();
		let changes = 0;
		log.onDidChange(() => changes++);
		const first = log.begin("resources/read a:b", false);
		log.begin("tools/list", true);
		first.note({ progress: 1, total: 3, message: "one" });
		first.note({ progress: 2, total: 3 });
		expect(log.running).toMatchObject([
			{ label: "resources/read a:b", isBackground: false, progress: { progress: 2, total: 3 } },
			{ label: "tools/list", isBackground: true, progress: undefined },
		]);
		first.end();
		first.note({ progress: 3 });
		expect(log.running.map(({ label }) => label)).toEqual(["tools/list"]);
		expect(changes).toBe(5);
	});

	it("keeps all of the counts and the last of the entries", () => {
		const log = new RequestLog();
		for (let index = 0; index < 1000; index++) log.begin("x", false).end();
		expect(log.counts.result).toBe(1000);
		expect(log.ended).toHaveLength(200);
		expect(log.ended.at(-1)?.id).toBe(1000);
	});
});
