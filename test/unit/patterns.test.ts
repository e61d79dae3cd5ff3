/**
 * Every regular expression of the source on texts that are made against it: none goes back and forth over what a server,
 * a model or a file wrote (TRN-56). They are found by walking through the source, and those that are put together at run
 * time by loading what does so.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { afterAll, describe, expect, it, vi } from "vitest";
import { withinTime } from "../../src/base/timeBudget.ts";
import { attacksOn } from "./patternAttacks.ts";

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync(["src/**/*.ts", "media/**/*.ts"], { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));

/** How long the texts are: on any machine seconds for what grows with the square of it, and nothing for any other. */
const length = 240_000;
/** What one text may take, in milliseconds: some hundred times what it does. */
const mostMs = 300;

/** The expressions that a file writes out. */
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

/** Whether an expression takes too long for a text, also when it is tried again: a busy machine is slow only once. */
function isSlow(pattern: RegExp, text: string): boolean {
	for (let attempt = 0; attempt < 3; attempt++) {
		try {
			// One that goes on where it stopped is used so again and again.
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

/** What is slow about expressions: each with the beginning of a text. */
function slowOnes(patterns: readonly RegExp[]): readonly string[] {
	return patterns.flatMap((pattern) => {
		const text = attacksOn(pattern, length).find((one) => isSlow(pattern, one));
		return text === undefined ? [] : [`${String(pattern)} on ${JSON.stringify(text.slice(0, 40))}…`];
	});
}

describe("a regular expression", () => {
	const written = files.map((file) => [file, literalsIn(file)] as const).filter(([, patterns]) => patterns.length > 0);

	it("is found in the source, and one that goes back and forth is found out", () => {
		expect(written.length).toBeGreaterThan(100);
		const slow = [/\/+$/, /^(?:a+)+$/, /x.*y/g, /\s+$/, /(['"])(.*)\1$/, /=[^;]*;/, /[. ]+$/];
		for (const pattern of slow) expect(slowOnes([pattern])).toHaveLength(1);
		expect(slowOnes([/^\/+/, /\/+/g, /[^/]$/, /^[^=]*=(.*)$/s])).toEqual([]);
	});

	it.each(written)("of %s takes a time that grows with the text only", (_file, patterns) => {
		expect(slowOnes(patterns)).toEqual([]);
	});
});

describe("a regular expression that is put together", () => {
	const Native = globalThis.RegExp;
	const made: RegExp[] = [];
	afterAll(() => {
		globalThis.RegExp = Native;
		vi.resetModules();
	});

	it("takes a time that grows with the text only", async () => {
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
