import { fingerprint } from "../pinning/fingerprint.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { resourceReadName, skillNameStart } from "../catalog/names.ts";
import { definitionNamed } from "../catalog/skillTool.ts";
import { describeTime, type ScopedGrant } from "./grant.ts";

/** Whether a grant is effective; undefined if that is unknown before its server runs. */
export interface GrantStatus {
	readonly counts: boolean | undefined;
	/** Why not, or its condition; empty when it applies. */
	readonly why: string;
}

/** The input for checking a grant. */
export interface GrantScene {
	readonly directory: Pick<SessionDirectory, "get">;
	readonly pins: Pick<DefinitionPins, "stateOf">;
	readonly isExpired: (grant: ScopedGrant) => boolean;
}

/** Whether a grant still applies to the server's current definition. A rule may be stricter all the same. */
export function statusOf(grant: ScopedGrant, { directory, pins, isExpired }: GrantScene): GrantStatus {
	const { covers, expiresAt } = grant;
	if (expiresAt !== undefined && isExpired(grant)) return no(`it ended ${describeTime(expiresAt)}`);
	const session = directory.get(grant.server);
	if (session === undefined) return no("its server is not configured here");
	if (covers.kind === "read-only")
		return covers.definition === session.definition.hash ? yes : no("the definition of the server changed");
	if (covers.tool === resourceReadName) return { counts: undefined, why: "checked at the next read" };
	if (session.state.kind !== "running") return { counts: undefined, why: "checked when the server runs" };
	const tool = definitionNamed(session, covers.tool);
	const what = covers.tool.startsWith(skillNameStart) ? "skill" : "tool";
	if (tool === undefined) return no(`the server no longer has this ${what}`);
	const isSame = fingerprint(session, tool) === covers.fingerprint;
	return isSame && pins.stateOf(session, tool).kind !== "changed" ? yes : no(`the ${what} has changed`);
}

const yes: GrantStatus = { counts: true, why: "" };

function no(why: string): GrantStatus {
	return { counts: false, why };
}
