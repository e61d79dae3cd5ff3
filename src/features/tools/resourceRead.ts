import { stringOf } from "../../base/guards.ts";
import type { JsonObject } from "../../base/json.ts";
import type { CallOptions, Session, Tool } from "../../servers/sessions/session.ts";
import type { ToolEntry, RawToolResult } from "../../permissions/catalog/catalog.ts";
import { resourceReadName } from "../../permissions/catalog/names.ts";

/** The same definition for every server, so that its cached data stays the same. */
const readTool: Tool = {
	name: resourceReadName,
	description: "Reads a resource of this server and returns its contents to the model.",
	inputSchema: {
		type: "object",
		properties: { uri: { type: "string", description: "The URI of the resource" } },
		required: ["uri"],
		additionalProperties: false,
	},
	annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The call that represents a read of a server's resource by a model or an app, with the argument `uri`. */
export function readEntry(session: Session): ToolEntry {
	return { session, tool: readTool, modelName: "read_resource", hidden: undefined, perform: readOf(session) };
}

function readOf(session: Session): (args: JsonObject, options: CallOptions) => Promise<RawToolResult> {
	return async ({ uri }, options) => {
		// Checked by the input schema, as all arguments are.
		const { contents } = await session.readResource(stringOf(uri), options);
		return { content: contents.map((resource) => ({ type: "resource", resource })) };
	};
}
