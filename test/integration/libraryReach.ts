import type { SubscriptionFilter } from "@modelcontextprotocol/client";
import { resolve } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { startLibraryServer } from "../servers/libraryHttp.ts";
import { messagesOf, readReceived, type Received } from "../servers/received.ts";
import { scriptConfig } from "./fixtures.ts";
import type { TestHost } from "./testHost.ts";

/** A library by any transport: its configuration, its received messages, and how its connection is broken. */
export interface ReachedLibrary extends AsyncDisposable {
	readonly config: JsonObject;
	received(): readonly Received[];
	/** Has the server forget its clients: a process by the tool `exit`, over HTTP silently. */
	readonly breaks: "exit" | (() => void);
}

type Reach = (host: TestHost, resources?: number) => Promise<ReachedLibrary>;

/** Reaches a library in a process of its own. */
export function overStdio(era: "legacy" | "modern"): Reach {
	return async (host, resources = 200) => {
		const log = host.path("library.log");
		const script = resolve(import.meta.dirname, "../servers/library.ts");
		return {
			config: scriptConfig(script, "--era", era, "--log", log, "--resources", String(resources)),
			received: () => readReceived(log),
			breaks: "exit",
			async [Symbol.asyncDispose]() {},
		};
	};
}

function overHttp(speaks: "legacy" | "modern"): Reach {
	return async (_host, resources = 200) => {
		const server = await startLibraryServer({ speaks, resources });
		return {
			config: { url: server.url },
			received: () => server.received,
			breaks() {
				server.loseSessions();
				server.dropConnections();
			},
			[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
		};
	};
}

/** The library in both eras and over both transports. */
export const libraryReaches: readonly {
	readonly name: string;
	readonly era: "legacy" | "modern";
	readonly reach: Reach;
}[] = [
	{ name: "stdio, legacy", era: "legacy", reach: overStdio("legacy") },
	{ name: "stdio, modern", era: "modern", reach: overStdio("modern") },
	{ name: "Streamable HTTP, legacy", era: "legacy", reach: overHttp("legacy") },
	{ name: "Streamable HTTP, modern", era: "modern", reach: overHttp("modern") },
];

/** The resources that a server watches for its clients now, each as often as it was subscribed to. */
export function subscribedAt(received: readonly Received[]): readonly string[] {
	// A new session or process has no subscription.
	const opened = received.findLastIndex((entry) => messagesOf([entry], "initialize").length > 0);
	const since = received.slice(opened + 1);
	const uris = (method: string): readonly string[] =>
		messagesOf(since, method).map(({ params }) => (params as { readonly uri: string }).uri);
	const left = [...uris("resources/subscribe")];
	for (const uri of uris("resources/unsubscribe")) left.splice(left.indexOf(uri), 1);
	return [...left, ...listenedAt(received)];
}

/** Since revision 2026-07-28 the last subscription request names all resources. */
function listenedAt(received: readonly Received[]): readonly string[] {
	const filters = messagesOf(received, "subscriptions/listen").map(
		({ params }) => (params as { readonly notifications: SubscriptionFilter }).notifications,
	);
	return (
		filters.findLast(({ resourceSubscriptions }) => resourceSubscriptions !== undefined)?.resourceSubscriptions ?? []
	);
}
