import { expect, it } from "vitest";
import { hasHiddenCharacters } from "../../../src/base/text.ts";
import { exactJson } from "../../../src/base/exactJson.ts";

it("shows every hidden character as a JSON escape, so that the shown text equals the sent one (TOL-08, TOL-10)", () => {
	const hidden = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
		(character) => hasHiddenCharacters(character) || /[\p{Zs}--[ ]]/v.test(character),
	);
	expect(hidden.length).toBeGreaterThan(4000);
	for (const value of [...hidden, hidden.join("")]) {
		const shown = exactJson([value, `${value}a`, { [value]: 1 }]);
		expect(hasHiddenCharacters(shown)).toBe(false);
		expect(JSON.parse(shown)).toEqual([value, `${value}a`, { [value]: 1 }]);
	}
});
