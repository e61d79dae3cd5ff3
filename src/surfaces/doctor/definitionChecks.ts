import { oneLine } from "../../base/text.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { definitionFindings, fixOfProblem } from "../../setup/entries/entryFindings.ts";
import type { EntryFix, Members } from "../../setup/entries/entryFix.ts";
import { keyOf } from "../../setup/entries/serverEdits.ts";
import type { DoctorFacts } from "./facts.ts";
import { NeedsTrust } from "../../servers/definitions/trustWait.ts";
import type { Finding, Fix } from "./finding.ts";
import { placeIn, placeOfProblem, wholePath } from "./place.ts";

/** How many places of one kind are named. */
const mostPlaces = 3;

/** The problems in the text of an entry: those that were found when it was read, and hidden characters. */
export function checkFile(facts: DoctorFacts): readonly Finding[] {
	const { entry, problems } = facts;
	const findings: Finding[] = problems.map((problem) => {
		const { message, severity } = problem;
		const words = { layer: "file", weight: "warning", what: oneLine(message, 300) } as const;
		const why = severity === "error" ? { why: "The entry, or a part of it, is not used until this is fixed." } : {};
		if (entry === undefined) return Object.assign(why, words);
		const fix = fixOfProblem(entry.text, wholePath(problem), entry.path);
		return Object.assign(why, words, at(placeOfProblem(entry, problem), fix));
	});
	if (entry?.text.startsWith("\uFEFF") === true) {
		findings.push({
			layer: "file",
			weight: "note",
			what: "The file begins with a byte order mark.",
			why: "MCP Host can read it, but some other programs cannot. Save the file as UTF-8 without it.",
		});
	}
	return [...findings, ...entryChecks(facts, "file")];
}

/** Variables that have no value. */
export function checkVariables(facts: DoctorFacts): readonly Finding[] {
	const findings = entryChecks(facts, "variables");
	const { launch, entry } = facts;
	if (findings.length > 0 || !(launch instanceof Error)) return findings;
	if (launch instanceof NeedsTrust) return [untrusted(launch)];
	return [{ layer: "variables", weight: "cause", what: oneLine(launch.message, 400), ...at(placeIn(entry)) }];
}

/** What keeps a server from starting in Restricted Mode, with the way to trust. */
function untrusted({ part }: NeedsTrust): Finding {
	return {
		layer: "variables",
		weight: "cause",
		what: `This workspace is not trusted, and ${part} is in it.`,
		why: "The server starts once you trust the workspace.",
		fixes: [{ kind: "command", title: "Manage Workspace Trust", command: "workbench.trust.manage" }],
	};
}

/** The risks of a definition, whether or not the server runs. */
export function checkSecurity(facts: DoctorFacts): readonly Finding[] {
	return entryChecks(facts, "security");
}

const layerOf = {
	hidden: "file",
	input: "variables",
	variable: "variables",
	secret: "security",
	version: "security",
	risk: "security",
} as const;

/** The findings about an entry that belong to a layer, at their places. */
function entryChecks({ definition, entry, environment }: DoctorFacts, layer: Finding["layer"]): readonly Finding[] {
	return definitionFindings(definition, (name) => environment[name] !== undefined).flatMap(
		({ rule, weight, path, what, why, fix }): readonly Finding[] => {
			if (layerOf[rule] !== layer) return [];
			const words = { what, ...(why === undefined ? {} : { why }) };
			return [
				{ layer, weight: weight === "information" ? "note" : weight, ...words, ...at(placeIn(entry, path), fix) },
			];
		},
	);
}

/** A place, with the fix of what is there, and the one that opens it. */
function at(where: Finding["where"], fix?: EntryFix): Pick<Finding, "where" | "fixes"> {
	const fixes: readonly Fix[] = [
		...(fix === undefined ? [] : [{ kind: "entry" as const, title: fix.title, fix }]),
		...(where === undefined ? [] : [open(where)]),
	];
	return { ...(where === undefined ? {} : { where }), ...(fixes.length === 0 ? {} : { fixes }) };
}

/** Sets members of the entry of a server; with `ask`, one of them by a value that the user is asked for. */
export function setIn(definition: ServerDefinition, title: string, set: Members, ask?: string): Fix {
	const fix = { kind: "set", title, server: keyOf(definition), set, ...(ask === undefined ? {} : { ask }) } as const;
	return { kind: "entry", title, fix };
}

/** Opens a place. */
export function open(place: NonNullable<Finding["where"]>): Fix {
	return { kind: "open", title: place.line === undefined ? "Open Entry" : `Open at Line ${place.line}`, place };
}

/** The other hosts that run the same server. */
export function checkSharing({ twins, otherHost }: DoctorFacts): readonly Finding[] {
	const findings: Finding[] = [];
	if (otherHost !== undefined) {
		findings.push({
			layer: "sharing",
			weight: "note",
			what: oneLine(otherHost, 400),
			fixes: [{ kind: "command", title: "Choose Host…", command: "mcpHost.chooseRunner" }],
		});
	}
	const named = twins.slice(0, mostPlaces).map((name) => `“${oneLine(name, 60)}”`);
	if (named.length > 0) {
		findings.push({
			layer: "sharing",
			weight: "note",
			what: `The same server is also configured as ${named.join(", ")}.`,
			why: "Each of them runs as a separate process or session. Some servers support only one at a time.",
		});
	}
	return findings;
}

/** The problems of models with the tools of a running server. */
export function checkTools({ tools }: DoctorFacts): readonly Finding[] {
	if (tools === undefined) return [];
	const { tools: all, tokens, isLazy, whyHidden } = tools;
	const findings: Finding[] = [];
	const hidden = all.flatMap((tool) => {
		const why = whyHidden(tool);
		return why === undefined ? [] : [`${oneLine(tool.name, 80)}: ${oneLine(why, 200)}`];
	});
	if (hidden.length > 0) {
		findings.push({
			layer: "tools",
			weight: "warning",
			what: `${hidden.length === 1 ? "1 tool is" : `${hidden.length} tools are`} never offered to models.`,
			why: "Providers reject such definitions together with the whole request. Only the author of the server can fix this.",
			evidence: hidden.slice(0, 20),
			evidenceTitle: "Affected Tools",
		});
	}
	if (tokens !== undefined) {
		findings.push({
			layer: "tools",
			weight: isLazy ? "note" : "fine",
			what: `Its ${all.length === 1 ? "tool costs" : `${all.length} tools cost`} about ${tokens.toLocaleString("en-US")} tokens in each request.`,
			...(isLazy ? { why: "That is a lot. Models search for tools and load only those that they need." } : {}),
		});
	}
	return findings;
}
