import type { Session } from "../../servers/sessions/session.ts";
import type { AddedContext } from "./addedContext.ts";
import type { OpenApp } from "./openApp.ts";

/** The additions of apps to one message, taken at the moment in which the user sent it. */
export interface TakenAdditions {
	/** The additions that are not sent, and why, one sentence each; fit to show as plain text. */
	readonly held: readonly string[];
	/** The additions that are sent now: without those whose server ended meanwhile. Call it once. */
	give(): readonly AddedContext[];
}

/** Takes the additions of these apps; `sent` receives each text that is to be sent. */
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
