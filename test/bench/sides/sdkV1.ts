import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { commandOf } from "./commandOf.ts";
import { connectEach, readPages, type Client, type Side } from "../side.ts";

const timeout = 600_000;

/** The client of the SDK's first generation over its own transports. */
export const sdkV1: Side = {
	connect: (servers, { onLog } = {}) =>
		connectEach(servers, async (server) => {
			const client = new SdkClient({ name: "sdk-v1", version: "1" });
			if (onLog !== undefined) client.setNotificationHandler(LoggingMessageNotificationSchema, () => onLog());
			const transport =
				server.kind === "stdio"
					? new StdioClientTransport({ ...commandOf(server.args), stderr: "ignore" })
					: new StreamableHTTPClientTransport(new URL(server.url));
			await client.connect(transport, { timeout });
			return { client: clientOf(client), close: () => client.close() };
		}),
};

function clientOf(client: SdkClient): Client {
	return {
		callTool: (name, args) => client.callTool({ name, arguments: args }, undefined, { timeout }),
		async readText(uri) {
			const { contents } = await client.readResource({ uri }, { timeout });
			const [first] = contents;
			return first !== undefined && "text" in first ? first.text.length : 0;
		},
		list: (kind, onPage) =>
			readPages(async (cursor) => {
				const params = cursor === undefined ? {} : { cursor };
				if (kind === "tools") {
					const { tools, nextCursor } = await client.listTools(params, { timeout });
					return { count: tools.length, nextCursor };
				}
				const { resources, nextCursor } = await client.listResources(params, { timeout });
				return { count: resources.length, nextCursor };
			}, onPage),
	};
}
