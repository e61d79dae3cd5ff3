/** The masking of a secret whose end was cut off (SEC-02), and its duration (TRN-56). */
import { describe, expect, it } from "vitest";
import { SecretMask } from "../../../../src/base/secrets/secretMask.ts";

const value = "Zx9kQ2mP7rT4vW8yB3nC6";
const mark = "\u27E6API key\u27E7";

function maskOf(secret: string): SecretMask {
	const mask = new SecretMask();
	mask.add([{ value: secret, name: "API key", label: "API key" }]);
	return mask;
}

describe("the beginning of a secret", () => {
	it.each([
		["at the end of a text", `a ${value.slice(0, 12)}`, `a ${mark}`],
		["before the ellipsis of a cut", `${value.slice(0, 8)}\u2026 (9 more)`, `${mark}\u2026 (9 more)`],
		["at several cuts", `${value.slice(0, 9)}\u2026 b ${value.slice(0, 20)}\u2026`, `${mark}\u2026 b ${mark}\u2026`],
		["right behind another one", `${value.slice(0, 8)}${value.slice(0, 10)}`, `${value.slice(0, 8)}${mark}`],
		["beside the whole", `${value} ${value.slice(0, 10)}`, `${mark} ${mark}`],
	])("%s is a mark", (_what, text, shown) => {
		expect(maskOf(value).redact(text)).toBe(shown);
	});

	it.each([
		["too short to recognise", `${value.slice(0, 7)}\u2026`],
		["followed by another character", `${value.slice(0, 12)}!`],
	])("%s is kept", (_what, text) => {
		expect(maskOf(value).redact(text)).toBe(text);
	});

	it("is found where it begins within one that differs later", () => {
		expect(maskOf("abababababZ4kQ").redact("ababababababab\u2026")).toBe(`abab${mark}\u2026`);
	});

	it("is found in a megabyte of secrets in time proportional to the text", () => {
		const text = `${value.slice(0, 8)}\u2026`.repeat(200_000);
		expect(maskOf(value).redact(text)).toBe(`${mark}\u2026`.repeat(200_000));
		const repeated = `${"ab1c".repeat(2000)}Z`;
		expect(maskOf(repeated).redact("ab1c".repeat(200_000))).toHaveLength(800_000 - 8000 + mark.length);
	});
});

it("many long tokens that begin alike are taken out in one pass, and so is what a cut leaves of one", () => {
	const tokens = Array.from({ length: 40 }, (_, index) => `${value.repeat(70)}.${index}.${value.repeat(20)}`);
	const mask = new SecretMask();
	mask.add(tokens.map((token, index) => ({ value: token, name: `key ${index}`, label: `key ${index}` })));
	const text = `${tokens.join(" ")} ${`${value.repeat(60)}\u2026 `.repeat(1000)}`;
	const shown = mask.redact(text);
	expect(shown).not.toContain(value);
	expect(shown.startsWith("\u27E6key 0\u27E7 \u27E6key 1\u27E7 ")).toBe(true);
	expect(mask.redact("words ".repeat(200_000))).toHaveLength(1_200_000);
});
