import type { JsonObject } from "../../base/json.ts";

/** What is looked at, in this order: what comes first keeps the rest from working. */
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

/** One kind of things that are looked at. */
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

/** An input as it stands in a configuration, of a value that is kept secret. */
export interface EntryInput extends JsonObject {
	readonly type: "promptString";
	readonly id: string;
	readonly description: string;
	readonly password: true;
}

/** A change of the entry of a server, which asks for approval again as any change does. */
export interface EntryChange {
	/** Members of the entry to set, by their keys from the entry on. */
	readonly set: readonly { readonly path: readonly (string | number)[]; readonly value: unknown }[];
	/** A value that is asked for first, kept in the secret store and used by `${input:id}`. */
	readonly input?: EntryInput;
}

/** What a click can do about a finding. */
export type Fix =
	| { readonly kind: "open"; readonly title: string; readonly place: FindingPlace }
	| { readonly kind: "change"; readonly title: string; readonly change: EntryChange }
	/** Binds the package of the server to the version that its registry calls the latest. */
	| { readonly kind: "bind"; readonly title: string }
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
	| "workbench.trust.manage"
	| "workbench.action.openSettings";

/**
 * How much a finding matters: what keeps the server from running, what waits for the user, what may do harm, what is good to
 * know, and what is as it should be.
 */
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
	/** What is so, in one sentence of ours; what others wrote stands in it in quotes. */
	readonly what: string;
	/** What that means and what to do. */
	readonly why?: string;
	/** What names its kind for reports and for those who leave it out, such as `duplicate`. */
	readonly rule?: string;
	/** Where it stands. */
	readonly where?: FindingPlace;
	/** Where it stands in what the server sent or offers, such as `tools/list: result.tools[1]` or `tool “search”`. Untrusted. */
	readonly at?: string;
	/** What of the specification it is about. */
	readonly clause?: Clause;
	/** Lines of others that show it: untrusted, without secrets. */
	readonly evidence?: readonly string[];
	/** What these lines are, where only some want to see them. */
	readonly evidenceTitle?: string;
	readonly fixes?: readonly Fix[];
}

const rank: Readonly<Record<Weight, number>> = { cause: 0, waiting: 1, warning: 2, note: 3, fine: 4 };

/** The findings with what matters most first; of equal weight, what comes first in the order of the layers. */
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
		const { at: _at, evidence: _evidence, ...rest } = one;
		const evidence = alike.map(({ at, what }) => (at === undefined ? what : `${at}: ${what}`));
		const what = `${one.what} The same was found in ${alike.length - 1} more places.`;
		return [{ ...rest, what, evidence, evidenceTitle: "All Places" }];
	});
}
