import { oneLine } from "../../base/text.ts";
import type { ToolEntry } from "../catalog/catalog.ts";
import { describeCover, describeScope, type Grant, type GrantCover, type GrantScope } from "./grant.ts";
import { isCalledReadOnly } from "./grants.ts";

/** Something that the user may allow from now on. */
export interface GrantChoice {
	readonly covers: GrantCover["kind"];
	readonly scope: GrantScope;
	/** How long it lasts, in milliseconds; absent for as long as its scope. */
	readonly lastsMs?: number;
	/** The scope and duration, in our words: the label of its row. */
	readonly label: string;
	/** Its meaning, in our words. */
	readonly description: string;
}

/** Choices of one kind, under a heading. The texts hold the server's names, on one line. */
export interface GrantChoices {
	readonly heading: string;
	readonly choices: readonly GrantChoice[];
}

const day = 24 * 60 * 60_000;

const durations: readonly Omit<GrantChoice, "covers">[] = [
	{ scope: "session", label: "in This Session", description: "until this window closes or reloads" },
	{ scope: "workspace", label: "in This Workspace for a Day", description: "ends automatically", lastsMs: day },
	{ scope: "workspace", label: "in This Workspace", description: "until you revoke it" },
	{ scope: "always", label: "Always", description: "in all your workspaces, until you revoke it" },
];

const subjects: Readonly<Record<GrantCover["kind"], string>> = {
	arguments: "These Arguments",
	tool: "This Tool",
	"read-only": "Read-Only Tools",
};

/**
 * The user's options for future permissions because of one call, the narrowest first: with exactly these arguments, the
 * tool, and, for a tool that the server declares as read-only, all of those. A tool that may destroy something never
 * includes others.
 */
export function grantChoices(entry: ToolEntry): readonly GrantChoices[] {
	const server = oneLine(entry.session.definition.name, 60);
	const of = (covers: GrantCover["kind"], lasting: typeof durations): readonly GrantChoice[] =>
		lasting.map(({ scope, label, description, lastsMs }) => {
			const lasts = lastsMs === undefined ? {} : { lastsMs };
			return { covers, scope, label: `${subjects[covers]} ${label}`, description, ...lasts };
		});
	const all: GrantChoices[] = [
		{ heading: "exactly these arguments", choices: of("arguments", durations) },
		{ heading: "any arguments", choices: of("tool", durations) },
	];
	if (isCalledReadOnly(entry)) {
		const lasting = durations.filter(({ lastsMs }) => lastsMs === undefined);
		all.push({
			heading: `you trust what ${server} says`,
			choices: of("read-only", lasting),
		});
	}
	return all;
}

/** The scope and duration of a chosen grant: `echo of small, in this workspace`. */
export function describeChosen(grant: Grant, scope: GrantScope): string {
	return `${describeCover(grant)}, ${describeScope(scope, grant.expiresAt)}`;
}
