import { hasHiddenCharacters, showHidden } from "./text.ts";

/** Many escapes in a row would push the following text away, just as the characters themselves would. */
const mostGroups = 20;

/**
 * A text on one line in which nothing is hidden and no two texts look alike (CFG-07). Hidden characters, line breaks,
 * unusual blanks, and usual blanks in a row or at an end are written as escapes. A run of one kind is one escape with
 * its count: `\u0020{300}`.
 */
export function exactLine(text: string): string {
	const groups = groupsOf(looksEscaped(text) ? text.replaceAll("\\", "\\\\") : text);
	let line = "";
	let plain = "";
	const endPlain = (): void => {
		line += showHidden(plain);
		plain = "";
	};
	for (let at = 0; at < groups.length;) {
		const { character, count } = groups[at] ?? { character: "", count: 0 };
		let end = at;
		while (isWhite(groups[end]?.character)) end++;
		if (end > at) {
			const isSeen = character === " " && count === 1 && end === at + 1 && at > 0 && end < groups.length;
			endPlain();
			line += isSeen ? " " : whiteText(groups.slice(at, end));
			at = end;
			continue;
		}
		if (count > 3 && hasHiddenCharacters(character)) {
			endPlain();
			line += escapeOf({ character, count });
		} else plain += character.repeat(count);
		at++;
	}
	endPlain();
	return line;
}

/** Whether a backslash of the text could be taken for that of an escape: all of them are doubled then. */
function looksEscaped(text: string): boolean {
	if (!text.includes("\\")) return false;
	if (/\\u(?:[\da-f]{4}|\{)/i.test(text)) return true;
	return Array.from(text.matchAll(/\\(.)/gsu)).some(([, next = ""]) => isWhite(next) || hasHiddenCharacters(next));
}

/** The same character, so many times in a row. */
interface Group {
	readonly character: string;
	count: number;
}

function groupsOf(text: string): readonly Group[] {
	const groups: Group[] = [];
	for (const character of text) {
		const last = groups.at(-1);
		if (last?.character === character) last.count++;
		else groups.push({ character, count: 1 });
	}
	return groups;
}

function isWhite(character: string | undefined): boolean {
	return character !== undefined && /\s/.test(character);
}

function whiteText(groups: readonly Group[]): string {
	if (groups.length <= mostGroups) return groups.map(escapeOf).join("");
	let blanks = 0;
	let breaks = 0;
	for (const { character, count } of groups) {
		if (character === "\n") breaks += count;
		else blanks += count;
	}
	return `(${[`${blanks} blanks`, ...(breaks === 0 ? [] : [`${breaks} line breaks`])].join(" and ")})`;
}

function escapeOf({ character, count }: Group): string {
	const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
	const escape = code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
	return count === 1 ? escape : `${escape}{${count}}`;
}
