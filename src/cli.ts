#!/usr/bin/env node
/**
 * MCP Host without an editor: `mcp-host <command> …`. Each command is loaded when it is used. The file is in the
 * folder of the extension, so a build runs the installed version and needs no other installation.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Terminal } from "./surfaces/namedCalls/commandLine/testCommand.ts";

/** The minimum major version of Node with all used features: that of VS Code. */
const leastNode = 22;

const usage = `Usage: mcp-host <command>

  test FILE…    runs the named calls of files; "mcp-host test --help" shows the options
  check NAME…   checks what servers do against the protocol; "mcp-host check --help" shows the options
  mock FILE     serves a recorded trace as a server; "mcp-host mock --help" shows the options
  serve         offers the servers of your open VS Code window to another agent; "mcp-host serve --help" shows more
`;

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

const terminal: Terminal = {
	folder: process.cwd(),
	environment: process.env,
	version: versionOf(),
	signal: stopped.signal,
	write: (text) => void process.stdout.write(text),
	writeError: (text) => void process.stderr.write(text),
};

process.exitCode = await main(process.argv.slice(2));

/** Runs a command; resolves with the exit code. */
async function main([command, ...args]: readonly string[]): Promise<number> {
	const { node } = process.versions;
	if (Number.parseInt(node, 10) < leastNode) {
		terminal.writeError(`MCP Host's command line needs Node ${leastNode} or newer. This is Node ${node}.\n`);
		return 2;
	}
	if (command === "test") {
		const { testCommand } = await import("./surfaces/namedCalls/commandLine/testCommand.ts");
		return testCommand(args, terminal);
	}
	if (command === "check") {
		const { checkCommand } = await import("./surfaces/doctor/commandLine/checkCommand.ts");
		return checkCommand(args, terminal);
	}
	if (command === "mock") {
		const { mockCommand } = await import("./records/trace/mockCommand.ts");
		return mockCommand(args, { ...terminal, input: process.stdin });
	}
	if (command === "serve") {
		const { serveCommand } = await import("./surfaces/bridge/commandLine/serveCommand.ts");
		return serveCommand(args, terminal);
	}
	const isHelp = command === "--help" || command === "help";
	if (isHelp) terminal.write(usage);
	else terminal.writeError(usage);
	return isHelp ? 0 : 2;
}

function versionOf(): string {
	const manifest = readFileSync(resolve(import.meta.dirname, "..", "package.json"), "utf8");
	const { version }: { readonly version: string } = JSON.parse(manifest);
	return version;
}
