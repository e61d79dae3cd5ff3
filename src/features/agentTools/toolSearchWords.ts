/** Words that carry no meaning in a search for a tool. */
const emptyWords: ReadonlySet<string> = new Set(
	"a an and are as at be by can could do does for from get give have how i in into is it its let me my need of on or our please should some tell that the their them then there these they this to tool tools use using via want was what when where which who will with would you your".split(
		" ",
	),
);

/** Words that users and servers use for the same thing. */
const sameMeaning: readonly string[] = [
	"add create make new insert",
	"delete remove drop erase destroy",
	"find search query lookup",
	"list show all browse enumerate",
	"read fetch open view load retrieve",
	"write save store put",
	"update edit modify change patch",
	"send post submit publish",
	"run execute launch start invoke",
	"folder directory",
	"picture image photo screenshot",
	"mail email message inbox",
	"issue ticket bug",
	"meeting appointment event calendar",
	"website page url web",
	"repository repo",
	"database db sql table",
	"colleague person user member contact",
	"money payment charge refund",
	"forecast weather temperature",
];

/** How long a word may be that anything is found by. */
const longestWord = 40;

/**
 * The words of a text or a name, in order: `searchFlights`, `search_flights` and "Search flights!" have the same. Small
 * letters without accents; each is reduced to its stem, roughly and for English. Scripts without blanks give pairs of
 * characters. At most the first `limit` characters are looked at.
 */
export function wordsOf(text: string, limit: number): readonly string[] {
	return plainWords(text, limit).map(stem);
}

/** Where words begin within words, and what words are. */
interface WordPatterns {
	readonly afterSmall: RegExp;
	readonly afterCapitals: RegExp;
	readonly words: RegExp;
}

const ofAll: WordPatterns = {
	afterSmall: /(\p{Ll}|\p{N})(\p{Lu})/gu,
	afterCapitals: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
	words: /[\p{L}\p{M}]+|\p{N}+/gu,
};

/** The same for ASCII, as nearly all names are: to make the others ready takes as long as a thousand names. */
const ofAscii: WordPatterns = {
	afterSmall: /([a-z0-9])([A-Z])/g,
	afterCapitals: /([A-Z])([A-Z][a-z])/g,
	words: /[a-z]+|[0-9]+/g,
};

/** The words of a text as they are written, in small letters. */
export function plainWords(text: string, limit: number): readonly string[] {
	const head = text.slice(0, limit);
	if (/^\p{ASCII}*$/u.test(head)) return split(head, ofAscii).map((word) => word.slice(0, longestWord));
	const plain = head
		.normalize("NFKD")
		// Some of what nobody can see counts as letters or marks, which would carry text of its own (TOL-08).
		.replace(/[\u0300-\u036F]|\p{Default_Ignorable_Code_Point}/gu, "")
		.normalize("NFC");
	return split(plain, ofAll).flatMap((word) =>
		/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u.test(word) ? pairs(word) : [word.slice(0, longestWord)],
	);
}

function split(text: string, { afterSmall, afterCapitals, words }: WordPatterns): readonly string[] {
	const apart = text.replace(afterSmall, "$1 $2").replace(afterCapitals, "$1 $2");
	return apart.toLowerCase().match(words) ?? [];
}

/** Whether a word helps to find something. */
export function isTelling(word: string): boolean {
	return !emptyWords.has(word);
}

/** The stems of other words for the same thing. */
export function synonymsOf(word: string): readonly string[] {
	return synonyms.get(word) ?? [];
}

const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
	sameMeaning.flatMap((line) => {
		const words = line.split(" ").map(stem);
		return words.map((word) => [word, words.filter((other) => other !== word)] as const);
	}),
);

function pairs(word: string): readonly string[] {
	const characters = Array.from(word.slice(0, longestWord));
	if (characters.length < 3) return [word];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function stem(word: string): string {
	if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
	const one = word
		.replace(/ies$/, "y")
		.replace(/(x|ch|sh|ss|z)es$/, "$1")
		.replace(/([^sui])s$/, "$1");
	const bare = one.replace(/(.{3})(?:ing|ed)$/, "$1").replace(/([bdgmnprt])\1$/, "$1");
	return bare.length > 4 ? bare.replace(/e$/, "") : bare;
}
