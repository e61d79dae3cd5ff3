import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { shellWords } from "../../../src/runner/shellQuote.ts";

/** What a shell takes the words for, exactly. */
function readBy(shell: string, words: readonly string[]): readonly string[] {
	const output = execFileSync(shell, ["-c", `printf '%s\\0' ${shellWords(words)}`], { encoding: "utf8" });
	return output.split("\0").slice(0, -1);
}

const visible = [
	"plain",
	"",
	"two words",
	"it's",
	"'",
	"''''",
	'"double" $HOME `id` $(id) \\ \\\\ \\n',
	'{"a":[1,2,{"b":"c"}]}',
	"a;b|c&d>e<f",
	"*?[a-z]",
	"~",
	"!history",
	"#comment",
	"-n",
	"--flag=value",
	"A=b",
	"ünïcödé 日本語 🙂",
	"if",
];

test.each(["bash", "dash"])("%s takes every word for exactly what it is", (shell) => {
	expect(readBy(shell, visible)).toEqual(visible);
});

describe("control and hidden characters", () => {
	const hidden = [
		"\u001b[2Jcleared",
		"line\nrm -rf x",
		"tab\there",
		"\u202Eright",
		"\u200B",
		"it's\\\u0007",
		"\u{E0041}",
	];

	test("come through", () => {
		expect(readBy("bash", hidden)).toEqual(hidden);
	});

	test("never stand in what is pasted", () => {
		expect(shellWords(hidden)).toMatch(/^[\x20-\x7e]*$/);
	});
});
