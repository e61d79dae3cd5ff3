// A server without dependencies: it speaks MCP line by line (specification 2025-06-18, "stdio").
import { createInterface } from "node:readline";

const tool = {
	name: "forecast",
	description: "Tells the weather of a city.",
	inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

function answer(method, params) {
	if (method === "initialize") {
		const { protocolVersion } = params;
		return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "weather", version: "1.0.0" } };
	}
	if (method === "tools/list") return { tools: [tool] };
	if (method === "tools/call") {
		const { WEATHER_TOKEN: token = "", WEATHER_UNITS: units = "" } = process.env;
		const words = [params.arguments.city, units, token, ...process.argv.slice(2)];
		return { content: [{ type: "text", text: `sunny: ${words.join(" ")}` }] };
	}
	return method === "ping" ? {} : undefined;
}

createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	const result = answer(method, params);
	const rest = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n`);
});
