import { Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../src/base/json.ts";
import { callTool } from "./libraryCalls.ts";
import { complete } from "./libraryCompletion.ts";
import { readContents } from "./libraryContents.ts";
import { icons } from "./libraryMedia.ts";
import { listPrompts, promptCount, renderPrompt } from "./libraryPrompts.ts";
import { listResources, resourceCount } from "./libraryResources.ts";
import { resourceTemplates } from "./libraryTemplates.ts";
import { listTools, toolCount } from "./libraryTools.ts";
import type { LibraryNews, LibraryWorld } from "./libraryWorld.ts";

/** One connection to a library. */
export interface LibraryServer {
	readonly server: Server;
	/** Notifies the client of news, if it subscribed to them. */
	announce(news: LibraryNews): Promise<void>;
}

/**
 * A server with everything that users browse, open and fill in: very many resources of every shape, templates and
 * prompts with completion, forms and pages; for both eras. The special parts are in the files of the same name:
 * `libraryResources` (which URIs there are), `libraryContents`, `libraryTemplates`, `libraryCompletion`,
 * `libraryPrompts`, `libraryTools`, `libraryForms`.
 */
export function libraryServer(world: LibraryWorld): LibraryServer {
	const server = new Server(
		{ name: "library", title: "The Library", version: "1.0.0", icons: [icons.png] },
		{
			capabilities: {
				tools: { listChanged: true },
				resources: { listChanged: true, subscribe: true },
				prompts: { listChanged: true },
				completions: {},
			},
			instructions: "Books, notes and pages; call `change` to change them.",
		},
	);
	const subscribed = new Set<string>();
	const isModern = (): boolean => (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
	/** One page of a list of `count` items, of which only the page's are made. */
	const page = <T>(
		cursor: string | undefined,
		count: number,
		list: (world: LibraryWorld, start: number, end: number) => readonly T[],
	): { items: T[]; next: { nextCursor?: string } } => {
		const start = Number(cursor ?? 0);
		const end = start + world.options.pageSize;
		return { items: [...list(world, start, end)], next: end < count ? { nextCursor: String(end) } : {} };
	};

	server.setRequestHandler("tools/list", ({ params }) => {
		const { items, next } = page(params?.cursor, toolCount(world), listTools);
		return { tools: items, ...next };
	});
	server.setRequestHandler("tools/call", ({ params }, context) => {
		const tellUnasked = (uri: string): Promise<void> =>
			context.mcpReq.notify({ method: "notifications/resources/updated", params: { uri } });
		const caller = { isModern: isModern(), subscribed, tellUnasked };
		return callTool(world, caller, params.name, (params.arguments ?? {}) as JsonObject, context);
	});
	server.setRequestHandler("resources/list", ({ params }) => {
		const { items, next } = page(params?.cursor, resourceCount(world), listResources);
		return { resources: items, ...next };
	});
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
	server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => ({
		contents: await readContents(world, params.uri, mcpReq.signal),
	}));
	server.setRequestHandler("resources/subscribe", ({ params }) => {
		subscribed.add(params.uri);
		return {};
	});
	server.setRequestHandler("resources/unsubscribe", ({ params }) => {
		subscribed.delete(params.uri);
		return {};
	});
	server.setRequestHandler("prompts/list", ({ params }) => {
		const { items, next } = page(params?.cursor, promptCount(world), listPrompts);
		return { prompts: items, ...next };
	});
	server.setRequestHandler("prompts/get", ({ params }) => renderPrompt(params.name, params.arguments ?? {}));
	server.setRequestHandler("completion/complete", async ({ params }, { mcpReq }) => ({
		completion: await complete(params.ref, params.argument, params.context?.arguments ?? {}, mcpReq.signal),
	}));

	return {
		server,
		async announce(news) {
			switch (news.kind) {
				case "tools":
					return server.sendToolListChanged();
				case "prompts":
					return server.sendPromptListChanged();
				case "resources":
					return server.sendResourceListChanged();
				case "resource":
					// On a modern connection the serving side has the subscriptions, on a legacy one the server does;
					// there, the subscriber of a resource is notified of those below it as well.
					if (isModern() || [...subscribed].some((uri) => news.uri === uri || news.uri.startsWith(`${uri}/`))) {
						return server.sendResourceUpdated({ uri: news.uri });
					}
					return;
				case "elicitation":
					if (!isModern()) await server.createElicitationCompletionNotifier(news.id)();
			}
		},
	};
}
