import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { whenListed } from "../resources/catalog.ts";
import type { Resource, ResourceTemplate, Session } from "../servers/session.ts";
import { escapeHidden } from "./exactJson.ts";
import { hostToolNames, type HostTool } from "./hostTools.ts";
import { isForModels, offersResources, sessionOf, sessionsAsDirectory, uniqueName } from "./resourceSessions.ts";
import { wholeNumber } from "../results/resultReading.ts";

/** How many resources one answer names, and how many characters it may have. */
const mostRows = 60;
const mostCharacters = 16_000;
/** A longer address is none that a model could copy. */
const longestAddress = 4000;

/**
 * The tool by which a model looks through the resources and templates of the servers of the turn, as the host knows them.
 * It reaches no server, so nobody is asked.
 */
export function listResourcesTool(sessions: readonly Session[]): HostTool {
	const servers = sessions.filter(offersResources);
	return {
		kind: "local",
		tool: {
			name: hostToolNames.listResources,
			description:
				"Lists the resources and resource templates that servers offer for reading. Filter by server or by words; a long list goes on at offset.",
			inputSchema: {
				type: "object",
				properties: {
					server: { type: "string", enum: servers.map((session) => uniqueName(session, servers)) },
					query: { type: "string", description: "Words that names, URIs or descriptions have to contain" },
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
			const rest = next < found.length ? ` Those from ${start} to ${next} follow; go on at offset ${next}.` : "";
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
