import type { Over } from "../../base/notices.ts";
import { oneLine } from "../../base/text.ts";
import { stateWord } from "./describeState.ts";
import type { Session, SessionState } from "./session.ts";

/** Of a notice about servers in a state: whether none of them is in it any more, and what the first one does instead. */
export function leftState(
	kind: SessionState["kind"],
	sessionsNow: () => readonly (Session | undefined)[],
): Over<unknown> {
	return () => {
		const sessions = sessionsNow().filter((session) => session !== undefined);
		if (sessions.some(({ state }) => state.kind === kind)) return undefined;
		const [session] = sessions;
		if (session === undefined) return "This server is no longer configured.";
		const { definition, state } = session;
		return `This is no longer so: “${oneLine(definition.name, 60)}” is now in the state “${stateWord(state)}”.`;
	};
}
