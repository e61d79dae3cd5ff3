import type { Event } from "../../base/event.ts";
import { oneLine } from "../../base/text.ts";
import { type ListLine, type ListRow, rowOf, type RowWords, section } from "../../questions/listRow.ts";
import { describeCover, describeScope, describeTime, type ScopedGrant } from "./grant.ts";
import { statusOf, type GrantScene } from "./grantStatus.ts";
import type { PolicyRule, RuleList, RuleProblem } from "./rule.ts";

/** Rules that decide about something other than tool calls, such as sampling requests, for the list of all. */
export interface OtherRules {
	readonly rows: readonly OtherRuleRow[];
	readonly onDidChange: Event<void>;
	/** Withdraws a rule. */
	revoke(id: string): Promise<void>;
}

/** Such a rule, in its form for the list. */
interface OtherRuleRow extends RowWords {
	readonly rule: { readonly id: string };
}

/** The subject of a row in the list of all rules and grants. */
export type Listed =
	/** `index`: its place in the list; absent for a problem of the list as a whole. */
	| { readonly kind: "rule"; readonly list: RuleList; readonly index?: number }
	| { readonly kind: "grant"; readonly grant: ScopedGrant }
	/** A rule of sampling. */
	| { readonly kind: "sampling"; readonly id: string };

type Row = ListRow<Listed>;

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
	others: readonly OtherRuleRow[] = [],
): readonly ListLine<Listed>[] {
	const latest = grants.toSorted((a, b) => b.at - a.at);
	const [trusted, granted] = [latest.filter(isTrust), latest.filter((grant) => !isTrust(grant))];
	return [
		...lists.flatMap((list) =>
			list.place.kind === "organization"
				? section("Your organization", rulesOf(list).map(asManaged))
				: section(oneLine(list.place.label, 60), rulesOf(list)),
		),
		...section(
			"Trusted servers",
			trusted.map((grant) => grantRow(grant, "shield", scene)),
		),
		...section(
			"Grants",
			granted.map((grant) => grantRow(grant, "check", scene)),
		),
		...section(
			"Sampling requests",
			others.map(({ rule, ...words }): Row => rowOf(words, { kind: "sampling", id: rule.id }, "revoke")),
		),
	];
}

function rulesOf(list: RuleList): readonly Row[] {
	const { rules, problems } = list;
	const known = new Set(rules.map(({ index }) => index));
	const rows = rules.map((rule) => ({ index: rule.index, row: ruleRow(list, rule) }));
	// The ineffective entries and the problems of the list as a whole.
	const others = problems.flatMap((problem) =>
		problem.index !== undefined && known.has(problem.index)
			? []
			: [{ index: problem.index, row: problemRow(list, problem) }],
	);
	return [...rows, ...others].toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)).map(({ row }) => row);
}

/** A row about a rule that the user can neither change nor open. */
function asManaged({ kind, icon, label, description = "", detail = "" }: Row): Row {
	return { kind, icon, label, description, detail };
}

function problemRow(list: RuleList, { index, message, severity }: RuleProblem): Row {
	return {
		kind: "row",
		icon: severity,
		label: index === undefined ? "All rules of this list" : `rule ${index + 1}`,
		description:
			severity !== "error"
				? "has no effect"
				: list.place.kind === "organization"
					? "denies every call"
					: "asks about every call",
		detail: message,
		of: { kind: "rule", list, ...(index === undefined ? {} : { index }) },
		button: "open",
	};
}

function ruleRow(list: RuleList, { index, text, decision, isBroken }: PolicyRule): Row {
	const problem = list.problems.find((one) => one.index === index)?.message ?? "";
	return {
		kind: "row",
		icon: isBroken ? "error" : icons[decision],
		label: text,
		description: isBroken ? `rule ${index + 1}, which asks because part of it cannot be read` : `rule ${index + 1}`,
		// A long rule does not fit into its row.
		detail: isBroken ? problem : text.length > longRule ? text : "",
		of: { kind: "rule", list, index },
		button: "open",
	};
}

function grantRow(grant: ScopedGrant, icon: string, scene: GrantScene): Row {
	const { counts, why } = statusOf(grant, scene);
	const given = `given ${describeTime(grant.at)}`;
	return {
		kind: "row",
		icon: counts === false ? "warning" : icon,
		label: describeCover(grant),
		description: describeScope(grant.scope, grant.expiresAt),
		detail:
			counts === false ? `does not apply: ${why} · ${given}` : [given, why].filter((text) => text !== "").join(" · "),
		of: { kind: "grant", grant },
		button: "revoke",
	};
}

function isTrust({ covers }: ScopedGrant): boolean {
	return covers.kind === "read-only";
}
