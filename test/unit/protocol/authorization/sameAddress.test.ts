import { describe, expect, test } from "vitest";
import { isPartOf, isSameAddress, shownAddress } from "../../../../src/protocol/authorization/sameAddress.ts";

describe("an address", () => {
	test.each([
		["https://a.example", "https://a.example/"],
		["https://a.example/tenant", "https://a.example/tenant/"],
		["https://A.example:443/tenant", "https://a.example/tenant"],
		["https://a.example/%7Etenant", "https://a.example/%7Etenant/"],
		["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
	])("%s is %s", (one, other) => {
		expect(isSameAddress(one, other)).toBe(true);
		expect(isSameAddress(other, one)).toBe(true);
	});

	test.each([
		["https://a.example", "http://a.example"],
		["https://a.example", "https://b.example"],
		["https://a.example", "https://a.example:8443"],
		["https://a.example", "https://a.example.evil.example"],
		["https://a.example", "https://a.example/tenant"],
		["https://a.example/tenant", "https://a.example/tenants"],
		["https://a.example/tenant", "https://a.example/tenant//"],
		["https://a.example/tenant", "https://a.example/TENANT"],
		["https://a.example", "https://user@a.example"],
		["https://user@a.example", "https://user@a.example"],
		["https://a.example", "https://a.example/#x"],
		["https://a.example", "https://a.example/?x"],
		["http://127.0.0.1:80", "http://localhost:80"],
		["https://a.example", ""],
		["", ""],
		["about:blank", "about:blank"],
	])("%s is not %s", (one, other) => {
		expect(isSameAddress(one, other)).toBe(false);
		expect(isSameAddress(other, one)).toBe(false);
	});

	test("is part of another one by whole segments of one origin", () => {
		const isIn = (server: string) => (resource: string) => isPartOf(server, resource);
		expect(
			["https://a.example", "https://a.example/", "https://a.example/v1", "https://a.example/v1/mcp/"].every(
				isIn("https://a.example/v1/mcp?key=1"),
			),
		).toBe(true);
		expect(
			[
				"https://a.example/v",
				"https://a.example/v1/mcp/x",
				"https://a.example/v1/mcp//",
				"http://a.example/v1/mcp",
				"https://a.example:1/v1/mcp",
				"https://x@a.example/v1/mcp",
				"https://a.example/v1/mcp?key=2",
			].some(isIn("https://a.example/v1/mcp?key=1")),
		).toBe(false);
	});

	test("is shown in full, without its secrets", () => {
		expect(shownAddress("https://me:pw@a.example:8443/tenant/?key=1#x")).toBe("https://a.example:8443/tenant/");
		expect(shownAddress("https://a.example")).toBe("https://a.example");
		expect(shownAddress("https://a.example/")).toBe("https://a.example/");
		expect(shownAddress("nothing\n\u202E")).toBe("“nothing \\u202E”, which is not an address");
	});
});
