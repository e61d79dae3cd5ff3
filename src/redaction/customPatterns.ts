import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { withinTime } from "../base/timeBudget.ts";
import { ranks, type Finding, type SecretKind } from "./finding.ts";

/** A pattern of the person's own. */
export interface CustomPattern {
	readonly kind: SecretKind;
	readonly pattern: RegExp;
}

/** The usable entries of the setting, and a sentence for each that is not. */
export interface CustomPatterns {
	readonly patterns: readonly CustomPattern[];
	readonly problems: readonly string[];
}

/** How long one pattern may take for one text, in milliseconds, and how often it may match there. */
const patternTimeMs = 250;
const mostMatches = 20_000;
const mostPatterns = 200;
const longestName = 40;

/**
 * Reads the setting `mcpHost.redaction.patterns`: regular expressions by name, as `pattern` or `/pattern/flags`. Never
 * throws: what cannot be used is told.
 */
export function parsePatterns(setting: unknown): CustomPatterns {
	if (setting === undefined) return { patterns: [], problems: [] };
	if (!isJsonObject(setting)) {
		return { patterns: [], problems: ["mcpHost.redaction.patterns must be an object: names, and a pattern for each."] };
	}
	const patterns: CustomPattern[] = [];
	const problems: string[] = [];
	const entries = Object.entries(setting);
	if (entries.length > mostPatterns) {
		problems.push(`Of your redaction patterns only the first ${mostPatterns} are looked for.`);
	}
	for (const [name, source] of entries.slice(0, mostPatterns)) {
		const pattern = typeof source === "string" && source !== "" ? compile(source) : undefined;
		if (pattern === undefined) {
			problems.push(`Your redaction pattern “${shown(name)}” is no regular expression and is not looked for.`);
		} else {
			const kind = { name: inMark(name), label: `your pattern “${shown(name)}”`, rank: ranks.custom };
			patterns.push({ kind, pattern });
		}
	}
	return { patterns, problems };
}

/** The matches of a pattern in a text, or why it could not be looked for: it was stopped, or fits everything. */
export function findCustom({ kind, pattern }: CustomPattern, text: string): readonly Finding[] | { problem: string } {
	const findings: Finding[] = [];
	const look = (): boolean => {
		for (const { index, 0: match } of text.matchAll(pattern)) {
			if (findings.length === mostMatches) return false;
			if (match !== "") findings.push({ start: index, end: index + match.length, kind });
		}
		return true;
	};
	const label = `Y${kind.label.slice(1)}`;
	try {
		if (withinTime(patternTimeMs, look)) return findings;
		return { problem: `${label} fits nearly everything, so it was not applied.` };
	} catch (error) {
		if (HostError.is(error, "limit")) return { problem: `${label} took too long and was not applied to all texts.` };
		throw error;
	}
}

function compile(source: string): RegExp | undefined {
	const [, inner, flags = ""] = /^\/(.+)\/([imsuv]*)$/s.exec(source) ?? [];
	// Without `u` a pattern may say less strictly what it means.
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

/** A name as it may stand in a mark: without what JSON escapes and what marks are told by. */
function inMark(name: string): string {
	const plain = name.replace(/[^\p{L}\p{N} ._/+#-]/gu, "").trim();
	return plain === "" ? "secret" : plain.slice(0, longestName).trim();
}
