import { describe, expect, it } from "vitest";
import { MessageReader } from "../../../src/servers/messageReader.ts";

interface Heard {
	readonly messages: unknown[];
	readonly noise: string[];
	tooLong: number;
}

function makeReader(maxBytes = 1_000_000): { readonly reader: MessageReader; readonly heard: Heard } {
	const heard: Heard = { messages: [], noise: [], tooLong: 0 };
	const reader = new MessageReader(maxBytes, {
		onMessage: (message) => heard.messages.push(message),
		onNoise: (line) => heard.noise.push(line),
		onTooLong: () => heard.tooLong++,
	});
	return { reader, heard };
}

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
			expect(heard).toEqual({ messages, noise: [], tooLong: 0 });
		}
		const { reader, heard } = makeReader();
		for (const byte of bytes) reader.write(Buffer.from([byte]));
		expect(heard.messages).toEqual(messages);
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
		'{"jsonrpc":"1.0","id":1,"result":{}}',
		'{"jsonrpc":"2.0","id":1}',
		"[1]",
	])("skips %j and goes on", (line) => {
		const { reader, heard } = makeReader();
		reader.write(Buffer.from(`${line}\n${JSON.stringify(message({}))}\n`));
		expect(heard).toEqual({ messages: [message({})], noise: [line], tooLong: 0 });
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

	it("cuts noise short and takes names of the prototype as data", () => {
		const { reader, heard } = makeReader();
		reader.write(Buffer.from(`${"x".repeat(10_000)}\n{"jsonrpc":"2.0","method":"m","__proto__":{"polluted":1}}\n`));
		expect(heard.noise[0]?.length).toBeLessThan(600);
		expect(heard.messages).toHaveLength(1);
		expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
	});

	it("gives up once a line is too long, and reads nothing after it", () => {
		const { reader, heard } = makeReader(100);
		reader.write(Buffer.alloc(100, "x"));
		expect(heard.tooLong).toBe(0);
		for (let count = 0; count < 5; count++) reader.write(Buffer.alloc(100, "x"));
		reader.write(Buffer.from(`\n${JSON.stringify(message({}))}\n`));
		expect(heard).toEqual({ messages: [], noise: [], tooLong: 1 });
	});

	it("reads nothing once ended, not even the rest of what it was given", () => {
		const messages: unknown[] = [];
		const reader: MessageReader = new MessageReader(1000, {
			onMessage(one) {
				messages.push(one);
				reader.end();
			},
			onNoise: () => undefined,
			onTooLong: () => undefined,
		});
		reader.write(Buffer.from(`${JSON.stringify(message({}))}\n`.repeat(3)));
		expect(messages).toHaveLength(1);
	});
});
