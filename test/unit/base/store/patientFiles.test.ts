import { expect, it } from "vitest";
import { patiently } from "../../../../src/base/store/patientFiles.ts";

function refusing(code: string, count: number): { readonly work: () => string; readonly tries: () => number } {
	let tries = 0;
	const work = (): string => {
		if (tries++ < count) throw Object.assign(new Error(code), { code });
		return "done";
	};
	return { work, tries: () => tries };
}

it.each(["EPERM", "EACCES", "EBUSY"])(
	"A file that Windows refuses with %s, since another program has it open, is tried again",
	(code) => {
		expect(patiently(refusing(code, 3).work, true)).toBe("done");
		const always = refusing(code, Infinity);
		expect(() => patiently(always.work, true)).toThrow(code);
		expect(always.tries()).toBeGreaterThan(3);
	},
);

it("Other errors, and those of other systems, are thrown at once", () => {
	for (const [code, isWindows] of [
		["ENOENT", true],
		["EACCES", false],
	] as const) {
		const once = refusing(code, Infinity);
		expect(() => patiently(once.work, isWindows)).toThrow(code);
		expect(once.tries()).toBe(1);
	}
});
