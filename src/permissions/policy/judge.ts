import type { JsonObject } from "../../base/json.ts";
import { toolBadges } from "../catalog/annotations.ts";
import type { ToolEntry } from "../catalog/catalog.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import type { Tool } from "../../servers/sessions/session.ts";
import { type KeyKind, kindsOfKeys, valuesAt } from "./argumentValues.ts";
import type { Fit } from "../../base/globs.ts";
import { readName, readValue, type Readings } from "../../base/readings.ts";
import {
	type ArgumentCondition,
	describeRule,
	stricter,
	type PolicyRule,
	type RuleDecision,
	type RuleList,
	type Warned,
} from "./rule.ts";

/** A call as rules see it. */
export interface JudgedCall {
	/** The server's name, and the one under which it is configured where that differs. */
	readonly servers: readonly Readings[];
	readonly tool: Readings;
	/** Undefined if a tool is evaluated without a call of it. */
	readonly args: JsonObject | undefined;
	/** Which keys of its arguments are names that the tool's schema gives. */
	readonly kindOfKey: (key: string) => KeyKind;
	/** The readings of its arguments that rules asked for so far: they may be long, and rules many. */
	readonly readings: Map<string, Readings>;
	/** How much of them rules may still look at, and whether any did. */
	readonly work: { left: number; hasBegun: boolean };
	/** The risky annotations of the tool, by their specified defaults if they are absent. */
	readonly warned: ReadonlySet<Warned>;
	/** The workspace defines the server, so that it chose the name by which rules would allow it. */
	readonly isOfWorkspace: boolean;
}

/**
 * How many characters of arguments all rules together check for one call, counted for each rule, so that neither a
 * model's long arguments nor a workspace's many rules block the window. Longer arguments are asked about; the user's
 * own rules come first.
 */
const mostWork = 4_000_000;
/** The cost of a value, or of a member on the way to one, beside its characters. */
const workOfOne = 16;
/** The cost of reading a value, as a multiple of its characters. */
const workOfReading = 2;
/** How many readings of a value cost as much as its characters. */
const readingsOfOne = 4;

/** The decision of the rules, and the line that names the deciding one. */
export interface Judgement {
	readonly decision: RuleDecision;
	readonly label: string;
}

/** The rules' input about a server and a tool, for every call: both are new objects after a change. */
const ofServers = new WeakMap<ServerDefinition, Pick<JudgedCall, "servers" | "isOfWorkspace">>();
const ofTools = new WeakMap<Tool, Pick<JudgedCall, "tool" | "kindOfKey" | "warned">>();

/** Makes a call ready for its rules. */
export function toJudged({ session, tool }: ToolEntry, args: JsonObject | undefined): JudgedCall {
	return {
		...ofServer(session.definition),
		...ofTool(tool),
		args,
		readings: new Map(),
		work: { left: mostWork, hasBegun: false },
	};
}

function ofServer(definition: ServerDefinition): Pick<JudgedCall, "servers" | "isOfWorkspace"> {
	const known = ofServers.get(definition);
	if (known !== undefined) return known;
	const { names, isOfWorkspace } = namesOf(definition);
	const seen = { servers: names.map(readName), isOfWorkspace };
	ofServers.set(definition, seen);
	return seen;
}

function ofTool(tool: Tool): Pick<JudgedCall, "tool" | "kindOfKey" | "warned"> {
	const known = ofTools.get(tool);
	if (known !== undefined) return known;
	const badges = new Set(toolBadges(tool.annotations).map(({ label }) => label));
	const warned = new Set<Warned>();
	if (badges.has("destructive")) warned.add("destructive");
	if (badges.has("open world")) warned.add("openWorld");
	if (!badges.has("read-only")) warned.add("readOnly");
	const seen = { tool: readName(tool.name), kindOfKey: kindsOfKeys(tool.inputSchema), warned };
	ofTools.set(tool, seen);
	return seen;
}

/**
 * The decision of all rules about a call: of each list the first rule that fits, of the lists the strictest. Undefined
 * when no rule applies to the call.
 *
 * A rule that fits only some readings or values of the call neither stops the search nor allows: a denial or question
 * counts, and later rules may be stricter. The same applies to a rule with a condition on annotations, so that no
 * server can evade a later denial by its hints. Uncertain cases are asked about. An `allow` applies to no server that
 * the workspace defines: the workspace could give its own server the name of another; grants are for those.
 */
export function judge(lists: readonly RuleList[], call: JudgedCall): Judgement | undefined {
	let verdict: Judgement | undefined;
	for (const list of lists) {
		const found = judgeList(list, call);
		if (found !== undefined) verdict = strictest(verdict, found);
	}
	return verdict;
}

/**
 * The decisions of rules about tools that do not depend on the arguments: valid for all calls, until a server or tool
 * changes.
 */
const ofCalls = new WeakMap<Tool, ToldOfTool>();

interface ToldOfTool {
	readonly lists: readonly RuleList[];
	readonly definition: ServerDefinition;
	readonly judgement: Judgement | undefined;
}

/**
 * The decision of all rules about a call of a tool; see `judge`. Without arguments: the part that does not depend on
 * them.
 */
export function judgeCall(
	lists: readonly RuleList[],
	entry: ToolEntry,
	args: JsonObject | undefined,
): Judgement | undefined {
	const { definition } = entry.session;
	const known = ofCalls.get(entry.tool);
	if (known?.lists === lists && known.definition === definition) return known.judgement;
	const call = toJudged(entry, args);
	const judgement = judge(lists, call);
	if (!call.work.hasBegun) ofCalls.set(entry.tool, { lists, definition, judgement });
	return judgement;
}

function judgeList(list: RuleList, call: JudgedCall): Judgement | undefined {
	const { place, rules, fault } = list;
	const isManaged = place.kind === "organization";
	let verdict: Judgement | undefined =
		fault === undefined
			? undefined
			: {
					decision: isManaged ? "deny" : "ask",
					label: `the rules of ${place.label}, which cannot all be read: ${fault}`,
				};
	for (const rule of rules) {
		const fit = fitOf(rule, call);
		if (fit === "none") continue;
		const label = describeRule(place, rule);
		if (rule.isBroken) {
			verdict = strictest(verdict, { decision: "ask", label: `${label}, part of which cannot be read` });
		} else if (rule.decision === "allow") {
			if (fit === "all" && !call.isOfWorkspace) return strictest(verdict, { decision: "allow", label });
		} else if (fit === "unknown") {
			// Long arguments must not have the user asked about what the organization may deny.
			const decision = isManaged && rule.decision === "deny" && call.args !== undefined ? "deny" : "ask";
			verdict = strictest(verdict, { decision, label: `${label}, which may match` });
		} else {
			verdict = strictest(verdict, { decision: rule.decision, label });
			if (fit === "all" && rule.warned.length === 0) return verdict;
		}
	}
	return verdict;
}

/** The stricter of two; of two equal ones the first. */
function strictest(first: Judgement | undefined, second: Judgement): Judgement {
	if (first === undefined) return second;
	return stricter(first.decision, second.decision) === first.decision ? first : second;
}

/** How far the opposite of a condition fits. */
const opposites: Readonly<Record<Fit, Fit>> = { all: "none", some: "some", unknown: "unknown", none: "all" };

/** How far a rule fits a call: as far as the condition that fits least. Its exception must not fit. */
export function fitOf(rule: PolicyRule, call: JudgedCall): Fit {
	if (!rule.warned.every((one) => call.warned.has(one))) return "none";
	const server = rule.server === undefined ? "all" : together(call.servers.map(rule.server));
	// The names first: arguments may be long, and most rules are about other tools.
	if (server === "none") return "none";
	const fit = least([server, fitOfCall(rule, call)]);
	if (rule.except === undefined || fit === "none") return fit;
	return least([fit, opposites[fitOfCall(rule.except, call)]]);
}

function fitOfCall({ tool, arguments: conditions }: Pick<PolicyRule, "tool" | "arguments">, call: JudgedCall): Fit {
	const fit = tool?.(call.tool) ?? "all";
	if (fit === "none") return "none";
	return least([fit, ...conditions.map((condition) => fitOfArgument(call, condition))]);
}

function least(fits: readonly Fit[]): Fit {
	return (["none", "unknown", "some"] as const).find((fit) => fits.includes(fit)) ?? "all";
}

function fitOfArgument(
	{ args, kindOfKey, readings, work }: JudgedCall,
	{ path, glob, isNegated }: ArgumentCondition,
): Fit {
	work.hasBegun = true;
	if (args === undefined || work.left <= 0) return "unknown";
	const { values, words, isWhole, steps } = valuesAt(args, path, kindOfKey);
	work.left -= steps * workOfOne;
	const fitOfText = (text: string): Fit => {
		// Reading is work as well, and is not begun where none is left for it.
		if (!readings.has(text)) work.left -= text.length * workOfReading;
		if (work.left <= 0) return "unknown";
		const read = readings.get(text) ?? readValue(text);
		readings.set(text, read);
		const { plain, paths, loose } = read;
		work.left -= text.length * Math.ceil((plain.length + paths.length + loose.length) / readingsOfOne);
		return glob(read);
	};
	const fits = values.map(({ text, isLoose }): Fit => {
		const fit = fitOfText(text);
		return isLoose && fit === "all" ? "some" : fit;
	});
	const fit = together(isWhole ? fits : [...fits, "unknown"]);
	// A key that may be a name is a reason to deny, but not to allow; a negated pattern does not name it.
	const named = Array.from(words, fitOfText).filter((one) => one !== (isNegated ? "all" : "none"));
	if (named.length === 0) return fit;
	if (isNegated) return fit === "all" ? "some" : fit;
	if (fit === "all" || fit === "some") return fit;
	return named.every((one) => one === "unknown") ? "unknown" : "some";
}

/** How far several values together fit: `all` only if each does; a missing one does not. */
function together(fits: readonly Fit[]): Fit {
	if (fits.length > 0 && fits.every((fit) => fit === "all")) return "all";
	if (fits.includes("all") || fits.includes("some")) return "some";
	return fits.includes("unknown") ? "unknown" : "none";
}
