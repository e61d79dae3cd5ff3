import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { oneLine } from "../base/text.ts";
import type { SamplingRecord } from "../record/samplingRecord.ts";
import type { FindSecrets } from "../redaction/redaction.ts";
import type { Asker } from "./asker.ts";
import { recordedAsker, recordedRequest } from "./recordedRequest.ts";
import type { SamplingRequest } from "./request.ts";
import { RequestTexts } from "./requestTexts.ts";

/** For how long the same refusal of the same server is written down once, in milliseconds: a flood must not fill the record. */
const quietMs = 10_000;

/** What writing refusals down needs. */
export interface RefusalServices {
	readonly record: SamplingRecord;
	readonly findSecrets: FindSecrets;
	readonly log: Log;
	readonly now: () => number;
}

/** Writes down the requests that were refused at once: not valid, over a limit or a budget, or never let in. */
export class RefusalRecorder {
	private readonly services: RefusalServices;
	private readonly last = new Map<string, { readonly reason: string; readonly at: number }>();

	constructor(services: RefusalServices) {
		this.services = services;
	}

	/**
	 * Runs a check that refuses by throwing; what it throws goes on to the server at once and is written down.
	 * `request` is absent while it could not be read.
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
		const last = this.last.get(asker.id);
		log.info(`Sampling request of ${oneLine(asker.name, 60)} refused: ${reason}`);
		if (last?.reason === reason && at - last.at < quietMs) return;
		this.last.set(asker.id, { reason, at });
		try {
			const nothing = { ...recordedAsker(asker), request: [], parameters: {} };
			const known =
				request === undefined
					? nothing
					: recordedRequest(asker, request, await RequestTexts.of(request, asker.during, findSecrets));
			const entry = record.open({ id: crypto.randomUUID(), at, ...known });
			entry.close({ at, kind: "refused", by: "MCP Host", reason });
		} catch (error) {
			log.warn(`A refused sampling request was not recorded: ${messageOf(error)}`);
		}
	}
}
