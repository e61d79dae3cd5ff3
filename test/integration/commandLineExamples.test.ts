import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { writeTrace } from "../../src/records/trace/traceFile.ts";
import { smallConfig } from "./fixtures.ts";
import { project, shell } from "./commandLineScene.ts";
import { TestHost } from "./testHost.ts";

/** The lines of the shell in the documentation that run the script, each once. */
const examples = [
	...new Set(
		["docs/command-line.md", "docs/named-calls.md"].flatMap((page) =>
			[...readFileSync(page, "utf8").matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, lines = ""]) =>
				lines.split("\n").filter((line) => line.startsWith("mcp-host ")),
			),
		),
	),
];

/** A folder in which an example can be run: servers, named calls of the one that it allows, and a recording. */
async function exampleFolder(line: string): Promise<string> {
	const demo = { command: process.execPath, args: [path.resolve("dist/demoServer.js")] };
	const folder = project(undefined, { travel: demo, shop: demo });
	const server = /--allow (\w+)/.exec(line)?.[1] ?? "travel";
	const calls = { version: 1, calls: { "Has a list": { server, resource: "travel://preferences/packing-list" } } };
	writeFileSync(path.join(folder, ".vscode/mcp-calls.json"), JSON.stringify(calls));
	await using host = new TestHost();
	host.traceLevel = "bodies";
	await host.run("recorded", smallConfig("legacy"));
	const options = { contents: "contents", host: "test", now: 0, home: homedir() } as const;
	const { text } = writeTrace(host.trace, { ...options, redactor: { redact: (one) => one } });
	writeFileSync(path.join(folder, "recording.jsonl"), text);
	return folder;
}

it("are in the documentation", () => {
	expect(examples.length).toBeGreaterThan(6);
});

it.each(examples)("runs as documented: %s (DOC-10)", async (line) => {
	const folder = await exampleFolder(line);
	const { code, out, errors } = await shell(line, folder);
	expect({ code, errors }, out).toEqual({ code: 0, errors: "" });
	const file = />\s*(\S+)$/.exec(line)?.[1];
	// They speak the protocol on standard output, and end with their input.
	if (/ (?:mock|serve)\b/.test(line)) return;
	expect(file === undefined ? out : readFileSync(path.join(folder, file), "utf8")).not.toBe("");
});
