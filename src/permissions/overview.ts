import { oneLine } from "../base/text.ts";
import { type ListLine, type ListRow, section } from "../questions/listRow.ts";
import { describeCover, describeScope, describeTime, type ScopedGrant } from "./grants/grant.ts";
import { type GrantScene, statusOf } from "./grants/grantStatus.ts";
import type { PolicyRule, RuleList, RuleProblem } from "./policy/rule.ts";

/** The subject of a row in the list of all rules and grants. */
export type Listed =
	/** `index`: its place in the list; absent for a problem of the list as a whole. */
	| { readonly kind: "rule"; readonly list: RuleList; readonly index?: number }
	| { readonly kind: "grant"; readonly grant: ScopedGrant };

type Row = ListRow<Listed>;

/** From how many characters on a rule is shown on a line of its own as well. */
const longRule = 60;
const icons = { allow: "check", ask: "question", deny: "circle-slash" } as const;

/** The sections of grants, with the icon of each kind that belongs there. */
const sections: readonly (readonly [heading: string, icons: Partial<Record<ScopedGrant["covers"]["kind"], string>>])[] =
	[
		["Trusted servers", { "read-only": "shield" }],
		["Grants", { tool: "check", arguments: "check" }],
		["Sampling requests", { never: "circle-slash", "request-only": "eye", auto: "check" }],
	];

/**
 * Everything that decides about calls and sampling requests: the rules of each place in their order, then the grants of
 * each kind, the latest first, each with whether it still counts. Without a heading where there is nothing below it.
 */
export function overview(
	lists: readonly RuleList[],
	grants: readonly ScopedGrant[],
	scene: GrantScene,
): readonly ListLine<Listed>[] {
	const latest = grants.toSorted((a, b) => b.at - a.at);
	return [
		...lists.flatMap((list) =>
			list.place.kind === "organization"
				? section("Your organization", rulesOf(list).map(asManaged))
				: section(oneLine(list.place.label, 60), rulesOf(list)),
		),
		...sections.flatMap(([heading, iconOf]) =>
			section(
				heading,
				latest.flatMap((grant) => {
					const icon = iconOf[grant.covers.kind];
					return icon === undefined ? [] : [grantRow(grant, icon, scene)];
				}),
			),
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
	const status = counts === false ? `does not apply: ${why}` : why;
	return {
		kind: "row",
		icon: counts === false ? "warning" : icon,
		label: describeCover(grant),
		description: describeScope(grant.scope, grant.expiresAt),
		detail: [status, `given ${describeTime(grant.at)}`].filter((text) => text !== "").join(" · "),
		of: { kind: "grant", grant },
		button: "revoke",
	};
}
