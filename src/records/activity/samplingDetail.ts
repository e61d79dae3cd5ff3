import { duration, formatCost } from "../../base/amounts.ts";
import { exactJson } from "../../base/exactJson.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { Fact, SamplingAttempt, SamplingDetail, SamplingText } from "./samplingProtocol.ts";
import type { RecordedAttempt, RecordedMedia, RecordedText, SamplingEntry, WholeText } from "./samplingRecord.ts";
import { modelOf, tookOf } from "./samplingWords.ts";

/** The view's data about a recorded request, besides its steps. */
export function samplingDetailOf(entry: SamplingEntry): SamplingDetail {
	const { during, request, media = [], parameters, attempts, end, moreTexts = 0 } = entry;
	const took = tookOf(attempts);
	// A system prompt or a parameter that the server did not send is not there.
	const came = request.filter(({ original, originalWhole }) => original !== "" || originalWhole !== undefined);
	return {
		facts: [
			{ name: "During", value: during === undefined ? "not during a call" : oneLine(during, 200) },
			...(end?.reason === undefined || end.reason === "" ? [] : [{ name: "Reason", value: showHidden(end.reason) }]),
			...(took === "" ? [] : [{ name: "Used", value: took }]),
		],
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
function asCame({ place, role, label, original, originalWhole }: RecordedText): SamplingText {
	return textOf({
		place,
		...(role === undefined ? {} : { role }),
		...(label === undefined ? {} : { label }),
		original,
		...(originalWhole === undefined ? {} : { originalWhole }),
	});
}

function settingOf(text: RecordedText): Fact {
	const { label, original, note } = asCame(text);
	return { name: label, value: [original, note ?? ""].filter((words) => words !== "").join(" "), isCode: true };
}

function textOf({ place, role, label, original, edited, originalWhole, editedWhole }: RecordedText): SamplingText {
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
	return `${begin}Beginning of ${size}; SHA-256 ${sha256}.`;
}

function mediumOf({ place, kind, mimeType, bytes, sha256 }: RecordedMedia): Fact {
	const what = `${kind}, ${oneLine(mimeType, 60)}, ${bytes.toLocaleString("en-US")} bytes`;
	return { name: placeLabel(place), value: sha256 === undefined ? what : `${what}, SHA-256 ${sha256}` };
}

function attemptOf(attempt: RecordedAttempt, number: number): SamplingAttempt {
	const { at, model, why, request, completion = [], durationMs, stopReason, failure } = attempt;
	const took = tookOf([attempt]);
	const facts: readonly (Fact | undefined)[] = [
		model === undefined ? undefined : { name: "Model", value: oneLine(model.id, 200), isCode: true },
		why === undefined ? undefined : { name: "Chosen", value: oneLine(why, 300) },
		took === "" ? undefined : { name: "Tokens", value: tokensOf(attempt) },
		took === "" ? undefined : { name: "Cost", value: formatCost(attempt.cost) },
		durationMs === undefined ? undefined : { name: "Duration", value: duration(durationMs) },
		stopReason === undefined ? undefined : { name: "Stop reason", value: oneLine(stopReason, 100), isCode: true },
	];
	const name = model === undefined ? "answered by hand" : oneLine(modelOf(attempt), 60);
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

/** The display name of a place in a request or a completion; the place itself if it is unknown. */
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

/** Whether a value is a number or a choice beside the texts: its value is in a line. */
function isParameter(place: string): boolean {
	return !/^(system|context|text)$|^(message|call)\./.test(place);
}
