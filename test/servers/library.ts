/**
 * The library over stdio, or over Streamable HTTP when a port is given (0: any; the address is written to standard
 * output): `node library.ts [--era both|legacy|modern] [--resources n] [--tools n] [--prompts n] [--page-size n]
 * [--port n] [--log path]`. `legacy` is a server from before 2026-07-28, `modern` one that supports nothing older. See
 * `libraryServer.ts` for its features.
 */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { parseArgs } from "node:util";
import { startLibraryServer } from "./libraryHttp.ts";
import { libraryServer, type LibraryServer } from "./libraryServer.ts";
import { defaultLibrary, LibraryWorld } from "./libraryWorld.ts";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { values } = parseArgs({
	options: {
		era: { type: "string", default: "both" },
		resources: { type: "string", default: String(defaultLibrary.resources) },
		tools: { type: "string", default: String(defaultLibrary.tools) },
		prompts: { type: "string", default: String(defaultLibrary.prompts) },
		"page-size": { type: "string", default: String(defaultLibrary.pageSize) },
		port: { type: "string" },
		log: { type: "string" },
	},
});
const options = {
	resources: Number(values.resources),
	tools: Number(values.tools),
	prompts: Number(values.prompts),
	pageSize: Number(values["page-size"]),
};
const record = recorderFromProcess();

if (values.port !== undefined) {
	const speaks = values.era === "legacy" || values.era === "modern" ? values.era : "both";
	const { url } = await startLibraryServer({ ...options, speaks, port: Number(values.port), onReceived: record });
	process.stdout.write(`${url}\n`);
} else {
	const world = new LibraryWorld(options);
	let connection: LibraryServer | undefined;
	world.onNews((news) => void connection?.announce(news));
	const connect = (): LibraryServer["server"] => {
		connection = libraryServer(world);
		return connection.server;
	};
	recordStdio(record);
	if (values.era === "legacy") await connect().connect(new StdioServerTransport());
	else serveStdio(connect, { legacy: values.era === "modern" ? "reject" : "serve" });
}
