import type { ActivityDecider, ActivityNotes, SamplingActivity } from "./journal/entry.ts";
import { Keeper, type RecordMode } from "./keeper.ts";
import type { RecordedEnd, SamplingContents, SamplingRecord } from "./samplingRecord.ts";
import { modelOf } from "./samplingWords.ts";

/**
 * The record of sampling requests: each step is an entry of the activity, with as much of its contents as `mode` says
 * when the request arrives. The steps are noted in any mode (JRN-12).
 */
export function notedSampling(notes: ActivityNotes, mode: () => RecordMode): SamplingRecord {
	return {
		open({ id, server, serverId, exchange, ...request }) {
			const asked = mode();
			const keeper = asked === "off" ? undefined : new Keeper(asked);
			const note = (
				phase: SamplingActivity["phase"],
				step: Partial<SamplingActivity>,
				contents: (keeping: Keeper) => SamplingContents,
			): void => {
				const kept = keeper === undefined ? {} : { contents: contents(keeper) };
				notes.note({ kind: "sampling", id, server, serverId, phase, ...step, ...kept });
			};
			let isOpen = true;
			note("asked", { by: "server", ...(exchange === undefined ? {} : { exchange }) }, (keeping) => ({
				received: keeping.received(request),
			}));
			return {
				attempt(attempt) {
					if (!isOpen) return;
					note("sent", { model: modelOf(attempt) }, (keeping) => ({ attempt: keeping.attempt(attempt) }));
				},
				close(end) {
					if (!isOpen) return;
					isOpen = false;
					note(end.kind, deciderOf(end), (keeping) => ({ end: keeping.end(end) }));
				},
			};
		},
	};
}

function deciderOf({ by }: RecordedEnd): { readonly by: ActivityDecider; readonly byLabel?: string } {
	if (by === "you") return { by: "user" };
	return by === "MCP Host" ? { by: "host" } : { by: "rule", byLabel: by };
}
