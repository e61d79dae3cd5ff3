import { expect, test } from "vitest";
import { answerOf } from "../../../../src/features/resources/lastReads.ts";

test.each([
	["the URI that was asked for", "memo://a", ["memo://a"], "exact"],
	["several contents with URIs of their own", "memo://dir", ["memo://x", "memo://y"], "exact"],
	["another URI", "memo://flat", ["memo://x"], "other"],
	["the URI of another resource that differs by its query", "memo://a?id=1", ["memo://a?id=2"], "other"],
	["one that differs by case", "memo://a/B", ["memo://a/b"], "other"],
	["the same as a library writes it", "https://Example.com", ["https://example.com/"], "equivalent"],
	["the same without escapes", "file:///small/read%20me.md", ["file:///small/read me.md"], "equivalent"],
	["an invalid URI", "memo://a", ["a"], "other"],
	["an invalid escape", "x://a%zz", ["x://a%zz/"], "other"],
] as const)("an answer with %s is recognised (RES-04)", (_what, uri, answered, kind) => {
	const answer = answerOf(
		uri,
		answered.map((one) => ({ uri: one })),
	);
	expect(answer).toEqual(kind === "exact" ? { kind } : { kind, uri: answered[0] });
});
