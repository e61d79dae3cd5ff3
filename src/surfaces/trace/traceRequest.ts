import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import { filterOf } from "../../records/trace/filterWords.ts";

/** The user's request to the trace. */
export interface TraceRequest {
	readonly filter: string;
	/** Whether they are led to the newest exchange that is found. */
	readonly toNewest: boolean;
	/** The id of the exchange that they are led to. */
	readonly exchange?: number;
}

/** The names of servers by their ids. */
export interface ServerNames {
	get(id: string): { readonly definition: { readonly name: string } } | undefined;
}

/**
 * Reads the argument of the command: the name of an exchange, a node of the tree, or `{server, tool, prompt, uri,
 * filter, exchange}` from a link, a key binding or another extension, each of which may be absent. An unknown argument
 * requests the whole trace.
 * @throws HostError `invalid` when the exchange is no longer in the trace of this window.
 */
export function readTraceRequest(
	value: unknown,
	directory: ServerNames,
	trace: Pick<TraceReader, "find">,
): TraceRequest {
	const named = isJsonObject(value) ? value["exchange"] : value;
	if (typeof named === "string") {
		const exchange = trace.find(named);
		if (exchange !== undefined) return { filter: "", toNewest: false, exchange };
		throw new HostError(
			"invalid",
			"This exchange is no longer in the trace. Each window keeps only the latest exchanges, until it is closed.",
		);
	}
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
