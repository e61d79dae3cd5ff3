/** Words of a former dialect, which texts, comments and names of tests do not use, and what to say instead. */

/** Patterns of words, each with its replacement. */
type RetiredWords = readonly (readonly [pattern: RegExp, instead: string])[];

/** The words that a text must not contain. */
export const retired: RetiredWords = [
	[/\bthe persons?\b/i, "user"],
	[/\b(?:is|are|was|were|be|been) told\b|\btold (?:about|of|so)\b/i, "shown, reported, sent or informed"],
	[/\bby itself\b|\bby themselves\b/i, "automatically"],
	[/\bhardly\b/i, "rarely, or what is likely"],
	[/\bmend(?:s|ed|ing)?\b/i, "fix"],
	[/\blapsed?\b/i, "ended or expired"],
	[/\bor else\b/i, "or, otherwise"],
	[/\bas it came\b/i, "as received"],
	[/\bwhoever\b/i, "the operator, or name who"],
	[/\binformation, not orders\b/i, "untrusted data"],
	[/\bunder way\b/i, "running or in progress"],
	[/\b(?:legacy|modern) era\b/i, "name the revision"],
	[/\bknows? no\b/i, "does not support"],
	[/(?:^|[.!?] )What (?!changes|went|happened)[a-z' ]+ (?:is|are|was|were) /, "name the subject"],
];

/** The words that a comment, or a name of a test, must not contain. */
export const retiredInComments: RetiredWords = [
	...retired,
	[/\btold\b|\btell(?:s|ing)?\b/i, "shown, reported, sent, returned or distinguished"],
	[/\b(?:stands?|stood|standing)\b/i, "is, represents, replaces"],
	[/\b(?:comes? (?:back|of|by itself|out of|up)|came|coming)\b/i, "was received, results"],
	[/\b(?:said|hears?|heard)\b/i, "reported, received"],
	[/(?<!(?:any|every|no|some)(?:thing|body|one|where)|little) else\b/i, "otherwise"],
	[/\b(?:is|are) asked about by\b|\bpeople\b|\bpersons?\b/i, "user"],
	[/\banew\b/i, "again"],
	[/(?:^|[.!?] )What /, "name the subject"],
];

/** The retired words in a text, each with its replacement. */
export function retiredIn(text: string, words: RetiredWords): readonly string[] {
	return words.flatMap(([pattern, instead]) => {
		const word = pattern.exec(text)?.[0].trim();
		return word === undefined ? [] : [`${word} (say: ${instead})`];
	});
}
