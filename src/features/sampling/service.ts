import type { CreateMessageResult, CreateMessageResultWithTools } from "@modelcontextprotocol/client";
import type { OpenEntry, SamplingRecord } from "../../records/activity/samplingRecord.ts";
import { orAborted } from "../../base/abort.ts";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { rejectedByUser, RequestRefusal } from "../../base/refusal.ts";
import { oneLine } from "../../base/text.ts";
import { estimateRequestTokens } from "../../models/tokenCount.ts";
import { estimateTokens } from "../../models/tokens.ts";
import { Decision, type DecisionSubject, type Settled } from "../../questions/decisions/decision.ts";
import { type DecisionQueue, lapseWithRequest, type ShowReason } from "../../questions/decisions/queue.ts";
import type { UserRequests, Session } from "../../servers/sessions/session.ts";
import { toResult } from "./answer.ts";
import type { Asker } from "../../permissions/budgets/asker.ts";
import type { Admission, SamplingPolicy } from "../../permissions/budgets/samplingPolicy.ts";
import { fieldsOf } from "./fields.ts";
import type { GuardEnd, SamplingGuard } from "./guard.ts";
import { recordedRequest, RefusalRecorder } from "./recording.ts";
import type { FindSecrets } from "./redaction/redaction.ts";
import { readSamplingRequest, type SamplingRequest } from "./request.ts";
import { RequestTexts } from "./requestTexts.ts";
import { ReviewSession } from "./review/review.ts";
import { guardEndOf, recordedEndOf, type ReviewAnswer } from "./review/reviewEnds.ts";
import type { ReviewParts } from "./review/requestReview.ts";
import type { ReviewField } from "./review/reviewProtocol.ts";

/** The dependencies of answering sampling requests on the host and VS Code. */
export interface SamplingDependencies extends Pick<
	ReviewParts,
	"models" | "chooser" | "prices" | "collectContext" | "now"
> {
	readonly guard: Pick<SamplingGuard, "enter">;
	readonly policy: Pick<SamplingPolicy, "admit">;
	readonly findSecrets: FindSecrets;
	readonly record: SamplingRecord;
	readonly queue: DecisionQueue;
	readonly log: Log;
	/** After how long without the user's doing a review expires, in milliseconds; 0 is never. */
	expiresMs(): number;
	/** Brings a review before the user. */
	show(review: ReviewSession, reason: ShowReason): void;
}

/** An admitted request, and its origin. */
interface Admitted {
	readonly session: Session;
	readonly asker: Asker;
	readonly request: SamplingRequest;
	readonly admission: Admission;
	readonly heldMs: number;
	readonly signal: AbortSignal;
}

/** How a review ended, and whether the user saw it. */
interface Reviewed {
	readonly settled: Settled<ReviewAnswer>;
	readonly wasShown: boolean;
}

/**
 * Answers `sampling/createMessage`: a server asks for a completion by the user's model. Every text to or from a model
 * is either reviewed by the user or released by a rule of theirs.
 */
export class SamplingService {
	private readonly deps: SamplingDependencies;
	private readonly refusals: RefusalRecorder;

	constructor(deps: SamplingDependencies) {
		this.deps = deps;
		this.refusals = new RefusalRecorder(deps);
	}

	/**
	 * Puts the request before the user, or has a rule of theirs answer it, and waits for the end.
	 * @throws RequestRefusal -1 when the user rejected it or closed its panel, -32602 when it is not valid, -32603 when
	 * a rule, a limit or a budget refuses it, or when it ended in another way.
	 */
	readonly createMessage: UserRequests["createMessage"] = async (session, params, context) => {
		const { signal, during, isForUser = false, exchange, protocolVersion, calls = [] } = context;
		const { id, name } = session.definition;
		const asker: Asker = { id, name, definition: session.definition, during, isForUser, exchange };
		const admitted = this.refusals.check(asker, undefined, () => this.deps.guard.enter(asker, params, calls));
		let guardEnd: GuardEnd = "ended";
		try {
			const request = this.refusals.check(asker, undefined, () => readSamplingRequest(params, protocolVersion));
			const admission = this.refusals.check(asker, request, () => this.deps.policy.admit(asker, needOf(request)));
			try {
				const { heldMs } = admitted;
				const reviewed = await this.review({ session, asker, request, admission, heldMs, signal });
				guardEnd = guardEndOf(reviewed.settled, reviewed.wasShown);
				return answerOf(reviewed.settled, request);
			} finally {
				admission.end();
			}
		} finally {
			admitted.note(guardEnd);
		}
	};

	private async review(admitted: Admitted): Promise<Reviewed> {
		const { session, asker, request, signal } = admitted;
		const { record, log } = this.deps;
		const texts = await this.textsOf(asker, request, signal);
		const decision = new Decision<ReviewAnswer>(subjectOf(asker, texts), { kind: "reject", reason: "" });
		lapseWithRequest(decision, session, signal);
		try {
			const entry = record.open({ id: decision.id, ...recordedRequest(asker, request, texts) });
			const reviewed = await this.decide(admitted, decision, texts, entry);
			const end = guardEndOf(reviewed.settled, reviewed.wasShown);
			log.info(`Sampling request of ${oneLine(asker.name, 60)} ended: ${end}`);
			return reviewed;
		} finally {
			// Where a fault of the host's kept it from being decided.
			decision.lapse("shutdown");
		}
	}

	/** Looks for secrets. A key store may take for ever, and a request that was withdrawn waits for nothing. */
	private async textsOf(asker: Asker, request: SamplingRequest, signal: AbortSignal): Promise<RequestTexts> {
		try {
			return await orAborted(RequestTexts.of(request, asker.during, this.deps.findSecrets), signal);
		} catch (error) {
			return this.refusals.check(asker, undefined, () => {
				throw signal.aborted ? endedBefore() : error;
			});
		}
	}

	private async decide(
		{ asker, request, admission, heldMs, signal }: Admitted,
		decision: Decision<ReviewAnswer>,
		texts: RequestTexts,
		entry: OpenEntry,
	): Promise<Reviewed> {
		const { queue } = this.deps;
		const waiting = {
			others: (): number => Math.max(0, queue.waitingOf(asker.id) - 1),
			onDidChange: queue.onDidChange,
		};
		const review = new ReviewSession(decision, {
			...this.deps,
			asker,
			request,
			texts,
			admission,
			entry,
			waiting,
		});
		let wasShown = false;
		const show = (reason: ShowReason): void => {
			wasShown = true;
			this.deps.show(review, reason);
		};
		try {
			// A withdrawn one ends in a moment.
			if (admission.mode === "auto" && !signal.aborted) {
				queue.noteUnasked(decision);
				await review.answerByRule();
			}
			if (decision.outcome === undefined && !signal.aborted) {
				queue.enter(decision, show, { heldMs, expiresMs: this.deps.expiresMs() });
			}
		} catch (error) {
			decision.lapse("cancelled");
			await review.settled;
			entry.close({ kind: "refused", by: "MCP Host", reason: messageOf(error) });
			throw error;
		}
		const settled = await review.settled;
		entry.close(
			recordedEndOf(settled, asker.name, review.recordedCompletion, {
				mask: (text) => texts.mask(text),
				asked: review.asked,
			}),
		);
		return { settled, wasShown };
	}
}

/**
 * The row of a request in the list of pending decisions; the start of its last text, with secrets as marks,
 * distinguishes it from others.
 */
function subjectOf({ id, name, during, exchange }: Asker, { byPlace }: RequestTexts): DecisionSubject {
	const isText = ({ place, kind }: ReviewField): boolean => place.startsWith("message.") && kind === "text";
	const last = [...byPlace.values()].findLast(isText)?.original ?? "";
	return {
		kind: "sampling",
		server: name,
		serverId: id,
		title: `completion of “${oneLine(last, 80)}”`,
		...(during === undefined ? {} : { during }),
		...(exchange === undefined ? {} : { exchange }),
	};
}

/** The answer to the server. */
function answerOf(
	settled: Settled<ReviewAnswer>,
	request: SamplingRequest,
): CreateMessageResult | CreateMessageResultWithTools {
	if (settled.by === "user" && settled.answer.kind === "return") return toResult(settled.answer.completion, request);
	if (settled.by === "user") throw rejectedByUser(settled.answer.kind === "reject" ? settled.answer.reason : "");
	if (settled.reason === "closed") throw rejectedByUser();
	if (settled.reason === "expired") {
		throw new RequestRefusal(-32603, "timeout", "The user did not answer in time");
	}
	throw endedBefore();
}

function endedBefore(): RequestRefusal {
	return new RequestRefusal(-32603, "cancelled", "The sampling request ended before the user decided");
}

/** The size of a request as received, for the limits: an estimate of its tokens, and the length of its texts. */
function needOf(request: SamplingRequest): Parameters<SamplingPolicy["admit"]>[1] {
	const { systemPrompt, messages } = request;
	const fields = fieldsOf(request);
	const tools = fields.find(({ place }) => place === "tools")?.original ?? "";
	const system = systemPrompt === undefined ? [] : [{ role: "system" as const, content: [textOf(systemPrompt)] }];
	return {
		inputTokens: estimateRequestTokens([...system, ...messages]) + estimateTokens(tools),
		characters: fields.reduce((sum, { original }) => sum + original.length, 0),
	};
}

function textOf(text: string): { readonly type: "text"; readonly text: string } {
	return { type: "text", text };
}
