import type { ToolEntry } from "../catalog/catalog.ts";
import type { ScopedGrant } from "../grants/grant.ts";
import { statusOf, type GrantScene } from "../grants/grantStatus.ts";
import { isCalledReadOnly } from "../grants/grants.ts";
import { fitOf, toJudged, type JudgedCall } from "./judge.ts";
import { describeGrant } from "./policy.ts";
import { describeRule, type PolicyRule, type RuleList } from "./rule.ts";

/** One thing that has a say about a tool. */
export interface Reason {
	readonly label: string;
	/** Its effect on calls of the tool, in our words. */
	readonly effect: string;
}

/**
 * Why calls of a tool run, are asked about or are denied, before there is one: every rule that applies or may apply to
 * it, every grant that covers it. Ends with the default if none of them decides.
 */
export function explain(
	entry: ToolEntry,
	lists: readonly RuleList[],
	grants: readonly ScopedGrant[],
	scene: GrantScene,
): readonly Reason[] {
	const call = toJudged(entry, undefined);
	return [
		...lists.flatMap((list) => reasonsOf(list, call)),
		...grants.filter((grant) => isAbout(grant, entry)).map((grant) => reasonOf(grant, scene)),
		...(scene.pins.stateOf(entry.session, entry.tool).kind === "changed"
			? [
					{
						label: "The tool changed since you approved it",
						effect: "you are asked, even if a rule or grant allows it",
					},
				]
			: []),
		{ label: "If nothing else decides", effect: "you are asked" },
	];
}

function reasonsOf(list: RuleList, call: JudgedCall): readonly Reason[] {
	const { place, fault, rules } = list;
	const faults =
		fault === undefined
			? []
			: [
					{
						label: `The rules of ${place.label}`,
						effect: `${place.kind === "organization" ? "deny" : "ask"}: ${fault}`,
					},
				];
	return [
		...faults,
		...rules.flatMap((rule) => {
			const fit = fitOf(rule, call);
			if (fit === "none") return [];
			const effect = effectOf(rule, call);
			const depends = [rule, rule.except].some((one) => (one?.arguments.length ?? 0) > 0) && !rule.isBroken;
			return [{ label: describeRule(place, rule), effect: depends ? `${effect}, depending on the arguments` : effect }];
		}),
	];
}

function effectOf(rule: PolicyRule, call: JudgedCall): string {
	if (rule.isBroken) return "asks, because part of it cannot be read";
	if (rule.decision === "allow" && call.isOfWorkspace) return "has no effect: the workspace defines this server";
	return { allow: "allows, if nothing stricter matches", ask: "asks", deny: "denies" }[rule.decision];
}

function isAbout({ server, covers }: ScopedGrant, entry: ToolEntry): boolean {
	if (server !== entry.session.definition.id) return false;
	return "tool" in covers ? covers.tool === entry.tool.name : covers.kind === "read-only" && isCalledReadOnly(entry);
}

function reasonOf(grant: ScopedGrant, scene: GrantScene): Reason {
	const { counts, why } = statusOf(grant, scene);
	return {
		label: describeGrant(grant),
		effect: counts === false ? `does not apply: ${why}` : "allows, unless a rule asks",
	};
}
