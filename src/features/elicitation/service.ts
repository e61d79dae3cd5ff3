import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { FormQuestion } from "../../questions/form/formQuestion.ts";
import { RequestRefusal, invalidParams } from "../../base/refusal.ts";
import type { UserRequests, ServerRequestContext, Session } from "../../servers/sessions/session.ts";
import type { ElicitationRequest } from "../../protocol/connection.ts";
import { Asking, type AskingDependencies } from "./asking.ts";
import { initialOf, readForm } from "./form.ts";
import { nameOf, quoted, refusalOf, subjectOf } from "./frame.ts";
import { fieldsInShort, quickAnswers } from "./quickAnswers.ts";
import { formContent, validateAnswer } from "./validate.ts";
import { Visiting, type VisitingDependencies } from "./visiting.ts";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";

/** The dependencies of answering elicitations on the host and VS Code. */
export interface ElicitationDependencies extends AskingDependencies, VisitingDependencies {}

/**
 * Answers `elicitation/create`: a server asks the user for values by a form, or to visit a URL. Accepting, declining
 * and cancelling are distinguished; closing the panel is cancelling, and only the user's button or link accepts.
 * Nothing of an answer is kept.
 */
export class ElicitationService {
	private readonly asking: Asking;
	private readonly visiting: Visiting;

	constructor(deps: ElicitationDependencies) {
		this.asking = new Asking(deps);
		this.visiting = new Visiting(deps, this.asking);
	}

	/**
	 * Puts the request before the user and waits for the end of it.
	 * @throws RequestRefusal when the request is not valid, or too many of the server's wait already.
	 */
	readonly elicit: UserRequests["elicit"] = async (session, request, context) => {
		try {
			return await this.answer(session, request, context);
		} catch (error) {
			const isInvalid = error instanceof RequestRefusal && error.code === "invalid";
			const url = "url" in request && typeof request.url === "string" ? request.url : undefined;
			if (isInvalid) this.asking.reportRefused(session, context, error.message, url);
			throw error;
		}
	};

	private async answer(
		session: Session,
		request: ElicitationRequest,
		context: ServerRequestContext,
	): Promise<ElicitResult> {
		if (request.mode === "visited") return this.visiting.awaitVisit(session, request, context);
		if (this.asking.declinesUnseen(session, context)) return { action: "decline" };
		const params = readAskedParams(request);
		return params.mode === "url"
			? await this.visiting.visit(session, params, context)
			: await this.fillIn(session, params, context);
	}

	/** Takes the server's word that the visit to a page is over; ids that this server did not give are ignored. */
	readonly onVisited: UserRequests["onVisited"] = (session, elicitationId) =>
		this.visiting.complete(session, elicitationId);

	private async fillIn(
		session: Session,
		params: Exclude<ElicitRequestParams, { mode: "url" }>,
		context: ServerRequestContext,
	): Promise<ElicitResult> {
		const properties = readForm(params.requestedSchema, params.message);
		const question: FormQuestion = {
			subject: subjectOf("elicitation", session, params.message, context),
			heading: `${nameOf(session)} (server) asks for your input`,
			quote: quoted(params.message),
			content: { kind: "fields", fields: properties.map(({ field }) => field) },
			initial: initialOf(properties),
			submitLabel: "Send",
			canDecline: true,
			validate: async (value) => validateAnswer(properties, params.requestedSchema, value),
		};
		const answers = quickAnswers(properties);
		const [only] = properties;
		const asked = await this.asking.ask(session, context, {
			question,
			fields: fieldsInShort(properties),
			answers,
			// A choice that may be left out has one answer more.
			needsForm: answers.length === 0 || (only?.field.kind === "choice" && !only.field.isRequired),
			contentOf: (value) => formContent(properties, value),
		});
		const { settled } = asked;
		if (settled.by === "lapse" || settled.answer.action !== "accept") {
			asked.reportRefusal();
			return refusalOf(settled);
		}
		const content = formContent(properties, settled.answer.value);
		const hidden = properties.filter(({ field }) => field.warning !== undefined).map(({ name }) => name);
		asked.report({ kind: "answered", content, hidden });
		return { action: "accept", content };
	}
}

/**
 * The params of `elicitation/create`, of which only the members that this request needs are checked; `readForm` reads
 * its form. Revisions before 2025-11-25 support forms only and send no mode.
 * @throws RequestRefusal -32602 for an unknown mode, and for a missing message, form or address.
 */
export function readAskedParams(params: unknown): ElicitRequestParams {
	if (!isJsonObject(params)) throw invalidParams("elicitation/create needs params");
	const { mode = "form", message, url, elicitationId } = params;
	if (mode !== "form" && mode !== "url")
		throw invalidParams(`The mode ${oneLine(JSON.stringify(mode), 60)} is unknown`);
	if (typeof message !== "string") throw invalidParams("message is missing or not a text");
	if (mode === "form") return asked(params);
	if (typeof url !== "string") throw invalidParams("url is missing or not a text");
	if (elicitationId !== undefined && typeof elicitationId !== "string")
		throw invalidParams("elicitationId is not a text");
	return asked(params);
}

/** Its members were read above; the fields are read when the form is made. */
function asked(params: object): ElicitRequestParams {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the SDK asks more of a form than is needed
	return params as ElicitRequestParams;
}
