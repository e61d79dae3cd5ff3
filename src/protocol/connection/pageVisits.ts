import type { ElicitRequestURLParams, UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import type { Event } from "../../base/event.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectionHandlers } from "../connection.ts";

/** An error with more pages than this is not a reasonable request to a user. */
const maxPages = 10;

/** The part of a connection that visiting pages uses. */
export interface VisitContext {
	readonly elicit: ConnectionHandlers["elicit"];
	/** Fires the ids of `notifications/elicitation/complete`. */
	readonly onCompleted: Event<string>;
	readonly signal: AbortSignal;
}

/**
 * Asks the user to visit the pages that a server requires before it answers (error -32042 of revision 2025-11-25), one
 * by one. Resolves when the server has reported each as done, or the user has; the request may then be sent again
 * (specification 2025-11-25, "Elicitation"). A page among `opened` is not opened again, unless the user wants that.
 * @throws HostError `denied` when the user declines, `limit`; errors of `elicit`; the signal's reason.
 */
export async function visitPages(
	{ elicitations }: UrlElicitationRequiredError,
	opened: Set<string>,
	context: VisitContext,
): Promise<void> {
	if (elicitations.length > maxPages) {
		throw new HostError("limit", `The server requires a visit to ${elicitations.length} web pages before it answers.`);
	}
	for (const page of elicitations) {
		// From before the question on: a page may be done as soon as it is open.
		const completion = new AbortController();
		const subscription = context.onCompleted((id) => {
			if (id === page.elicitationId) completion.abort();
		});
		try {
			await visit(page, opened, completion.signal, context);
		} finally {
			subscription.dispose();
		}
	}
}

async function visit(
	page: ElicitRequestURLParams,
	opened: Set<string>,
	completed: AbortSignal,
	{ elicit, signal }: VisitContext,
): Promise<void> {
	const { url, message } = page;
	if (!opened.has(url)) {
		const { action } = await elicit({ ...page, mode: "url" }, signal);
		if (action !== "accept") throw notVisited(page, action);
		opened.add(url);
	}
	if (completed.aborted) return;
	// Not every server reports that the page is done; then the user does.
	const answer = await elicit({ mode: "visited", url, message, completed }, signal);
	if (answer.action !== "accept" && !completed.aborted) throw notVisited(page, answer.action);
}

function notVisited({ url }: ElicitRequestURLParams, action: "decline" | "cancel"): HostError {
	const why = action === "decline" ? "you declined" : "you did not make";
	return new HostError(
		"denied",
		`The server answers only after a visit to ${hostOf(url)}, which ${why}. Call it again to visit the page.`,
	);
}

function hostOf(url: string): string {
	return URL.canParse(url) ? oneLine(new URL(url).host, 200) : "the page";
}
