/**
 * A server of results, of every kind and shape, over stdio: `node resultServer.ts [--era both|legacy|modern] [--log path]`.
 * Its tools are in resultTools.ts.
 */
import { ProtocolError, ResourceNotFoundError, Server, type CallToolResult } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { parseArgs } from "node:util";
import { recorderFromProcess, recordStdio } from "./received.ts";
import { oddContent, oddPlace, resultTools, tripResources } from "./resultTools.ts";

const { values } = parseArgs({ options: { era: { type: "string", default: "both" }, log: { type: "string" } } });

function resultServer(): Server {
	const server = new Server({ name: "results", version: "1.0.0" }, { capabilities: { tools: {}, resources: {} } });
	server.setRequestHandler("tools/list", () => ({
		tools: Object.entries(resultTools).map(([name, { tool }]) => Object.assign({ name }, tool)),
	}));
	server.setRequestHandler("tools/call", ({ params }) => {
		const found = resultTools[params.name];
		if (found === undefined) throw new ProtocolError(-32602, `Unknown tool ${params.name}`);
		const canary = params.arguments?.["canary"];
		const told = JSON.stringify(found.result).replaceAll("{canary}", typeof canary === "string" ? canary : "x:");
		return JSON.parse(told) as CallToolResult;
	});
	server.setRequestHandler("resources/list", () => ({ resources: [...tripResources] }));
	server.setRequestHandler("resources/read", ({ params: { uri } }) => {
		if (uri === "trips://unlisted" || tripResources.some((resource) => resource.uri === uri)) {
			return { contents: [{ uri, mimeType: "text/plain", text: `The contents of ${uri}` }] };
		}
		throw new ResourceNotFoundError(uri);
	});
	return server;
}

/** The SDK sends nothing that breaks the protocol, so placeholders are replaced on their way out. */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text: string | Uint8Array, ...rest: never[]): boolean =>
	write(typeof text === "string" ? text.replace(JSON.stringify(oddPlace), JSON.stringify(oddContent)) : text, ...rest);

recordStdio(recorderFromProcess());
if (values.era === "legacy") await resultServer().connect(new StdioServerTransport());
else serveStdio(resultServer, { legacy: values.era === "modern" ? "reject" : "serve" });
