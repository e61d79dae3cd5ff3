import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import { isPinned, type ToolEntry } from "../catalog/catalog.ts";
import { describeCover, describeScope, type ScopedGrant } from "../grants/grant.ts";
import type { Grants } from "../grants/grants.ts";
import { judgeCall, type Judgement } from "./judge.ts";
import type { ObservedRules } from "./rule.ts";
import type { ToolPolicy, Verdict } from "./verdict.ts";

/** The dependencies of decisions about calls. */
export interface PolicyServices {
	readonly rules: ObservedRules;
	readonly grants: Grants;
	readonly pins: Pick<DefinitionPins, "stateOf" | "onDidChange">;
}

/**
 * Decides about calls by rules and grants; the strictest applies. A rule that denies or asks, of the user or of a
 * workspace, takes precedence over every grant. Without a decision, the call is asked about. A tool that differs from
 * the approved one is always asked about. Annotations allow nothing, except where the user granted a server's read-only
 * tools.
 */
export class RulesAndGrants implements ToolPolicy, Disposable {
	private readonly services: PolicyServices;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: PolicyServices) {
		this.services = services;
		const fire = (): void => this.changed.fire();
		for (const { onDidChange } of [services.rules, services.grants, services.pins]) this.store.add(onDidChange(fire));
	}

	decide(entry: ToolEntry, args: JsonObject): Verdict {
		return this.verdict(entry, args);
	}

	/** Whether every call of a tool is allowed, with any arguments. */
	allowsAll(entry: ToolEntry): boolean {
		return this.verdict(entry, undefined).decision === "allow";
	}

	/** Without arguments: the decision for any. */
	private verdict(entry: ToolEntry, args: JsonObject | undefined): Verdict {
		const rule = this.judge(entry, args);
		if (rule !== undefined && rule.decision !== "allow") return { decision: rule.decision, by: byRule(rule) };
		const allowed = rule === undefined ? this.byGrant(entry, args) : ({ decision: "allow", by: byRule(rule) } as const);
		if (allowed === undefined) {
			return { decision: "ask", by: { kind: "default", label: "no rule or grant covers this call" } };
		}
		// A request of the host's own, such as a read, has no server definition that could change.
		const state = isPinned(entry) ? this.services.pins.stateOf(entry.session, entry.tool).kind : "same";
		// No rule knows which files a skill has: the user sees them first (SKL-05).
		const isUnseen = state === "new" && entry.skill !== undefined;
		if (state !== "changed" && !isUnseen) return allowed;
		const tool = oneLine(entry.tool.name, 100);
		const why = isUnseen ? "was not approved yet" : "changed since you approved it";
		const label = `${tool} ${why}, so this does not apply: ${allowed.by.label}`;
		return { decision: "ask", by: { kind: "changed", label } };
	}

	/**
	 * The decision of the rules alone; undefined when none applies to the call. Without arguments: the part that does not
	 * depend on them.
	 */
	judge(entry: ToolEntry, args: JsonObject | undefined): Judgement | undefined {
		const { lists } = this.services.rules;
		if (lists === undefined) return { decision: "ask", label: "the rules have not been read yet" };
		return judgeCall(lists, entry, args);
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	private byGrant(entry: ToolEntry, args: JsonObject | undefined): Verdict | undefined {
		const grant = this.services.grants.find(entry, args);
		if (grant === undefined) return undefined;
		const kind = grant.covers.kind === "read-only" ? "trust" : "grant";
		const scope = describeScope(grant.scope, grant.expiresAt);
		const brief = kind === "trust" ? undefined : `your grant, ${scope}`;
		return { decision: "allow", by: { kind, label: describeGrant(grant), ...(brief && { brief }) } };
	}
}

/** `your grant: bookHotel of travel, in this workspace`. */
export function describeGrant(grant: ScopedGrant): string {
	return `your grant: ${describeCover(grant)}, ${describeScope(grant.scope, grant.expiresAt)}`;
}

function byRule({ label }: Judgement): Verdict["by"] {
	return { kind: "rule", label };
}
