import type { Tool } from "../../servers/sessions/session.ts";

type Hints = Pick<
	NonNullable<Tool["annotations"]>,
	"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint"
>;

/** One word about the effect of a tool, from its annotations: hints that nobody has checked. */
export interface ToolBadge {
	readonly label: string;
	/** Whether the server says so itself; otherwise the specification's default does. */
	readonly isStated: boolean;
}

/**
 * Whether a tool may destroy something (specification, "Tool Annotations"): its server states it, even for a read-only
 * tool; or it is assumed, if its server states neither. Undefined if it states the opposite.
 */
export function destructive(annotations: Hints | undefined): "stated" | "assumed" | undefined {
	const { readOnlyHint, destructiveHint } = annotations ?? {};
	if (destructiveHint === true) return "stated";
	return destructiveHint === undefined && readOnlyHint !== true ? "assumed" : undefined;
}

/**
 * The values of a tool's annotations, absent ones by their specified defaults: not read-only, destructive, not
 * idempotent, open world. Destructive and idempotent only have a meaning for tools that change things, so a read-only
 * tool shows them only if the server states the contradiction. For display only: they never decide whether to ask.
 */
export function toolBadges(annotations: Hints | undefined): readonly ToolBadge[] {
	const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
	const badges: ToolBadge[] = [];
	if (readOnlyHint === true) badges.push({ label: "read-only", isStated: true });
	const mayDestroy = destructive(annotations);
	if (mayDestroy !== undefined) badges.push({ label: "destructive", isStated: mayDestroy === "stated" });
	if (readOnlyHint !== true && destructiveHint === false) badges.push({ label: "not destructive", isStated: true });
	if (idempotentHint === true) badges.push({ label: "idempotent", isStated: true });
	if (openWorldHint !== false) badges.push({ label: "open world", isStated: openWorldHint !== undefined });
	return badges;
}

/**
 * The badges in one line: `read-only · open world (assumed)`. If the server gives no hint at all, the line says so: the
 * same words after a hint would look like a claim of the server.
 */
export function badgeLine(annotations: Tool["annotations"]): string {
	const badges = toolBadges(annotations);
	if (isSilent(annotations))
		return `the server says nothing: treated as ${badges.map(({ label }) => label).join(" and ")}`;
	return badges.map(({ label, isStated }) => (isStated ? label : `${label} (assumed)`)).join(" · ");
}

/** The badges as a sentence for a form, which says that they are claims. */
export function badgeSentence(annotations: Tool["annotations"]): string {
	return isSilent(annotations)
		? `About its effects, ${badgeLine(annotations)}.`
		: `Annotations by the server, not verified: ${badgeLine(annotations)}.`;
}

/** Whether the server says nothing about the effects of a tool. */
function isSilent({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Hints = {}): boolean {
	return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].every((hint) => hint === undefined);
}
