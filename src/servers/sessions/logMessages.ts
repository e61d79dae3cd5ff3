import { Emitter } from "../../base/event.ts";
import type { Session } from "./session.ts";

/** A log message of a server (`notifications/message`). */
export interface LogMessage {
	/** As the server wrote it. */
	readonly level: string;
	/** The text with the name of its logger: untrusted, without known secrets. */
	readonly line: string;
}

const messages = new WeakMap<Session, Emitter<LogMessage>>();

/** The log messages of a session's server, of every level, as they come. */
export function logMessages(session: Session): Emitter<LogMessage> {
	const known = messages.get(session) ?? new Emitter<LogMessage>();
	messages.set(session, known);
	return known;
}
