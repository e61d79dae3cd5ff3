import type { Event } from "../../base/event.ts";
import type { ModelInfo, TokenUse } from "../../models/model.ts";
import type { Asker } from "./asker.ts";

/** The stages of a request that the user reviews: both, the request alone, or none. */
export type ReviewMode = "review" | "request-only" | "auto";

/**
 * The rule that decided how a request is handled, with a label to show: `Auto-approve under budget, in this workspace`.
 */
export interface DecidingRule {
	readonly kind: "default" | "rule";
	readonly label: string;
}

/** The cost of sending a request to a model, and its sender. */
export interface Send {
	readonly model: ModelInfo;
	/** An estimate, in tokens. */
	readonly inputTokens: number;
	/** The most tokens of the answer. */
	readonly maxTokens: number;
	/** The rule that allows it without a review, which has its own budget, or the user who has seen the request. */
	readonly by: "rule" | "user";
}

/** The usage of an answer. */
export interface Spent extends TokenUse {
	/** In US dollars; undefined when the model's price is not known. */
	readonly cost: number | undefined;
	/** The provider reported no numbers, so they are estimates. */
	readonly isEstimated: boolean;
}

/** Tokens and money that are set aside while a model answers, so that answers side by side do not exceed a budget. */
export interface Reservation {
	/** A note for the user before it is sent, in our words: its cost cannot be counted. */
	readonly notice?: string;
	/**
	 * Books the usage in place of the reserved amount, once: later calls return the same. An invalid number of tokens
	 * counts as the reserved amount. A reservation that is never settled stays booked in full.
	 */
	settle(used: TokenUse & { readonly isEstimated: boolean }): Spent;
}

/** A request that may be shown to the user, or be answered by a rule. Holds a place among the concurrent ones. */
export interface Admission {
	readonly mode: ReviewMode;
	readonly by: DecidingRule;
	/** Why a rule of the user's does not apply to this request, in our words; absent when it does, or there is none. */
	readonly notice?: string;
	/** The most tokens that an answer may have, by the limits; undefined where they say nothing. */
	readonly mostTokens: number | undefined;
	/**
	 * Whether an answer may be returned without a review by the rule of the mode at present: it has neither ended nor
	 * been withdrawn, and nothing stricter applies to the server meanwhile (SMP-06). Its usage is not checked.
	 */
	mayReturnUnseen(): boolean;
	/** The rest of the budgets, in our words, a line each. */
	budget(): readonly string[];
	/**
	 * Reserves the maximum cost of a send, or returns in a sentence which budget it would exceed and what to do. If a
	 * rule may not send it, the user may unless a limit forbids it: the request is then reviewed.
	 */
	reserve(send: Send): Reservation | { readonly problem: string };
	/** Gives the place back; later calls do nothing. */
	end(): void;
}

/** Who may request completions, how often and how much, and which parts are reviewed (SMP-01, SMP-06). */
export interface SamplingPolicy {
	readonly onDidChange: Event<void>;
	/**
	 * Admits a request. `inputTokens` is an estimate, `characters` the length of its texts.
	 * @throws RequestRefusal immediately when a rule says never, or a limit or budget is used up; its message says so.
	 */
	admit(asker: Asker, need: { readonly inputTokens: number; readonly characters: number }): Admission;
}

/**
 * Lets the user choose how a server's requests are decided without asking, with a scope and an end. Returns the choice,
 * or undefined without one. Requests that were admitted before keep their mode, but a removed rule sends nothing.
 */
export type ChooseSamplingRule = (asker: Asker) => Promise<ReviewMode | "never" | undefined>;
