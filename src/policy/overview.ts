import { oneLine } from "../base/text.ts";
import type { SamplingRuleRow } from "../budgets/overview.ts";
import { describeCover, describeScope, describeTime, type ScopedGrant } from "./grant.ts";
import { statusOf, type GrantScene } from "./grantStatus.ts";
import type { PolicyRule, RuleList, RuleProblem } from "./rule.ts";

/** A row of the list of all rules and grants. Its texts hold words of servers and files, on one line. */
export type OverviewRow =
	| { readonly kind: "heading"; readonly label: string }
	| {
			readonly kind: "rule";
			readonly list: RuleList;
			/** Its place in the list; absent for what is wrong with the list as a whole. */
			readonly index?: number;
			readonly icon: string;
			readonly label: string;
			readonly description: string;
			readonly detail: string;
	  }
	| {
			/** A rule of sampling. */
			readonly kind: "sampling";
			readonly id: string;
			readonly icon: string;
			readonly label: string;
			readonly description: string;
			readonly detail: string;
	  }
	| {
			readonly kind: "grant";
			readonly grant: ScopedGrant;
			readonly icon: string;
			readonly label: string;
			readonly description: string;
			readonly detail: string;
	  };

/** From how many characters on a rule is shown on a line of its own as well. */
const longRule = 60;
const icons = { allow: "check", ask: "question", deny: "circle-slash" } as const;

/**
 * Everything that decides about calls: the rules of each place in their order, then trusted servers and grants, the latest
 * first, and the rules of sampling, each with whether it still counts. Without a heading where there is nothing below it.
 */
export function overview(
	lists: readonly RuleList[],
	grants: readonly ScopedGrant[],
	scene: GrantScene,
	sampling: readonly SamplingRuleRow[] = [],
): readonly OverviewRow[] {
	const latest = grants.toSorted((a, b) => b.at - a.at);
	const [trusted, others] = [latest.filter(isTrust), latest.filter((grant) => !isTrust(grant))];
	return [
		...lists.flatMap((list) => section(oneLine(list.place.label, 60), rulesOf(list))),
		...section(
			"Trusted servers",
			trusted.map((grant) => grantRow(grant, "shield", scene)),
		),
		...section(
			"Grants",
			others.map((grant) => grantRow(grant, "check", scene)),
		),
		...section(
			"Sampling requests",
			sampling.map(({ rule, ...row }) => Object.assign(row, { kind: "sampling", id: rule.id } as const)),
		),
	];
}

function section(label: string, rows: readonly OverviewRow[]): readonly OverviewRow[] {
	return rows.length === 0 ? [] : [{ kind: "heading", label }, ...rows];
}

function rulesOf(list: RuleList): readonly OverviewRow[] {
	const { rules, problems } = list;
	const known = new Set(rules.map(({ index }) => index));
	const rows = rules.map((rule): OverviewRow & { readonly kind: "rule" } => ruleRow(list, rule));
	// What counts for nothing and what is wrong with the list as a whole.
	const others = problems.flatMap((problem) =>
		problem.index !== undefined && known.has(problem.index) ? [] : [problemRow(list, problem)],
	);
	return [...rows, ...others].toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1));
}

function problemRow(
	list: RuleList,
	{ index, message, severity }: RuleProblem,
): OverviewRow & { readonly kind: "rule" } {
	const about = index === undefined ? { label: "The list as a whole" } : { label: `rule ${index + 1}`, index };
	const description = severity === "error" ? "asks about every call" : "counts for nothing";
	return { kind: "rule", list, icon: severity, description, detail: message, ...about };
}

function ruleRow(
	list: RuleList,
	{ index, text, decision, isBroken }: PolicyRule,
): OverviewRow & { readonly kind: "rule" } {
	const problem = list.problems.find((one) => one.index === index)?.message ?? "";
	return {
		kind: "rule",
		list,
		index,
		icon: isBroken ? "error" : icons[decision],
		label: text,
		description: isBroken ? `rule ${index + 1}, which asks because a part cannot be read` : `rule ${index + 1}`,
		// A long rule does not fit into its row.
		detail: isBroken ? problem : text.length > longRule ? text : "",
	};
}

function grantRow(grant: ScopedGrant, icon: string, scene: GrantScene): OverviewRow {
	const { counts, why } = statusOf(grant, scene);
	const given = `given ${describeTime(grant.at)}`;
	return {
		kind: "grant",
		grant,
		icon: counts === false ? "warning" : icon,
		label: describeCover(grant),
		description: describeScope(grant.scope, grant.expiresAt),
		detail:
			counts === false ? `does not count: ${why} · ${given}` : [given, why].filter((text) => text !== "").join(" · "),
	};
}

function isTrust({ covers }: ScopedGrant): boolean {
	return covers.kind === "read-only";
}
