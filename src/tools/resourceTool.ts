import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { templatesMatching } from "../resources/templateSearch.ts";
import type { CallOptions, Session, Tool } from "../servers/session.ts";
import type { ToolEntry } from "./catalog.ts";
import { hostToolNames, type HostTool } from "./hostTools.ts";
import { isForModels, offersResources, sessionOf, sessionsAsDirectory, uniqueName } from "./resourceSessions.ts";
import type { RawToolResult } from "../results/result.ts";

/** The name under which rules, grants and questions know a read that a model asks for. No tool of a server is offered by it. */
export const resourceReadName = "resources/read";

/** The same definition for every server, so that what is remembered of it stays the same. */
const readTool: Tool = {
	name: resourceReadName,
	description: "Reads a resource of this server and gives its contents to the model.",
	inputSchema: {
		type: "object",
		properties: { uri: { type: "string", description: "The URI of the resource" } },
		required: ["uri"],
		additionalProperties: false,
	},
	annotations: { readOnlyHint: true, openWorldHint: false },
};

/** What reading by a model needs to know. */
export interface ResourceToolContext {
	/** The servers of the turn. */
	readonly sessions: readonly Session[];
	/** Whether a result of this server named the resource. Servers may link to what they do not list (spec.md T8). */
	readonly isLinked: (session: Session, uri: string) => boolean;
}

/**
 * The tool by which a model reads resources. Each read is a call like any other: policy, question and ledger. It goes to
 * the server that the model names, whatever the scheme of the URI, and only for URIs that are this server's own: nothing is
 * read from disk or network (security.md TOL-17, RES-01).
 */
export function readResourceTool(context: ResourceToolContext): HostTool {
	const servers = context.sessions.filter(offersResources);
	return {
		kind: "call",
		tool: {
			name: hostToolNames.readResource,
			description:
				"Reads a resource of a server by its URI: one that list_resources tells, one that fits a template listed there, or one that a tool's result links to.",
			inputSchema: {
				type: "object",
				properties: {
					server: { type: "string", enum: servers.map((session) => uniqueName(session, servers)) },
					uri: { type: "string", description: "The URI, exactly as it was given" },
				},
				required: ["server", "uri"],
				additionalProperties: false,
			},
		},
		resolve({ server, uri }) {
			if (typeof server !== "string" || typeof uri !== "string") return { problem: "server and uri have to be texts." };
			const session = sessionOf(server, servers);
			if (session === undefined) return { problem: `No server named "${oneLine(server, 80)}" offers resources.` };
			const problem = whyNotRead(session, uri, context);
			return problem === undefined ? { entry: readEntry(session), arguments: { uri } } : { problem };
		},
	};
}

/** The call that stands for a read. */
function readEntry(session: Session): ToolEntry {
	return { session, tool: readTool, modelName: "read_resource", hidden: undefined, perform: readOf(session) };
}

function readOf(session: Session): (args: JsonObject, options: CallOptions) => Promise<RawToolResult> {
	return async ({ uri }, options) => {
		// Checked by the input schema, as all arguments are.
		const { contents } = await session.readResource(uri as string, options);
		return { content: contents.map((resource) => ({ type: "resource", resource })) };
	};
}

function whyNotRead(session: Session, uri: string, { isLinked }: ResourceToolContext): string | undefined {
	const listed = session.resources.get(uri);
	const server = oneLine(session.definition.name);
	if (listed !== undefined) {
		return isForModels(listed) ? undefined : `${server} means this resource for the person only.`;
	}
	const templates = templatesMatching(sessionsAsDirectory([session]), uri);
	if (isLinked(session, uri) || templates.some(({ template }) => isForModels(template))) return undefined;
	// What was not listed to the end may hold it.
	const { status, items } = session.resources;
	const isPartial = status.kind !== "ready" || status.truncated !== undefined;
	if (isPartial && items.some((resource) => schemeOf(resource.uri) === schemeOf(uri))) return undefined;
	return `${server} lists no resource ${oneLine(uri)}, has no template for it, and no result of it links to it. See list_resources.`;
}

function schemeOf(uri: string): string {
	return uri.slice(0, uri.indexOf(":") + 1).toLowerCase();
}
