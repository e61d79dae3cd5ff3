import type { EntryFix } from "../../setup/entries/entryFix.ts";

/** The layers, in this order: a failure of an earlier one prevents the later ones from working. */
export const layers = [
	"file",
	"variables",
	"command",
	"start",
	"connection",
	"protocol",
	"tools",
	"definitions",
	"security",
	"sharing",
] as const;

/** One kind of checks. */
export type Layer = (typeof layers)[number];

/** A place in a configuration. */
export interface FindingPlace {
	/** The absolute path of the file; absent for the user's own settings. */
	readonly file?: string;
	/** The keys to the value, from the root of the file or, for settings, from `mcpHost.servers`. */
	readonly path: readonly (string | number)[];
	/** From 1 on, where it is known. */
	readonly line?: number;
}

/** The remedy of a finding by a click. */
export type Fix =
	| { readonly kind: "open"; readonly title: string; readonly place: FindingPlace }
	/** Changes the entry, which asks for approval again as any change does. */
	| { readonly kind: "entry"; readonly title: string; readonly fix: EntryFix }
	/** Has the entry ignore findings of this kind; what starts is the same. */
	| { readonly kind: "ignore"; readonly title: string; readonly fix: EntryFix }
	| {
			readonly kind: "command";
			readonly title: string;
			readonly command: FixCommand;
			/** The name of the exchange that it leads to. */
			readonly exchange?: string;
	  }
	| { readonly kind: "start"; readonly title: string };

/** The commands that a finding may offer, each about the server. */
export type FixCommand =
	| "mcpHost.reviewServer"
	| "mcpHost.signIn"
	| "mcpHost.showLog"
	| "mcpHost.showInTrace"
	| "mcpHost.chooseRunner"
	| "mcpHost.showWhoStartsWhat"
	| "mcpHost.switchOn"
	| "mcpHost.moveToWorkspace"
	| "workbench.trust.manage"
	| "workbench.action.openSettings";

/** How important a finding is: the server cannot run, the user must act, a risk, a note, or no problem. */
export type Weight = "cause" | "waiting" | "warning" | "note" | "fine";

/** A part of the specification. */
export interface Clause {
	readonly words: string;
	readonly url: string;
}

/** One thing that was found out about a server. */
export interface Finding {
	readonly layer: Layer;
	readonly weight: Weight;
	/** The fact, in one sentence of ours; others' text in it is in quotes. */
	readonly what: string;
	/** Its meaning and what to do. */
	readonly why?: string;
	/** The name of its kind in reports, such as `duplicate`; with it users leave findings out. */
	readonly rule?: string;
	/** Its place. */
	readonly where?: FindingPlace;
	/** Its place in the messages or features of the server, such as `tools/list: result.tools[1]` or `tool “search”`. Untrusted. */
	readonly at?: string;
	/** The tool, prompt, resource or template that it is about: the name or URI under which its source has it. Untrusted. */
	readonly subject?: string;
	/** The part of the specification that it is about. */
	readonly clause?: Clause;
	/** Lines of others that show it: untrusted, without secrets. */
	readonly evidence?: readonly string[];
	/** The label of these lines, if only some users want to see them. */
	readonly evidenceTitle?: string;
	readonly fixes?: readonly Fix[];
	/** How many ignored findings this one represents. */
	readonly ignored?: number;
}

const rank: Readonly<Record<Weight, number>> = { cause: 0, waiting: 1, warning: 2, note: 3, fine: 4 };

/** The findings with the most important first; of equal importance, in the order of the layers. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
	return findings.toSorted(
		(one, other) => rank[one.weight] - rank[other.weight] || layers.indexOf(one.layer) - layers.indexOf(other.layer),
	);
}

/** How many findings of one rule are shown one by one. */
const mostAlike = 3;

/** The findings with those of one rule as one, where there are many: with the places of all of them. */
export function grouped(findings: readonly Finding[]): readonly Finding[] {
	const ofRule = new Map<string, readonly Finding[]>();
	for (const one of findings) if (one.rule !== undefined) ofRule.set(one.rule, [...(ofRule.get(one.rule) ?? []), one]);
	return findings.flatMap((one) => {
		const alike = one.rule === undefined ? [] : (ofRule.get(one.rule) ?? []);
		if (alike.length <= mostAlike) return [one];
		if (alike[0] !== one) return [];
		const { at: _at, evidence: _evidence, subject: _subject, ...rest } = one;
		const evidence = alike.map(({ at, what }) => (at === undefined ? what : `${at}: ${what}`));
		const what = `${one.what} The same was found in ${alike.length - 1} more places.`;
		return [{ ...rest, what, evidence, evidenceTitle: "All Places" }];
	});
}
