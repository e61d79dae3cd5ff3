import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { ToolPolicy } from "../../permissions/policy/verdict.ts";

/** The services that decide about tool calls, for all callers. */
export interface Deciding {
	readonly directory: SessionDirectory;
	readonly policy: ToolPolicy;
	readonly pins: DefinitionPins;
	/** Makes the policy read its rules again: the current ones decide about runs. */
	readonly refreshRules: () => Promise<void>;
	/** Where the steps of calls are recorded; nowhere if absent. */
	readonly notes?: ActivityNotes;
}
