import type { JsonObject } from "../../base/json.ts";
import { findTool } from "../runner/findTool.ts";
import type { CallOptions, Session, SessionDirectory, Tool } from "../../servers/sessions/session.ts";
import { entryOf, promptEntry } from "../../features/tools/requestEntries.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { resourceReadName } from "../../permissions/catalog/names.ts";
import { contentOf, type ToolResult, structuredOf } from "../../features/tools/results/result.ts";
import type { CallAnswer } from "./checkAnswer.ts";
import type { CallTarget } from "./namedCall.ts";
import { jsonObjectOf, stringOf } from "../../base/guards.ts";

/** The same definition for every server, so that a grant stays bound to it. */
const resourceTool: Tool = {
	name: resourceReadName,
	description: "Reads a resource of this server for a named call.",
	inputSchema: {
		type: "object",
		properties: { uri: { type: "string" } },
		required: ["uri"],
		additionalProperties: false,
	},
	annotations: { readOnlyHint: true, openWorldHint: false },
};

/** A request as policy, user and server see it. */
export interface Request {
	readonly entry: ToolEntry;
	readonly arguments: JsonObject;
}

/**
 * The request of a named call to a running server. Other requests are handled as tool calls: rules, grants and the user
 * decide about them under the names of their methods. Rejects as `findTool` does.
 */
export async function requestOf(
	target: CallTarget,
	session: Session,
	directory: SessionDirectory,
	signal: AbortSignal,
): Promise<Request> {
	switch (target.kind) {
		case "tool":
			return {
				entry: await findTool(directory, session.definition.id, target.name, signal),
				arguments: target.arguments,
			};
		case "prompt":
			return {
				entry: promptEntry(session),
				arguments: { name: target.name, arguments: target.arguments },
			};
		case "resource":
			return { entry: entryOf(session, resourceTool, readResource(session)), arguments: { uri: target.uri } };
	}
}

type Perform = NonNullable<ToolEntry["perform"]>;

function readResource(session: Session): Perform {
	return async ({ uri }, options: CallOptions) => {
		const result = await session.readResource(stringOf(uri), options);
		return { content: result.contents.map((resource) => ({ type: "resource", resource })), structuredContent: result };
	};
}

/** The answer to a request, as expectations see it. */
export function answerOf({ kind }: CallTarget, { isError, raw, problems }: ToolResult): CallAnswer {
	const text = contentOf(raw)
		.flatMap(({ block }) => textOf(jsonObjectOf(block)))
		.join("\n");
	const whole = structuredOf(raw);
	return kind === "tool"
		? { isError, text, structuredContent: whole, result: jsonObjectOf(raw), problems }
		: { isError, text, structuredContent: undefined, result: whole ?? null, problems };
}

function textOf({ type, text, resource }: JsonObject): readonly string[] {
	const found = type === "resource" ? jsonObjectOf(resource)["text"] : text;
	return (type === "text" || type === "resource") && typeof found === "string" ? [found] : [];
}
