import { expect, test } from "vitest";
import { holds } from "../../../src/base/whenClause.ts";

test.each([
	["false", false],
	["true", true],
	["a", true],
	["!a", false],
	["missing", false],
	["!missing", true],
	["a && missing", false],
	["missing || a", true],
	["missing || a && empty", false],
	["word == tree", true],
	["word != tree", false],
	["word =~ /^(tree|list)$/", true],
	["word =~ /^TREE/i", true],
	["missing =~ /./", false],
])("the clause %j is %j", (clause, expected) => {
	expect(holds(clause, { a: true, empty: "", word: "tree" })).toBe(expected);
});
