import { HostError } from "../../../base/errors.ts";
import { isJsonObject } from "../../../base/json.ts";
import { oneLine } from "../../../base/text.ts";
import { withinTime } from "../../../base/timeBudget.ts";
import { ranks, type FoundSecret, type SecretKind } from "../../../base/secrets/finding.ts";

/** A pattern of the user's own. */
export interface CustomPattern {
	readonly kind: SecretKind;
	readonly pattern: RegExp;
}

/** The usable entries of the setting, and a sentence for each that is not. */
export interface CustomPatterns {
	readonly patterns: readonly CustomPattern[];
	readonly problems: readonly string[];
}

/**
 * How long one pattern may take for the texts that arrive at once, in milliseconds, and how often it may match in one.
 */
const patternTimeMs = 500;
const mostMatches = 20_000;
const mostPatterns = 200;
const longestName = 40;

/**
 * Reads the setting `mcpHost.redaction.patterns`: regular expressions by name, as `pattern` or `/pattern/flags`. Never
 * throws: unusable entries are reported.
 */
export function parsePatterns(setting: unknown): CustomPatterns {
	if (setting === undefined) return { patterns: [], problems: [] };
	if (!isJsonObject(setting)) {
		return { patterns: [], problems: ["mcpHost.redaction.patterns must be an object that maps names to patterns."] };
	}
	const patterns: CustomPattern[] = [];
	const problems: string[] = [];
	const entries = Object.entries(setting);
	if (entries.length > mostPatterns) {
		problems.push(`Only the first ${mostPatterns} of your redaction patterns are used.`);
	}
	for (const [name, source] of entries.slice(0, mostPatterns)) {
		const pattern = typeof source === "string" && source !== "" ? compile(source) : undefined;
		if (pattern === undefined) {
			problems.push(`Your redaction pattern “${shown(name)}” is not a valid regular expression, so it is not used.`);
		} else {
			const kind = { name: inMark(name), label: `your pattern “${shown(name)}”`, rank: ranks.custom };
			patterns.push({ kind, pattern });
		}
	}
	return { patterns, problems };
}

/** The result of looking for a pattern in texts. */
export interface CustomMatches {
	/** For each of the texts that were gone through, in their order. */
	readonly findings: readonly (readonly FoundSecret[])[];
	/** Why the search was incomplete: it exceeded its time, or matches everything. */
	readonly problem?: string;
}

/** Looks for a pattern in texts, all of them within one time limit. Matches before a timeout count. */
export function findCustom({ kind, pattern }: CustomPattern, texts: readonly string[]): CustomMatches {
	const findings: FoundSecret[][] = [];
	const look = (): boolean => {
		findings.length = 0;
		for (const text of texts) {
			const found: FoundSecret[] = [];
			findings.push(found);
			for (const { index, 0: match } of text.matchAll(pattern)) {
				if (found.length === mostMatches) return false;
				if (match !== "") found.push({ start: index, end: index + match.length, kind });
			}
		}
		return true;
	};
	const problem = (why: string): CustomMatches => ({
		findings,
		problem: `The search for ${kind.label} ${why}. Some of its matches may not be hidden.`,
	});
	try {
		return withinTime(patternTimeMs, look)
			? { findings }
			: problem("was stopped, because it matches nearly everything");
	} catch (error) {
		// Otherwise the expression itself failed, such as one that needs too much of the stack.
		return problem(HostError.is(error, "limit") ? "took too long and was stopped" : "failed");
	}
}

function compile(source: string): RegExp | undefined {
	const [, inner, flags = ""] = /^\/(.+)\/([imsuv]*)$/s.exec(source) ?? [];
	// Without `u` a pattern may have a less strict syntax.
	const ways = inner === undefined ? [`gu`, `g`] : [`g${flags}`];
	for (const way of ways) {
		try {
			return new RegExp(inner ?? source, way);
		} catch {
			// The next way, if there is one.
		}
	}
	return undefined;
}

function shown(name: string): string {
	return oneLine(name, longestName);
}

/** A name as it may be in a mark: without characters that JSON escapes or that delimit marks. */
function inMark(name: string): string {
	const plain = name.replace(/[^\p{L}\p{N} ._/+#-]/gu, "").trim();
	return plain === "" ? "secret" : plain.slice(0, longestName).trim();
}
