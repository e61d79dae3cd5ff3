/**
 * Servers that break the protocol or their process, written without an SDK: `node faulty.ts <mode> [number] [--log
 * path]`. A mode that refuses to end ends itself after a minute nevertheless, so that a failing test leaves nothing
 * behind for long.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import type { JsonObject } from "../../src/base/json.ts";
import { legacyMethods, serveLines, textResult, tool, writeMessage, type Methods } from "./lineServer.ts";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { positionals } = parseArgs({ options: { log: { type: "string" } }, allowPositionals: true });
const [mode = "", amount] = positionals;
const record = recorderFromProcess();

/** The first argument of tests, and the fault of the server then. */
const modes = {
	/** By revision 2024-11-05: nothing is wrong except its age. */
	legacyOnly: () => serveLines(legacyMethods),
	/** Banner lines on standard output, before and between the messages. */
	noise() {
		process.stdout.write("Welcome to the noisy server!\n\n{ not json\n\u001B[32mready\u001B[0m\n");
		serveLines(
			override({
				"tools/list"() {
					process.stdout.write("GET tools/list 200\n");
					return { result: { tools: [tool("echo")] } };
				},
			}),
		);
	},
	/** Lines that are JSON, but not JSON-RPC, and unsolicited answers. */
	oddMessages() {
		process.stdout.write('null\n1\n[]\n{}\n"text"\n{"jsonrpc":"1.0","id":1,"result":{}}\n');
		writeMessage({ id: "nobody-asked", result: {} });
		serveLines(legacyMethods);
	},
	/** Writes the reason to standard error and ends at once. */
	exitAtOnce() {
		process.stderr.write("Error: the API key is missing.\nSet SMALL_API_KEY and start again.\n");
		process.exit(3);
	},
	/** Reads everything and never answers. */
	hang: () => serveLines({}, () => "silence"),
	/** Answers the legacy handshake and ignores unknown requests, such as server/discover. */
	hangDiscover: () => serveLines(legacyMethods, () => "silence"),
	/** Answers the legacy handshake and ignores unknown requests, such as server/discover. */
	exitOnDiscover: () => serveLines(legacyMethods, () => process.exit(1)),
	/** Ignores the end of its input and SIGTERM, and so does the process that it starts. */
	deaf() {
		const child = spawn(process.execPath, [import.meta.filename, "deafChild", ...process.argv.slice(3)], {
			stdio: "ignore",
		});
		if (child.pid !== undefined) record({ kind: "child", child: child.pid });
		stayDeaf();
		serveLines(legacyMethods);
	},
	/** The process that `deaf` starts. */
	deafChild: stayDeaf,
	/** Ignores the end of its input and SIGTERM, without a process of its own. */
	stubborn() {
		stayDeaf();
		serveLines(legacyMethods);
	},
	/** A chain as of npx: this process, a shell, and a stubborn server, which outlives a signal to this process alone. */
	wrapper() {
		const server = `"${process.execPath}" "${import.meta.filename}" stubborn ${process.argv.slice(3).join(" ")}`;
		const shell =
			process.platform === "win32"
				? spawn(server, { shell: true, stdio: "inherit" })
				: spawn("sh", ["-c", `${server}; exit $?`], { stdio: "inherit" });
		if (shell.pid !== undefined) record({ kind: "child", child: shell.pid });
		shell.on("exit", (code) => process.exit(code ?? 1));
	},
	/** Works until its tool `crash` is called. */
	crashLater: () =>
		serveLines(
			override({
				"tools/list": () => ({ result: { tools: [tool("echo"), tool("crash")] } }),
				"tools/call"({ name }) {
					if (name !== "crash") return textResult("still alive");
					process.stderr.write("panic: the fixture crashed as asked\n");
					return process.exit(7);
				},
			}),
		),
	/** Answers the handshake with an unknown revision. */
	badVersion: () =>
		serveLines(
			override({
				initialize: () => ({
					result: { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "old", version: "0" } },
				}),
			}),
		),
	/** Answers a tool call with one line of this many mebibytes. */
	hugeLine: () =>
		serveLines(override({ "tools/call": () => textResult("x".repeat(Number(amount ?? 11) * 1024 * 1024)) })),
	/** Lists one tool on each of infinitely many pages. */
	endlessPages: () =>
		serveLines(
			override({
				"tools/list"({ cursor }) {
					const page = Number(cursor ?? 0);
					return { result: { tools: [tool(`tool-${page}`)], nextCursor: String(page + 1) } };
				},
			}),
		),
	/** Returns the same page and the same cursor for ever. */
	repeatedCursor: () =>
		serveLines(override({ "tools/list": () => ({ result: { tools: [tool("echo")], nextCursor: "A" } }) })),
	/** Two pages, the second behind the cursor "", which is not the end. */
	emptyCursor: () =>
		serveLines(
			override({
				"tools/list": ({ cursor }) => ({
					result: cursor === "" ? { tools: [tool("second")] } : { tools: [tool("first")], nextCursor: "" },
				}),
			}),
		),
	/**
	 * Writes a mebibyte to standard error before it reads its input; writes to a pipe block, so for good if it is not
	 * read.
	 */
	stderrFlood() {
		process.stderr.write(`${"e".repeat(1023)}\n`.repeat(1024));
		serveLines(legacyMethods);
	},
	/** Announces a changed list of tools this many times in a row, after the handshake. */
	listChangedStorm: () =>
		serveLines(
			override({
				"notifications/initialized"() {
					const line = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';
					process.stdout.write(line.repeat(Number(amount ?? 10_000)));
					return "silence";
				},
			}),
		),
	/** Requests a sampling before the handshake is answered. */
	eager() {
		writeMessage({ id: "early", method: "sampling/createMessage", params: question("Early?") });
		serveLines(legacyMethods);
	},
	/** Requests a sampling half a second after its tool has answered, when no request is pending any more. */
	afterthought: () =>
		serveLines(
			override({
				"tools/call"() {
					const params = question("And now?");
					setTimeout(() => writeMessage({ id: "later", method: "sampling/createMessage", params }), 500);
					return textResult("I will come back to this.");
				},
			}),
		),
} satisfies Record<string, () => void>;

/** The name of a fault. */
export type FaultyMode = keyof typeof modes;

function override(methods: Methods): Methods {
	return { ...legacyMethods, ...methods };
}

/** The parameters of a sampling request for a few words. */
function question(text: string): JsonObject {
	return { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 10 };
}

/** Survives the end of the input and every polite signal, for a minute at most. */
function stayDeaf(): void {
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
		process.on(signal, () => record({ kind: "signal", signal }));
	}
	setTimeout(() => process.exit(9), 60_000);
}

if (!Object.hasOwn(modes, mode)) throw new Error(`No such mode: ${mode}. There are ${Object.keys(modes).join(", ")}.`);
// A wrapper passes its input on, so it must not read it.
if (mode !== "wrapper") recordStdio(record);
modes[mode as FaultyMode]();
