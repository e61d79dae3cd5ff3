import { Emitter } from "../../base/event.ts";
import type { Session } from "./session.ts";

const lines = new WeakMap<Session, Emitter<string>>();

/** The lines that the process of a session writes to its standard error, as they come: untrusted, without known secrets. */
export function stderrLines(session: Session): Emitter<string> {
	const known = lines.get(session) ?? new Emitter<string>();
	lines.set(session, known);
	return known;
}
