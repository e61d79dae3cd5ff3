import { assertNever } from "../../base/assert.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { ToolOutcome } from "../../features/tools/call.ts";
import {
	contentOf,
	isFor,
	problemTitle,
	type ResultPart,
	structuredOf,
	type ToolResult,
	toResultPart,
} from "../../features/tools/results/result.ts";
import { sliceOf } from "../../features/tools/results/resultExcerpts.ts";
import { repetitionOf } from "../../features/tools/results/resultRepetition.ts";
import { mediaFacts } from "../../features/tools/results/resultMedia.ts";
import { isOpenable, resultTable } from "../../features/tools/results/resultView.ts";
import type { ChatLink, ChatPart } from "./parts.ts";

/** How much of a result is in the chat; all of it is behind the link to the details. */
const excerptLength = 600;
const excerptLines = 12;
const mostExcerpts = 4;
const mostProblems = 3;
/** From how many characters on a result is offered as a document. */
const longResult = 4000;

/** How many links of a kind are below a result. */
const mostLinks = 3;

/**
 * The result of a call: how it ended, the beginning of its content, and links of ours to the rest. Nothing that a
 * result names is loaded, opened or fetched; its content is quoted as plain text (UI-01, TOL-17). `call` names the
 * call, in Markdown. `detailsId` opens all of it; absent when there is nothing more to see. `hasApp`: the tool has an
 * app for its results.
 */
export function resultParts(
	outcome: Extract<ToolOutcome, { kind: "done" }>,
	call: string,
	detailsId: string | undefined,
	hasApp = false,
): readonly ChatPart[] {
	const { result } = outcome;
	const pieces = piecesOf(result);
	const excerpts = pieces.slice(0, mostExcerpts).map(({ words }) => words);
	const more = pieces.length - excerpts.length;
	if (more > 0) excerpts.push(`_${more.toLocaleString("en-US")} more ${more === 1 ? "part" : "parts"} in Details_`);
	const hidden = contentOf(result.raw).filter(({ block }) => !isFor(block, "user")).length;
	if (hidden > 0)
		excerpts.push(
			`_${hidden.toLocaleString("en-US")} ${hidden === 1 ? "part is" : "parts are"} for the model only: ${hidden === 1 ? "it is" : "they are"} sent to the model and shown in Details_`,
		);
	else if (pieces.length === 0) excerpts.push("_The result is empty._");
	const shown: ChatPart = {
		kind: "text",
		markdown: `\n\n${[`${call} · ${verdict(outcome)}`, ...problemLines(result.problems), ...excerpts].join("\n\n")}\n\n`,
	};
	if (detailsId === undefined) return [shown];
	return [
		shown,
		{
			kind: "links",
			id: detailsId,
			links: [
				// No button: VS Code folds those away with the earlier parts.
				...(hasApp ? [{ label: "Open App", action: "open-app" as const }] : []),
				{ label: "Details", action: "details" },
				...(isLong(result) ? [{ label: "Open Whole Result", action: "open-result" as const }] : []),
				...linksOf(pieces),
				...traceLinks(outcome),
			],
		},
	];
}

/** The link from a call to its exchange; empty if that was not recorded. */
export function traceLinks({ exchange }: { readonly exchange?: string }): readonly ChatLink[] {
	return exchange === undefined ? [] : [{ label: "Show in Trace", action: "trace", detail: exchange }];
}

/** Whether there is more to read than a panel is made for (TOL-27). */
function isLong({ raw }: ToolResult): boolean {
	const texts = contentOf(raw).flatMap(({ block }) => {
		const part = toResultPart(block);
		return "text" in part && part.text !== undefined ? [part.text.length] : [];
	});
	const length = texts.reduce((sum, one) => sum + one, 0);
	if (length > longResult || raw.structuredContent === undefined) return length > longResult;
	return JSON.stringify(raw.structuredContent).length > longResult;
}

function verdict({ result, milliseconds }: Extract<ToolOutcome, { kind: "done" }>): string {
	const time = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
	return result.isError ? `⚠ the tool reported an error after ${time}` : `answered in ${time}`;
}

function problemLines(problems: readonly string[]): readonly string[] {
	if (problems.length === 0) return [];
	const lines = problems.slice(0, mostProblems).map((problem) => `- ${escapeMarkdown(oneLine(problem, 400))}`);
	const more = problems.length - lines.length;
	if (more > 0) lines.push(`- ${more} more in Details`);
	return [`⚠ ${problemTitle(problems)}. The model was informed.\n\n${lines.join("\n")}`];
}

/** A part of a result as the chat shows it. */
interface Piece {
	readonly words: string;
	/** A part that can be opened, and its place in the result's content. */
	readonly link?: { readonly kind: "image" | "audio" | "resource" | "table"; readonly index: number };
}

function piecesOf({ raw }: ToolResult): readonly Piece[] {
	const parts = contentOf(raw)
		.filter(({ block }) => isFor(block, "user"))
		.map(({ index, block }) => ({ index, part: toResultPart(block) }));
	const pieces = parts.map(({ index, part }) => pieceOf(part, index));
	const structured = structuredOf(raw);
	if (structured === undefined) return pieces;
	const link = resultTable(structured) === undefined ? {} : { link: { kind: "table" as const, index: -1 } };
	const texts = parts.flatMap(({ part }) => (part.kind === "text" ? [part.text] : []));
	const [first, ...others] = pieces;
	const data = { words: quoted(JSON.stringify(structured)), ...link };
	if (texts.length === 0 || first === undefined) return [...pieces, data];
	// Both would repeat the same, unless the words differ from the model's text.
	const repetition = repetitionOf(structured);
	if (texts.every((text) => repetition(text) === undefined))
		return [...pieces, { ...data, words: `_Structured content, which is also sent to the model:_\n\n${data.words}` }];
	return first.link === undefined ? [{ ...first, ...link }, ...others] : pieces;
}

function pieceOf(part: ResultPart, index: number): Piece {
	switch (part.kind) {
		case "text":
			return { words: quoted(part.text) };
		case "media": {
			const { kind, label } = mediaFacts(part);
			return { words: escapeMarkdown(label), ...(kind === undefined ? {} : { link: { kind, index } }) };
		}
		case "link":
			// The address on a line of its own, so that no name can be mistaken for it.
			return {
				words: `Link: ${escapeMarkdown(oneLine(part.name, 80))}  \n${escapeMarkdown(oneLine(part.uri))}`,
				...openable(part.uri, index),
			};
		case "resource": {
			const type = part.mimeType === undefined ? "" : ` (${escapeMarkdown(oneLine(part.mimeType, 60))})`;
			const words = `Resource: ${escapeMarkdown(oneLine(part.uri))}${type}`;
			const excerpt = part.text === undefined ? "" : `\n\n${quoted(part.text)}`;
			return { words: `${words}${excerpt}`, ...openable(part.uri, index) };
		}
		default:
			return assertNever(part);
	}
}

function openable(uri: string, index: number): Pick<Piece, "link"> {
	return isOpenable(uri) ? { link: { kind: "resource", index } } : {};
}

const linkWords = { image: "Show Image", audio: "Play Audio", resource: "Open Resource", table: "Show Table" } as const;

/** The first links of each kind in fixed words of ours, numbered if there are several. */
function linksOf(pieces: readonly Piece[]): readonly ChatLink[] {
	const links = pieces.flatMap(({ link }) => (link === undefined ? [] : [link]));
	return [...Map.groupBy(links, ({ kind }) => kind)].flatMap(([kind, own]) =>
		own.slice(0, mostLinks).map(({ index }, place): ChatLink => {
			const label = own.length === 1 ? linkWords[kind] : `${linkWords[kind]} ${place + 1}`;
			return kind === "resource" ? { label, action: "open-resource", detail: index } : { label, action: "details" };
		}),
	);
}

/** The beginning of a server's text as a quotation, which wraps at any width. */
function quoted(value: string): string {
	const lines = sliceOf(value, 0, excerptLength).split("\n").slice(0, excerptLines).join("\n");
	const shown = lines.length < value.length ? `${lines}…` : value;
	return `> ${escapeMarkdown(shown).replaceAll("\n", "\n> ")}`;
}
