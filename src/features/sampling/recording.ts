import { recordedMedia } from "../../records/activity/keeper.ts";
import type { RecordedMedia, SamplingArrival, SamplingRecord } from "../../records/activity/samplingRecord.ts";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelPart } from "../../models/model.ts";
import type { Asker } from "../../permissions/budgets/asker.ts";
import { partPlace } from "./fields.ts";
import type { FindSecrets } from "./redaction/redaction.ts";
import type { SamplingRequest } from "./request.ts";
import { RequestTexts } from "./requestTexts.ts";
import { copyAsJson } from "../../base/guards.ts";

/** For how long the same refusal of a server is recorded once, in milliseconds: a flood must not fill the record. */
const quietMs = 10_000;
/** How many different ones are within that time: a server has a say in some of the reasons, and others count seconds. */
const mostReasons = 5;

/** The dependencies of recording refusals. */
export interface RefusalServices {
	readonly record: SamplingRecord;
	readonly findSecrets: FindSecrets;
	readonly log: Log;
	readonly now: () => number;
}

/** Records the immediately refused requests: invalid, over a limit or a budget, or never admitted. */
export class RefusalRecorder {
	private readonly services: RefusalServices;
	/** The records of each server since a moment. */
	private readonly written = new Map<string, { readonly reasons: Set<string>; readonly since: number }>();

	constructor(services: RefusalServices) {
		this.services = services;
	}

	/**
	 * Runs a check that refuses by throwing; its error is sent to the server immediately and recorded. `request` is
	 * absent while it could not be read.
	 */
	check<T>(asker: Asker, request: SamplingRequest | undefined, run: () => T): T {
		try {
			return run();
		} catch (error) {
			void this.note(asker, request, oneLine(messageOf(error), 500));
			throw error;
		}
	}

	private async note(asker: Asker, request: SamplingRequest | undefined, reason: string): Promise<void> {
		const { record, findSecrets, log, now } = this.services;
		const at = now();
		log.info(`Sampling request of ${oneLine(asker.name, 60)} refused: ${reason}`);
		const { reasons } = this.writtenOf(asker.id, at);
		if (reasons.has(reason) || reasons.size >= mostReasons) return;
		reasons.add(reason);
		try {
			const nothing = { ...recordedAsker(asker), request: [], parameters: {} };
			const known =
				request === undefined
					? nothing
					: recordedRequest(asker, request, await RequestTexts.of(request, asker.during, findSecrets));
			const entry = record.open({ id: crypto.randomUUID(), ...known });
			entry.close({ kind: "refused", by: "MCP Host", reason });
		} catch (error) {
			log.warn(`A refused sampling request was not recorded: ${messageOf(error)}`);
		}
	}

	private writtenOf(server: string, at: number): { readonly reasons: Set<string> } {
		const known = this.written.get(server);
		if (known !== undefined && at - known.since < quietMs) return known;
		const fresh = { reasons: new Set<string>(), since: at };
		this.written.set(server, fresh);
		return fresh;
	}
}

/** A request as received, for the record: every text with its secrets as marks, no bytes of images or sounds. */
export function recordedRequest(
	asker: Asker,
	request: SamplingRequest,
	texts: RequestTexts,
): Omit<SamplingArrival, "id"> {
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
		// It quotes the user's action, which may contain a secret.
		...(asker.during !== undefined && { during: texts.mask(asker.during) }),
		request: texts.recorded(),
		...(media.length > 0 && { media }),
		// Without members that the server did not send.
		parameters: copyAsJson(parameters),
	};
}

/** Who asked, for the record. */
function recordedAsker({ id, name, exchange }: Asker): Pick<SamplingArrival, "server" | "serverId" | "exchange"> {
	return { server: name, serverId: id, ...(exchange === undefined ? {} : { exchange }) };
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
