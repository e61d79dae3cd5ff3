/**
 * Every regular expression of the source on texts that attack it: none backtracks over text of a server, a model or a
 * file (TRN-56). Literal ones are found in the source, and those that are built at run time by loading the modules that
 * build them.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { afterAll, describe, expect, it, vi } from "vitest";
import { withinTime } from "../../src/base/timeBudget.ts";
import { attacksOn } from "./patternAttacks.ts";

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync(["src/**/*.ts", "media/**/*.ts"], { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));

/** The length of the texts: about a second for quadratic patterns, and nothing for any other. */
const length = 40_000;
/** The limit for one text, in milliseconds: some hundred times its usual time. */
const mostMs = 300;

/** The literal expressions of a file. */
function literalsIn(file: string): readonly RegExp[] {
	const found: RegExp[] = [];
	const { program } = parseSync(file, readFileSync(path.join(root, file), "utf8"));
	new Visitor({
		Literal: (node) => {
			if ("regex" in node && node.regex !== null) found.push(new RegExp(node.regex.pattern, node.regex.flags));
		},
	}).visit(program);
	return found;
}

/** Whether an expression is too slow for a text, also when it is tried again: a busy machine is slow only once. */
function isSlow(pattern: RegExp, text: string, attempts: number): boolean {
	for (let attempt = 0; attempt < attempts; attempt++) {
		try {
			// A sticky or global expression is used repeatedly.
			const used = pattern.sticky ? new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`) : pattern;
			used.lastIndex = 0;
			withinTime(mostMs, () => (used.global ? text.replace(used, "") : used.exec(text)));
			return false;
		} catch {
			// Once more.
		}
	}
	return true;
}

/** The slow parts of expressions: each with the beginning of a text. */
function slowOnes(patterns: readonly RegExp[], attempts = 3): readonly string[] {
	return patterns.flatMap((pattern) => {
		const text = attacksOn(pattern, length).find((one) => isSlow(pattern, one, attempts));
		return text === undefined ? [] : [`${String(pattern)} on ${JSON.stringify(text.slice(0, 40))}…`];
	});
}

describe("a regular expression", () => {
	const written = files.map((file) => [file, literalsIn(file)] as const).filter(([, patterns]) => patterns.length > 0);

	it("is found in the source, and a backtracking one is detected", () => {
		expect(written.length).toBeGreaterThan(100);
		const slow = [/\/+$/, /^(?:a+)+$/, /x.*y/g, /\s+$/, /(['"])(.*)\1$/, /=[^;]*;/, /[. ]+$/];
		for (const pattern of slow) expect(slowOnes([pattern], 1)).toHaveLength(1);
		expect(slowOnes([/^\/+/, /\/+/g, /[^/]$/, /^[^=]*=(.*)$/s])).toEqual([]);
	});

	it.each(written)("of %s takes linear time", (_file, patterns) => {
		expect(slowOnes(patterns)).toEqual([]);
	});
});

describe("a regular expression that is built at run time", () => {
	const Native = globalThis.RegExp;
	const made: RegExp[] = [];
	afterAll(() => {
		globalThis.RegExp = Native;
		vi.resetModules();
	});

	it("takes linear time", async () => {
		const makers = files.filter(
			(file) => !file.endsWith(".vscode.ts") && readFileSync(path.join(root, file), "utf8").includes("RegExp("),
		);
		expect(makers.length).toBeGreaterThan(10);
		vi.resetModules();
		globalThis.RegExp = new Proxy(Native, {
			construct: (target, args: ConstructorParameters<typeof Native>) => {
				const pattern = new target(...args);
				made.push(pattern);
				return pattern;
			},
		});
		for (const file of makers) await import(path.join(root, file));
		globalThis.RegExp = Native;
		expect(made.length).toBeGreaterThan(10);
		expect(slowOnes(made)).toEqual([]);
	});
});
