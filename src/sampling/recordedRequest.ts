import type { Json } from "../base/json.ts";
import type { ModelPart } from "../models/model.ts";
import { recordedMedia } from "../record/recordedMedia.ts";
import type { RecordedMedia, SamplingEntry } from "../record/samplingRecord.ts";
import type { Asker } from "./asker.ts";
import { partPlace } from "./fields.ts";
import type { SamplingRequest } from "./request.ts";
import type { RequestTexts } from "./requestTexts.ts";

/** A request as it came, for the record: every text with its secrets as marks, no byte of an image or a sound. */
export function recordedRequest(
	asker: Asker,
	request: SamplingRequest,
	texts: RequestTexts,
): Omit<SamplingEntry, "id" | "at" | "attempts" | "end"> {
	const { maxTokens, temperature, stopSequences, toolChoice, preferences, includeContext } = request;
	const mask = (text: string): string => texts.mask(text);
	const parameters = {
		maxTokens,
		temperature,
		stopSequences: stopSequences.map(mask),
		toolChoice,
		preferences: { ...preferences, hints: preferences.hints.map(mask) },
		includeContext,
	};
	const media = mediaOf(request);
	return {
		...recordedAsker(asker),
		// It quotes what the person was doing, and they may have said a secret.
		...(asker.during !== undefined && { during: texts.mask(asker.during) }),
		request: texts.recorded(),
		...(media.length > 0 && { media }),
		// Without what the server did not say.
		parameters: JSON.parse(JSON.stringify(parameters)) as Json,
	};
}

/** Who asked, for the record. */
export function recordedAsker({ id, name }: Asker): Pick<SamplingEntry, "server" | "serverId"> {
	return { server: name, serverId: id };
}

function mediaOf({ messages }: SamplingRequest): readonly RecordedMedia[] {
	const found: RecordedMedia[] = [];
	const note = (part: ModelPart, place: string): void => {
		if (part.type === "image" || part.type === "audio") found.push(recordedMedia(place, part));
	};
	for (const [message, { content }] of messages.entries()) {
		for (const [index, part] of content.entries()) {
			note(part, partPlace(message, index));
			if (part.type !== "tool-result") continue;
			for (const [piece, inner] of part.content.entries()) note(inner, partPlace(message, index, piece));
		}
	}
	return found;
}
