import type { JsonObject } from "../../base/json.ts";
import type { ModelPart, ModelTool } from "../../models/model.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";

/** The result of a host's tool for the model, and for the user in one line of ours. */
export interface HostToolAnswer {
	readonly content: readonly ModelPart[];
	readonly isError: boolean;
	/** Such as `Searched 1,000 tools for "weather": 6 found`. Untrusted parts are on one line and capped. */
	readonly note: string;
}

/** The tool and arguments of a call, or the problem of the model's input. */
export type HostCall = { readonly entry: ToolEntry; readonly arguments: JsonObject } | { readonly problem: string };

/**
 * A tool that the host itself offers to models, such as the search for tools. `local` ones reach no server, so the user
 * is not asked. `call` ones represent a request to a server and are handled as every call: policy, question, log of
 * requests.
 */
export type HostTool = { readonly tool: ModelTool } & (
	| { readonly kind: "local"; run(args: JsonObject, signal: AbortSignal): Promise<HostToolAnswer> }
	| {
			readonly kind: "call";
			/** The call; where it is not known yet, its server may be asked. */
			resolve(args: JsonObject, signal: AbortSignal): HostCall | Promise<HostCall>;
	  }
);
