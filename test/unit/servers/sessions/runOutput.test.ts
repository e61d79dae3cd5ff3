import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { programName } from "../../../../src/protocol/stdio/launchers.ts";
import type { Launch } from "../../../../src/protocol/launch.ts";
import { RunOutput } from "../../../../src/servers/sessions/runOutput.ts";

const launch = (command: string): Launch => ({
	kind: "stdio",
	command,
	args: [],
	env: {},
	envFile: undefined,
	cwd: "/",
});

/** The output of a run, and the text of its row. */
function output(command: string, ending = new AbortController()) {
	const notes: string[] = [];
	const made = new RunOutput({
		launch: launch(command),
		onLine: () => undefined,
		redact: (text) => text.replaceAll("s3cret", "⟦key⟧"),
		onWaiting: (note) => void notes.push(note),
		signal: ending.signal,
	});
	return { output: made, notes, end: () => ending.abort() };
}

const gone = new HostError("not-connected", "The server exited with code 1.");

describe("A start that waits for a download (DOC-02)", () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it.each([
		[
			"/usr/bin/npx",
			"npm warn exec The following package was not found and will be installed: a@1",
			"downloading with npx…",
		],
		["uvx.exe", "Downloading cryptography (4.2MiB)", "downloading with uvx…"],
		["docker", "Unable to find image 'a/b:latest' locally", "downloading with docker…"],
	])("is shown as soon as %s reports it", (command, line, note) => {
		const { output: run, notes } = output(command);
		run.write(`${line}\nand more\n${line}\n`);
		vi.advanceTimersByTime(60_000);
		expect(notes).toEqual([note]);
	});

	it("is only suggested after a silence", () => {
		const { notes } = output("npx");
		vi.advanceTimersByTime(2900);
		expect(notes).toEqual([]);
		vi.advanceTimersByTime(200);
		expect(notes).toEqual(["npx may be downloading the package…"]);
	});

	it("is not shown for other programs, nor after the end", () => {
		const node = output("node");
		const ended = output("npx");
		ended.end();
		vi.advanceTimersByTime(60_000);
		expect([...node.notes, ...ended.notes]).toEqual([]);
	});
});

describe("A failure (DOC-01)", () => {
	it("shows the reason before the event, with the last lines and without secrets", () => {
		const { output: run } = output("node");
		run.write("started with s3cret\nError: ACME_API_KEY is required\n");
		run.addNoise("\u001B[32mHello s3cret\u001B[0m");
		run.addNoise("second");
		expect(run.failure(gone, false)).toMatchObject({
			kind: "failed",
			message: expect.stringMatching(/^ACME_API_KEY is not set.* The server exited with code 1\.$/),
			stderr: ["started with ⟦key⟧", "Error: ACME_API_KEY is required"],
			noise: "Hello ⟦key⟧",
			cause: { kind: "missing-value", what: "The server exited with code 1." },
		});
	});

	it("quotes the most informative line of an unknown one", () => {
		const { output: run } = output("node");
		run.write("loading\nError: the moon is in the wrong phase\n    at x.js:1:2\n");
		expect(run.failure(gone, false).message).toBe(
			"Its last output was: “Error: the moon is in the wrong phase”. The server exited with code 1.",
		);
		expect(run.failure(gone, true).message).toBe("The server exited with code 1.");
	});

	it("of a slow start mentions that its launcher may be the reason", () => {
		const late = new HostError("timeout", "The server did not answer the handshake within 60 s.");
		expect(output("npx").output.failure(late, false).message).toMatch(/60 s\. npx may still have been downloading\./);
		expect(output("node").output.failure(late, false).message).toBe(late.message);
	});

	it("is only that of the last process", () => {
		const { output: run } = output("node");
		run.write("Error: first\n");
		run.addNoise("first");
		run.clear();
		expect(run.failure(gone, false)).toEqual({ kind: "failed", message: "The server exited with code 1.", stderr: [] });
	});
});

it("A program is recognised by its name", () => {
	expect(["/usr/bin/npx", "C:\\x\\npx.cmd", "npx"].map(programName)).toEqual(["npx", "npx", "npx"]);
});
