import { type FoundSecret, kindOf } from "./finding.ts";

const kind = kindOf("private key");
const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The longest key that is recognized; nobody uses larger ones. */
const longest = 40_000;
/** The characters of a key, with line ends as they are or as JSON writes them. */
const body = /[A-Za-z0-9+/=\s\\]{0,40000}/y;

/** The private keys in PEM, as a whole; for one that was cut off, the remaining part. */
export function findPrivateKeys(text: string): readonly FoundSecret[] {
	const findings: FoundSecret[] = [];
	// Searched once after each end, so that many beginnings cost no more than one.
	let nextEnd = 0;
	let past = 0;
	for (const { index, 0: first } of text.matchAll(begin)) {
		if (index < past) continue;
		const inner = index + first.length;
		if (nextEnd !== -1 && nextEnd < inner) nextEnd = text.indexOf("-----END ", inner);
		const nextBegin = text.indexOf("-----BEGIN ", inner);
		const isWhole = nextEnd !== -1 && nextEnd - inner <= longest && (nextBegin === -1 || nextEnd < nextBegin);
		past = isWhole ? endOfLine(text, nextEnd) : endOfBody(text, inner);
		findings.push({ start: index, end: past, kind });
	}
	return findings;
}

/** Behind the dashes that close the line `-----END …-----`. */
function endOfLine(text: string, start: number): number {
	const [line = ""] = /^-----END [A-Z0-9 ]{0,60}(?:-----)?/.exec(text.slice(start, start + 80)) ?? [];
	return start + line.length;
}

function endOfBody(text: string, start: number): number {
	body.lastIndex = start;
	const [part = ""] = body.exec(text) ?? [];
	return start + part.trimEnd().length;
}
