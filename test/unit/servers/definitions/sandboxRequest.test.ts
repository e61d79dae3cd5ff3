import { describe, expect, it } from "vitest";
import type { ParsedConfig } from "../../../../src/servers/definitions/config.ts";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../../src/servers/review/review.ts";
import { noSandbox } from "../../../../src/servers/definitions/sandboxRequest.ts";
import { workspaceOrigin } from "../fixtures.ts";

const command = '"command": "node"';

function parse(text: string): ParsedConfig {
	return parseConfig({ origin: workspaceOrigin, content: { text } });
}

/** The texts at the problems of a configuration, with their severity and the server. */
function problemsOf(text: string): readonly unknown[] {
	return parse(text).problems.map(({ range, severity, server, message }) => {
		expect(message).toBe(noSandbox);
		return [range && text.slice(range.offset, range.offset + range.length), severity, server];
	});
}

describe("An entry that requests a sandbox (CFG-30)", () => {
	it("has a warning in its file, and is still read", () => {
		const text = `{"servers": {"a": {${command}, "sandboxEnabled": true}, "b": {${command}, "sandbox": {"network": {}}}}}`;
		expect(problemsOf(text)).toEqual([
			["true", "warning", "a"],
			['"sandbox"', "warning", "b"],
		]);
		expect(parse(text).definitions.map(({ name }) => name)).toEqual(["a", "b"]);
	});

	it("is not one that turns the sandbox off, or that is turned off itself", () => {
		for (const off of [`"sandboxEnabled": false`, `"sandbox": false`, `"sandbox": null`])
			expect(problemsOf(`{"servers": {"a": {${command}, ${off}}}}`)).toEqual([]);
		expect(problemsOf(`{"servers": {"a": {${command}, "sandboxEnabled": true, "disabled": true}}}`)).toEqual([]);
	});

	it("is not a remote server, of which nothing runs here", () => {
		const remote = '"url": "https://example.com/mcp"';
		expect(problemsOf(`{"sandbox": {}, "servers": {"a": {${remote}, "sandboxEnabled": true}}}`)).toEqual([]);
	});

	it("counts for a whole file if the file itself has the rules of one", () => {
		expect(problemsOf(`{"sandbox": {"filesystem": {}}, "servers": {"a": {${command}}}}`)).toEqual([
			['"sandbox"', "warning", undefined],
		]);
		// Reported once, where it is requested.
		expect(problemsOf(`{"sandbox": {}, "servers": {"a": {${command}, "sandboxEnabled": true}}}`)).toEqual([
			["true", "warning", "a"],
		]);
	});

	it("has a warning in the review of the server, and of no other", () => {
		const { definitions } = parse(
			`{"servers": {"a": {${command}, "sandboxEnabled": true}, "b": {${command}}, "c": {${command}, "sandbox": {}}}}`,
		);
		expect(definitions.map((definition) => reviewServer(definition, undefined).warnings)).toEqual([
			[noSandbox],
			[],
			[noSandbox],
		]);
	});

	it("applies rules of a file only to servers that request them, so that an approval is not requested again", () => {
		const [plain] = parse(`{"servers": {"a": {${command}}}}`).definitions;
		const [asking] = parse(`{"servers": {"a": {${command}, "sandboxEnabled": true}}}`).definitions;
		expect(asking?.hash).toBe(plain?.hash);
	});
});
