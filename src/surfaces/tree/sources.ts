import type { Event } from "../../base/event.ts";
import type { PromptPins } from "../../features/prompts/promptMemory.ts";
import type { LiveResources } from "../../features/resources/live.ts";
import type { TemplateResults } from "../../features/resources/templates/templateMemory.ts";
import type { WatchedResource } from "../../features/resources/watchList.ts";
import type { Roots } from "../../servers/roots/roots.ts";
import type { OwnChanges } from "../../permissions/pinning/ownChanges.ts";
import type { RestartChanges } from "../../permissions/pinning/restartChanges.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { SourceWatch } from "../../servers/development/sourceWatch.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import type { SharedFiles } from "../../servers/otherHosts/sharedFiles.ts";
import type { ServerBills } from "../chat/turnBill.ts";
import type { SchemaRefusals } from "../../models/schemaRefusals.ts";
import type { ToolCosts } from "../../features/tools/toolCosts.ts";

import type { TaskChoices } from "../../features/tasks/taskChoices.ts";
import type { TaskRows } from "./taskRows.ts";

export type { ResourceState } from "../../features/resources/live.ts";
/** A resource as all surfaces name it: a server's id and the URI exactly as the server wrote it. */
export type ResourceKey = WatchedResource;

/** Resources that are open or watched. */
export type LiveStates = Pick<LiveResources, "stateOf" | "partsOf" | "answeredAs" | "onDidChange">;

/** Resources that were opened from templates. */
export type RememberedResults = Pick<TemplateResults, "of" | "onDidChange">;

type PinnedPrompts = Pick<PromptPins, "has" | "onDidChange">;

/** The relation of tools and instructions to the approved ones (src/pinning/pinnedDefinitions.ts). */
export interface DefinitionStates extends Pick<
	DefinitionPins,
	"stateOf" | "warningsOf" | "instructionChange" | "onDidChange"
> {
	/** The tools of a running server that are not what was approved. */
	changedTools(session: Session): readonly Tool[];
}

/** The parts of tools' definitions that models refused (src/models/schemaRefusals.ts). */
export type RefusalsOfModels = Pick<SchemaRefusals, "all">;

/** The usage of each server's data by models since the window opened (src/surfaces/chat/turnBill.ts). */
export type BillsOfServers = Pick<ServerBills, "of">;

/** The cost of tools for models, and their relation to models (src/features/tools/toolCosts.ts). */
export type CostsOfTools = Pick<ToolCosts, "of" | "isLazy" | "standingOf" | "whyHidden" | "onDidChange">;

/** The files that the editor's own host reads too (src/servers/otherHosts/sharedFiles.ts). */
export type SharedStates = Pick<
	SharedFiles,
	"access" | "answer" | "isEditorOn" | "isLeft" | "isShared" | "onDidChange"
>;

/** The findings about tools by the last check of their servers. */
export interface CheckedTools {
	/** Those about a tool, a sentence each. */
	ofTool(server: string, tool: string): readonly string[];
	readonly onDidChange: Event<{ readonly server: string }>;
}

/** The parts of the rows below a group. */
export interface ContentSources {
	readonly directory: { readonly sessions: readonly Session[]; readonly onDidChange: Event<void> };
	readonly live: LiveStates;
	readonly results: RememberedResults;
	readonly pins: PinnedPrompts;
	readonly definitions: DefinitionStates;
	readonly costs: CostsOfTools;
	readonly bills?: BillsOfServers;
	readonly refusals?: RefusalsOfModels;
	readonly roots: Roots;
	readonly sharedFiles: SharedStates;
	/** The source files of servers that changed since their start (src/servers/development/sourceWatch.ts). */
	readonly sources?: Pick<SourceWatch, "changedFile" | "onDidChange">;
	/** The changes by restarts of servers (src/permissions/pinning/restartChanges.ts). */
	readonly restarts?: Pick<RestartChanges, "of" | "onDidChange">;
	/** The servers whose changes the user trusts (src/permissions/pinning/ownChanges.ts). */
	readonly ownChanges?: Pick<OwnChanges, "has" | "onDidChange">;
	/** The findings of the last checks about tools (src/surfaces/doctor/checkedServers.ts). */
	readonly checked?: CheckedTools;
	/** How tools are called that can be called as tasks. */
	readonly taskChoices?: Pick<TaskChoices, "wantsTask" | "onDidChange">;
	/** *Running Tasks* (src/surfaces/tree/taskRows.ts). */
	readonly taskRows?: TaskRows;
}
