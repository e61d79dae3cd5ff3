import { expect, test } from "vitest";
import { environmentValue, urlWithoutSecrets, withoutSecrets } from "../../../../src/surfaces/runner/copyCommand.ts";

test("arguments that look like secrets are replaced by placeholders (SEC-02)", () => {
	expect(
		withoutSecrets([
			"server.js",
			"--api-key",
			"abc",
			"--token=abc",
			"--verbose",
			"--port=8080",
			"-e",
			"GITHUB_TOKEN=ghp_abc",
			"-H",
			"Authorization: Bearer abc",
			"--header=x",
			"sk-proj-0123456789abcdef0123",
			"${input:key}",
			"https://me:sw0rdfish@example.com/mcp?token=abc&page=2",
			"/home/ann/server",
		]),
	).toEqual([
		"server.js",
		"--api-key",
		"<api-key>",
		"--token=<token>",
		"--verbose",
		"--port=8080",
		"-e",
		"GITHUB_TOKEN=<GITHUB_TOKEN>",
		"-H",
		"Authorization: Bearer <Authorization>",
		"--header=x",
		"<secret>",
		"<input:key>",
		"https://me:<secret>@example.com/mcp?token=<token>&page=2",
		"/home/ann/server",
	]);
});

test.each([
	["https://example.com/mcp", "https://example.com/mcp"],
	["https://example.com/s/Zm9vYmFyYmF6MTIzNDU2Nzg5/mcp", "https://example.com/s/<secret>/mcp"],
	["https://me:hunter2@example.com/mcp", "https://me:<secret>@example.com/mcp"],
	["https://example.com/mcp?api_key=abc&lang=en#x", "https://example.com/mcp?api_key=<api_key>&lang=en#x"],
	["https://${input:host}/mcp", "https://<input:host>/mcp"],
])("%s is copied as %s", (url, expected) => {
	expect(urlWithoutSecrets(url)).toBe(expected);
});

test.each([
	["NODE_ENV", "production", "<NODE_ENV>"],
	["DEBUG", "1", "1"],
	["PIN", "1234", "<PIN>"],
	["VERBOSE", "true", "true"],
	["X-Api-Key", "abc", "<X-Api-Key>"],
])("the value of %s is copied only if it cannot be a secret", (name, value, expected) => {
	expect(environmentValue(name, value)).toBe(expected);
});

test.each([
	["--header=Authorization: Bearer hunter2", "hunter2"],
	["X-Subscription-Key: hunter2", "hunter2"],
	["-HX-Auth: hunter2", "hunter2"],
	['{"apiKey":"hunter2"}', "hunter2"],
	['--config={"password": "hunter2"}', "hunter2"],
	["key ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_"],
])("the secret of %j is not copied (SEC-02)", (arg, secret) => {
	expect(withoutSecrets(["server", arg]).join(" ")).not.toContain(secret);
});

test.each([
	"--port=8080",
	"C:/Users/ann/server.js",
	"--level",
	'{"depth": 3}',
	"@scope/server@1.2.3",
	"--name=Trip: Rome",
])("%j is not a secret", (arg) => {
	expect(withoutSecrets([arg])).toEqual([arg]);
});
