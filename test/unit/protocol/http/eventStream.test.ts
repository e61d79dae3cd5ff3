import { describe, expect, it } from "vitest";
import { EventStreamGuard, type RefusedEvent } from "../../../../src/protocol/http/eventStream.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";

interface Outcome {
	readonly passed: string;
	readonly refused: RefusedEvent[];
	readonly overflows: readonly string[];
	/** The error with which the stream was ended. */
	readonly error: unknown;
}

/** The output of a guard for a stream that arrives in pieces of `size` bytes. */
async function guard(stream: string, size = Number.MAX_SAFE_INTEGER, limits = {}): Promise<Outcome> {
	const refused: RefusedEvent[] = [];
	const overflows: string[] = [];
	let endless: unknown;
	let error: unknown;
	const guarding = new EventStreamGuard(
		{ ...defaultConnectionLimits, ...limits },
		{
			onOverflow: (_error, first) => void overflows.push(first.toString()),
			onRefused: (event) => void refused.push(event),
			onEndless: (given) => void (endless = given),
			isUnwanted: (head) => head.startsWith('{"method":"unwanted"'),
		},
	);
	const bytes = Buffer.from(stream);
	const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
		bytes.subarray(at * size, (at + 1) * size),
	);
	let passed = "";
	try {
		for await (const chunk of ReadableStream.from(pieces).pipeThrough(new TransformStream(guarding))) {
			passed += Buffer.from(chunk).toString("utf8");
		}
	} catch (thrown) {
		expect(thrown).toBe(endless);
		error = thrown;
	}
	return { passed, refused, overflows, error };
}

const big = "x".repeat(2000);

describe("EventStreamGuard", () => {
	it.each(["\n", "\r\n", "\r"])(
		"passes the same events on wherever the bytes are cut, with lines that end in %j",
		async (end) => {
			const events = [
				`: hello`,
				"",
				"event: message",
				`data: {"a":"é漢😀"}`,
				"id: 7",
				"",
				":",
				"data: 1",
				"data:2",
				"",
				"",
			];
			const expected = `event: message\ndata: {"a":"é漢😀"}\nid: 7\n\ndata: 1\ndata:2\n\n`;
			for (let size = 1; size < 40; size++) {
				expect((await guard(`\uFEFF${events.join(end)}`, size)).passed, `in pieces of ${size}`).toBe(expected);
			}
		},
	);

	it("reports only once in a chunk that something changed, and all other messages as often as they arrive", async () => {
		const event = (method: string, params: object): string =>
			`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`;
		const [list, one, other] = [
			event("notifications/tools/list_changed", {}),
			event("notifications/resources/updated", { uri: "a:1" }),
			event("notifications/resources/updated", { uri: "a:2" }),
		];
		const log = event("notifications/message", { level: "info", data: "x" });
		const asTheSdkWrites = `event: message\nid: 1\n${list}`;
		const { passed } = await guard([list, one, log, list, other, one, log, asTheSdkWrites].join(""));
		expect(passed).toBe([list, one, log, other, log].join(""));
		expect((await guard(list + list, list.length)).passed).toBe(list + list);
	});

	it("leaves out unwanted messages, whatever is beside them", async () => {
		const unwanted = `data: {"method":"unwanted","params":{}}\n\n`;
		const wanted = [`data: {"method":"wanted"}\n\n`, "id: 1\ndata:\n\n", "retry: 100\n\n", `data: [\n${unwanted}`];
		const flood = [unwanted, `event: message\nid: 7\n${unwanted}`, unwanted.replace(": ", ":")];
		const { passed } = await guard(wanted.flatMap((event) => [...flood, event]).join(""));
		expect(passed).toBe(wanted.join(""));
	});

	it("asks what is wanted after the previous messages were passed on, in a flood too", async () => {
		let seen = 0;
		const listener = {
			onOverflow: () => undefined,
			onRefused: () => undefined,
			onEndless: () => undefined,
			// Enough is enough, like for the log messages that a budget lets pass.
			isUnwanted: () => seen >= 100,
		};
		const guarding = new TransformStream(new EventStreamGuard(defaultConnectionLimits, listener));
		const flood = ReadableStream.from([Buffer.from("data: {}\n\n".repeat(10_000))]);
		for await (const chunk of flood.pipeThrough(guarding))
			seen += Buffer.from(chunk).toString().split("\n\n").length - 1;
		expect(seen).toBe(100);
	});

	it("lets other work run in a flood", async () => {
		let turns = 0;
		let isOver = false;
		const count = (): void => {
			turns++;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		const event = "data: 1\n\n";
		expect((await guard(event.repeat(1000))).passed).toBe(event.repeat(1000));
		isOver = true;
		expect(turns).toBeGreaterThan(10);
	});

	it("drops an incomplete event when the stream ends", async () => {
		expect((await guard("data: 1\n\ndata: 2\n")).passed).toBe("data: 1\n\n");
	});

	it.each([
		["0", "100"],
		["99", "100"],
		["5000", "5000"],
		["1000000000", "60000"],
		["9".repeat(400), "60000"],
		["-5", undefined],
		["1.5", undefined],
		["", undefined],
	])("reads the retry field: %s", async (asked, given) => {
		const { passed } = await guard(`retry: ${asked}\ndata: 1\n\n`);
		expect(passed).toBe(`${given === undefined ? "" : `retry: ${given}\n`}data: 1\n\n`);
	});

	it.each(["é", "a\u0000b", "x".repeat(1025)])("drops an id that cannot be a header", async (id) => {
		expect((await guard(`id: ${id}\ndata: 1\n\n`)).passed).toBe("data: 1\n\n");
	});

	it.each([1, 7, 100, 4000, undefined])(
		"refuses an event that is too large, and continues, in pieces of %s",
		async (size) => {
			const large = `{"result":"${big}","jsonrpc":"2.0","id":5}`;
			const { passed, refused, overflows } = await guard(`data: 1\n\ndata: ${large}\n\ndata: 2\n\n`, size, {
				maxMessageBytes: 1000,
			});
			expect(passed).toBe("data: 1\n\ndata: 2\n\n");
			expect(overflows).toEqual([expect.stringMatching(/^data: \{"result":"xxx/)]);
			expect(refused).toHaveLength(1);
			expect(refused[0]?.error).toMatchObject({ code: "limit", message: expect.stringContaining("1,000 bytes") });
			expect(refused[0]?.first.toString()).toMatch(/^data: \{"result":"xxx/);
			expect(refused[0]?.last.toString()).toMatch(/xxx","jsonrpc":"2\.0","id":5\}$/);
		},
	);

	it("counts all lines of an event", async () => {
		const { passed, refused } = await guard("data: 12345678\n".repeat(100) + "\ndata: 2\n\n", 10, {
			maxMessageBytes: 1000,
		});
		expect(passed).toBe("data: 2\n\n");
		expect(refused).toHaveLength(1);
	});

	it("reports an event that never ends", async () => {
		const { refused, overflows } = await guard(`data: ${big}`, 64, { maxMessageBytes: 1000 });
		expect(overflows).toEqual([expect.stringMatching(/^data: xxx/)]);
		expect(refused).toEqual([]);
	});

	it.each(["x", "data: x\n", ": x"])("ends a stream of %j without an end", async (text) => {
		const { error } = await guard(`data: ${text.repeat(10_000)}`, 100, { maxMessageBytes: 1000 });
		expect(error).toMatchObject({ code: "limit" });
		expect((await guard("data: 1\n\n".repeat(10_000), 100, { maxMessageBytes: 1000 })).error).toBeUndefined();
	});

	it("refuses an event that is nested too deep", async () => {
		const deep = `data: ${"[".repeat(300)}${"]".repeat(300)}\n\n`;
		const { passed, refused } = await guard(`${deep}data: [[1]]\n\n${deep}`, 50);
		expect(passed).toBe("data: [[1]]\n\n");
		expect(refused.map(({ error }) => error.code)).toEqual(["limit", "limit"]);
	});
});
