import { describe, expect, it } from "vitest";
import { readUrl } from "../../../src/base/url.ts";

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
	])("shows the host of %s, and the exact URL that is opened", (text, host) => {
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
		"http://169.254.169.254/",
		"http://[::ffff:127.0.0.1]/",
		"http://0.0.0.0/",
		"https://bank.example@evil.example/",
		"https://user:password@example.com/",
		`https://example.com/${"x".repeat(9000)}`,
	])("refuses %s", (text) => {
		expect(() => readUrl(text)).toThrow(expect.objectContaining({ rpcCode: -32602 }));
	});

	it("warns of a name that may imitate another, and of plain http", () => {
		expect(readUrl("https://xn--pple-43d.com/").view.warnings.join()).toMatch(/special characters: “аpple.com”/);
		expect(readUrl("https://аpple.com/").view).toMatchObject({
			host: "xn--pple-43d.com",
			warnings: [expect.any(String)],
		});
		expect(readUrl("http://localhost/").view.warnings.join()).toMatch(/not encrypted/);
		expect(readUrl("https://example.com/").view.warnings).toEqual([]);
	});

	it.each([
		["https://аррӏе.com/", /may imitate “apple\.com”/],
		["https://pаypal.com/", /mixes letters from several alphabets.*may imitate “paypal\.com”/],
		["https://münchen.example/", /“münchen\.example”/],
		["https://例え.jp/", /may imitate another site/],
		["https://github.com.evil.example/login", /begins with “github\.com”.*belongs to “evil\.example”/],
		["https://github.com-login.example/", /begins with “github\.com”.*“com-login\.example”/],
		["https://accounts.google.com.a.b.evil.co.uk/", /begins with “accounts\.google\.com”.*“evil\.co\.uk”/],
		["https://a.b.c.d.e.f.evil.example/", /has 8 parts.*“evil\.example”/],
		["https://192.0.2.7/", /is a number/],
		["https://[2001:db8::1]/", /is a number/],
		["https://169.254.169.254/latest/meta-data", /is a number.*metadata service/],
		["https://[::ffff:169.254.169.254]/", /metadata service/],
		["https://192.168.1.1/admin", /private network/],
		["https://example.com:8443/", /port 8443/],
	])("warns of %s (ELC-04)", (text, warning) => {
		expect(readUrl(text).view.warnings.join(" ")).toMatch(warning);
	});

	it.each([
		"https://example.com/github.com.evil.example",
		"https://shop.example/",
		"https://www.example.co.uk/",
		"https://github.com.au/",
		"https://login.microsoftonline.com/common/oauth2",
		"https://accounts.google.com/",
		"https://user.github.io/",
		"https://api.staging.eu.example.com/",
		"https://login.dev.example.com/",
		"https://eu.cloud.io.example.com/",
		"https://127.0.0.1:5000/",
		"https://localhost:3000/",
	])("does not warn of %s", (text) => {
		expect(readUrl(text).view.warnings).toEqual([]);
	});

	it("shows the same URL that is opened for each way to hide a host (UI-08, BLT-36)", () => {
		const urls = [
			"https://good.example\\@evil.example/",
			"https://evil.example/\\@good.example",
			"https:/evil.example/good.example",
			"https://evil.example#@good.example",
			"https://evil.example?@good.example",
			"https://evil.example%2F@good.example/",
			"https://EVIL。example/",
			"https://evil.example:443/good.example",
			"https://evil\u00ad.example/",
			"https://evil.example/\u202Egnp.exe",
			"https://evil.example/a b\tc",
			"\u0000 https://evil.example/",
		];
		for (const text of urls) {
			let read: ReturnType<typeof readUrl>;
			try {
				read = readUrl(text);
			} catch {
				continue;
			}
			const { href, view } = read;
			expect(view.before + view.host + view.after).toBe(href);
			expect(new URL(href).href).toBe(href);
			expect(href).toMatch(/^[\x21-\x7E]+$/);
		}
		expect(readUrl("https://EVIL。example/").view.host).toBe("evil.example");
	});
});
