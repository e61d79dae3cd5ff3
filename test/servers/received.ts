import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Json, JsonObject } from "../../src/base/json.ts";

/** An event of a fixture server; its log file holds one of these per line. */
export type Received = { readonly pid: number } & (
	| { readonly kind: "start"; readonly cwd: string; readonly args: readonly string[] }
	| { readonly kind: "message"; readonly message: JsonObject }
	| { readonly kind: "end" } // its standard input was closed
	| { readonly kind: "signal"; readonly signal: string }
	| { readonly kind: "child"; readonly child: number } // it started a process of its own
	| {
			readonly kind: "http";
			readonly method: string;
			readonly path: string;
			readonly headers: Readonly<Record<string, string>>;
			readonly body?: Json;
	  }
);

/** Distributes over the union, unlike `Omit`. */
type WithoutPid<T> = T extends unknown ? Omit<T, "pid"> : never;

/** Records the events of a server. */
export type Recorder = (entry: WithoutPid<Received>) => void;

/**
 * Records to a file, so that nothing is lost however the process ends. The path comes from the argument `--log`,
 * otherwise from the environment variable MCP_TEST_LOG; without either, nothing is kept.
 */
export function recorderFromProcess(): Recorder {
	const { values } = parseArgs({ options: { log: { type: "string" } }, strict: false, allowPositionals: true });
	const path = typeof values.log === "string" ? values.log : process.env["MCP_TEST_LOG"];
	if (path === undefined) return () => undefined;
	return (entry) => appendFileSync(path, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
}

/** Records a stdio server's start, each message on its standard input, and the end of it. */
export function recordStdio(record: Recorder): void {
	record({ kind: "start", cwd: process.cwd(), args: process.argv.slice(2) });
	onLines(process.stdin, (line) => {
		const message = parse(line);
		if (message !== undefined) record({ kind: "message", message });
	});
	process.stdin.on("end", () => record({ kind: "end" }));
}

/** Calls back for every whole line of a stream of UTF-8 text. */
export function onLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
	let rest = "";
	// Not `setEncoding`: others read the same stream and expect bytes.
	const decoder = new TextDecoder();
	stream.on("data", (chunk: Buffer) => {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) onLine(line);
	});
}

/** Everything that servers wrote to a log file so far; a half-written last line is left for later. */
export function readReceived(path: string): readonly Received[] {
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
	return lines.map((line) => JSON.parse(line) as Received);
}

/** The messages of one method in a log, oldest first. */
export function messagesOf(entries: readonly Received[], method: string): readonly JsonObject[] {
	return entries
		.map((entry) => (entry.kind === "message" ? entry.message : entry.kind === "http" ? entry.body : undefined))
		.filter((message): message is JsonObject => isMessage(message) && message["method"] === method);
}

/** The process ids in a log: of the servers that started and of the processes that they started. */
export function processesOf(entries: readonly Received[]): readonly number[] {
	const ids = entries.map((entry) => (entry.kind === "child" ? entry.child : entry.pid));
	return [...new Set(ids)];
}

function isMessage(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(line: string): JsonObject | undefined {
	try {
		return JSON.parse(line) as JsonObject;
	} catch {
		return undefined;
	}
}
