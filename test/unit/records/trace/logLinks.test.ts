/** From a line of a server's log to the messages of that time (TRC-40). */
import { describe, expect, it } from "vitest";
import { isLogOf, logLinks } from "../../../../src/surfaces/trace/logLinks.ts";
import { exchange } from "./exchangeScene.ts";

const began = new Date(2026, 10, 24, 9, 5, 3, 120).getTime();
const spent = (total: number) => ({ total, user: 0, server: total, own: 0 });

describe("A line of a log (TRC-40)", () => {
	it("leads to the exchange in which it was written, the one that began last; others to none", () => {
		const exchanges = [
			exchange(1, { startedAt: began, durations: spent(5000) }),
			exchange(2, { startedAt: began + 1000, durations: spent(500) }),
			exchange(3, { startedAt: began, durations: spent(60_000), serverName: "other" }),
			exchange(4, { startedAt: began + 20_000, outcome: { kind: "waiting" } }),
		];
		const text = [
			"2026-11-24 09:05:02.000 [info] before anything",
			"2026-11-24 09:05:03.500 [warning] in the first",
			"  | 2026-11-24 09:05:03.500 [info] a further line of the server's own",
			"2026-11-24 09:05:04.300 [error] in both",
			"2026-11-24 09:05:10.000 [info] between",
			"2026-11-24 09:06:00.000 [info] while one waits",
			"no time",
		].join("\n");
		expect(logLinks(text, "git", exchanges)).toEqual([
			{ line: 1, length: 23, exchange: 1 },
			{ line: 3, length: 23, exchange: 2 },
			{ line: 5, length: 23, exchange: 4 },
		]);
		expect(logLinks(text, "nobody", exchanges)).toEqual([]);
	});

	it("is searched only among the last lines", () => {
		const line = "2026-11-24 09:05:03.500 [info] x\n";
		const links = logLinks(line.repeat(6000), "git", [exchange(1, { startedAt: began, durations: spent(5000) })]);
		expect(links).toHaveLength(4999);
		expect(links.at(-1)?.line).toBe(5999);
	});

	it("belongs to the server in the name of its document, as the editor writes that", () => {
		expect(isLogOf("mcp-host.mcp-host.MCP Host travel.log", "travel")).toBe(true);
		expect(isLogOf("mcp-host.mcp-host.MCP Host travel", "travel")).toBe(true);
		expect(isLogOf("mcp-host.mcp-host.MCP Host ab.log", "a/b:")).toBe(true);
		expect(isLogOf("mcp-host.mcp-host.MCP Host travel.log", "avel")).toBe(false);
		expect(isLogOf("other.MCP Host travel.txt", "travel")).toBe(false);
	});
});
