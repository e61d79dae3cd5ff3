import { duration, formatCost } from "../base/amounts.ts";
import { exactJson } from "../base/exactJson.ts";
import { oneLine, showHidden } from "../base/text.ts";
import type { LogAttempt, LogDetail, LogFact, LogText } from "./logProtocol.ts";
import { modelOf, standingOf } from "./logQuery.ts";
import { decisionOf, tookOf } from "./logRows.ts";
import type { RecordedAttempt, RecordedMedia, RecordedText, SamplingEntry, WholeText } from "./samplingRecord.ts";

/** Everything that a view shows of one entry. */
export function detailOf(entry: SamplingEntry): LogDetail {
	const { id, at, server, during, request, media = [], parameters, attempts, end, moreTexts = 0 } = entry;
	// A system prompt or a parameter that the server did not send is not there.
	const came = request.filter(({ original, originalWhole }) => original !== "" || originalWhole !== undefined);
	return {
		id,
		at,
		server: oneLine(server, 60),
		...(during === undefined ? {} : { during: oneLine(during, 200) }),
		standing: standingOf(entry),
		decision: decisionOf(entry),
		...(end?.reason === undefined ? {} : { reason: showHidden(end.reason) }),
		...(end === undefined ? {} : { endedAt: end.at }),
		took: tookOf(attempts),
		request: came.filter(({ place }) => !isParameter(place)).map(asCame),
		settings: came.filter(({ place }) => isParameter(place)).map(settingOf),
		media: media.map(mediumOf),
		parameters: typeof parameters === "string" ? showHidden(parameters) : exactJson(parameters),
		attempts: attempts.map((attempt, index) => attemptOf(attempt, index + 1)),
		returned: (end?.returned ?? []).map(textOf),
		notes: moreTexts === 0 ? [] : [`${moreTexts.toLocaleString("en-US")} more parts of the request were not recorded.`],
	};
}

/** A text of the request before anybody edited it. */
function asCame({ place, role, label, original, originalWhole }: RecordedText): LogText {
	return textOf({
		place,
		...(role === undefined ? {} : { role }),
		...(label === undefined ? {} : { label }),
		original,
		...(originalWhole === undefined ? {} : { originalWhole }),
	});
}

function settingOf(text: RecordedText): LogFact {
	const { label, original, note } = asCame(text);
	return { name: label, value: [original, note ?? ""].filter((words) => words !== "").join(" "), isCode: true };
}

function textOf({ place, role, label, original, edited, originalWhole, editedWhole }: RecordedText): LogText {
	const isChanged = edited !== undefined && (edited !== original || originalWhole?.sha256 !== editedWhole?.sha256);
	const notes = [
		...(originalWhole === undefined ? [] : [wholeOf(originalWhole, isChanged ? "Before" : undefined)]),
		...(editedWhole === undefined || !isChanged ? [] : [wholeOf(editedWhole, "After")]),
	];
	return {
		label: label === undefined ? placeLabel(place, role) : `${placeLabel(place, role)}: ${oneLine(label, 80)}`,
		original: showHidden(original),
		...(isChanged ? { edited: edited === null ? null : showHidden(edited) } : {}),
		...(notes.length === 0 ? {} : { note: notes.join(" ") }),
	};
}

function wholeOf({ length, sha256 }: WholeText, when: string | undefined): string {
	const begin = when === undefined ? "" : `${when}: `;
	const size = `${length.toLocaleString("en-US")} characters`;
	if (sha256 === undefined) return `${begin}${size}, which are not kept.`;
	return `${begin}The beginning of ${size}; SHA-256 ${sha256}.`;
}

function mediumOf({ place, kind, mimeType, bytes, sha256 }: RecordedMedia): LogFact {
	const what = `${kind}, ${oneLine(mimeType, 60)}, ${bytes.toLocaleString("en-US")} bytes`;
	return { name: placeLabel(place), value: sha256 === undefined ? what : `${what}, SHA-256 ${sha256}` };
}

function attemptOf(attempt: RecordedAttempt, number: number): LogAttempt {
	const { at, model, why, request, completion = [], durationMs, stopReason, failure } = attempt;
	const took = tookOf([attempt]);
	const facts: readonly (LogFact | undefined)[] = [
		model === undefined ? undefined : { name: "Model", value: oneLine(model.id, 200), isCode: true },
		why === undefined ? undefined : { name: "Chosen", value: oneLine(why, 300) },
		took === "" ? undefined : { name: "Tokens", value: tokensOf(attempt) },
		took === "" ? undefined : { name: "Cost", value: formatCost(attempt.cost) },
		durationMs === undefined ? undefined : { name: "Duration", value: duration(durationMs) },
		stopReason === undefined ? undefined : { name: "Stop reason", value: oneLine(stopReason, 100), isCode: true },
	];
	const name = model === undefined ? "answered by hand" : oneLine(modelOf(model), 60);
	return {
		title: `Attempt ${number}: ${name}`,
		at,
		facts: facts.filter((fact) => fact !== undefined),
		edits: request.map(textOf).filter(({ edited }) => edited !== undefined),
		completion: completion.map(textOf),
		...(failure === undefined ? {} : { failure: showHidden(failure) }),
	};
}

function tokensOf({ inputTokens = 0, outputTokens = 0, isEstimated = false }: RecordedAttempt): string {
	const tokens = `${inputTokens.toLocaleString("en-US")} in, ${outputTokens.toLocaleString("en-US")} out`;
	return isEstimated ? `${tokens} (estimated)` : tokens;
}

const labels: Readonly<Record<string, string>> = {
	system: "System prompt",
	context: "Context of servers",
	text: "Text",
	maxTokens: "Max tokens",
	temperature: "Temperature",
	stopSequences: "Stop sequences",
	tools: "Tools",
	toolChoice: "Tool choice",
	hints: "Model hints",
	costPriority: "Cost priority",
	speedPriority: "Speed priority",
	intelligencePriority: "Intelligence priority",
	metadata: "Metadata",
};

/** What people call a place of a request or a completion; the place itself where it is none of ours. */
export function placeLabel(place: string, role?: string): string {
	const message = /^message\.(\d+)(?:\.part\.(\d+))?(?:\.content\.(\d+))?$/.exec(place);
	if (message !== null) {
		const [, number, part, piece] = message;
		const words = [
			`Message ${Number(number) + 1}${role === undefined ? "" : ` (${role})`}`,
			// Most messages have one part.
			...(part === undefined || part === "0" ? [] : [`part ${Number(part) + 1}`]),
			...(piece === undefined ? [] : [`piece ${Number(piece) + 1}`]),
		];
		return words.join(", ");
	}
	const call = /^call\.(\d+)$/.exec(place);
	if (call !== null) return `Tool call ${Number(call[1]) + 1}`;
	return Object.hasOwn(labels, place) ? (labels[place] ?? place) : oneLine(place, 60);
}

/** Whether something is a number or a choice beside the texts: what is said in a line. */
function isParameter(place: string): boolean {
	return !/^(system|context|text)$|^(message|call)\./.test(place);
}
