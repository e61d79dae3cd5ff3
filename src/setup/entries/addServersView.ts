import { exactLine } from "../../base/exactLine.ts";
import type { JsonObject } from "../../base/json.ts";
import { hasHiddenCharacters, oneLine } from "../../base/text.ts";
import type { ForeignToolLists } from "../../servers/formats/foreignServer.ts";
import { targetText } from "../../servers/formats/targetText.ts";
import { isToFillIn } from "./valueRows.ts";
import type { AddServersView, CandidateLine, CandidateView, GroupView, RowView } from "./addServersProtocol.ts";
import type { Candidate, CandidateRow } from "./candidate.ts";
import type { AddingServers, CandidateGroup, CandidateFacts } from "./candidates.ts";

/** As much of a text of others as is shown in a sentence. */
const inSentence = 300;

/**
 * The panel's data about servers that may be added. Hidden characters in others' text are visible, and no secret is in
 * it.
 */
export function toAddServersView(adding: AddingServers): AddServersView {
	const { heading, text, obstacle, failure } = adding;
	return {
		heading,
		isUpdate: adding.groups.some(({ source }) => source.replaces !== undefined),
		...(text === undefined ? {} : { text }),
		groups: adding.groups.map((group) => groupView(adding, group)),
		places: adding.places.map(({ label, description }) => ({ label, description })),
		place: adding.place,
		chosen: adding.chosen.length,
		followed: adding.groups.filter(({ isFollowed }) => isFollowed).length,
		...(obstacle === undefined ? {} : { obstacle }),
		isAdding: adding.isAdding,
		...(failure === undefined ? {} : { failure }),
	};
}

function groupView(adding: AddingServers, { id, source, candidates, isFollowed, isByHand }: CandidateGroup): GroupView {
	const { heading, path, found, follow, about = [], cautions = [] } = source;
	return {
		id,
		heading: oneLine(heading),
		...(path === undefined ? {} : { path: exactLine(path) }),
		...(found.bundle === undefined ? {} : { bundle: exactLine(found.bundle) }),
		...(found.domain === undefined ? {} : { domain: oneLine(new URL(found.domain).host, 100) }),
		...(found.listed === undefined ? {} : { listed: oneLine(found.listed, 200) }),
		about: about.map(({ label, values }) => ({ label, values: values.map((value) => exactLine(value)) })),
		candidates: candidates.map((candidate) => {
			const judgement = adding.judge(candidate);
			const warnings = [...judgement.warnings, ...cautions];
			const view = candidateView(candidate, { ...judgement, warnings }, isByHand);
			return { ...view, notes: [...folderNote(adding, candidate), ...view.notes] };
		}),
		refused: found.refused.map(({ name, reason }) => {
			const words = oneLine(reason, inSentence);
			return name === undefined ? words : `${oneLine(name, 80)}: ${words}`;
		}),
		...(follow === undefined ? {} : { isFollowed }),
	};
}

function candidateView(candidate: Candidate, judgement: CandidateFacts, isByHand: boolean): CandidateView {
	const { id, isChosen, name, isRemote, rows, fault, source } = candidate;
	const { nameProblem, warnings, cost } = judgement;
	const { entry } = candidate.compose();
	// An empty form is not wrong yet.
	const isUntouched = isByHand && fault?.text === "";
	return {
		id,
		isChosen,
		name,
		...(nameProblem === undefined || isUntouched ? {} : { nameProblem }),
		...stateOf(judgement),
		lines: fault === undefined ? linesOf(entry, candidate.plainArguments) : [],
		target: fault?.text ?? targetText(candidate.target),
		isRemote,
		rows: rows.map((row) => rowView(row)),
		notes: [
			...(source.isOff ? ["It is switched off in the other host."] : []),
			...(cost === undefined ? [] : [`Its tools used ${cost} of each model request when it last ran.`]),
			...[...source.remarks, ...candidate.notes].map((remark) => oneLine(remark, inSentence)),
			...placeholderNotes(entry),
			...toolNotes(source.tools),
		],
		warnings,
		problems: isUntouched ? [] : judgement.problems,
		isByHand,
	};
}

function stateOf({ likeness, takenName }: CandidateFacts): { readonly state: string; readonly isNew: boolean } {
	switch (likeness.kind) {
		case "new":
			return takenName === undefined
				? { state: "new", isNew: true }
				: { state: `new; “${oneLine(takenName, 80)}” is taken`, isNew: false };
		case "same":
			return { state: `already configured as “${oneLine(likeness.name, 80)}”`, isNew: false };
		case "different":
			return { state: `same as “${oneLine(likeness.name, 80)}”, with other arguments`, isNew: false };
		case "repeated":
			return { state: "duplicate of one above", isNew: false };
	}
}

/** Where a command of an open folder would run, by the place that is chosen. */
function folderNote({ places, place }: AddingServers, { fit }: Candidate): readonly string[] {
	if (fit === undefined) return [];
	const { folder, file } = fit;
	const name = oneLine(folder.name, 80);
	const what = file === undefined ? "The project" : `“${oneLine(file, 80)}”`;
	const chosen = places[place]?.place;
	if (chosen?.kind === "folder" && chosen.folder === folder.path)
		return [file === undefined ? `It runs in ${name}.` : `It runs in ${name}, which has ${what}.`];
	const elsewhere = chosen?.kind === "folder" ? "another folder" : "your home folder";
	return [`It runs in ${elsewhere}. ${what} is in ${name}: keep it in .vscode/mcp.json in ${name}.`];
}

/** The complete entry, without the rows below it. */
function linesOf(entry: JsonObject, plain: readonly number[]): readonly CandidateLine[] {
	const { type, command, args, url, env: _env, headers: _headers, ...rest } = entry;
	const line = (label: string, values: readonly unknown[]): readonly CandidateLine[] =>
		values.length === 0 ? [] : [{ label, values: values.map((value) => exactLine(textOf(value))) }];
	return [
		...line("Command", command === undefined ? [] : [command]),
		...line("Arguments", Array.isArray(args) ? args : []).map((one) => Object.assign(one, { plain })),
		...line("URL", url === undefined ? [] : [url]),
		...line("Transport", type === "sse" ? ["HTTP+SSE"] : []),
		...Object.entries(rest).flatMap(([key, value]) => line(oneLine(key, 40), [value])),
	];
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

function placeOf({ holder }: CandidateRow): string {
	if (holder.kind !== "text") return holder.kind === "env" ? "Environment" : "Header";
	const [key] = holder.path;
	return key === "args" ? "Argument" : key === "url" ? "URL" : oneLine(String(key), 40);
}

function rowView(row: CandidateRow): RowView {
	const { id, label, holder, before, kind, text, variable, placeholder, input } = row;
	const isOwn = holder.kind === "env" || holder.kind === "header";
	const asked = typeof input?.["description"] === "string" ? oneLine(input["description"], 120) : undefined;
	const { isOptional } = row;
	return {
		id,
		label: isOwn ? label : oneLine(label, 80),
		where: placeOf(row),
		isOwn,
		before,
		kind,
		isOpenInput: input !== undefined && input["password"] !== true,
		text: kind === "plain" ? text : kind === "environment" ? variable : "",
		hint:
			kind === "environment"
				? "Name of the variable"
				: isOptional === true && text === ""
					? "Left out if empty"
					: kind === "secret"
						? secretHint(text, placeholder)
						: "",
		...noteOf(row, asked),
	};
}

function secretHint(text: string, wanted: string | undefined): string {
	if (text !== "") return `•••••••• (${text.length === 1 ? "1 character" : `${text.length} characters`})`;
	return wanted === undefined
		? "You are asked when it starts"
		: `${oneLine(wanted, 120)}: you are asked when it starts`;
}

function noteOf(
	{ label, kind, text, placeholder, about }: CandidateRow,
	asked: string | undefined,
): { readonly note?: string } {
	const hidden = [label, ...(kind === "plain" ? [text] : [])].find(hasHiddenCharacters);
	if (hidden !== undefined) return { note: `It contains hidden characters: ${exactLine(hidden)}` };
	if (kind === "plain" && placeholder !== undefined && text === placeholder)
		return { note: "This looks like a placeholder." };
	if (about !== undefined) return { note: about };
	return kind === "secret" && asked !== undefined && asked !== label ? { note: asked } : {};
}

/** The placeholders that the user is to replace, beside the values that they decide about. */
function placeholderNotes({ command, args, url }: JsonObject): readonly string[] {
	const texts = [command, ...(Array.isArray(args) ? args : []), url].filter((text) => typeof text === "string");
	const places = texts.filter(isToFillIn).map((text) => `“${oneLine(text, 80)}”`);
	if (places.length === 0) return [];
	const looks = places.length === 1 ? "looks like a placeholder" : "look like placeholders";
	return [`${places.slice(0, 5).join(", ")} ${looks}. Change the ${url === undefined ? "command" : "URL"} first.`];
}

/** The tool permissions of the other host: shown, and never taken over. */
function toolNotes({ allowed, only, hidden }: ForeignToolLists): readonly string[] {
	const list = (tools: readonly string[]): string => {
		const shown = tools.slice(0, 8).map((tool) => oneLine(tool, 60));
		return [...shown, ...(tools.length > 8 ? [`${tools.length - 8} more`] : [])].join(", ");
	};
	return [
		...(allowed === "all" ? ["The other host ran all its tools without asking. MCP Host asks before each call."] : []),
		...(Array.isArray(allowed) && allowed.length > 0
			? [`The other host ran ${list(allowed as readonly string[])} without asking. MCP Host asks before each call.`]
			: []),
		...(only === undefined ? [] : [`The other host offered only ${list(only)} to models.`]),
		...(hidden === undefined || hidden.length === 0 ? [] : [`The other host did not offer ${list(hidden)} to models.`]),
	];
}
