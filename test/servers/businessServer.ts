/**
 * A server with very many tools over stdio: `node businessServer.ts [--tools n] [--log path]`. Each answers with its name and
 * the arguments that it got.
 */
import { ProtocolError, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { parseArgs } from "node:util";
import { businessTools } from "./businessTools.ts";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { values } = parseArgs({ options: { tools: { type: "string", default: "1000" }, log: { type: "string" } } });
const tools = businessTools(Number(values.tools));
const pageSize = 200;

recordStdio(recorderFromProcess());
serveStdio(() => {
	const server = new Server({ name: "business", version: "1.0.0" }, { capabilities: { tools: {} } });
	server.setRequestHandler("tools/list", ({ params }) => {
		const start = Number(params?.cursor ?? 0);
		const end = start + pageSize;
		return { tools: tools.slice(start, end), ...(end < tools.length ? { nextCursor: String(end) } : {}) };
	});
	server.setRequestHandler("tools/call", ({ params }) => {
		const { name, arguments: args } = params;
		if (!tools.some((tool) => tool.name === name)) throw new ProtocolError(-32602, `Unknown tool ${name}`);
		return { content: [{ type: "text", text: `${name} done with ${JSON.stringify(args ?? {})}` }] };
	});
	return server;
});
