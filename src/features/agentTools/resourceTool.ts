import { escapeHidden } from "../../base/exactJson.ts";
import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { whenListed } from "../resources/listed.ts";
import { templatesMatching } from "../resources/templates/templateSearch.ts";
import type { Resource, ResourceTemplate, Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { HostCall, HostTool } from "../tools/hostTools.ts";
import { hostToolNames } from "../../permissions/catalog/names.ts";
import { readEntry } from "../tools/resourceRead.ts";
import { wholeNumber } from "../tools/results/resultReading.ts";

/** The data that reading by a model needs. */
export interface ResourceToolContext {
	/** The servers of the turn. */
	readonly sessions: readonly Session[];
	/** Whether a result of this server named the resource. Servers may link to unlisted resources. */
	readonly isLinked: (session: Session, uri: string) => boolean;
	/** The name under which the caller has the tool that lists resources; that of the chat where it is absent. */
	readonly listTool?: string;
}

/** A tool of the host that knows its call at once. */
interface ResourceTool extends Pick<HostTool, "tool"> {
	readonly kind: "call";
	resolve(args: JsonObject): HostCall;
}

/**
 * The tool by which a model reads resources. Each read is a call like any other: policy, question and log of requests.
 * It goes to the server that the model names, with any scheme, and only for that server's own URIs: nothing is read
 * from disk or network (TOL-17, RES-01).
 */
export function readResourceTool(context: ResourceToolContext): ResourceTool {
	const servers = context.sessions.filter(offersResources);
	return {
		kind: "call",
		tool: {
			name: hostToolNames.readResource,
			description: `Read a resource of a server by its URI. Use a URI that ${context.listTool ?? hostToolNames.listResources} returned, one that matches a template listed there, or one that a tool result links to.`,
			inputSchema: {
				type: "object",
				properties: {
					server: { type: "string", enum: servers.map((session) => uniqueName(session, servers)) },
					uri: { type: "string", description: "The URI, exactly as listed or linked" },
				},
				required: ["server", "uri"],
				additionalProperties: false,
			},
		},
		resolve({ server, uri }) {
			if (typeof server !== "string" || typeof uri !== "string") return { problem: "server and uri must be strings." };
			const session = sessionOf(server, servers);
			if (session === undefined) return { problem: `No server named "${oneLine(server, 80)}" offers resources.` };
			const problem = whyNotRead(session, uri, context);
			return problem === undefined ? { entry: readEntry(session), arguments: { uri } } : { problem };
		},
	};
}

function whyNotRead(
	session: Session,
	uri: string,
	{ isLinked, listTool = hostToolNames.listResources }: ResourceToolContext,
): string | undefined {
	const listed = session.resources.get(uri);
	const server = oneLine(session.definition.name);
	if (listed !== undefined) {
		return isForModels(listed) ? undefined : `${server} marks this resource as for the user only.`;
	}
	const templates = templatesMatching(sessionsAsDirectory([session]), uri);
	if (isLinked(session, uri) || templates.some(({ template }) => isForModels(template))) return undefined;
	// An incomplete list may hold it.
	const { status, items } = session.resources;
	const isPartial = status.kind !== "ready" || status.truncated !== undefined;
	if (isPartial && items.some((resource) => schemeOf(resource.uri) === schemeOf(uri))) return undefined;
	return `${server} does not list the resource ${oneLine(uri)}, has no template that matches it, and did not link to it in a result. Call ${listTool} to see what is available.`;
}

function schemeOf(uri: string): string {
	return uri.slice(0, uri.indexOf(":") + 1).toLowerCase();
}

/** Whether a server has resources or templates to read. */
export function offersResources({ state, resources, resourceTemplates }: Session): boolean {
	return state.kind === "running" && (resources.items.length > 0 || resourceTemplates.items.length > 0);
}

/** The name of a server for a model: its name, or its id if several have the same name. */
export function uniqueName({ definition }: Session, among: readonly Session[]): string {
	const named = among.filter((other) => other.definition.name === definition.name);
	return named.length > 1 ? definition.id : definition.name;
}

/** The server that a model means. */
export function sessionOf(name: string, among: readonly Session[]): Session | undefined {
	return among.find((session) => uniqueName(session, among) === name);
}

/** Whether a server means a resource or a template for models, too; without an audience it does. */
export function isForModels({ annotations }: Pick<Resource | ResourceTemplate, "annotations">): boolean {
	const audience = annotations?.audience;
	return audience === undefined || audience.length === 0 || audience.includes("assistant");
}

/** Only these sessions, for a reader of a directory. */
export function sessionsAsDirectory(sessions: readonly Session[]): SessionDirectory {
	return {
		sessions,
		onDidChange: () => ({ dispose: () => undefined }),
		get: (id) => sessions.find(({ definition }) => definition.id === id),
	};
}

/** How many resources one answer names, and how many characters it may have. */
const mostRows = 60;
const mostCharacters = 16_000;
/** A model could not copy a longer address. */
const longestAddress = 4000;

/**
 * The tool by which a model searches the resources and templates of the servers of the turn, as the host knows them. It
 * reaches no server, so the user is not asked.
 */
export function listResourcesTool(sessions: readonly Session[]): HostTool {
	const servers = sessions.filter(offersResources);
	return {
		kind: "local",
		tool: {
			name: hostToolNames.listResources,
			description:
				"List the resources and resource templates that servers offer. Filter by server or by words. Use offset to continue a long list.",
			inputSchema: {
				type: "object",
				properties: {
					server: { type: "string", enum: servers.map((session) => uniqueName(session, servers)) },
					query: { type: "string", description: "Words that the name, URI or description must contain" },
					offset: { type: "integer", minimum: 0 },
				},
				additionalProperties: false,
			},
		},
		async run({ server, query, offset }, signal) {
			const chosen = typeof server === "string" ? sessionOf(server, servers) : undefined;
			if (typeof server === "string" && chosen === undefined) {
				const text = `No server named "${oneLine(server, 80)}" offers resources.`;
				return { isError: true, content: [{ type: "text", text }], note: text };
			}
			const among = chosen === undefined ? servers : [chosen];
			await whenListed(sessionsAsDirectory(among), "resources", signal);
			const typed = typeof query === "string" ? query.trim() : "";
			const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
			const rows = among.flatMap((session) => rowsOf(session, uniqueName(session, servers)));
			const found = rows.filter(({ searched }) => words.every((word) => searched.includes(word)));
			const start = wholeNumber(offset) ?? 0;
			const shown = fitting(
				found.slice(start, start + mostRows).map(({ value }) => escapeHidden(JSON.stringify(value))),
			);
			const next = start + shown.length;
			const total = found.length.toLocaleString("en-US");
			const about = words.length === 0 ? "" : ` matching "${oneLine(typed, 60)}"`;
			const rest = next < found.length ? ` Entries ${start} to ${next} follow. Continue at offset ${next}.` : "";
			return {
				isError: false,
				content: [{ type: "text", text: `(${total} resources and templates${about}.${rest})\n${shown.join("\n")}` }],
				note: `Listed ${shown.length} of ${total} resources and templates${about}`,
			};
		},
	};
}

interface Row {
	readonly value: JsonObject;
	/** In lower case. */
	readonly searched: string;
}

function rowsOf(session: Session, server: string): readonly Row[] {
	const row = (address: JsonObject, about: Resource | ResourceTemplate): Row => {
		const { title, name, description, mimeType } = about;
		const value = {
			server,
			...address,
			name: oneLine(title ?? name, 100),
			...(mimeType === undefined ? {} : { mimeType: oneLine(mimeType, 60) }),
			...(description === undefined ? {} : { description: oneLine(description, 200) }),
		};
		return { value, searched: JSON.stringify(value).toLowerCase() };
	};
	return [
		...session.resources.items
			.filter((resource) => isForModels(resource) && resource.uri.length <= longestAddress)
			.map((resource) => row({ uri: resource.uri }, resource)),
		...session.resourceTemplates.items
			.filter((template) => isForModels(template) && template.uriTemplate.length <= longestAddress)
			.map((template) => row({ uriTemplate: template.uriTemplate }, template)),
	];
}

/** The first rows, as many as an answer may hold; at least one. */
function fitting(rows: readonly string[]): readonly string[] {
	let left = mostCharacters;
	return rows.filter((row, index) => (left -= row.length) >= 0 || index === 0);
}
