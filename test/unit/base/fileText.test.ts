import { expect, it } from "vitest";
import { textOfBytes } from "../../../src/base/fileText.ts";

const text = '{"größe": "日本"}\r\n';
const wide = Buffer.from(`\uFEFF${text}`, "utf16le");

it.each([
	["UTF-8", Buffer.from(text)],
	["UTF-8 with its mark, as Notepad writes", Buffer.from(`\uFEFF${text}`)],
	["UTF-16, as PowerShell 5 writes with >", wide],
	["UTF-16 in the other order of bytes", Buffer.from(wide).swap16()],
])("A file in %s has the same text", (_encoding, bytes) => {
	expect(textOfBytes(bytes)).toBe(text);
});
