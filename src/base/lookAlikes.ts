/** Letters that look like plain ones (a selection of Unicode's confusables), by the plain ones. */
const lookAlikes: Readonly<Record<string, string>> = {
	a: "а\u0251αàáâãäåāăạ",
	b: "Ьƅ",
	c: "сϲçćč",
	d: "ԁɗď",
	e: "еҽèéêëēĕėęě",
	g: "ɡģğ",
	h: "һ",
	i: "іıɩìíîïĩīĭįιɪ",
	j: "ј",
	k: "κкķ",
	l: "ӏłĺļľ",
	m: "ｍṃ",
	n: "ոпñńņňŋ",
	o: "оοօòóôõöøōŏőọ",
	p: "рρ",
	q: "ԛզ",
	r: "гŕŗř",
	s: "ѕśŝşšș",
	t: "тţťŧț",
	u: "υսùúûüũūŭůűų",
	v: "νѵ",
	w: "ѡԝŵ",
	x: "хχ",
	y: "уүýÿŷỳ",
	z: "źżž",
};
const plainOf = new Map(
	Object.entries(lookAlikes).flatMap(([plain, others]) => Array.from(others, (one) => [one, plain])),
);

/**
 * The text with every letter that looks like a plain letter replaced by that letter. Convert the text to lower case
 * first.
 */
export function inPlainLetters(text: string): string {
	return Array.from(text, (letter) => plainOf.get(letter) ?? letter).join("");
}

const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether a word mixes alphabets that no real word mixes. */
export function mixesScripts(word: string): boolean {
	return alphabets.filter((alphabet) => alphabet.test(word)).length > 1;
}
