import { describe, expect, it } from "vitest";
import { silentLog, type Log } from "../../../../src/base/log.ts";
import { logServerMessage } from "../../../../src/servers/sessions/connectRequest.ts";

function makeLog(): { readonly log: Log; readonly lines: string[] } {
	const lines: string[] = [];
	const at = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
	return {
		log: { ...silentLog, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
		lines,
	};
}

describe("logServerMessage", () => {
	it("writes at the closest level, with the logger's name", () => {
		const { log, lines } = makeLog();
		for (const level of ["debug", "info", "notice", "warning", "error", "emergency"])
			logServerMessage(log, level, "main\nloop", level);
		expect(lines).toEqual([
			"debug: main loop: debug",
			"info: main loop: info",
			"info: main loop: notice",
			"warn: main loop: warning",
			"error: main loop: error",
			"error: main loop: emergency",
		]);
	});

	it("lets no line of a message look like one of the log's own (TRN-28)", () => {
		const { log, lines } = makeLog();
		logServerMessage(log, "info", undefined, "well\r\n2026-11-21 12:00:00.000 [info] forged\u001B[2J\u202E");
		expect(lines).toEqual(["info: well\\u000D\n  | 2026-11-21 12:00:00.000 [info] forged\\u202E"]);
	});

	it("keeps messages of any size and shape short", () => {
		const { log, lines } = makeLog();
		logServerMessage(log, "info", undefined, { a: [1, "two", null] });
		logServerMessage(log, "info", undefined, undefined);
		logServerMessage(log, "info", undefined, "x".repeat(1_000_000));
		logServerMessage(
			log,
			"info",
			undefined,
			Array.from({ length: 1000 }, () => "y".repeat(1000)),
		);
		const asked = { times: 0 };
		const wide = { toJSON: () => void asked.times++ };
		logServerMessage(
			log,
			"info",
			undefined,
			Array.from({ length: 100_000 }, () => wide),
		);
		expect(asked.times).toBeLessThan(5000);
		expect(lines.slice(0, 2)).toEqual(['info: {"a":[1,"two",null]}', "info: "]);
		for (const line of lines.slice(2)) expect(line.length).toBeLessThan(4100);
	});
});
