import type { Reservation } from "../../../permissions/budgets/samplingPolicy.ts";
import { recordedParts } from "./attempts.ts";
import { Generation, type GenerationEnd } from "./generation.ts";
import { usedLine } from "./lines.ts";
import type { ReadyRequest, ReviewParts } from "./requestReview.ts";

/** One time that a request goes to a model: the answer while it comes, and how it ended. */
export interface Send {
	readonly generation: Generation;
	/** Resolves when the answer has ended and is accounted for; never rejects. */
	readonly ended: Promise<{ readonly end: GenerationEnd; /** What it took, for people. */ readonly used: string }>;
}

/**
 * Sends a request to its model, once. Whatever comes of it, the reservation is settled, with what has come where the
 * provider reports nothing, and the attempt is recorded. `onProgress` tells of each piece.
 */
export function send(ready: ReadyRequest, reservation: Reservation, parts: ReviewParts, onProgress: () => void): Send {
	const generation = new Generation(ready.model, ready.approved, ready.inputTokens, parts.asker.id);
	return { generation, ended: account(generation, ready, reservation, parts, onProgress) };
}

async function account(
	generation: Generation,
	ready: ReadyRequest,
	reservation: Reservation,
	{ entry, texts, now }: ReviewParts,
	onProgress: () => void,
): ReturnType<typeof send>["ended"] {
	const at = now();
	const end = await generation.run(onProgress);
	const durationMs = now() - at;
	const spent = reservation.settle(generation.used);
	const { model } = generation;
	entry.attempt({
		at,
		model: { id: model.id, name: model.name },
		...(ready.why !== undefined && { why: texts.mask(ready.why) }),
		request: ready.texts,
		completion: recordedParts(generation.parts, (text) => texts.mask(text)),
		inputTokens: spent.inputTokens,
		outputTokens: spent.outputTokens,
		isEstimated: spent.isEstimated,
		...(spent.cost !== undefined && { cost: spent.cost }),
		durationMs,
		...(end.kind === "answered" && { stopReason: end.stopReason }),
		...(end.kind === "failed" && { failure: texts.mask(end.message) }),
		...(end.kind === "stopped" && { failure: "The answer was stopped." }),
	});
	const used = [usedLine(spent, durationMs), reservation.notice].filter((text) => text !== undefined).join(" · ");
	return { end, used };
}
