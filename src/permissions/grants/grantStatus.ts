import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { resourceReadName, skillNameStart } from "../catalog/names.ts";
import { definitionNamed } from "../catalog/skillTool.ts";
import { fingerprint } from "../pinning/fingerprint.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import type { Amount } from "./amount.ts";
import { type CallCover, coversCalls, describeTime, isNamed, type SamplingRule, type ScopedGrant } from "./grant.ts";
import type { Grants } from "./grants.ts";
import { describeRest, isUsedUp, type RuleBudget } from "./ruleBudget.ts";

/** Whether a grant is effective; undefined if that is unknown before its server runs. */
export interface GrantStatus {
	readonly counts: boolean | undefined;
	/** Why not, or its condition; empty when it applies. */
	readonly why: string;
}

/** The input for checking rules of sampling. */
export interface RuleScene {
	/** The usage of a rule's budget; undefined when it is unknown. */
	readonly useOf: (rule: SamplingRule, budget: RuleBudget) => Amount | undefined;
	/** Whether the user trusts the workspace. */
	readonly isTrusted: boolean;
	/** A limit cannot be read, so that nothing is sent unasked. */
	readonly isIncomplete: boolean;
}

/** The input for checking a grant. */
export interface GrantScene {
	readonly directory: Pick<SessionDirectory, "get" | "sessions">;
	readonly pins: Pick<DefinitionPins, "stateOf">;
	readonly grants: Pick<Grants, "isExpired" | "about">;
	readonly sampling: RuleScene;
}

type Session = SessionDirectory["sessions"][number];

/** Whether a grant still applies to the server's current definition. A rule may be stricter all the same. */
export function statusOf(grant: ScopedGrant, scene: GrantScene): GrantStatus {
	const { covers, expiresAt } = grant;
	const { directory, grants, sampling } = scene;
	if (expiresAt !== undefined && grants.isExpired(grant)) return no(`it ended ${describeTime(expiresAt)}`);
	const session = directory.get(grant.server);
	if (session === undefined) {
		const isThere = directory.sessions.some(({ definition }) => isNamed(grant, definition));
		return covers.kind === "never" && isThere ? yes() : no("its server is not configured here");
	}
	const why = whyVoid(grant, session.definition, sampling);
	if (why !== undefined) return no(why);
	return coversCalls(covers)
		? statusOfCalls(covers, session, scene)
		: statusOfRule({ ...grant, covers }, session, scene);
}

/** Why a grant applies to nothing of a server at present, in words; undefined when it may apply. */
export function whyVoid(
	{ covers, definition, scope }: ScopedGrant,
	server: Pick<ServerDefinition, "hash" | "origin">,
	{ isTrusted, isIncomplete }: Pick<RuleScene, "isTrusted" | "isIncomplete">,
): string | undefined {
	if (covers.kind === "never") return undefined;
	if (definition !== server.hash) return "the definition of the server has changed";
	if (covers.kind !== "auto") return undefined;
	if (server.origin.isWorkspace && scope === "always") return "a workspace defines this server now";
	if (!isTrusted) return "the workspace is not trusted";
	return isIncomplete ? "the setting mcpHost.sampling.limits cannot be read" : undefined;
}

function statusOfCalls(covers: CallCover, session: Session, { pins }: GrantScene): GrantStatus {
	if (covers.kind === "read-only") return yes();
	if (covers.tool === resourceReadName) return { counts: undefined, why: "checked at the next read" };
	if (session.state.kind !== "running") return { counts: undefined, why: "checked when the server runs" };
	const tool = definitionNamed(session, covers.tool);
	const what = covers.tool.startsWith(skillNameStart) ? "skill" : "tool";
	if (tool === undefined) return no(`the server no longer has this ${what}`);
	const isSame = fingerprint(session, tool) === covers.fingerprint;
	return isSame && pins.stateOf(session, tool).kind !== "changed" ? yes() : no(`the ${what} has changed`);
}

function statusOfRule(rule: SamplingRule, { definition }: Session, { grants, sampling }: GrantScene): GrantStatus {
	const first = grants.about(definition).find((one) => !grants.isExpired(one));
	if (first !== undefined && first.id !== rule.id && whyVoid(first, definition, sampling) === undefined)
		return no("another rule for this server takes precedence");
	if (rule.covers.kind !== "auto") return yes();
	const { budget } = rule.covers;
	const used = sampling.useOf(rule, budget);
	if (used === undefined) return no("its usage cannot be read");
	if (!isUsedUp(budget, used)) return yes(`${describeRest(budget, used)} left`);
	return yes(`used up${budget.per === "day" ? " for today" : ""}, so you are asked`);
}

function yes(why = ""): GrantStatus {
	return { counts: true, why };
}

function no(why: string): GrantStatus {
	return { counts: false, why };
}
