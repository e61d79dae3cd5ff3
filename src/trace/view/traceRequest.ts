import { isJsonObject } from "../../base/json.ts";
import { filterOf } from "../filterWords.ts";

/** What a person asked to see of the trace. */
export interface TraceRequest {
	readonly filter: string;
	/** Whether they are led to the newest exchange that is found. */
	readonly toNewest: boolean;
}

/** The names of servers by their ids. */
export interface ServerNames {
	get(id: string): { readonly definition: { readonly name: string } } | undefined;
}

/**
 * Reads the argument of the command: a node of the tree, or `{server, tool, prompt, uri, filter}` from a link, a key binding
 * or another extension, each of which may be absent. What is not understood asks for the whole trace.
 */
export function readTraceRequest(value: unknown, directory: ServerNames): TraceRequest {
	if (!isJsonObject(value)) return { filter: "", toNewest: false };
	if (typeof value["filter"] === "string") return { filter: value["filter"], toNewest: true };
	const server = value["server"];
	const name = typeof server === "string" ? (directory.get(server)?.definition.name ?? server) : undefined;
	const target = targetOf(value);
	const filter = filterOf({
		...(name === undefined ? {} : { server: name }),
		...(target === undefined ? {} : { target }),
	});
	return { filter, toNewest: target !== undefined };
}

/** The tool, prompt or resource; a node of the tree holds a tool itself. */
function targetOf({ tool, prompt, uri }: Readonly<Record<string, unknown>>): string | undefined {
	if (isJsonObject(tool) && typeof tool["name"] === "string") return tool["name"];
	return [tool, prompt, uri].find((one) => typeof one === "string");
}
