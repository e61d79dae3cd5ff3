import { canonicalJson, type Json } from "../base/json.ts";
import { sha256 } from "./journal/chain.ts";
import type { ActivityDecider, ActivityNotes } from "./journal/entry.ts";
import type { SamplingLog } from "./samplingLog.ts";
import type { RecordedEnd, SamplingEntry, SamplingRecord } from "./samplingRecord.ts";

/** What tells whether the record of a request was changed: the SHA-256 of it, however its members are ordered. */
export function digestOf(entry: SamplingEntry): string {
	return sha256(canonicalJson(JSON.parse(JSON.stringify(entry)) as Json));
}

/**
 * The record of sampling requests, of which each step is written into the journal as well, without what was said; also
 * while nothing is recorded (JRN-12).
 */
export function notedSampling(log: SamplingLog, notes: ActivityNotes): SamplingRecord {
	let closed: SamplingEntry | undefined;
	log.onDidClose((entry) => (closed = entry));
	log.onDidInterrupt((entries) => {
		for (const entry of entries) {
			const { id, server, serverId } = entry;
			const of = { kind: "sampling", id, server, serverId, phase: "interrupted" } as const;
			notes.note({ ...of, by: "host", digest: digestOf(entry) });
		}
	});
	return {
		open(entry) {
			const { id, server, serverId } = entry;
			const of = { kind: "sampling", id, server, serverId } as const;
			notes.note({ ...of, phase: "asked", by: "server" });
			const kept = log.open(entry);
			let isOpen = true;
			return {
				attempt(attempt) {
					if (isOpen) notes.note({ ...of, phase: "sent", model: attempt.model?.name ?? "by hand" });
					kept.attempt(attempt);
				},
				close(end) {
					closed = undefined;
					kept.close(end);
					if (!isOpen) return;
					isOpen = false;
					const digest = closed === undefined ? {} : { digest: digestOf(closed) };
					notes.note({ ...of, phase: end.kind, ...deciderOf(end), ...digest });
				},
			};
		},
	};
}

function deciderOf({ by }: RecordedEnd): { readonly by: ActivityDecider; readonly byLabel?: string } {
	if (by === "you") return { by: "person" };
	return by === "MCP Host" ? { by: "host" } : { by: "rule", byLabel: by };
}
