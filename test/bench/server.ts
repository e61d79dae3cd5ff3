/** The bench's server: answers at once, so that what is measured is the client. Run by Node; speaks revision 2025-11-25. */
import { createInterface } from "node:readline";

const tools = [
	{ name: "echo", inputSchema: { type: "object" } },
	{ name: "large", inputSchema: { type: "object" } },
];

for await (const line of createInterface({ input: process.stdin })) {
	const message = JSON.parse(line) as {
		id?: number;
		method?: string;
		params?: { name?: string; arguments?: { bytes?: number } };
	};
	if (message.id === undefined) continue;
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer(message) })}\n`);
}

function answer({
	method = "",
	params,
}: {
	method?: string;
	params?: { name?: string; arguments?: { bytes?: number } };
}): object {
	switch (method) {
		case "initialize":
			return {
				result: {
					protocolVersion: "2025-11-25",
					capabilities: { tools: {} },
					serverInfo: { name: "bench", version: "1" },
				},
			};
		case "tools/list":
			return { result: { tools } };
		case "tools/call": {
			const text = params?.name === "large" ? "x".repeat(params.arguments?.bytes ?? 0) : "ok";
			return { result: { content: [{ type: "text", text }] } };
		}
		default:
			return { error: { code: -32601, message: "Method not found" } };
	}
}
