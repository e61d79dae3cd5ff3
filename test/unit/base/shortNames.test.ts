import { describe, expect, it } from "vitest";
import * as library from "../../../src/base/glob.ts";
import { compile } from "../../../src/base/globs.ts";
import { readValue } from "../../../src/base/readings.ts";

function fitOf(pattern: string, value: string): string {
	const compiled = compile(pattern, "value", library);
	if ("problem" in compiled) throw new Error(compiled.problem);
	return compiled.glob(readValue(value));
}

/** Short names by https://learn.microsoft.com/windows-server/administration/windows-commands/fsutil-8dot3name. */
describe("A short name of 8.3 in an argument", () => {
	it.each([
		["C:/Users/Ann Smith/**", String.raw`C:\Users\ANNSMI~1\a.txt`],
		["**/.ssh/**", String.raw`C:\Users\me\SSH~1\id_rsa`],
		["**/credentials.json", String.raw`C:\work\CREDEN~2.JSO`],
		["**/Program Files/**", String.raw`\\?\C:\PROGRA~1\a`],
		["**/{secrets,private-keys}/**", String.raw`D:\PRIVAT~1\a`],
		// The fifth of a kind has four characters that Windows computes.
		["**/customer data/**", String.raw`D:\CU3F2A~1\a`],
		["C:/Users/Ann Smith/customer data/**", "file:///C:/Users/ANNSMI~1/CUSTOM~1/a"],
	])("is denied like the name in %s: %s", (pattern, value) => {
		expect(fitOf(pattern, value)).toBe("some");
		// It gives no permission, and neither does the opposite.
		expect(fitOf(`!${pattern}`, value)).toBe("some");
	});

	it.each([
		["**/.ssh/**", String.raw`C:\Users\RUNNER~1\AppData\Local\Temp\a`],
		["**/credentials.json", String.raw`C:\work\CREDEN~1.TXT`],
		["**/secrets/**", "/home/me/notes~1/a"],
		["**/*secret*", String.raw`C:\PROGRA~1\a`],
	])("is nothing else than %s names: %s", (pattern, value) => {
		expect(fitOf(pattern, value)).toBe("none");
	});

	it("is read in a time that grows with the length", () => {
		const pattern = "**/{secret a,secret b,secret c,secret d}/**";
		expect(fitOf(pattern, "SECRET~1/".repeat(20_000))).toBe("some");
	});
});
