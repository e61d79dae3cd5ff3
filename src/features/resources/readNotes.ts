import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import type { CallOptions, Session } from "../../servers/sessions/session.ts";

/**
 * Has a read by a person written down, as it is sent and as it ends, without what was read (JRN-18). Resolves and rejects as
 * `read` does; without `notes` nothing is written.
 */
export async function notedRead<T>(
	notes: ActivityNotes | undefined,
	{ definition }: Pick<Session, "definition">,
	uri: string,
	read: (options: Pick<CallOptions, "onFollowed">) => Promise<T>,
): Promise<T> {
	if (notes === undefined) return read({});
	const of = {
		kind: "call",
		id: crypto.randomUUID(),
		server: definition.name,
		serverId: definition.id,
		target: uri,
		isResource: true,
		origin: "person",
	} as const;
	let followed: { readonly exchange?: string } = {};
	const began = performance.now();
	notes.note({ ...of, phase: "sent" });
	try {
		const result = await read({ onFollowed: ({ exchange }) => (followed = { exchange }) });
		notes.note({ ...of, phase: "answered", ms: Math.round(performance.now() - began), ...followed });
		return result;
	} catch (error) {
		const phase = HostError.is(error, "cancelled") ? "cancelled" : "failed";
		notes.note({ ...of, phase, reason: messageOf(error), ...followed });
		throw error;
	}
}
