import { isJsonObject } from "../../base/json.ts";
import { readConfigText, type ConfigText, type JsonPath } from "../../base/configText.ts";
import type { GlobLibrary } from "../../base/globs.ts";
import type { MachinePolicy } from "../../servers/definitions/machinePolicy.ts";
import { parseRule } from "./parseRule.ts";
import type { PolicyRule, RuleList, RulePlace, RuleProblem } from "./rule.ts";

/** Largest file that is read, in characters. */
const maxTextLength = 1_000_000;
/** Most rules of one list. */
const maxRules = 500;

/**
 * Reads the rules of the setting. Undefined and an empty list are no rules; any other value, or a list that is too
 * long, is a fault.
 *
 * An unreadable part never allows more than a readable one. A rule with a faulty part asks about every call that its
 * other parts fit, before later rules may allow it; denials elsewhere still deny. A possibly incomplete list asks about
 * every call. Parts that VS Code itself leaves out of a broken `settings.json` cannot be detected here.
 */
export function parseRules(value: unknown, place: RulePlace, library: GlobLibrary): RuleList {
	if (value === undefined || value === null) return { place, rules: [], problems: [] };
	return new Reader(place, library, undefined).list(value, []);
}

/**
 * The rules of an organization, in the policy of the machine; undefined if it has none. They are read as those of the
 * user, but one that cannot be read denies every call: nothing that they were to deny may run meanwhile (REG-18).
 */
export function parseMachineRules(policy: MachinePolicy | undefined, library: GlobLibrary): RuleList | undefined {
	if (policy === undefined) return undefined;
	const { file, fault, rules } = policy;
	const place: RulePlace = { kind: "organization", label: `your organization's policy (${file})` };
	const list = fault === undefined ? parseRules(rules, place, library) : unreadable(place, fault);
	const [first] = list.problems;
	const isEmpty = first === undefined && list.rules.length === 0;
	if (first === undefined || list.fault !== undefined) return isEmpty ? undefined : list;
	const at = first.index === undefined ? "" : `rule ${first.index + 1}: `;
	return { ...list, fault: `${at}${first.message}` };
}

/**
 * Reads a workspace's file: `{ "rules": [ … ] }` as JSON with comments. In a broken file the rules before the first
 * fault count, and every call is asked about. A rule with `allow` is a problem and has no effect. See `parseRules`.
 */
export function parsePolicyFile(source: string, place: RulePlace, library: GlobLibrary): RuleList {
	if (source.length > maxTextLength) {
		return unreadable(place, `it has more than ${maxTextLength.toLocaleString("en-US")} characters`);
	}
	const text = readConfigText(source);
	const reader = new Reader(place, library, text);
	for (const { message, ...range } of text.faults) reader.problems.push({ message, severity: "error", range });
	const isBroken = text.faults.length > 0;
	if (!isJsonObject(text.value)) return { ...reader.fail([], `it must contain an object with "rules"`), rules: [] };
	const unknown = Object.keys(text.value).find((key) => key !== "rules" && key !== "$schema");
	const list = reader.list(text.value["rules"], ["rules"]);
	if (isBroken) return { ...list, fault: "it is not valid JSON" };
	if (unknown === undefined) return list;
	return { ...reader.fail([unknown], `it may contain only "rules"`), rules: list.rules };
}

/** The list of an existing but unreadable file: nothing runs without a question. `why` is a few of our words. */
export function unreadable(place: RulePlace, why: string): RuleList {
	const meanwhile =
		place.kind === "organization"
			? "Until this is fixed, every call is denied"
			: "Until you fix this, you are asked about every call";
	const message = `The rules could not be read, because ${why}. ${meanwhile}.`;
	return { place, rules: [], fault: why, problems: [{ message, severity: "error", range: { offset: 0, length: 1 } }] };
}

class Reader {
	readonly problems: RuleProblem[] = [];
	private readonly place: RulePlace;
	private readonly library: GlobLibrary;
	private readonly text: ConfigText | undefined;

	constructor(place: RulePlace, library: GlobLibrary, text: ConfigText | undefined) {
		this.place = place;
		this.library = library;
		this.text = text;
	}

	list(value: unknown, path: JsonPath): RuleList {
		const { place, problems } = this;
		if (!Array.isArray(value)) {
			const isMissing = value === undefined;
			return { ...this.fail(path, isMissing ? `"rules" is missing` : "the rules must be a list"), rules: [] };
		}
		const items: readonly unknown[] = value;
		const rules = items.slice(0, maxRules).flatMap((item, index) => this.rule(item, index, [...path, index]));
		// A repeated key may be anywhere, so it is unknown which of the two the user sees.
		const [repeated] =
			this.text?.repeated.filter((key) => rules.every(({ index }) => !isIn(key, [...path, index]))) ?? [];
		if (repeated !== undefined) return { ...this.fail(repeated, `"${String(repeated.at(-1))}" is given twice`), rules };
		if (items.length > maxRules) return { ...this.fail(path, `it has more than ${maxRules} rules`), rules };
		return { place, rules, problems };
	}

	/** A possibly incomplete list. */
	fail(path: JsonPath, fault: string): Omit<RuleList, "rules"> {
		const effect = this.place.kind === "organization" ? "Every call is denied" : "You are asked about every call";
		const message = `${effect}, because ${fault}.`;
		this.problems.push({ message, severity: "error", ...this.at(path) });
		return { place: this.place, fault, problems: this.problems };
	}

	private rule(item: unknown, index: number, path: JsonPath): readonly PolicyRule[] {
		const repeated = this.text?.repeated.filter((key) => isIn(key, path)) ?? [];
		const { rule, faults } = parseRule(
			item,
			index,
			this.library,
			repeated.map((key) => key.slice(path.length)),
		);
		if (this.place.kind === "folder" && rule.decision === "allow") {
			const message = `A workspace can only make rules stricter, so "allow" has no effect here.`;
			this.problems.push({ index, message, severity: "warning", ...this.at([...path, "decision"]) });
			return [];
		}
		if (this.isCut(path, index)) return [{ ...rule, isBroken: true }];
		for (const fault of faults) {
			const effect =
				this.place.kind === "organization"
					? "Every call is denied until this is fixed."
					: "You are asked about calls that match the rest of the rule.";
			const message = `${fault.message} ${effect}`;
			this.problems.push({ index, message, severity: "error", ...this.at([...path, ...fault.path]) });
		}
		return [rule];
	}

	/** Whether a rule of a broken text may have lost some of its conditions: it does not end before the first fault. */
	private isCut(path: JsonPath, index: number): boolean {
		const [first] = this.text?.faults ?? [];
		if (first === undefined) return false;
		const list = path.slice(0, -1);
		const next = this.text?.rangeOf([...list, index + 1]);
		const isThere = next?.offset !== this.text?.rangeOf(list)?.offset;
		return next === undefined || !isThere || next.offset > first.offset;
	}

	private at(path: JsonPath): Pick<RuleProblem, "range"> {
		const range = this.text?.rangeOf(path);
		return range === undefined ? {} : { range };
	}
}

function isIn(path: JsonPath, parent: JsonPath): boolean {
	return path.length > parent.length && parent.every((segment, index) => path[index] === segment);
}
