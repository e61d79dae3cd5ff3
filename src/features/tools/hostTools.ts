import type { JsonObject } from "../../base/json.ts";
import type { ModelPart, ModelTool } from "../../models/model.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";

/** What a tool of the host tells the model, and the user in one line of ours. */
export interface HostToolAnswer {
	readonly content: readonly ModelPart[];
	readonly isError: boolean;
	/** Such as `Searched 1,000 tools for "weather": 6 found`. Untrusted parts are on one line and capped. */
	readonly note: string;
}

/**
 * A tool that the host itself offers to models, such as the search for tools. `local` ones reach no server, so nobody is
 * asked. `call` ones stand for a request to a server and go the way of every call: policy, question, log of requests.
 */
export type HostTool = { readonly tool: ModelTool } & (
	| { readonly kind: "local"; run(args: JsonObject, signal: AbortSignal): Promise<HostToolAnswer> }
	| {
			readonly kind: "call";
			/** What is called with which arguments, or what is wrong with what the model wrote. */
			resolve(
				args: JsonObject,
			): { readonly entry: ToolEntry; readonly arguments: JsonObject } | { readonly problem: string };
	  }
);
