import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { orAborted } from "../../base/abort.ts";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerRequestContext, Session } from "../../servers/sessions/session.ts";
import { isForwarded } from "../../protocol/authorization/editorRedirects.ts";
import type { VisitQuestion } from "../../protocol/connection.ts";
import type { Asked, Asking } from "./asking.ts";
import { nameOf, quoted, refusalOf, subjectOf } from "./frame.ts";
import { pageDraft, visitDraft, type PageFrame, type PageTools } from "./pageQuestions.ts";
import { Pages, type Expectation } from "./pages.ts";
import { readUrl, type RequestedUrl } from "../../base/url.ts";

/** The dependencies of asking a user to visit pages. */
export interface VisitingDependencies {
	readonly log: Log;
	/** The address under which the user's browser reaches one of this machine. */
	externalAddress(url: string): Promise<string>;
	/** Opens a URL in the user's browser, unchanged to the letter; false when it was not opened. */
	openExternal(url: string): Promise<boolean>;
	/** Puts a text on the clipboard. */
	copy(text: string): Promise<void>;
	/** Shows quietly that something is waited for, until the signal is aborted. `title` is fit to show. */
	showWaiting(title: string, over: AbortSignal): void;
}

type UrlParams = Extract<ElicitRequestParams, { mode: "url" }>;

/** Sends the user to pages that servers want visited: with their consent, and to the very URL that they saw (ELC-04). */
export class Visiting {
	private readonly deps: VisitingDependencies;
	private readonly asking: Asking;
	private readonly pages = new Pages();
	private readonly tools: PageTools;

	constructor(deps: VisitingDependencies, asking: Asking) {
		this.deps = deps;
		this.asking = asking;
		this.tools = { copy: (href) => deps.copy(href), open: async (href) => void (await this.open(href)) };
	}

	/**
	 * Asks whether to open a page, and opens it. "accept" says that the user agreed, not that they are done there.
	 * @throws RequestRefusal -32602 for a URL that is not opened; `limit`.
	 */
	async visit(session: Session, params: UrlParams, context: ServerRequestContext): Promise<ElicitResult> {
		const url = readUrl(params.url);
		const expectation = this.expect(session, params, url);
		try {
			const address = isForwarded(url.href) ? await orAborted(this.reach(url), context.signal) : url.href;
			const frame = frameOf(session, params.message, context);
			// A server that is asked again before the user is done asks the same again (revision 2026-07-28, "URL Mode").
			const isAgain = expectation === undefined && this.pages.wasOpened(session, url.href);
			if (isAgain)
				return this.continued(await this.asking.ask(session, context, visitDraft(frame, url, address, this.tools)));
			const { draft, isByHand } = pageDraft(frame, url, address, this.tools);
			const asked = await this.asking.ask(session, context, draft);
			const result = await this.openAsAgreed(asked, address, isByHand);
			if (result.action === "accept") {
				this.pages.noteOpened(session, url.href);
				if (expectation !== undefined) this.wait(session, url, { expectation, context, asked });
			}
			return result;
		} finally {
			if (expectation?.isAwaited === false) expectation.dispose();
		}
	}

	/**
	 * Asks whether the user is done at a page (error -32042); the server's word on it is an answer, too.
	 * @throws RequestRefusal as `visit`.
	 */
	async awaitVisit(session: Session, question: VisitQuestion, context: ServerRequestContext): Promise<ElicitResult> {
		const url = readUrl(question.url);
		// This question takes the place of the quiet wait.
		this.pages.finish(session, url.href);
		const address = isForwarded(url.href) ? await orAborted(this.reach(url), context.signal) : url.href;
		const draft = visitDraft(frameOf(session, question.message, context), url, address, this.tools);
		const asked = await this.asking.ask(session, context, {
			...draft,
			question: { ...draft.question, canDecline: false },
			completed: question.completed,
		});
		if (asked.settled.by === "lapse" && asked.settled.reason === "completed") {
			asked.report({ kind: "lapsed", reason: "completed" });
			return { action: "accept" };
		}
		return this.continued(asked);
	}

	/** Takes the server's word that a visit is over; ids that this server did not give are ignored. */
	complete(session: Session, elicitationId: string): void {
		this.pages.complete(session, elicitationId);
	}

	/** Opens the page if the user agreed; a page that does not open is not consent. */
	private async openAsAgreed(
		{ settled, report, reportRefusal }: Asked,
		address: string,
		isByHand: () => boolean,
	): Promise<ElicitResult> {
		if (settled.by === "lapse" || settled.answer.action !== "accept") {
			reportRefusal();
			return refusalOf(settled);
		}
		if (!isByHand() && !(await this.open(address))) {
			report({ kind: "not-opened" });
			return { action: "cancel" };
		}
		report({ kind: "opened", isByHand: isByHand() });
		return { action: "accept" };
	}

	private continued({ settled, report, reportRefusal }: Asked): ElicitResult {
		if (settled.by === "lapse" || settled.answer.action !== "accept") {
			reportRefusal();
			return refusalOf(settled);
		}
		report({ kind: "continued" });
		return { action: "accept" };
	}

	/** Only revision 2025-11-25 gives its pages ids. */
	private expect(session: Session, params: object, { href }: RequestedUrl): Expectation | undefined {
		const id: unknown = "elicitationId" in params ? params.elicitationId : undefined;
		return typeof id === "string" ? this.pages.expect(session, id, href) : undefined;
	}

	/** Shows that the server's word on an open page is waited for; not every server says it. */
	private wait(session: Session, { view }: RequestedUrl, { expectation, context, asked }: Wait): void {
		const { over } = expectation;
		expectation.await();
		const finish = (): void => {
			if (expectation.isCompleted) asked.reportVisited(view.host);
			expectation.dispose();
		};
		if (over.aborted) return finish();
		over.addEventListener("abort", finish, { once: true });
		// The request is answered, but it ends with its server.
		context.signal.addEventListener("abort", () => expectation.dispose(), { once: true, signal: over });
		this.deps.showWaiting(
			`Waiting for ${nameOf(session)} to confirm that you are done at ${oneLine(view.host, 60)}`,
			over,
		);
	}

	/** Where the browser goes for a page; known before the question, which shows it. */
	private async reach({ href }: RequestedUrl): Promise<string> {
		try {
			return await this.deps.externalAddress(href);
		} catch (error) {
			this.deps.log.error(`The address of the web page could not be forwarded: ${messageOf(error)}`);
			return href;
		}
	}

	private async open(href: string): Promise<boolean> {
		try {
			return await this.deps.openExternal(href);
		} catch (error) {
			this.deps.log.error(`The web page could not be opened: ${messageOf(error)}`);
			return false;
		}
	}
}

/** A wait for a server's word on a page. */
interface Wait {
	readonly expectation: Expectation;
	readonly context: ServerRequestContext;
	readonly asked: Asked;
}

function frameOf(session: Session, message: string, context: ServerRequestContext): PageFrame {
	return { subject: subjectOf("url", session, message, context), server: nameOf(session), quote: quoted(message) };
}
