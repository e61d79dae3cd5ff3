import type { ServerDefinition } from "../definitions/config.ts";
import type { RefusedState } from "../sessions/session.ts";
import type { Approvals } from "./approvals.ts";
import type { SwitchedOff } from "./switchedOff.ts";

/** The users' decisions about servers. */
export interface Decided {
	readonly approvals: Pick<Approvals, "isApproved" | "former">;
	readonly switchedOff: Pick<SwitchedOff, "has">;
}

/** The other conditions for a server to start. */
export interface Circumstances {
	/** Whether the user left the servers of a place to VS Code's own MCP host. */
	readonly isLeft?: (origin: ServerDefinition["origin"]) => boolean;
	readonly isWorkspaceTrusted: () => boolean;
}

/**
 * Why a server may not start, be contacted, or have its variables resolved now, as its state; undefined when it may.
 * The only judge of this: code that starts, probes or resolves asks the host, which asks here. An untrusted workspace
 * takes precedence over approvals: nothing of it runs, even if it was approved before (CFG-01, CFG-26).
 */
export function whyNotStart(
	definition: ServerDefinition,
	{ approvals, switchedOff }: Decided,
	{ isLeft, isWorkspaceTrusted }: Circumstances,
): RefusedState | undefined {
	if (switchedOff.has(definition)) return { kind: "off" };
	if (isLeft?.(definition.origin) === true) return { kind: "left-to-editor" };
	if ((definition.origin.isWorkspace || definition.place !== undefined) && !isWorkspaceTrusted())
		return { kind: "needs-approval", reason: "the workspace is not trusted" };
	if (approvals.isApproved(definition)) return undefined;
	const former = approvals.former(definition)?.hash;
	const changed = former === definition.hash ? ": its files or roots changed" : ": the definition changed";
	return { kind: "needs-approval", reason: `unapproved${former === undefined ? "" : changed}` };
}
