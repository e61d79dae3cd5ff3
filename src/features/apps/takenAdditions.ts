import type { Session } from "../../servers/sessions/session.ts";
import type { AddedContext } from "./addedContext.ts";
import type { OpenApp } from "./openApp.ts";

/** What apps add to one message, taken in the moment in which the user sent it. */
export interface TakenAdditions {
	/** What is not sent, and why, one sentence each; fit to show as plain text. */
	readonly held: readonly string[];
	/** What is sent now: without what ended with its server meanwhile. To be called once. */
	give(): readonly AddedContext[];
}

/** Takes what these apps add; `sent` hears of each text that is given to be sent. */
export function takeAdditions(
	apps: readonly OpenApp[],
	isLeftOut: (session: Session) => boolean,
	sent: (context: AddedContext) => void,
): TakenAdditions {
	const taken = apps.flatMap(({ session, addition, life }) => {
		const one = isLeftOut(session) ? undefined : addition.take();
		return one === undefined ? [] : [{ ...one, life: life.signal }];
	});
	return {
		held: taken.flatMap((one) => ("held" in one ? [one.held] : [])),
		give: () => {
			const given = taken.flatMap((one) => ("context" in one && !one.life.aborted ? [one.context] : []));
			given.forEach(sent);
			return given;
		},
	};
}
