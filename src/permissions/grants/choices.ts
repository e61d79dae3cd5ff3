import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { ToolEntry } from "../catalog/catalog.ts";
import type { CallCover, Grant, SamplingCover, Scope } from "./grant.ts";
import { isCalledReadOnly } from "./grants.ts";
import { describeBudget, type RuleBudget } from "./ruleBudget.ts";

/** A row to choose from, in our words, and its meaning. The texts may hold a server's name, on one line. */
interface Choice {
	readonly label: string;
	readonly description: string;
}

/** How long a grant lasts. */
export interface LastingChoice extends Choice {
	readonly scope: Scope;
	/** In milliseconds; absent for as long as its scope. */
	readonly lastsMs?: number;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const ends = "ends automatically";

const lastings = [
	{ scope: "session", label: "In This Session for an Hour", description: ends, lastsMs: hourMs },
	{ scope: "session", label: "In This Session", description: "until this window closes or reloads" },
	{ scope: "workspace", label: "In This Workspace for a Day", description: ends, lastsMs: dayMs },
	{ scope: "workspace", label: "In This Workspace for a Week", description: ends, lastsMs: 7 * dayMs },
	{ scope: "workspace", label: "In This Workspace", description: "until you revoke it" },
	{ scope: "always", label: "Always for a Week", description: `in all your workspaces; ${ends}`, lastsMs: 7 * dayMs },
	{ scope: "always", label: "Always", description: "in all your workspaces, until you revoke it" },
] as const satisfies readonly LastingChoice[];

/**
 * How long a grant of this kind may last for a server: the shortest first, but for `never` the longest. A workspace's
 * server is auto-approved in that workspace at most.
 */
export function lastingChoices(
	kind: Grant["covers"]["kind"],
	{ origin }: Pick<ServerDefinition, "origin">,
): readonly LastingChoice[] {
	if (kind === "never") return lastings.toReversed();
	return kind === "auto" && origin.isWorkspace ? lastings.filter(({ scope }) => scope !== "always") : lastings;
}

/** Calls that the user may allow from now on. */
export interface CallChoice extends Choice {
	readonly covers: CallCover["kind"];
}

/** Most users' choices because of one call: its tool, for a while. */
export const usualChoices: readonly (CallChoice & LastingChoice)[] = [
	{ ...lastings[1], covers: "tool", label: "This Tool in This Session" },
	{ ...lastings[4], covers: "tool", label: "This Tool in This Workspace" },
];

/**
 * The user's options for future permissions because of one call, the narrowest first: with exactly these arguments, the
 * tool, and, for a tool that the server declares as read-only, all of those. A tool that may destroy something never
 * includes others.
 */
export function callChoices(entry: ToolEntry): readonly CallChoice[] {
	const server = withoutIcons(oneLine(entry.session.definition.name, 60));
	const all: readonly CallChoice[] = [
		{ covers: "arguments", label: "These Arguments", description: "exactly these arguments" },
		{ covers: "tool", label: "This Tool", description: "any arguments" },
		{ covers: "read-only", label: "Read-Only Tools", description: `you trust what ${server} says` },
	];
	return isCalledReadOnly(entry) ? all : all.slice(0, 2);
}

/** The ways to handle a server's sampling requests, the one that asks most first; `review` withdraws its rules. */
export const effectChoices: readonly (Choice & { readonly kind: "review" | SamplingCover["kind"] })[] = [
	{ kind: "review", label: "Always Review", description: "you see each request and each completion" },
	{
		kind: "request-only",
		label: "Review the Request Only",
		description: "the completion is returned without your review",
	},
	{ kind: "auto", label: "Auto-Approve Under a Budget…", description: "you are not asked while the budget lasts" },
	{ kind: "never", label: "Never", description: "each request is rejected at once, without asking you" },
];

const budgets: readonly RuleBudget[] = [
	{ per: "life", requests: 5 },
	{ per: "day", requests: 20, tokens: 20_000 },
	{ per: "day", tokens: 100_000 },
	{ per: "day", dollars: 0.5 },
];

/** Budgets for a rule, the smallest in front; undefined for one that the user writes. */
export const budgetChoices: readonly (Choice & { readonly budget: RuleBudget | undefined })[] = [
	...budgets.map((budget) => ({
		budget,
		label: `Up to ${describeBudget(budget)}`,
		description: budget.per === "day" ? "then you are asked until midnight" : "then you are asked",
	})),
	{ budget: undefined, label: "Enter a Budget…", description: "requests, tokens, dollars; a day or in all" },
];

/** When a rule without a review applies. */
export const whenChoices: readonly (Choice & { readonly coversUnasked: boolean })[] = [
	{
		coversUnasked: false,
		label: "Only During Calls That You Made or Allowed",
		description: "you are asked when the server asks on its own",
	},
	{
		coversUnasked: true,
		label: "Also When the Server Asks on Its Own",
		description: "at any time while it runs, whatever you are doing",
	},
];
