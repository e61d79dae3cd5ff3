import { Client as SdkClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { commandOf } from "./commandOf.ts";
import { eagerTree, type ListedItem, type ReadItems } from "./eagerTree.ts";
import { connectEach, readPages, type Client, type Side } from "../side.ts";

const timeout = 600_000;
/** Above every message of the bench; the SDK's own cap of 10 MiB closes the connection. */
const maxBufferSize = 2 ** 30;

/** The client of the SDK's second generation, bare, over its own transports. */
export const sdkV2: Side = {
	connect: (servers, { asksEra = false, onLog } = {}) =>
		connectEach(servers, async (server) => {
			const client = new SdkClient(
				{ name: "sdk-v2", version: "1" },
				asksEra ? { versionNegotiation: { mode: "auto" } } : {},
			);
			if (onLog !== undefined) client.setNotificationHandler("notifications/message", () => onLog());
			await client.connect(
				server.kind === "stdio"
					? new StdioClientTransport({ ...commandOf(server.args), stderr: "ignore", maxBufferSize })
					: new StreamableHTTPClientTransport(new URL(server.url)),
				{ timeout },
			);
			return { client: clientOf(client), close: () => client.close() };
		}),
};

function clientOf(client: SdkClient): Client {
	return {
		callTool: (name, args) => client.callTool({ name, arguments: args }, { timeout }),
		async readText(uri) {
			const { contents } = await client.readResource({ uri }, { timeout });
			const [first] = contents;
			return first !== undefined && "text" in first ? first.text.length : 0;
		},
		list: (kind, onPage) =>
			readPages(async (cursor) => {
				const { items, nextCursor } = await readItems(client, kind, cursor);
				return { count: items.length, nextCursor };
			}, onPage),
		openTree: (onPage) => eagerTree((kind, cursor) => readItems(client, kind, cursor), onPage),
	};
}

/** Page by page: the SDK's own walk over all pages gives up after 64. */
async function readItems(...[client, kind, cursor]: [SdkClient, ...Parameters<ReadItems>]): ReturnType<ReadItems> {
	const params = cursor === undefined ? {} : { cursor };
	if (kind === "tools") {
		const { tools, nextCursor } = await client.request({ method: "tools/list", params }, { timeout });
		return { items: tools as readonly ListedItem[], nextCursor };
	}
	const { resources, nextCursor } = await client.request({ method: "resources/list", params }, { timeout });
	return { items: resources as readonly ListedItem[], nextCursor };
}
