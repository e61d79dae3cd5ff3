import type { CreateMessageRequestParams, CreateMessageResult } from "@modelcontextprotocol/client";
import type { Log } from "../base/log.ts";
import { oneLine } from "../base/text.ts";
import { lapseWithRequest, type DecisionQueue, type ShowReason } from "../decisions/queue.ts";
import { rejectedByPerson, RequestRefusal } from "../decisions/refusal.ts";
import type { ModelDirectory } from "../models/model.ts";
import type { ServerRequestContext, Session } from "../servers/session.ts";
import { readSamplingRequest, type SamplingRequest } from "./request.ts";
import { ReviewSession, type ReviewAnswer } from "./review.ts";

/** What answering sampling requests needs of the host and the editor. */
export interface SamplingDependencies {
	readonly models: ModelDirectory;
	readonly queue: DecisionQueue;
	readonly log: Log;
	/** Brings a review before the person. */
	show(review: ReviewSession, reason: ShowReason): void;
}

/**
 * Answers `sampling/createMessage`: a server asks for a completion by the person's model. Nothing goes to a model before
 * the person approved it, and nothing comes back from one before the person has seen it.
 */
export class SamplingService {
	private readonly deps: SamplingDependencies;

	constructor(deps: SamplingDependencies) {
		this.deps = deps;
	}

	/**
	 * Puts the request before the person and waits for the end of the review.
	 * @throws RequestRefusal -1 when the person rejected it or closed its panel, -32602 when it is not valid, -32603 when
	 * it ended in another way or too many of the server's wait already.
	 */
	async createMessage(
		session: Session,
		params: CreateMessageRequestParams,
		context: ServerRequestContext,
	): Promise<CreateMessageResult> {
		const request = readSamplingRequest(params);
		const { name, id } = session.definition;
		const { during } = context;
		const review = new ReviewSession(
			{
				kind: "sampling",
				server: name,
				serverId: id,
				title: titleOf(request),
				...(during === undefined ? {} : { during }),
			},
			request,
			this.deps.models,
		);
		lapseWithRequest(review.decision, session, context.signal);
		this.deps.queue.enter(review.decision, (reason) => this.deps.show(review, reason));
		const settled = await review.decision.settled;
		const end = settled.by === "person" ? settled.answer.kind : settled.reason;
		this.deps.log.info(`Sampling request of ${name} ended: ${end}`);
		if (settled.by === "person" && settled.answer.kind === "return") return toResult(settled.answer);
		if (end === "reject" || end === "closed") throw rejectedByPerson();
		throw new RequestRefusal(-32603, "cancelled", "The sampling request ended before the user decided");
	}
}

/** What tells a request from others in the list of pending decisions: the start of its last text. */
function titleOf({ messages }: SamplingRequest): string {
	const texts = messages.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])));
	return `completion of “${oneLine(texts.at(-1) ?? "", 80)}”`;
}

/** The answer in the protocol's terms. One text is one block in every revision: arrays are for tool uses (spec.md P9s). */
function toResult({ text, model, stopReason }: Extract<ReviewAnswer, { kind: "return" }>): CreateMessageResult {
	return {
		model,
		role: "assistant",
		content: { type: "text", text },
		...(stopReason === undefined ? {} : { stopReason }),
	};
}
