import { oneLine } from "../../base/text.ts";
import type { TextRange } from "../../base/configText.ts";
import type { Glob } from "../../base/globs.ts";

/** The decision of a rule about the calls that it fits. */
export type RuleDecision = "allow" | "ask" | "deny";

/** The stricter of two decisions: deny before ask before allow. */
export function stricter(a: RuleDecision, b: RuleDecision): RuleDecision {
	const order: readonly RuleDecision[] = ["deny", "ask", "allow"];
	return order.indexOf(a) <= order.indexOf(b) ? a : b;
}

/**
 * A server's hint about a tool that can make a rule stricter. Only hints against a server's own interest count: there
 * is no condition on a tool that claims to be harmless (TOL-06).
 */
export type Warned = "destructive" | "openWorld" | "readOnly";

/** The condition of a rule on an argument. */
export interface ArgumentCondition {
	readonly path: readonly string[];
	readonly glob: Glob;
	/** The pattern matches everything that it does not name. */
	readonly isNegated: boolean;
}

/** One rule of a list, readable or not. Without a `server` or `tool` it is about all of them. */
export interface PolicyRule {
	/** Its place in the list, counted from 0. */
	readonly index: number;
	readonly decision: RuleDecision;
	readonly server?: Glob;
	readonly tool?: Glob;
	readonly arguments: readonly ArgumentCondition[];
	/** The calls that the rule is not about; absent also where it cannot be read, so that the rule is about more of them. */
	readonly except?: Pick<PolicyRule, "tool" | "arguments">;
	/** The annotations that must hold: destructive, open world, not read-only. */
	readonly warned: readonly Warned[];
	/** A part of it is unreadable: calls that the rest fits are asked about, regardless of its decision. */
	readonly isBroken: boolean;
	/** The rule in one line fit to show, such as `deny travel · book*`. */
	readonly text: string;
}

/** The place of a list of rules. */
export interface RulePlace {
	/**
	 * `organization`: the policy of the machine, where whatever cannot be read denies. `user`: the setting. `folder`: the
	 * file of a workspace folder, which can only make things stricter.
	 */
	readonly kind: "organization" | "user" | "folder";
	/** Its display name, such as `User Settings` or `.vscode/mcp-policy.json in shop`. */
	readonly label: string;
	/** The file's URI; absent for the setting. */
	readonly uri?: string;
}

/** Something wrong in a list of rules. */
export interface RuleProblem {
	/** The rule's place in the list; absent when the list as a whole is meant. */
	readonly index?: number;
	readonly message: string;
	readonly severity: "error" | "warning";
	/** The place in the file, if it is in one. */
	readonly range?: TextRange;
}

/** A list of rules as it was read. */
export interface RuleList {
	readonly place: RulePlace;
	readonly rules: readonly PolicyRule[];
	/** Why it may be incomplete, so that every call is asked about, or denied; undefined when all of it was read. */
	readonly fault?: string;
	readonly problems: readonly RuleProblem[];
}

/** All current rules. */
export interface ObservedRules {
	/** Those of the organization first, then the user's own, then those of the open folders; undefined until they were read for the first time. */
	readonly lists: readonly RuleList[] | undefined;
	readonly onDidChange: (listener: (value: unknown) => unknown) => { dispose(): void };
}

/** The name of a file of rules in a workspace folder. */
export const policyFile = ".vscode/mcp-policy.json";

/** `rule 2 of User Settings: deny travel · book*`. */
export function describeRule({ label }: RulePlace, { index, text }: Pick<PolicyRule, "index" | "text">): string {
	return `rule ${index + 1} of ${oneLine(label, 100)}: ${text}`;
}
