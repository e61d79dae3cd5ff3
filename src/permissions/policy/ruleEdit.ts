import { applyEdits, modify } from "jsonc-parser";
import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { readConfigText, type TextRange } from "../../base/configText.ts";
import { escapeGlob } from "../../base/globs.ts";
import type { RuleDecision } from "./rule.ts";

/** A rule in its written form. */
export interface WrittenRule {
	readonly decision: RuleDecision;
	readonly server: string;
	readonly tool: string;
	/** The calls that it does not apply to. */
	readonly except?: { readonly tool?: string; readonly arguments?: Readonly<Record<string, string>> };
}

/** A typed pattern, or a name that must match exactly; undefined for any. */
export type Named = { readonly pattern: string } | { readonly name: string } | undefined;

/** The rule for these names, but not for the tools that are excepted. */
export function writeRule(
	decision: RuleDecision,
	server: Named,
	tool: Named,
	excepted: readonly string[] = [],
): WrittenRule {
	const rule = { decision, server: patternOf(server), tool: patternOf(tool) };
	return excepted.length === 0 ? rule : { ...rule, except: { tool: anyNameOf(excepted) } };
}

/** The pattern for one of these names and no other. */
export function anyNameOf(names: readonly string[]): string {
	const escaped = names.map((name) => escapeGlob(name).replaceAll(",", "\\,"));
	return escaped.length === 1 ? (escaped[0] ?? "") : `{${escaped.join(",")}}`;
}

/** The pattern for what was chosen. */
export function patternOf(named: Named): string {
	if (named === undefined) return "*";
	return "name" in named ? escapeGlob(named.name) : named.pattern;
}

/**
 * The text of a file of rules with one more, before the others so that it counts; comments and formatting stay.
 * @throws HostError `invalid` when the text is not such a file, because an edit might then lose something.
 */
export function withRule(text: string, rule: WrittenRule): string {
	const base = text.trim() === "" ? `{\n\t"rules": []\n}\n` : text;
	const { value, faults } = readConfigText(base);
	const rules: unknown = isJsonObject(value) ? value["rules"] : undefined;
	if (faults.length > 0 || !isJsonObject(value) || (rules !== undefined && !Array.isArray(rules)))
		throw new HostError("invalid", "The file is not valid, so the rule was not added. Fix the file first.");
	const formattingOptions = { insertSpaces: false, tabSize: 4, eol: "\n" };
	if (rules === undefined) return applyEdits(base, modify(base, ["rules"], [rule], { formattingOptions }));
	return applyEdits(base, modify(base, ["rules", 0], rule, { formattingOptions, isArrayInsertion: true }));
}

/**
 * The setting with more rules, before the others.
 * @throws HostError `invalid` when it is not a list, because it would be lost.
 */
export function withOwnRules(setting: unknown, rules: readonly WrittenRule[]): readonly unknown[] {
	if (setting === undefined || setting === null) return rules;
	if (!Array.isArray(setting))
		throw new HostError("invalid", `The setting "mcpHost.policy.rules" is not a list, so the rule was not added.`);
	return [...rules, ...(setting as readonly unknown[])];
}

/** The place of a rule in a file, or of the rules if it no longer exists. */
export function rangeOfRule(text: string, index: number | undefined): TextRange | undefined {
	return readConfigText(text).rangeOf(index === undefined ? ["rules"] : ["rules", index]);
}
