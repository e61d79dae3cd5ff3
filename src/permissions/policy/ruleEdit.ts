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
}

/** A pattern that a user typed, or a name of which exactly that one is meant; undefined for any. */
export type Named = { readonly pattern: string } | { readonly name: string } | undefined;

/** The rule for these names. */
export function writeRule(decision: RuleDecision, server: Named, tool: Named): WrittenRule {
	return { decision, server: patternOf(server), tool: patternOf(tool) };
}

function patternOf(named: Named): string {
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
 * The setting with one more rule, before the others.
 * @throws HostError `invalid` when it is not a list, because it would be lost.
 */
export function withOwnRule(setting: unknown, rule: WrittenRule): readonly unknown[] {
	if (setting === undefined || setting === null) return [rule];
	if (!Array.isArray(setting))
		throw new HostError("invalid", `The setting "mcpHost.policy.rules" is not a list, so the rule was not added.`);
	return [rule, ...(setting as readonly unknown[])];
}

/** The place of a rule in a file, or of the rules if it no longer exists. */
export function rangeOfRule(text: string, index: number | undefined): TextRange | undefined {
	return readConfigText(text).rangeOf(index === undefined ? ["rules"] : ["rules", index]);
}
