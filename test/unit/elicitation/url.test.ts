import { describe, expect, it } from "vitest";
import { readUrl } from "../../../src/elicitation/url.ts";

describe("readUrl", () => {
	it.each([
		["https://example.com/a?b=c#d", "example.com"],
		["https://EXAMPLE.com:8443/", "example.com:8443"],
		["https:\\\\evil.example\\@bank.example/", "evil.example"],
		["https://bank.example.evil.example/bank.example", "bank.example.evil.example"],
		["https://evil.example/%2F@bank.example", "evil.example"],
		["http://localhost:3000/x", "localhost:3000"],
		["http://127.1/", "127.0.0.1"],
		["http://[::1]:80/", "[::1]"],
	])("shows the host that %s leads to, and the very URL that is opened", (text, host) => {
		const { href, view } = readUrl(text);
		expect(view.host).toBe(host);
		expect(view.before + view.host + view.after).toBe(href);
		expect(new URL(href).host).toBe(host);
	});

	it.each([
		"",
		"no url",
		"javascript:alert(1)",
		"file:///etc/passwd",
		"vscode://publisher.extension/x",
		"command:workbench.action.quit",
		"ftp://example.com/",
		"http://example.com/",
		"http://127.0.0.1.evil.example/",
		"http://localhost.evil.example/",
		"https://bank.example@evil.example/",
		"https://user:password@example.com/",
		`https://example.com/${"x".repeat(9000)}`,
	])("refuses %s", (text) => {
		expect(() => readUrl(text)).toThrow(expect.objectContaining({ rpcCode: -32602 }));
	});

	it("warns of a name that may imitate another, and of plain http", () => {
		expect(readUrl("https://xn--pple-43d.com/").view.warnings.join()).toMatch(/special characters, as “аpple.com”/);
		expect(readUrl("https://аpple.com/").view).toMatchObject({
			host: "xn--pple-43d.com",
			warnings: [expect.any(String)],
		});
		expect(readUrl("http://localhost/").view.warnings.join()).toMatch(/not encrypted/);
		expect(readUrl("https://example.com/").view.warnings).toEqual([]);
	});
});
