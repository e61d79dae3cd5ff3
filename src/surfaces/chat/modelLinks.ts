/** The schemes for which VS Code makes a link of an address between angle brackets. */
const schemes = "https?|ftp|file|vscode[\\w-]*|command|data|javascript";
/** An unambiguous address: of the web, with a host of plain letters and nothing in front of it; or of an email. */
const plainAddress = /^(?:https?:\/\/(?![a-z\d.-]*xn--)[a-z\d][a-z\d.-]*(?::\d{1,5})?(?=[/?#)>\s"'`,;]|$)|mailto:)/i;
/** A place that is relative, or in the same text. A link at the text's end may continue in any way. */
const relative = /^(?:[\w.#?-][^\s:&\\()<>%]*)?(?=[)>\s])/;
/** The same of a definition, which ends with its line and, but for what is held back, with the text. */
const relativeToEnd = /^[\w.#?-][^\s:&\\()<>%]*$/;
/** The text before the address of a link, of any length. */
const beforeAddress = /[\s<]*/y;
/** The text before the path of a bare address that contains a misleading part. */
const lure = /^[^/?#\s<>"'`)]*(?:@|xn--|%|[\u0080-\uFFFF])/i;
/** How much of an address decides whether it is plain. */
const seen = 300;
/** The possible beginning of a link whose end has not arrived. */
const openEnd = new RegExp(
	String.raw`(?:!|\](?:\(\s*(?:<\s*)?\S*|:\s*\S*)?|<(?:[a-z][a-z\d+.-]*(?::\S*)?)?|(?<![a-z\d+.-])[a-z][a-z\d+.-]*(?::\S*)?|www\.\S*)$`,
	"i",
);
/** Longer ones are decided by what is there. */
const mostHeld = 2000;

/** A model's text in which every link leads where it seems to. */
export interface SafeLinks {
	readonly text: string;
	/** The addresses of former links. */
	readonly addresses: readonly string[];
}

/**
 * A model's Markdown without misleading links (UI-13): to a host after a user name, to one in other letters, to files,
 * and with schemes that only programs use. One blank breaks a link, and its address stays readable; text that is not a
 * link, such as a program, changes by no more than that. VS Code's Markdown parser is not repeated here: an address
 * that does not look plain becomes text.
 */
export function withoutLures(markdown: string): SafeLinks {
	const addresses: string[] = [];
	const isPlain = (rest: string): boolean => {
		return plainAddress.test(rest) || relative.test(rest);
	};
	const note = (rest: string): void => {
		const [address = ""] = /^[^\s<>]*/.exec(rest.replace(/^[\s(<]*/, "")) ?? [];
		if (address !== "") addresses.push(address);
	};
	const unless = (at: number, isFit: (rest: string) => boolean, kept: string, broken: string): string => {
		const rest = markdown.slice(at, at + seen);
		if (isFit(rest)) return kept;
		note(rest);
		return broken;
	};
	const pattern = new RegExp(
		String.raw`\](?=\()|\](?=:)|<(?=(?:${schemes}):)|\b(?:https?|ftp):(?=[\\/]{1,3})|\bwww\.`,
		"gi",
	);
	const text = markdown.replace(pattern, (found, at: number) => {
		const end = at + found.length;
		if (found === "]") {
			beforeAddress.lastIndex = end + 1;
			beforeAddress.test(markdown);
			const { lastIndex } = beforeAddress;
			const isDefinition = markdown[end] === ":" && lastIndex - end < mostHeld / 2;
			const isFit = (rest: string): boolean => isPlain(rest) || (isDefinition && relativeToEnd.test(rest));
			return unless(lastIndex, isFit, found, "] ");
		}
		if (found === "<") return unless(end, (rest) => plainAddress.test(rest), found, "< ");
		const isLure = (rest: string): boolean => !lure.test(rest.replace(/^[\\/]*/, ""));
		if (/^www/i.test(found)) return unless(end, isLure, found, `${found} `);
		const rest = markdown.slice(end, end + seen);
		if (isLure(rest)) return found;
		addresses.push(found + (/^[^\s<>)]*/.exec(rest)?.[0] ?? ""));
		return `${found} `;
	});
	return { text, addresses: [...new Set(addresses)] };
}

/** How much of the end of a text must wait for more text, because it may be a link. */
export function heldLength(text: string): number {
	const end = text.slice(-mostHeld);
	const held = openEnd.exec(end)?.[0].length ?? 0;
	return held === mostHeld ? 0 : held;
}
