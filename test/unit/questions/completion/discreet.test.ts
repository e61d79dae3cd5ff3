import { expect, test } from "vitest";
import { isSecret } from "../../../../src/base/secrets/judge.ts";
import { discreet, type CompletionQuery } from "../../../../src/questions/completion/feed.ts";

const { signal } = new AbortController();

function spied() {
	const asked: CompletionQuery[] = [];
	const source = discreet(
		async (query) => {
			asked.push(query);
			return { values: ["Paris"] };
		},
		(name) => isSecret(name, undefined, "asked"),
	);
	return { asked, source };
}

test("passes on the typed text, with the other values as context", async () => {
	const { asked, source } = spied();
	const query = { name: "city", value: "Par", known: { country: "France" } };
	await expect(source(query, signal)).resolves.toEqual({ values: ["Paris"] });
	expect(asked).toEqual([query]);
});

test.each([
	["an argument that is named like a secret", "api_token", "s3cr"],
	["an address that holds a secret", "page", "https://example.com/?token=s3cr"],
	["a text of several lines", "code", "first line\nsecond line"],
	["a long text", "code", "x".repeat(201)],
])("asks the server nothing about %s, and includes it in no context", async (_what, name, value) => {
	const { asked, source } = spied();
	await expect(source({ name, value, known: {} }, signal)).resolves.toEqual({ values: [] });
	expect(asked).toEqual([]);
	await source({ name: "city", value: "", known: { [name]: value, country: "France" } }, signal);
	expect(asked).toEqual([{ name: "city", value: "", known: { country: "France" } }]);
});
