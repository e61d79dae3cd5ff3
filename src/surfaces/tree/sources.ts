import type { Event } from "../../base/event.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { RootsRemark } from "../../servers/roots/roots.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { Root, Session, Tool } from "../../servers/sessions/session.ts";
import type { SharedFiles } from "../../servers/otherHosts/sharedFiles.ts";
import type { ServerBills } from "../chat/turnBill.ts";
import type { SchemaRefusals } from "../../models/schemaRefusals.ts";
import type { ToolCosts } from "../../features/tools/toolCosts.ts";

/** A resource as all surfaces name it: a server's id and the URI exactly as the server wrote it. */
export interface ResourceKey {
	readonly server: string;
	readonly uri: string;
}

/** How a resource stands in this window. */
export interface ResourceState {
	/** The person watches it. */
	readonly isWatched: boolean;
	/** It is open in an editor. */
	readonly isOpen: boolean;
	/** It changed since it was last looked at. */
	readonly isChanged: boolean;
}

/** Resources that are open or watched (src/features/resources/live.ts). */
export interface LiveStates {
	stateOf(resource: ResourceKey): ResourceState;
	/** The several contents of the last read; none when it gave one, or nothing was read yet. */
	partsOf(
		resource: ResourceKey,
	): readonly { readonly uri: string; readonly mimeType: string | undefined; readonly size: number }[];
	/** The URI under which the server answered, where it is another than the one that was asked for. */
	answeredAs(resource: ResourceKey): string | undefined;
	readonly onDidChange: Event<ResourceKey>;
}

/** Resources that were opened from templates (src/resources/templateResults.ts). */
export interface RememberedResults {
	/** Newest first. */
	of(server: string, uriTemplate: string): readonly { readonly uri: string }[];
	readonly onDidChange: Event<{ readonly server: string; readonly uriTemplate: string }>;
}

/** The prompts that the person pinned (src/prompts/pins.ts). */
export interface PinnedPrompts {
	has(server: string, prompt: string): boolean;
	readonly onDidChange: Event<void>;
}

/** How tools and instructions stand to what the person approved of them (src/pinning/pinnedDefinitions.ts). */
export interface DefinitionStates extends Pick<
	DefinitionPins,
	"stateOf" | "warningsOf" | "instructionChange" | "onDidChange"
> {
	/** The tools of a running server that are not what was approved. */
	changedTools(session: Session): readonly Tool[];
}

/** What models refused of the definitions of tools (src/models/schemaRefusals.ts). */
export type RefusalsOfModels = Pick<SchemaRefusals, "all">;

/** What was sent to models of each server since the window opened (src/surfaces/chat/turnBill.ts). */
export type BillsOfServers = Pick<ServerBills, "of">;

/** What tools cost models, and how they stand to them (src/features/tools/toolCosts.ts). */
export type CostsOfTools = Pick<ToolCosts, "of" | "isLazy" | "standingOf" | "whyHidden" | "onDidChange">;

/** What each server may see of the workspace (src/roots/roots.ts). */
export interface ServerRoots {
	of(definition: ServerDefinition): readonly Root[];
	/** A line of ours about them, such as that the person chose them. */
	remark(definition: ServerDefinition): RootsRemark | undefined;
	readonly onDidChange: Event<void>;
}

/** The files that the editor's own host reads too (src/servers/otherHosts/sharedFiles.ts). */
export type SharedStates = Pick<SharedFiles, "answer" | "isEditorOn" | "isLeft" | "isShared" | "onDidChange">;

/** What the rows below a group are made of. */
export interface ContentSources {
	readonly directory: { readonly sessions: readonly Session[]; readonly onDidChange: Event<void> };
	readonly live: LiveStates;
	readonly results: RememberedResults;
	readonly pins: PinnedPrompts;
	readonly definitions: DefinitionStates;
	readonly costs: CostsOfTools;
	readonly bills?: BillsOfServers;
	readonly refusals?: RefusalsOfModels;
	readonly roots: ServerRoots;
	readonly sharedFiles: SharedStates;
}
