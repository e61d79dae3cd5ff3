import { copyAsJson } from "../../base/guards.ts";
import { sha256 } from "../../base/hash.ts";
import { canonicalJson } from "../../base/json.ts";
import type { ActivityDecider, ActivityNotes, SamplingActivity } from "./journal/entry.ts";
import type { SamplingLog } from "./samplingLog.ts";
import type { RecordedAttempt, RecordedEnd, SamplingEntry, SamplingRecord } from "./samplingRecord.ts";
import { modelOf } from "./samplingWords.ts";

/**
 * The digest that shows whether the record of a request was changed: the SHA-256 of it, regardless of the order of
 * members.
 */
export function digestOfSampling(entry: SamplingEntry): string {
	return sha256(canonicalJson(copyAsJson(entry)));
}

/** The steps of a recorded request in the journal's form, for entries that the journal no longer has. */
export function recordedSteps(
	entry: SamplingEntry,
): readonly { readonly at: number; readonly entry: SamplingActivity }[] {
	const { at, attempts, end } = entry;
	return [
		{ at, entry: askedStep(entry) },
		...attempts.map((attempt) => ({ at: attempt.at, entry: sentStep(entry, attempt) })),
		...(end === undefined ? [] : [{ at: end.at, entry: endStep(entry, end) }]),
	];
}

/**
 * The record of sampling requests, of which each step is written into the journal as well, without the texts; also
 * while nothing is recorded (JRN-12).
 */
export function notedSampling(log: SamplingLog, notes: ActivityNotes): SamplingRecord {
	let closed: SamplingEntry | undefined;
	log.onDidClose((entry) => (closed = entry));
	log.onDidInterrupt((entries) => {
		for (const entry of entries) {
			if (entry.end !== undefined) notes.note({ ...endStep(entry, entry.end), digest: digestOfSampling(entry) });
		}
	});
	return {
		open(entry) {
			notes.note(askedStep(entry));
			const kept = log.open(entry);
			let isOpen = true;
			return {
				attempt(attempt) {
					if (isOpen) notes.note(sentStep(entry, attempt));
					kept.attempt(attempt);
				},
				close(end) {
					closed = undefined;
					kept.close(end);
					if (!isOpen) return;
					isOpen = false;
					const digest = closed === undefined ? {} : { digest: digestOfSampling(closed) };
					notes.note({ ...endStep(entry, end), ...digest });
				},
			};
		},
	};
}

type Asked = Pick<SamplingEntry, "id" | "server" | "serverId" | "exchange">;

function stepOf({ id, server, serverId }: Asked, phase: SamplingActivity["phase"]): SamplingActivity {
	return { kind: "sampling", id, server, serverId, phase };
}

function askedStep(entry: Asked): SamplingActivity {
	const { exchange } = entry;
	return { ...stepOf(entry, "asked"), by: "server", ...(exchange === undefined ? {} : { exchange }) };
}

function sentStep(entry: Asked, attempt: RecordedAttempt): SamplingActivity {
	return { ...stepOf(entry, "sent"), model: modelOf(attempt) };
}

function endStep(entry: Asked, end: RecordedEnd): SamplingActivity {
	return { ...stepOf(entry, end.kind), ...deciderOf(end) };
}

function deciderOf({ by }: RecordedEnd): { readonly by: ActivityDecider; readonly byLabel?: string } {
	if (by === "you") return { by: "user" };
	return by === "MCP Host" ? { by: "host" } : { by: "rule", byLabel: by };
}
