import type { JsonObject } from "../../base/json.ts";

/** What is looked at, in this order: what comes first keeps the rest from working. */
export const layers = ["file", "variables", "command", "start", "connection", "tools", "security", "sharing"] as const;

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
	| "mcpHost.moveToWorkspace"
	| "workbench.trust.manage"
	| "workbench.action.openSettings";

/**
 * How much a finding matters: what keeps the server from running, what waits for the user, what may do harm, what is good to
 * know, and what is as it should be.
 */
export type Weight = "cause" | "waiting" | "warning" | "note" | "fine";

/** One thing that was found out about a server. */
export interface Finding {
	readonly layer: Layer;
	readonly weight: Weight;
	/** What is so, in one sentence of ours; what others wrote stands in it in quotes. */
	readonly what: string;
	/** What that means and what to do. */
	readonly why?: string;
	/** Where it stands. */
	readonly where?: FindingPlace;
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
