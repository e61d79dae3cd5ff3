import { jsonObjectOf } from "../../base/guards.ts";
import type { Json } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { valueAt } from "../../setup/entries/jsonEdit.ts";
import type { EntryText } from "./facts.ts";
import type { Finding, Fix } from "./finding.ts";

/** The key of an entry with the kinds of findings that its author does not want to see. VS Code allows more keys below `dev`. */
const path = ["dev", "ignoredFindings"] as const;
/** How many kinds are read, and how long a name may be. */
const mostKinds = 100;
const longestKind = 60;

/** The kinds of findings that an entry ignores. */
export function ignoredBy(entry: EntryText | undefined): readonly string[] {
	const server: unknown = entry === undefined ? undefined : valueAt(entry.text, entry.path);
	const kinds: unknown = jsonObjectOf(jsonObjectOf(server)[path[0]])[path[1]];
	const listed = Array.isArray(kinds) ? (kinds as readonly Json[]) : [];
	return listed
		.slice(0, mostKinds)
		.flatMap((kind) => (typeof kind === "string" && kind.length <= longestKind ? [kind] : []));
}

/** The name of a finding's kind: its rule, or its layer where it has none. */
export function kindOf({ rule, layer }: Finding): string {
	return rule ?? layer;
}

/** The findings without those of ignored kinds. A cause that prevents a start, or that waits for the user, is never ignored. */
export function withoutIgnored(findings: readonly Finding[], kinds: ReadonlySet<string>): readonly Finding[] {
	return findings.filter((one) => !((one.weight === "warning" || one.weight === "note") && kinds.has(kindOf(one))));
}

/** Says how many findings were ignored; `found` counts them by kind. */
export function ignoredNote(found: ReadonlyMap<string, number>): Finding {
	const total = [...found.values()].reduce((sum, count) => sum + count, 0);
	const kinds = [...found.keys()].map((kind) => oneLine(kind, longestKind)).join(", ");
	return { layer: "definitions", weight: "fine", what: `${total} ignored: ${kinds}.`, ignored: total };
}

/** Has the entry ignore a kind of findings from now on; undefined where there is no entry to write to, or it does so already. */
export function ignoring(entry: EntryText | undefined, { rule, layer, weight }: Finding): Fix | undefined {
	if (entry === undefined || rule === undefined || (layer !== "protocol" && layer !== "definitions")) return undefined;
	if (weight !== "warning" && weight !== "note") return undefined;
	const value = [...new Set([...ignoredBy(entry), rule])];
	const title = `Ignore “${rule}”`;
	return {
		kind: "ignore",
		title,
		fix: { kind: "set", title, server: String(entry.path.at(-1)), set: [{ path, value }] },
	};
}
