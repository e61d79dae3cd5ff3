import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { cap, oneLine, showHidden } from "../base/text.ts";
import type { DecisionSubject } from "../decisions/decision.ts";
import { lapseWithRequest, type DecisionQueue, type ShowReason } from "../decisions/queue.ts";
import { invalidParams } from "../decisions/refusal.ts";
import type { ServerRequestContext, Session } from "../servers/session.ts";
import { readForm } from "./form.ts";
import { FormSession, type FormAnswer, type FormQuestion } from "../form/formSession.ts";
import { readUrl } from "./url.ts";
import { formContent, validateForm } from "./validate.ts";

/** What answering elicitations needs of the host and the editor. */
export interface ElicitationDependencies {
	readonly queue: DecisionQueue;
	readonly log: Log;
	/** Brings a form before the person. */
	show(form: FormSession, reason: ShowReason): void;
	/** Opens a URL in the person's browser; false when it was not opened. */
	openExternal(url: string): Promise<boolean>;
}

/** The most characters of a server's message that are shown. */
const messageLimit = 10_000;

/**
 * Answers `elicitation/create`: a server asks the person for values by a form, or to visit a URL. Accepting, declining
 * and cancelling are told apart; closing the panel is cancelling, and nothing but the person's button accepts.
 */
export class ElicitationService {
	private readonly deps: ElicitationDependencies;

	constructor(deps: ElicitationDependencies) {
		this.deps = deps;
	}

	/**
	 * Puts the request before the person and waits for the end of it.
	 * @throws RequestRefusal when the request is not valid, or too many of the server's wait already.
	 */
	async elicit(session: Session, params: ElicitRequestParams, context: ServerRequestContext): Promise<ElicitResult> {
		// Revisions before 2025-11-25 know forms only and send no mode (spec.md E2).
		return params.mode === "url"
			? await this.visit(session, params, context)
			: await this.fillIn(session, params, context);
	}

	private async fillIn(
		session: Session,
		params: Exclude<ElicitRequestParams, { mode: "url" }>,
		context: ServerRequestContext,
	): Promise<ElicitResult> {
		const properties = readForm(params.requestedSchema);
		const answer = await this.ask(session, context, {
			subject: subjectOf("elicitation", session, params.message, context),
			heading: `${oneLine(session.definition.name, 60)} (server) asks you for an answer`,
			quote: quoted(params.message),
			body: { kind: "fields", fields: properties.map(({ field }) => field) },
			initial: { kind: "fields", values: properties.map(({ initial }) => initial) },
			submitLabel: "Send",
			canDecline: true,
			validate: async (input) => (input.kind === "fields" ? validateForm(properties, input.values) : []),
		});
		if (answer.action !== "accept" || answer.input.kind !== "fields") return { action: answer.action };
		return { action: "accept", content: formContent(properties, answer.input.values) };
	}

	private async visit(
		session: Session,
		params: Extract<ElicitRequestParams, { mode: "url" }>,
		context: ServerRequestContext,
	): Promise<ElicitResult> {
		const { href, view } = readUrl(params.url);
		const { action } = await this.ask(session, context, {
			subject: subjectOf("url", session, params.message, context),
			heading: `${oneLine(session.definition.name, 60)} (server) asks you to open a web page`,
			quote: quoted(params.message),
			body: { kind: "url", url: view },
			initial: { kind: "url" },
			submitLabel: "Open in Browser",
			canDecline: true,
			validate: async () => [],
		});
		if (action === "accept" && !(await this.open(href))) return { action: "cancel" };
		return { action };
	}

	private async ask(session: Session, context: ServerRequestContext, question: FormQuestion): Promise<FormAnswer> {
		const form = new FormSession(question);
		lapseWithRequest(form.decision, session, context.signal);
		this.deps.queue.enter(form.decision, (reason) => this.deps.show(form, reason));
		const settled = await form.decision.settled;
		const answer: FormAnswer = settled.by === "person" ? settled.answer : { action: "cancel" };
		const end = settled.by === "person" ? answer.action : settled.reason;
		this.deps.log.info(`Elicitation of ${session.definition.name} ended: ${end}`);
		return answer;
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

function subjectOf(
	kind: "elicitation" | "url",
	session: Session,
	message: string,
	{ during }: ServerRequestContext,
): DecisionSubject {
	if (typeof message !== "string") throw invalidParams("message must be a string");
	return {
		kind,
		server: session.definition.name,
		title: oneLine(message, 120),
		...(during === undefined ? {} : { during }),
	};
}

/** A server's message as the quotation shows it: every character visible, not endless. */
function quoted(message: string): string {
	return cap(showHidden(message.replace(/\r\n/g, "\n")), messageLimit);
}
