import { count, oneLine } from "./text.ts";

/** This many blanks in a line, or line breaks in a row, push the following text out of sight. */
const longRun = 40;
const manyLines = 5;
/** How many gaps are named, and how much of the surrounding text is shown. */
const mostNamed = 5;
const shownBefore = 40;
const shownAfter = 120;
/** Approximately how much a box shows without scrolling. */
const boxLines = 20;
const boxCharacters = 2000;

/**
 * The gaps of a text, one sentence each: runs of blanks and line breaks that hide the text after them (SMP-19). With
 * such gaps, the visible part of a box seems to be the whole text.
 */
export function gapsIn(text: string): readonly string[] {
	const sentences: string[] = [];
	let others = 0;
	for (const { 0: run, index } of text.matchAll(/(?<!\s)\s{5,}/g)) {
		const end = index + run.length;
		const lines = run.split("\n");
		const isGap = lines.length > manyLines || lines.some((line) => line.replace("\r", "").length >= longRun);
		if (!isGap || end === text.length) continue;
		if (sentences.length === mostNamed) others++;
		else sentences.push(sentence(text, index, end, run));
	}
	return others === 0
		? sentences
		: [...sentences, `There ${others === 1 ? "is 1 more such gap" : `are ${count(others)} more such gaps`}.`];
}

function sentence(text: string, start: number, end: number, run: string): string {
	const breaks = run.split("\n").length - 1;
	const blanks = run.replace(/\r?\n/g, "").length;
	const what = [amount(blanks, "blank"), amount(breaks, "line break")].filter((one) => one !== "").join(" and ");
	const before = oneLine(text.slice(Math.max(0, start - shownBefore), start), shownBefore);
	const after = oneLine(text.slice(end, end + shownAfter), shownAfter);
	return `${start === 0 ? "It begins with" : `After “${before}” come`} ${what}, and then: “${after}”`;
}

/** How long a text is, in words, where a box may not show all of it; undefined for a text that is shown whole. */
export function sizeInWords(text: string): string | undefined {
	let lines = 1;
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
	if (text.length <= boxCharacters && lines <= boxLines) return undefined;
	return `${count(text.length)} characters in ${lines === 1 ? "one line" : `${count(lines)} lines`}`;
}

function amount(number: number, word: string): string {
	return number === 0 ? "" : `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}
