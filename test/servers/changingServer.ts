/**
 * A server that a file describes, and that changes with it: `node changingServer.ts --file path [--log path]`. The file
 * holds `{ "instructions": "…", "tools": […] }` and is read at every start and listing; when it is rewritten, the
 * server announces that its tools changed. Calls are answered with the tool's name. Speaks both eras.
 */
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readFileSync, watchFile } from "node:fs";
import { parseArgs } from "node:util";
import type { Tool } from "../../src/servers/sessions/session.ts";
import { recorderFromProcess, recordStdio } from "./received.ts";

/** The content of the file. */
export interface ChangingDefinition {
	readonly instructions?: string;
	readonly tools: readonly Tool[];
}

const { values } = parseArgs({ options: { file: { type: "string" }, log: { type: "string" } } });
const file = values.file ?? "";
const read = (): ChangingDefinition => JSON.parse(readFileSync(file, "utf8")) as ChangingDefinition;

let connection: Server | undefined;
/** How often the file is read, in milliseconds. */
const interval = 100;
watchFile(file, { interval, persistent: false }, () => void connection?.sendToolListChanged());
recordStdio(recorderFromProcess());
serveStdio(() => {
	const { instructions } = read();
	const capabilities = { tools: { listChanged: true } };
	const options = instructions === undefined ? { capabilities } : { capabilities, instructions };
	const server = new Server({ name: "changing", version: "1.0.0" }, options);
	server.setRequestHandler("tools/list", () => ({ tools: [...read().tools] }));
	server.setRequestHandler("tools/call", ({ params }) => ({
		content: [{ type: "text", text: `${params.name} answered` }],
	}));
	connection = server;
	return server;
});
