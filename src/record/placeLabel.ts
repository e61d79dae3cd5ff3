import { oneLine } from "../base/text.ts";

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
export function isParameter(place: string): boolean {
	return !/^(system|context|text)$|^(message|call)\./.test(place);
}
