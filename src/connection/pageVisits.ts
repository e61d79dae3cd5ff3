import type { ElicitRequestURLParams, UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { HostError } from "../base/errors.ts";
import type { Event } from "../base/event.ts";
import { oneLine } from "../base/text.ts";
import type { ConnectionHandlers } from "./connection.ts";

/** More pages than this in one error are no request to a person. */
const maxPages = 10;

/**
 * Puts the pages that a server wants visited before it answers (error -32042 of revision 2025-11-25) to the person, one
 * by one. Resolves when the server has told of each that it is done, or the person has; the request may then be sent
 * again (spec.md E9). `onCompleted` fires the ids of `notifications/elicitation/complete`.
 * @throws HostError `denied` when the person does not go, `limit`; what `elicit` throws; the signal's reason.
 */
export async function visitPages(
	{ elicitations }: UrlElicitationRequiredError,
	elicit: ConnectionHandlers["elicit"],
	onCompleted: Event<string>,
	signal: AbortSignal,
): Promise<void> {
	if (elicitations.length > maxPages) {
		throw new HostError("limit", `The server wants ${elicitations.length} pages visited before it answers.`);
	}
	for (const page of elicitations) {
		// From before the question on: a page may be done as soon as it is open.
		const completion = new AbortController();
		const subscription = onCompleted((id) => {
			if (id === page.elicitationId) completion.abort();
		});
		try {
			await visit(page, elicit, completion.signal, signal);
		} finally {
			subscription.dispose();
		}
	}
}

async function visit(
	page: ElicitRequestURLParams,
	elicit: ConnectionHandlers["elicit"],
	completed: AbortSignal,
	signal: AbortSignal,
): Promise<void> {
	const { action } = await elicit({ ...page, mode: "url" }, signal);
	if (action !== "accept") throw declined(page);
	if (completed.aborted) return;
	// Not every server tells when the page is done; then the person does.
	const question = {
		mode: "form" as const,
		message: `Answer when you are done at ${hostOf(page.url)}: the request is then sent again.`,
		requestedSchema: { type: "object" as const, properties: {} },
	};
	const answer = await elicit(question, AbortSignal.any([signal, completed])).catch((error: unknown) => {
		if (completed.aborted && !signal.aborted) return { action: "accept" as const };
		throw error;
	});
	if (answer.action !== "accept" && !completed.aborted) throw declined(page);
}

function declined({ url }: ElicitRequestURLParams): HostError {
	return new HostError(
		"denied",
		`The server answers only after a visit to ${hostOf(url)}, which was declined. Call it again to be asked again.`,
	);
}

function hostOf(url: string): string {
	return URL.canParse(url) ? oneLine(new URL(url).host, 200) : "the page";
}
