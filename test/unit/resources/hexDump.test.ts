import { expect, test } from "vitest";
import { hexDump } from "../../../src/resources/hexDump.ts";

test("bytes are listed with their offsets and what of them is ASCII", () => {
	const bytes = Buffer.concat([Buffer.from("Hello, world! ~"), Buffer.from([0x7f, 0x00, 0xff, 0x0a])]);
	expect(Buffer.from(hexDump(bytes)).toString()).toBe(
		[
			"00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 7e 7f  Hello, world! ~.",
			`00000010  00 ff 0a${" ".repeat(42)}...`,
			"",
		].join("\n"),
	);
});

test("no bytes are said to be none, and of many the first are shown", () => {
	expect(Buffer.from(hexDump(new Uint8Array())).toString()).toBe("(no bytes)\n");
	const dump = Buffer.from(hexDump(new Uint8Array(1024 * 1024 + 1234))).toString();
	expect(dump.endsWith("\n… (1,234 more bytes)\n")).toBe(true);
	expect(dump.split("\n")).toHaveLength(65_536 + 2);
});
