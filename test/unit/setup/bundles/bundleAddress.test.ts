import { describe, expect, it } from "vitest";
import { bundleAddress, droppedBundles } from "../../../../src/setup/bundles/bundleAddress.ts";

describe("the address of a bundle (BND-06)", () => {
	it.each(["https://example.com/a.mcpb", "http://127.0.0.1:3000/a.mcpb", "http://localhost/a", "http://[::1]/a"])(
		"may be that of another machine over https, or one of this machine: %s",
		(text) => {
			expect(bundleAddress(text)).toEqual(new URL(text));
		},
	);

	it.each([
		["http://example.com/a.mcpb", "not encrypted (http)"],
		["https://user:secret@example.com/a", "a user name or a password"],
		["file:///etc/passwd", "https URLs only"],
		["data:,a", "https URLs only"],
		["a.mcpb", "not a URL"],
	])("is refused with the reason: %s", (text, reason) => {
		expect(bundleAddress(text)).toContain(reason);
	});

	it.each([
		"http://127.0.0.1/a",
		"https://127.1.2.3/a",
		"http://2130706433/a",
		"https://localhost:8443/a",
		"https://x.localhost/a",
		"https://localhost./a",
		"https://[::1]/a",
		"https://[::ffff:127.0.0.1]/a",
	])("of another machine leads to nothing of this one: %s", (text) => {
		expect(bundleAddress(text, true)).toBe("it points to an address on this machine");
	});

	it.each(["https://0.0.0.0/a", "https://169.254.169.254/a", "https://[fd00:ec2::254]/a"])(
		"of another machine leads to no address that nobody needs: %s",
		(text) => {
			expect(bundleAddress(text, true)).toMatch(/^it points to .*, which is an address that nothing on the web needs/);
		},
	);
});

it("Dropped items are bundles by their addresses, and nothing else (BND-07)", () => {
	const list = [
		"# from a browser",
		"file:///home/me/a%20b.mcpb",
		"https://example.com/c.DXT?x=1",
		"file:///home/me/a%20b.mcpb",
		"file:///home/me/readme.md",
		"mcphost-resource:/a.mcpb",
		"javascript:alert(1)//a.mcpb",
		"",
	].join("\r\n");
	expect(droppedBundles(list)).toEqual(["file:///home/me/a%20b.mcpb", "https://example.com/c.DXT?x=1"]);
	expect(droppedBundles("file:///a.mcpb\n".repeat(100_000))).toHaveLength(1);
	expect(droppedBundles(Array.from({ length: 50 }, (_, index) => `file:///${index}.mcpb`).join("\n"))).toHaveLength(5);
});
