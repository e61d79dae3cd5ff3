import { describe, expect, test } from "vitest";
import { bytesOfBase64, decodeBase64, ordinaryBase64 } from "../../../src/base/base64.ts";
import type { ContentBlock } from "../../../src/servers/sessions/session.ts";
import { readResult } from "../../../src/features/tools/results/result.ts";
import { bytesOfBlock } from "../../../src/features/tools/results/resultMedia.ts";
import { resultView } from "../../../src/features/tools/results/resultView.ts";

const ordinary =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggvv/v/7/+w==";
const urlSafe = ordinary.replaceAll("+", "-").replaceAll("/", "_");

const spellings: readonly string[] = [
	ordinary,
	urlSafe,
	urlSafe.replaceAll("=", ""),
	ordinary.replaceAll("=", ""),
	ordinary.slice(0, -1),
	ordinary.replace(/.{20}/g, "$&\r\n"),
	` ${ordinary}\n`,
	`data:image/png;base64,${ordinary}`,
	`DATA:image/png;charset=utf-8;BASE64,${urlSafe}`,
	`data:;base64,${encodeURIComponent(ordinary)}`,
];
const broken = ["!", "a", "iVBO=Rw0K", "iVBORw0K===", "iVBO,Rw0", "iVBÖRw0K", "data:text/plain,abcd"];

describe("every usual spelling of base64 decodes to the same bytes", () => {
	test.each(spellings)("%j", (spelling) => {
		expect(ordinaryBase64(spelling)).toBe(ordinary);
		expect(decodeBase64(spelling)).toEqual(Buffer.from(ordinary, "base64"));
		expect(bytesOfBase64(ordinary)).toBe(Buffer.from(ordinary, "base64").length);
	});

	test.each(broken)("%j does not decode", (text) => expect(ordinaryBase64(text)).toBeUndefined());

	test("bits beyond the last byte are dropped, and the empty text is empty", () => {
		expect(ordinaryBase64("QR")).toBe("QQ==");
		expect(ordinaryBase64("")).toBe("");
	});

	test("a long text is read without exhausting the stack", () => {
		expect(ordinaryBase64("-_-_".repeat(5_000_000))?.length).toBe(20_000_000);
	});
});

describe("user and model get the same bytes of a result", () => {
	const blocks = (data: string): readonly ContentBlock[] => [
		{ type: "image", data, mimeType: "image/png" },
		{ type: "resource", resource: { uri: "r://1", mimeType: "image/png", blob: data } },
	];
	test.each(spellings)("of %j", (spelling) => {
		for (const block of blocks(spelling)) {
			const raw = { content: [block] };
			const result = readResult(raw);
			expect(result.forModel).toMatchObject([{ type: "image", data: ordinary }]);
			expect(resultView(result).blocks[0]?.block).toMatchObject({ source: `data:image/png;base64,${ordinary}` });
			expect(bytesOfBlock(raw, 0)?.bytes).toEqual(Buffer.from(ordinary, "base64"));
		}
	});

	test.each(broken)("undecodable text is reported: %j", (text) => {
		for (const block of blocks(text)) {
			const raw = { content: [block] };
			const result = readResult(raw);
			expect(JSON.stringify(result.forModel)).toContain("left out: its data is not valid base64");
			expect(JSON.stringify(resultView(result).blocks)).toContain("not shown: its data is not valid base64");
			expect(bytesOfBlock(raw, 0)).toBeUndefined();
		}
	});
});
