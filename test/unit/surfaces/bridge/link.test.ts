import { describe, expect, test } from "vitest";
import { LineCutter, readFromWindow, readToWindow } from "../../../../src/surfaces/bridge/link.ts";

describe("a line on the link between serve and a window (GST-10)", () => {
	test("is read only if it is a message of the expected form", () => {
		const hello = { hello: { link: 1, key: "k", pid: 5 } };
		expect(readToWindow(JSON.stringify(hello))).toEqual(hello);
		const request = { id: 1, method: "tools/list", client: { name: "a", version: "1" }, params: {} };
		expect(readToWindow(JSON.stringify(request))).toEqual(request);
		const wrong = [
			"",
			"[]",
			"null",
			"{}",
			'{"hello":{"link":1,"key":"k","pid":0}}',
			'{"hello":{"link":1,"pid":5}}',
			JSON.stringify({ ...request, method: "sampling/createMessage" }),
			JSON.stringify({ ...request, client: { name: "a" } }),
			JSON.stringify({ ...request, params: [] }),
			JSON.stringify({ ...request, id: "1" }),
			'{"cancel":-1}',
		];
		for (const line of wrong) expect(readToWindow(line), line).toBeUndefined();
		expect(readFromWindow('{"id":1,"result":{"tools":[]}}')).toEqual({ id: 1, result: { tools: [] } });
		for (const news of [{ changed: "prompts" }, { updated: "a://b" }, { id: 1, error: "no", code: -32602 }])
			expect(readFromWindow(JSON.stringify(news))).toEqual(news);
		for (const line of [
			"x",
			'{"id":1}',
			'{"changed":true}',
			'{"id":1,"error":"no"}',
			'{"result":{}}',
			'{"ready":false}',
		])
			expect(readFromWindow(line), line).toBeUndefined();
	});

	test("is cut out of pieces of any size, and refused when it is too long", () => {
		const lines: string[] = [];
		const cutter = new LineCutter((line) => lines.push(line));
		const bytes = Buffer.from('{"a":"ü"}\n{"b":2}\nrest');
		for (const byte of bytes) expect(cutter.write(Buffer.from([byte]), 20)).toBe(true);
		expect(lines).toEqual(['{"a":"ü"}', '{"b":2}']);
		expect(cutter.write(Buffer.alloc(20, "x"), 20)).toBe(false);
		expect(new LineCutter(() => undefined).write(Buffer.from(`${"x".repeat(30)}\n`), 20)).toBe(false);
	});
});
