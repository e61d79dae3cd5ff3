import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { MockServer } from "./mockServer.ts";
import { readTrace } from "./readTraceFile.ts";

/** The arguments of `mock`. */
export const mockUsage = `Usage: mcp-host mock FILE [--server NAME]

  Serves a recorded trace over standard input and output, as an MCP server: a request that equals a recorded one gets the
  recorded answer. FILE is a trace that was exported with its contents; NAME says which server of it, if there are several.
`;

/** Where the command reads and writes. */
export interface MockTerminal {
	readonly input: NodeJS.ReadableStream;
	readonly write: (text: string) => void;
	readonly writeError: (text: string) => void;
}

/** Serves a recording until the input ends. Resolves with the exit code: 0, or 2 where it cannot be served. */
export async function mockCommand(args: readonly string[], terminal: MockTerminal): Promise<number> {
	const [file, option, name, ...more] = args;
	if (file === "--help") {
		terminal.write(mockUsage);
		return 0;
	}
	if (
		file === undefined ||
		(option !== undefined && (option !== "--server" || name === undefined)) ||
		more.length > 0
	) {
		terminal.writeError(mockUsage);
		return 2;
	}
	try {
		const { exchanges } = readTrace(await readFile(file, "utf8")).trace;
		const names = [...new Set(exchanges.map(({ serverName }) => serverName))];
		const served = name ?? names[0] ?? "";
		if (name === undefined ? names.length > 1 : !names.includes(name)) {
			const known = names.map((one) => oneLine(one, 80)).join(", ");
			terminal.writeError(`Choose the server to mock with --server NAME. The recording contains: ${known}\n`);
			return 2;
		}
		await serve(
			exchanges.filter(({ serverName }) => serverName === served),
			served,
			terminal,
		);
		return 0;
	} catch (error) {
		terminal.writeError(`${oneLine(file)} cannot be served: ${messageOf(error)}\n`);
		return 2;
	}
}

async function serve(
	exchanges: ConstructorParameters<typeof MockServer>[0]["exchanges"],
	name: string,
	terminal: MockTerminal,
): Promise<void> {
	const mock = new MockServer({ exchanges, name, send: (message) => terminal.write(`${JSON.stringify(message)}\n`) });
	for await (const line of createInterface({ input: terminal.input })) {
		let message: unknown;
		try {
			message = JSON.parse(line);
		} catch {
			continue;
		}
		// The next message may be the answer that this one waits for.
		void mock.receive(message);
	}
}
