import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { findSkill, listedSkills, skillCall } from "../../features/skills/skillLoad.ts";
import type { ToolApprovals } from "../../features/tools/approval.ts";
import { runCall, type ToolCallEvent, type ToolOutcome } from "../../features/tools/call.ts";
import type { Deciding } from "../../features/tools/deciding.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { JsonObject } from "../../base/json.ts";
import { findServer } from "../../servers/sessions/findServer.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";

/** A skill that was named after `@mcp /skill`, by its URI or name. */
export interface SkillQuery {
	readonly session: Session;
	readonly skill: string;
}

/** How `/skill` is written. */
export const skillUsage = "Write /skill server name, /skill server uri, /skill name, or /skill alone to choose.";

/**
 * Reads what was typed after `/skill`: a server and a skill, or a skill that one running server lists. Undefined for an
 * empty text.
 * @throws HostError `invalid` or `not-connected` for one that leads to no running server.
 */
export function parseSkillQuery(directory: SessionDirectory, text: string): SkillQuery | undefined {
	const typed = text.trim();
	if (typed === "") return undefined;
	const [, quoted, bare, second] = /^(?:"([^"]+)"|(\S+))(?:\s+(\S+))?$/.exec(typed) ?? [];
	const first = quoted ?? bare;
	if (first === undefined) throw new HostError("invalid", skillUsage);
	if (second !== undefined) return { session: running(findServer(directory, first)), skill: second };
	const found = listedSkills(directory).filter(({ skill }) => skill.uri === first || skill.frontmatter.name === first);
	const [only, ...others] = found;
	if (only !== undefined && others.length === 0) return { session: only.session, skill: only.skill.uri };
	const why = only === undefined ? "No running server lists the skill" : "There are several skills";
	throw new HostError("invalid", `${why} ${oneLine(first)}. ${skillUsage}`);
}

function running(session: Session): Session {
	if (session.state.kind === "running") return session;
	const name = oneLine(session.definition.name);
	throw new HostError("not-connected", `The server "${name}" is not running. Start it to use its skills.`);
}

/** The message that loads a skill by `/skill`: the server by its name where only one has it, otherwise by its id. */
export function skillQueryOf({ sessions }: SessionDirectory, { session, skill }: SkillQuery): string {
	const { id, name } = session.definition;
	const isPlain = !name.includes('"') && sessions.filter(({ definition }) => definition.name === name).length === 1;
	return `@mcp /skill "${isPlain ? name : id}" ${skill}`;
}

/**
 * The call that loads a skill.
 * @throws HostError `limit` when it cannot be used, `invalid` when there is none such, and as `Session.getSkill` does.
 */
export async function loadOf(
	{ session, skill }: SkillQuery,
	signal: AbortSignal,
): Promise<{ readonly entry: ToolEntry; readonly arguments: JsonObject }> {
	const call = skillCall(session, await findSkill(session, skill, signal));
	if ("problem" in call) throw new HostError("limit", call.problem);
	return call;
}

/** Where a load is asked about and shown. */
interface LoadPlace {
	readonly approvals: ToolApprovals;
	readonly signal: AbortSignal;
	readonly show: (event: ToolCallEvent) => void;
}

/** Loads a skill for the user, who is asked as for every call of their model. */
export async function loadForUser(
	{ policy, pins, notes, refreshRules }: Omit<Deciding, "directory">,
	call: { readonly entry: ToolEntry; readonly arguments: JsonObject },
	{ approvals, signal, show }: LoadPlace,
): Promise<ToolOutcome> {
	await refreshRules();
	const noting = notes === undefined ? {} : { noting: { notes, origin: "user" } as const };
	const events = runCall({ callId: crypto.randomUUID(), ...call }, { approvals, policy, pins, signal, ...noting });
	for (;;) {
		const next = await events.next();
		if (next.done === true) return next.value;
		show(next.value);
	}
}
