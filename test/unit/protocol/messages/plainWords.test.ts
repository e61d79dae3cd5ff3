import { expect, it } from "vitest";
import { plainWords } from "../../../../src/protocol/messages/plainWords.ts";

const issue = (path: readonly (string | number)[], message: string): object => ({
	code: "invalid_type",
	path,
	message,
});

it("describes a validator's findings in words", () => {
	const dump = JSON.stringify(
		[issue(["serverInfo", "name"], "Invalid input: expected string, received undefined")],
		undefined,
		2,
	);
	expect(plainWords(`Invalid result: ${dump}`)).toBe(
		"Invalid result: serverInfo.name: expected string, but it is missing",
	);
});

it("names a few of many faults", () => {
	const dump = JSON.stringify(Array.from({ length: 9 }, (_unused, index) => issue([index], "Invalid input")));
	expect(plainWords(dump)).toMatch(/^0: it matches none of the allowed forms; .*; 6 more$/);
});

it.each(["Not found", 'a list: [{"a":1}]', "[{ broken", ""])("does not change other texts (%j)", (text) => {
	expect(plainWords(text)).toBe(text);
});
