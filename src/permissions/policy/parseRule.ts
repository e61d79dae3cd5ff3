import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { keysOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import type { JsonPath } from "../../base/configText.ts";
import { parseArgumentPath } from "./argumentValues.ts";
import { compile, type Glob, type GlobLibrary } from "../../base/globs.ts";
import type { PolicyRule, RuleDecision, Warned } from "./rule.ts";

/** Something wrong in one rule, at a place below it. */
export interface RuleFault {
	readonly path: JsonPath;
	/** One sentence. */
	readonly message: string;
}

/** Most arguments that one rule may name. */
const maxArguments = 50;
const knownKeys: ReadonlySet<string> = new Set([
	"decision",
	"server",
	"tool",
	"arguments",
	"except",
	"destructive",
	"openWorld",
	"readOnly",
	"reason",
]);
/** The only value that each condition on an annotation may have. */
const warnings: Readonly<Record<Warned, boolean>> = { destructive: true, openWorld: true, readOnly: false };

/** Reads one rule. `repeated` are the places of keys that it gives twice. A rule with a fault is broken (rule.ts). */
export function parseRule(
	value: unknown,
	index: number,
	library: GlobLibrary,
	repeated: readonly JsonPath[] = [],
): { readonly rule: PolicyRule; readonly faults: readonly RuleFault[] } {
	const parser = new RuleParser(library);
	for (const path of repeated) parser.fault(path, `"${shown(path.at(-1))}" is given twice.`);
	const rule = isJsonObject(value) ? parser.parse(value, repeated) : parser.nothing();
	return { rule: { ...rule, index, isBroken: parser.faults.length > 0 }, faults: parser.faults };
}

type Parsed = Omit<PolicyRule, "index" | "isBroken">;

class RuleParser {
	readonly faults: RuleFault[] = [];
	private readonly library: GlobLibrary;

	constructor(library: GlobLibrary) {
		this.library = library;
	}

	fault(path: JsonPath, message: string): void {
		this.faults.push({ path, message });
	}

	nothing(): Parsed {
		this.fault([], `A rule must be an object with a "decision".`);
		return { decision: "ask", arguments: [], warned: [], text: "not readable" };
	}

	parse(value: JsonObject, repeated: readonly JsonPath[]): Parsed {
		// If a key is repeated, neither value is trusted.
		const twice = new Set(repeated.map(([key]) => key));
		const own = (key: string): unknown => (Object.hasOwn(value, key) && !twice.has(key) ? value[key] : undefined);
		for (const key of Object.keys(value)) {
			if (!knownKeys.has(key)) this.fault([key], `"${shown(key)}" is not a known key of a rule.`);
		}
		const decision = this.decision(own("decision"));
		const server = this.glob(["server"], own("server"), "name");
		const tool = this.glob(["tool"], own("tool"), "name");
		const given = this.arguments(["arguments"], own("arguments"));
		const except = this.except(own("except"));
		const warned = keysOf(warnings).filter((key) => this.warning(key, own(key), decision));
		const reason = own("reason");
		if (reason !== undefined && typeof reason !== "string") this.fault(["reason"], `"reason" must be a string.`);
		if (decision === "allow" && (server === undefined || tool === undefined))
			this.fault([], `A rule with the decision "allow" must name a "server" and a "tool".`);
		return {
			decision: decision ?? "ask",
			...(server === undefined ? {} : { server }),
			...(tool === undefined ? {} : { tool }),
			arguments: given,
			...(except === undefined ? {} : { except }),
			warned,
			text: describe(value, decision),
		};
	}

	private decision(value: unknown): RuleDecision | undefined {
		if (value === "allow" || value === "ask" || value === "deny") return value;
		this.fault(["decision"], `"decision" must be "allow", "ask" or "deny".`);
		return undefined;
	}

	private glob(path: JsonPath, value: unknown, kind: "name" | "value"): Glob | undefined {
		if (value === undefined) return undefined;
		const isPlain = kind === "value" && (typeof value === "number" || typeof value === "boolean");
		if (typeof value !== "string" && !isPlain) {
			this.fault(path, `"${shown(path.at(-1))}" must be a string.`);
			return undefined;
		}
		const compiled = compile(String(value), kind, this.library);
		if ("glob" in compiled) return compiled.glob;
		this.fault(path, `The pattern of "${shown(path.at(-1))}" cannot be used: ${compiled.problem}.`);
		return undefined;
	}

	/** The exception of a rule; none if a part of it cannot be read, because without that part it would match more calls. */
	private except(value: unknown): PolicyRule["except"] {
		if (value === undefined) return undefined;
		if (!isJsonObject(value)) {
			this.fault(["except"], `"except" must be an object with a "tool" or "arguments".`);
			return undefined;
		}
		const before = this.faults.length;
		for (const key of Object.keys(value)) {
			if (key !== "tool" && key !== "arguments")
				this.fault(["except", key], `"${shown(key)}" is not a known key of "except".`);
		}
		const own = (key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
		const tool = this.glob(["except", "tool"], own("tool"), "name");
		const conditions = this.arguments(["except", "arguments"], own("arguments"));
		if (tool === undefined && conditions.length === 0)
			this.fault(["except"], `"except" must name a "tool" or "arguments".`);
		if (this.faults.length > before) return undefined;
		return { ...(tool === undefined ? {} : { tool }), arguments: conditions };
	}

	private arguments(place: JsonPath, value: unknown): PolicyRule["arguments"] {
		if (value === undefined) return [];
		if (!isJsonObject(value)) {
			this.fault(place, `"arguments" must be an object that maps arguments to patterns.`);
			return [];
		}
		const entries = Object.entries(value);
		if (entries.length > maxArguments) this.fault(place, `Only ${maxArguments} arguments may be named.`);
		return entries.slice(0, maxArguments).flatMap(([key, pattern]) => {
			const path = parseArgumentPath(key);
			if (path === undefined) this.fault([...place, key], `"${shown(key)}" is not a valid path of an argument.`);
			const glob = this.glob([...place, key], pattern ?? null, "value");
			return path === undefined || glob === undefined
				? []
				: [{ path, glob, isNegated: typeof pattern === "string" && pattern.startsWith("!") }];
		});
	}

	/** Whether the rule has this condition. */
	private warning(key: Warned, value: unknown, decision: RuleDecision | undefined): boolean {
		if (value === undefined) return false;
		const only = warnings[key];
		if (value !== only) {
			const why = "what a server says about its own tools can only make a rule stricter";
			this.fault([key], `"${key}" can only be ${only}: ${why}.`);
			return false;
		}
		if (decision === "allow") {
			this.fault([key], `"${key}" is for rules that ask or deny: what servers say about their tools is not verified.`);
			return false;
		}
		return true;
	}
}

/** A rule in one line: `deny travel · book* · path = /etc/** · except path = /etc/hosts · destructive (reason)`. */
function describe(value: JsonObject, decision: RuleDecision | undefined): string {
	const textOf = (key: string): string => (Object.hasOwn(value, key) ? shown(value[key]) : "*");
	const { arguments: args, except, reason } = value as Readonly<Record<string, unknown>>;
	const excepted = isJsonObject(except)
		? [...("tool" in except ? [shown(except["tool"])] : []), ...conditionsOf(except["arguments"])]
		: [];
	const warned = Object.entries({ destructive: "destructive", openWorld: "open world", readOnly: "not read-only" });
	const words = [
		...conditionsOf(args),
		...(excepted.length === 0 ? [] : [`except ${excepted.join(" and ")}`]),
		...warned.filter(([key]) => Object.hasOwn(value, key)).map(([, word]) => word),
	];
	const subject = [textOf("server"), textOf("tool"), ...words].join(" · ");
	const why = typeof reason === "string" && reason.trim() !== "" ? ` (${oneLine(reason, 120)})` : "";
	return oneLine(`${decision ?? "?"} ${subject}${why}`, 300);
}

function conditionsOf(args: unknown): readonly string[] {
	return isJsonObject(args) ? Object.entries(args).map(([key, glob]) => `${shown(key)} = ${shown(glob)}`) : [];
}

/** A value of a file for one line. */
function shown(value: unknown): string {
	return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), 80);
}
