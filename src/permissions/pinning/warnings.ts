import { wordList } from "../../base/wordList.ts";
import { inPlainLetters, mixesScripts } from "../../base/lookAlikes.ts";
import { oneLine } from "../../base/text.ts";
import type { Session, SessionDirectory, Tool } from "../../servers/sessions/session.ts";
import { hiddenTextOf } from "./hiddenText.ts";
import { Neighbours, type Neighbour } from "./neighbours.ts";
import type { DefinitionWarning } from "./pin.ts";

/** How many other tools or servers one sentence names. */
const mostNamed = 3;
/** How much of a description is searched for names of tools. */
const searchedLength = 20_000;

/** The warnings for the former neighbouring tools. */
interface Known {
	readonly version: number;
	readonly warnings: readonly DefinitionWarning[];
}

/**
 * Warnings about a tool's own texts: hidden characters (TOL-08), names that can be mistaken for others (TOL-04,
 * TOL-08), titles of other tools (TOL-07), words about tools of other servers (TOL-03). Found, not judged: nothing is
 * forbidden by them. Bounded in cost for any definition.
 */
export class DefinitionWarnings {
	private readonly neighbours: Neighbours;
	/** The warnings that depend on the tool alone. */
	private readonly own = new WeakMap<Tool, readonly DefinitionWarning[]>();
	private readonly known = new WeakMap<Tool, Known>();

	constructor(directory: SessionDirectory) {
		this.neighbours = new Neighbours(directory);
	}

	/** Those of one tool of a running server, the gravest first; empty for most. */
	of(session: Session, tool: Tool): readonly DefinitionWarning[] {
		const { version } = this.neighbours;
		const known = this.known.get(tool);
		if (known?.version === version) return known.warnings;
		const own = this.own.get(tool) ?? ownWarnings(tool);
		this.own.set(tool, own);
		const found = [
			...own,
			...this.titleWarnings(session, tool),
			...this.twinWarnings(session, tool),
			...this.mentionWarnings(session, tool),
		];
		const warnings = found.toSorted((a, b) => Number(a.isNote) - Number(b.isNote));
		this.known.set(tool, { version, warnings });
		return warnings;
	}

	private titleWarnings(session: Session, tool: Tool): readonly DefinitionWarning[] {
		const titles = [tool.title ?? "", tool.annotations?.title ?? ""];
		const named = titles.map((title) => this.neighbours.namedBy(title, session, tool)).find(Boolean);
		if (named === undefined) return [];
		const whose = named.session === session ? "of the same server" : `of ${quoted(serverOf(named))}`;
		return [grave("misleading title", `Its title is the name of another tool: ${quoted(named.tool.name)} ${whose}.`)];
	}

	private twinWarnings(session: Session, tool: Tool): readonly DefinitionWarning[] {
		const twins = this.neighbours.twins(session, tool.name);
		const same = twins.filter((twin) => twin.tool.name === tool.name);
		const similar = twins.filter((twin) => twin.tool.name !== tool.name);
		return [
			...(similar.length === 0
				? []
				: [
						grave("lookalike name", `Its name looks like that of another tool: ${listOf(similar.map(toolAndServer))}.`),
					]),
			...(same.length === 0
				? []
				: [
						note(
							"same name elsewhere",
							`A tool with the same name is also offered by ${listOf(same.map((twin) => quoted(serverOf(twin))))}.`,
						),
					]),
		];
	}

	private mentionWarnings(session: Session, tool: Tool): readonly DefinitionWarning[] {
		const mentioned = this.neighbours.among(identifiersIn(tool.description ?? ""), session);
		if (mentioned.length === 0) return [];
		const tools = listOf(mentioned.map(toolAndServer));
		return [note("mentions other servers", `Its description mentions tools of other servers: ${tools}.`)];
	}
}

/** The warnings about a definition, regardless of other tools. */
function ownWarnings(tool: Tool): readonly DefinitionWarning[] {
	const { counts, fields, isIncomplete } = hiddenTextOf(tool);
	const warnings: DefinitionWarning[] = [];
	if (counts !== "") {
		const where = fields.length === 1 ? `Its ${fields[0]} contains` : `Its ${wordList(fields)} contain`;
		warnings.push(grave("hidden characters", `${where} hidden characters (${counts}).`));
	}
	const plain = imitated(tool.name);
	if (plain !== undefined) {
		warnings.push(
			grave(
				"lookalike name",
				`Its name contains letters from another alphabet and can be mistaken for ${quoted(plain)}.`,
			),
		);
	} else if (mixesScripts(tool.name)) {
		warnings.push(grave("mixed alphabets", "Its name mixes letters from several alphabets."));
	}
	const title = tool.title ?? tool.annotations?.title ?? "";
	if (isDisguised(title))
		warnings.push(grave("mixed alphabets", "Its title mixes letters from alphabets that look alike."));
	if (isIncomplete) {
		warnings.push(
			note("very long", "Its definition is too long: only a part of it was searched for hidden characters."),
		);
	}
	return warnings;
}

/**
 * The plain name that a name with letters of another alphabet can be mistaken for, if all of them have a plain twin.
 */
function imitated(name: string): string | undefined {
	const small = name.slice(0, 200).toLowerCase();
	const plain = small.normalize("NFKC");
	const isDisguise = plain !== small || /[\p{L}--\p{Script=Latin}]/v.test(plain);
	const twin = inPlainLetters(plain);
	return isDisguise && /^[\x20-\x7E]+$/.test(twin) ? twin : undefined;
}

/** Whether a word of a title has letters of another alphabet in place of plain ones. */
function isDisguised(title: string): boolean {
	const words = title
		.slice(0, 1000)
		.toLowerCase()
		.split(/[^\p{L}\p{M}\p{N}]+/u);
	return words.some((word) => mixesScripts(word) && /^[a-z0-9]+$/.test(inPlainLetters(word)));
}

/** The words of a text that can only be names: with an underscore, a hyphen, a digit, or a capital in the middle. */
function identifiersIn(text: string): ReadonlySet<string> {
	const words = text.slice(0, searchedLength).match(/[\p{L}\p{N}_./-]{4,128}/gu) ?? [];
	const trimmed = words.map((word) => word.replace(/^[./-]+|[./-]+$/g, ""));
	return new Set(trimmed.filter((word) => /[\p{L}\p{N}][_./-][\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(word)));
}

function grave(word: string, text: string): DefinitionWarning {
	return { word, text, isNote: false };
}

function note(word: string, text: string): DefinitionWarning {
	return { word, text, isNote: true };
}

function serverOf({ session }: Neighbour): string {
	return session.definition.name;
}

function toolAndServer(one: Neighbour): string {
	return `${quoted(one.tool.name)} of ${quoted(serverOf(one))}`;
}

function quoted(name: string): string {
	return `"${oneLine(name, 80)}"`;
}

/** The first few, and how many more. */
function listOf(texts: readonly string[]): string {
	const more = texts.length - mostNamed;
	return more > 0
		? `${texts.slice(0, mostNamed).join(", ")} and ${more.toLocaleString("en-US")} more`
		: wordList(texts);
}
