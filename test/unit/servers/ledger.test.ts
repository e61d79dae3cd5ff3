import { describe, expect, it } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { Ledger } from "../../../src/servers/ledger.ts";

describe("Ledger", () => {
	it("gives each request exactly one outcome", () => {
		const ledger = new Ledger();
		const errors = [
			undefined,
			new HostError("protocol", "no"),
			new HostError("cancelled", "stopped"),
			new HostError("timeout", "late"),
			new HostError("outcome-unknown", "cut"),
			new TypeError("odd"),
		];
		for (const [index, error] of errors.entries()) {
			const request = ledger.begin(`tools/call t${index}`, false);
			request.end(error);
			request.end();
		}
		expect(ledger.ended.map(({ id, ended }) => [id, ended?.outcome])).toEqual([
			[1, "result"],
			[2, "error"],
			[3, "cancelled"],
			[4, "timed-out"],
			[5, "unknown"],
			[6, "error"],
		]);
		expect(ledger.counts).toEqual({ result: 1, error: 2, cancelled: 1, "timed-out": 1, unknown: 1 });
		expect(ledger.running).toEqual([]);
	});

	it("tells what runs, with the latest progress, and drops what comes too late", () => {
		const ledger = new Ledger();
		let changes = 0;
		ledger.onDidChange(() => changes++);
		const first = ledger.begin("resources/read a:b", false);
		ledger.begin("tools/list", true);
		first.note({ progress: 1, total: 3, message: "one" });
		first.note({ progress: 2, total: 3 });
		expect(ledger.running).toMatchObject([
			{ label: "resources/read a:b", isBackground: false, progress: { progress: 2, total: 3 } },
			{ label: "tools/list", isBackground: true, progress: undefined },
		]);
		first.end();
		first.note({ progress: 3 });
		expect(ledger.running.map(({ label }) => label)).toEqual(["tools/list"]);
		expect(changes).toBe(5);
	});

	it("keeps all of the counts and the last of the entries", () => {
		const ledger = new Ledger();
		for (let index = 0; index < 1000; index++) ledger.begin("x", false).end();
		expect(ledger.counts.result).toBe(1000);
		expect(ledger.ended).toHaveLength(200);
		expect(ledger.ended.at(-1)?.id).toBe(1000);
	});
});
