import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { ConnectRequest } from "./connection.ts";
import type { Launch } from "./variables.ts";

/** A new transport to a remote server: Streamable HTTP, or the HTTP+SSE of revision 2024-11-05. */
export function makeHttpTransport(
	launch: Extract<Launch, { kind: "http" | "sse" }>,
	kind: "http" | "sse",
	_request: ConnectRequest,
): Transport {
	const url = new URL(launch.url);
	const requestInit = { headers: { ...launch.headers } };
	if (kind === "sse") return new SSEClientTransport(url, { requestInit });
	return new StreamableHTTPClientTransport(url, {
		requestInit,
		// The default gives up after two tries and leaves a session that hears nothing more (spec.md H10).
		reconnectionOptions: {
			maxRetries: 20,
			initialReconnectionDelay: 1000,
			maxReconnectionDelay: 30_000,
			reconnectionDelayGrowFactor: 1.5,
		},
	});
}
