import type { ElicitResult } from "@modelcontextprotocol/client";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import type { DecisionSubject, Settled } from "../../questions/decisions/decision.ts";
import { invalidParams } from "../../base/refusal.ts";
import type { FormAnswer } from "../../questions/form/formQuestion.ts";
import type { ServerRequestContext, Session } from "../../servers/sessions/session.ts";

/** The most characters of a server's message that are shown. */
const messageLimit = 10_000;

/** A server's configured name, fit to show. */
export function nameOf({ definition }: Session): string {
	return oneLine(definition.name, 60);
}

/**
 * Who asks for what, during which call.
 * @throws RequestRefusal -32602 when the message is invalid.
 */
export function subjectOf(
	kind: "elicitation" | "url",
	session: Session,
	message: unknown,
	{ during, exchange }: ServerRequestContext,
): DecisionSubject {
	if (typeof message !== "string") throw invalidParams("message must be a string");
	return {
		kind,
		server: session.definition.name,
		serverId: session.definition.id,
		title: oneLine(message, 120),
		...(during === undefined ? {} : { during }),
		...(exchange === undefined ? {} : { exchange }),
	};
}

/** A server's message as the quotation shows it: every character visible, not endless. */
export function quoted(message: string): string {
	return cap(showHidden(message.replace(/\r\n/g, "\n")), messageLimit);
}

/** The answer to a server about a question that ended without consent: only the user's explicit refusal declines. */
export function refusalOf(settled: Settled<FormAnswer>): ElicitResult {
	return { action: settled.by === "user" && settled.answer.action === "decline" ? "decline" : "cancel" };
}
