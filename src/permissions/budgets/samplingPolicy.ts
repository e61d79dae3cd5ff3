import type { Event } from "../../base/event.ts";
import type { ModelInfo } from "../../models/model.ts";
import type { TokenUse } from "../../models/model.ts";
import type { Asker } from "./asker.ts";

/** What of a request the user reviews: both stages, the request alone, or nothing. */
export type ReviewMode = "review" | "request-only" | "auto";

/** What decided how a request is handled, with a label to show: `Auto-approve under budget, in this workspace`. */
export interface DecidingRule {
	readonly kind: "default" | "rule";
	readonly label: string;
}

/** What sending a request to a model would take, and who wants it sent. */
export interface Send {
	readonly model: ModelInfo;
	/** An estimate, in tokens. */
	readonly inputTokens: number;
	/** The most tokens of the answer. */
	readonly maxTokens: number;
	/** The rule that nobody is asked under, which has a budget of its own, or the user who has seen the request. */
	readonly by: "rule" | "user";
}

/** What an answer took. */
export interface Spent extends TokenUse {
	/** In US dollars; undefined when the model's price is not known. */
	readonly cost: number | undefined;
	/** The provider reported no numbers, so they are estimates. */
	readonly isEstimated: boolean;
}

/** Tokens and money that are set aside while a model answers, so that answers side by side do not exceed a budget. */
export interface Reservation {
	/** What the user should know before it is sent, in our words: its cost cannot be counted. */
	readonly notice?: string;
	/**
	 * Books what was used in place of what was set aside, once: later calls give the same. What is no number of tokens
	 * counts as what was set aside. A reservation that is never settled stays booked in full.
	 */
	settle(used: TokenUse & { readonly isEstimated: boolean }): Spent;
}

/** A request that may come before the user, or be answered by a rule. Holds a place among the concurrent ones. */
export interface Admission {
	readonly mode: ReviewMode;
	readonly by: DecidingRule;
	/** Why a rule of the user's does not apply to this request, in our words; absent when it does, or there is none. */
	readonly notice?: string;
	/** The most tokens that an answer may have, by the limits; undefined where they say nothing. */
	readonly mostTokens: number | undefined;
	/**
	 * Whether an answer may go back unseen by the rule of the mode as things are now: it has neither ended nor been
	 * withdrawn, and nothing stricter counts for the server meanwhile (SMP-06). What it has used is not looked at.
	 */
	mayReturnUnseen(): boolean;
	/** What remains of the budgets, in our words, a line each. */
	budget(): readonly string[];
	/**
	 * Sets aside what a send takes at most, or says in a sentence which budget it would exceed and what to do. What a rule
	 * may not send, the user may unless a limit says no: the request then comes under review.
	 */
	reserve(send: Send): Reservation | { readonly problem: string };
	/** Gives the place back; later calls do nothing. */
	end(): void;
}

/** Who may ask for completions, how often and how much, and what of it is reviewed (SMP-01, SMP-06). */
export interface SamplingPolicy {
	readonly onDidChange: Event<void>;
	/**
	 * Takes a request in. `inputTokens` is an estimate, `characters` the length of its texts.
	 * @throws RequestRefusal at once when a rule says never, or a limit or budget is used up; its message says so.
	 */
	admit(asker: Asker, need: { readonly inputTokens: number; readonly characters: number }): Admission;
}

/**
 * Lets the user choose what is decided for a server without asking, with a scope and an end. Gives what was chosen, or
 * undefined when nothing was. Requests that were admitted before keep their mode, but a rule that is gone sends nothing.
 */
export type ChooseSamplingRule = (asker: Asker) => Promise<ReviewMode | "never" | undefined>;
