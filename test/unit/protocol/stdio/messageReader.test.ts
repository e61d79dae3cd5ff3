import { describe, expect, it } from "vitest";
import type { WireForm } from "../../../../src/protocol/wireTap.ts";
import { MessageReader } from "../../../../src/protocol/stdio/messageReader.ts";

interface Heard {
	readonly messages: unknown[];
	readonly noise: string[];
	readonly skipped: string[];
	readonly ends: string[];
}

/** A slice that never ends, so that all is read at once. */
const oneSlice = Number.POSITIVE_INFINITY;

function makeReader(
	maxMessageBytes = 1_000_000,
	maxJsonDepth = 256,
): { readonly reader: MessageReader; readonly heard: Heard } {
	const heard: Heard = { messages: [], noise: [], skipped: [], ends: [] };
	const listener = {
		isUnwanted: (head: string) => head.startsWith('{"jsonrpc":"2.0","method":"unwanted"'),
		onMessage: (message: unknown) => void heard.messages.push(message),
		onNoise: (line: string) => void heard.noise.push(line),
		onTrouble: (why: string) => void heard.skipped.push(why),
		onUnreadable: (why: string) => void heard.ends.push(why),
		onDrained: () => undefined,
	};
	return { reader: new MessageReader({ maxMessageBytes, maxJsonDepth }, listener, oneSlice), heard };
}

/** Writes the bytes in pieces. */
function feed(reader: MessageReader, bytes: Buffer, size: number): void {
	for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
}

const nothing = { noise: [], skipped: [], ends: [] };

const message = (params: object): object => ({ jsonrpc: "2.0", method: "notifications/message", params });

describe("MessageReader", () => {
	it("reads the same messages wherever the bytes are cut", () => {
		const messages = [message({ text: "a😀é漢\u2028" }), message({ n: 1 }), message({ text: "tail" })];
		const [first, ...others] = messages.map((one) => JSON.stringify(one));
		const bytes = Buffer.from(`${first}\r\n\n  ${others.join("\n")}\n`);
		for (let cut = 0; cut <= bytes.length; cut++) {
			const { reader, heard } = makeReader();
			reader.write(bytes.subarray(0, cut));
			reader.write(bytes.subarray(cut));
			expect(heard).toEqual({ ...nothing, messages });
		}
		const { reader, heard } = makeReader();
		for (const byte of bytes) reader.write(Buffer.from([byte]));
		expect(heard.messages).toEqual(messages);
	});

	it("skips unwanted messages", () => {
		const { reader, heard } = makeReader();
		reader.write(Buffer.from(`{"jsonrpc":"2.0","method":"unwanted","params"\n${JSON.stringify(message({}))}\n`));
		expect(heard).toEqual({ ...nothing, messages: [message({})] });
	});

	it("keeps an unfinished line for later", () => {
		const { reader, heard } = makeReader();
		reader.write(Buffer.from(JSON.stringify(message({}))));
		expect(heard.messages).toEqual([]);
		reader.write(Buffer.from("\n"));
		expect(heard.messages).toEqual([message({})]);
	});

	it.each([
		"Welcome!",
		"{ not json",
		"\u001B[32mready\u001B[0m",
		"null",
		"1",
		'"text"',
		"[]",
		"{}",
		'{"level":"info","id":1,"result":"ok"}',
		'{"method":"GET","id":1}',
		'{"jsonrpc":"2.0"}',
		"[1]",
	])("skips %j and continues", (line) => {
		const { reader, heard } = makeReader();
		reader.write(Buffer.from(`${line}\n${JSON.stringify(message({}))}\n`));
		expect(heard).toEqual({ ...nothing, messages: [message({})], noise: [line] });
	});

	it("skips bytes that are no UTF-8 and a byte order mark", () => {
		const { reader, heard } = makeReader();
		reader.write(
			Buffer.concat([
				Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]),
				Buffer.from(`\uFEFF${JSON.stringify(message({}))}\n`),
			]),
		);
		expect(heard.noise).toHaveLength(1);
		expect(heard.messages).toEqual([message({})]);
	});

	it("reads the messages of an array", () => {
		const { reader, heard } = makeReader();
		reader.write(
			Buffer.from(`[${JSON.stringify(message({ n: 1 }))},7,${JSON.stringify({ jsonrpc: "2.0", id: 1, error: {} })}]\n`),
		);
		expect(heard.messages).toEqual([message({ n: 1 }), { jsonrpc: "2.0", id: 1, error: {} }]);
		expect(heard.noise).toHaveLength(1);
	});

	it("provides the text of a message if it is the whole line", () => {
		const told: WireForm[] = [];
		const listener = {
			isUnwanted: () => false,
			onMessage: (_message: unknown, form: WireForm) => void told.push(form),
			onNoise: () => undefined,
			onTrouble: () => undefined,
			onUnreadable: () => undefined,
			onDrained: () => undefined,
		};
		const reader = new MessageReader({ maxMessageBytes: 200, maxJsonDepth: 256 }, listener, oneSlice);
		const json = JSON.stringify(message({ text: "é" }));
		const tooLarge = `{"jsonrpc":"2.0","id":7,"result":{"text":"${"x".repeat(200)}"}}`;
		reader.write(Buffer.from(` ${json}\r\n[${json},${json}]\n[${json}]\n${tooLarge}\n`));
		const { length } = Buffer.from(json);
		expect(told).toEqual([
			{ bytes: length + 2, json },
			{ bytes: 2 * length + 3, json: undefined },
			{ bytes: 2 * length + 3, json: undefined },
			{ bytes: length + 2, json: undefined },
			{ bytes: 0 },
		]);
	});

	it("cuts noise short and treats names of the prototype as data", () => {
		const { reader, heard } = makeReader();
		reader.write(Buffer.from(`${"x".repeat(10_000)}\n{"jsonrpc":"2.0","method":"m","__proto__":{"polluted":1}}\n`));
		expect(heard.noise[0]?.length).toBeLessThan(600);
		expect(heard.messages).toHaveLength(1);
		expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
	});

	it("gives up once an invalid line is too long, and reads nothing after it", () => {
		const { reader, heard } = makeReader(100);
		reader.write(Buffer.alloc(100, "x"));
		expect(heard.ends).toEqual([]);
		for (let count = 0; count < 5; count++) reader.write(Buffer.alloc(100, "x"));
		reader.write(Buffer.from(`\n${JSON.stringify(message({}))}\n`));
		expect(heard).toEqual({
			...nothing,
			messages: [],
			ends: ["wrote more than 1 KB without a line break and was stopped"],
		});
	});

	const failed = (id: unknown): unknown => ({
		jsonrpc: "2.0",
		id,
		error: {
			code: -32603,
			message: expect.stringMatching(
				/^The server's response (\(\d+ KB\) )?is larger than the limit of 64 KB \(setting /,
			),
		},
	});
	const filler = JSON.stringify({ content: [{ type: "text", text: 'x\n"id":7}'.repeat(10_000) }] });

	describe.each([7, 64, 5000, 1_000_000])("cut every %i bytes", (size) => {
		it.each([
			["with its id first", `{"jsonrpc":"2.0","id":5,"result":${filler}}`, 5],
			["with its id last, as the first SDK writes it", `{"result":${filler},"jsonrpc":"2.0","id":5}`, 5],
			["with its id before the version", ` {"result" : ${filler} , "id" : 5, "jsonrpc":"2.0"} `, 5],
			["with a text for an id", `{"id":"a\\"b","error":${filler},"jsonrpc":"2.0"}`, 'a"b'],
		])("fails the request of an answer beyond the cap, %s, and continues", (_what, line, id) => {
			const { reader, heard } = makeReader(64 * 1024);
			const bytes = Buffer.from(`${line}\n${JSON.stringify(message({}))}\n`);
			feed(reader, bytes, size);
			expect(heard).toMatchObject({ ends: [], noise: [], messages: [failed(id), message({})] });
			expect(heard.skipped).toHaveLength(1);
		});

		it("leaves out a notification beyond the cap, and continues", () => {
			const { reader, heard } = makeReader(64 * 1024);
			const line = `{"jsonrpc":"2.0","method":"notifications/message","params":${filler}}`;
			const bytes = Buffer.from(`${line}\n${JSON.stringify(message({}))}\n`);
			feed(reader, bytes, size);
			expect(heard).toMatchObject({ ends: [], noise: [], messages: [message({})] });
			expect(heard.skipped).toEqual([
				expect.stringMatching(/^A message from the server \(\d+ KB\) is larger than the limit of 64 KB/),
			]);
		});
	});

	it("ends at a message beyond the cap without a known id", () => {
		for (const line of [`[{"jsonrpc":"2.0","id":5,"result":${filler}}]`, `{"result":${filler},"id":{}}`]) {
			const { reader, heard } = makeReader(64 * 1024);
			reader.write(Buffer.from(`${line}\n${JSON.stringify(message({}))}\n`));
			expect(heard).toEqual({ ...nothing, messages: [], ends: ["sent a message of more than 64 KB and was stopped"] });
		}
	});

	it("ends at an answer without an end, and fails its request once", () => {
		const { reader, heard } = makeReader(64 * 1024);
		reader.write(Buffer.from('{"jsonrpc":"2.0","id":5,"result":{"text":"'));
		for (let count = 0; count < 100 && heard.ends.length === 0; count++) reader.write(Buffer.alloc(64 * 1024, "x"));
		expect(heard).toMatchObject({
			messages: [failed(5)],
			ends: ["sent a message of more than 512 KB and was stopped"],
		});
	});

	it.each([1, 3, 1_000_000])("fails the request of an answer that nests too deep, cut every %i bytes", (size) => {
		const { reader, heard } = makeReader(1_000_000, 20);
		const deep = (levels: number): string =>
			`{"jsonrpc":"2.0","id":5,"result":${"[".repeat(levels)}${"]".repeat(levels)}}`;
		const bytes = Buffer.from(`${deep(19)}\n${deep(20)}\n${JSON.stringify(message({}))}\n`);
		feed(reader, bytes, size);
		expect(heard).toMatchObject({
			ends: [],
			messages: [
				JSON.parse(deep(19)),
				{
					id: 5,
					error: {
						message: expect.stringMatching(/^The server's response is nested deeper than the limit of 20 levels\. /),
					},
				},
				message({}),
			],
		});
	});

	it("passes on a request in one piece with an answer when the caller has the answer (TRN-61)", async () => {
		const order: string[] = [];
		const answered = Promise.withResolvers<void>();
		const drained = Promise.withResolvers<void>();
		// As many steps as from an answer to the end of its call.
		const call = (async () => {
			await answered.promise;
			for (let step = 0; step < 50; step++) await Promise.resolve();
			order.push("the call has ended");
		})();
		const reader = new MessageReader(
			{ maxMessageBytes: 1_000_000, maxJsonDepth: 256 },
			{
				onMessage(one) {
					if (!("method" in one)) answered.resolve();
					order.push("method" in one ? one.method : "answer");
				},
				isUnwanted: () => false,
				onNoise: () => undefined,
				onTrouble: () => undefined,
				onUnreadable: () => undefined,
				onDrained: () => drained.resolve(),
			},
			oneSlice,
		);
		const asked = { jsonrpc: "2.0", id: 7, method: "roots/list" };
		const all = [asked, { jsonrpc: "2.0", id: 1, result: {} }, message({}), asked, message({})];
		expect(reader.write(Buffer.from(all.map((one) => `${JSON.stringify(one)}\n`).join("")))).toBe(false);
		await Promise.all([call, drained.promise]);
		const [before, after] = [
			["roots/list", "answer", "notifications/message"],
			["roots/list", "notifications/message"],
		];
		expect(order).toEqual([...before, "the call has ended", ...after]);
	});

	it("passes a flood on in slices, in order, and reads more only when it is done", async () => {
		const seen: number[] = [];
		const drained = Promise.withResolvers<void>();
		const reader = new MessageReader(
			{ maxMessageBytes: 1_000_000, maxJsonDepth: 256 },
			{
				onMessage(one) {
					seen.push(("params" in one ? one.params?.["n"] : -1) as number);
					// A slow receiver: what follows must wait for the event loop's next turn.
					for (const until = performance.now() + 1; performance.now() < until;);
				},
				isUnwanted: () => false,
				onNoise: () => undefined,
				onTrouble: () => undefined,
				onUnreadable: () => undefined,
				onDrained: () => drained.resolve(),
			},
		);
		const lines = Array.from({ length: 100 }, (_, n) => JSON.stringify(message({ n })));
		expect(reader.write(Buffer.from(`${lines.join("\n")}\n`))).toBe(false);
		expect(seen.length).toBeLessThan(100);
		expect(reader.isBusy).toBe(true);
		reader.write(Buffer.from(`${JSON.stringify(message({ n: 100 }))}\n`));
		await drained.promise;
		expect(seen).toEqual(Array.from({ length: 101 }, (_, n) => n));
		expect(reader.isBusy).toBe(false);
	});

	it("reads nothing once ended, not even the rest of its input", () => {
		const messages: unknown[] = [];
		const reader: MessageReader = new MessageReader(
			{ maxMessageBytes: 1000, maxJsonDepth: 10 },
			{
				onMessage(one) {
					messages.push(one);
					reader.end();
				},
				isUnwanted: () => false,
				onNoise: () => undefined,
				onTrouble: () => undefined,
				onUnreadable: () => undefined,
				onDrained: () => undefined,
			},
			oneSlice,
		);
		reader.write(Buffer.from(`${JSON.stringify(message({}))}\n`.repeat(3)));
		expect(messages).toHaveLength(1);
	});
});
