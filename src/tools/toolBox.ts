import type { ModelTool } from "../models/model.ts";
import type { Session } from "../servers/session.ts";
import type { ToolEntry } from "./catalog.ts";
import type { HostTool } from "./hostTools.ts";

/** The tools of one turn, as they are now: asked anew in every round, since servers come and go. */
export interface ToolBox {
	/** The running servers of the turn, without those that the person left out. */
	readonly sessions: readonly Session[];
	/** What the model is told of in this round, in a stable order, so that providers' prompt caches hold. */
	readonly offered: readonly ModelTool[];
	/** What a name of the model stands for. A tool whose definition was not loaded yet is found all the same. */
	find(modelName: string): { readonly entry: ToolEntry } | { readonly hostTool: HostTool } | undefined;
}
