import type { ModelMessage, ModelTool } from "../../models/model.ts";
import { countMessageTokens } from "../../models/tokenCount.ts";
import { toolTokens } from "../../models/tokens.ts";
import type { TurnLimitReached } from "./turnEvents.ts";

/** The limits of one turn. */
export interface TurnLimits {
	/** How many times the model may answer. */
	readonly rounds: number;
	/** How many tools it may call. */
	readonly calls: number;
	/** Input and output of all its answers together. */
	readonly tokens: number;
	/** Without the time in which the user is waited for. */
	readonly minutes: number;
}

/** How often the same call with the same arguments may fail, and how often it may be made at all, in one turn. */
const mostFailures = 3;
const mostRepeats = 8;

const goOn = 'Say "continue" to go on.';

/** Counts the usage of a turn. Each limit has a sentence that says what to do. */
export class TurnBudget {
	private readonly limits: TurnLimits;
	private readonly counts = new Map<string, { made: number; failed: number }>();
	private rounds = 0;
	private calls = 0;
	private tokens = 0;
	private leftOut = 0;
	private repeated: TurnLimitReached | undefined;

	constructor(limits: TurnLimits) {
		this.limits = limits;
	}

	/** Takes one more answer of the model, or returns why there is none. */
	takeRound(): TurnLimitReached | undefined {
		const { limits } = this;
		const reached = this.repeated ?? this.tooMuch();
		if (reached !== undefined) return reached;
		if (this.rounds++ < limits.rounds) return undefined;
		return {
			type: "limit",
			limit: "rounds",
			message: `The model answered ${limits.rounds} times in this turn, which is the limit (setting mcpHost.chat.maxRounds). ${goOn}`,
		};
	}

	/** How many of an answer's calls may be made; the others count as left out. */
	takeCalls(wanted: number): number {
		const taken = Math.min(wanted, Math.max(0, this.limits.calls - this.calls));
		this.calls += taken;
		this.leftOut += wanted - taken;
		return taken;
	}

	addTokens(tokens: number): void {
		this.tokens += tokens;
	}

	/** Notes how a call ended; `key` is equal for the same call. */
	noteCall(key: string, hasFailed: boolean): void {
		const count = this.counts.get(key) ?? { made: 0, failed: 0 };
		this.counts.set(key, count);
		count.made++;
		if (hasFailed) count.failed++;
		if (count.failed >= mostFailures) {
			this.repeated = {
				type: "limit",
				limit: "repetition",
				message: `The model made the same call ${mostFailures} times without success, so the turn ended. Tell it what to do differently.`,
			};
		} else if (count.made >= mostRepeats) {
			this.repeated = {
				type: "limit",
				limit: "repetition",
				message: `The model made the same call ${mostRepeats} times, so the turn ended. ${goOn}`,
			};
		}
	}

	/** The message when the time is up. */
	get outOfTime(): TurnLimitReached {
		const { minutes } = this.limits;
		const time = `${minutes.toLocaleString("en-US")} ${minutes === 1 ? "minute" : "minutes"}`;
		return {
			type: "limit",
			limit: "time",
			message: `The turn took ${time} without the time that waited for you, which is the limit (setting mcpHost.chat.maxMinutes). ${goOn}`,
		};
	}

	private tooMuch(): TurnLimitReached | undefined {
		const { limits } = this;
		if (this.leftOut > 0) {
			const others = this.leftOut === 1 ? "one more was" : `${this.leftOut.toLocaleString("en-US")} more were`;
			return {
				type: "limit",
				limit: "calls",
				message: `The model called ${limits.calls.toLocaleString("en-US")} tools in this turn, which is the limit (setting mcpHost.chat.maxCalls); ${others} not called. ${goOn}`,
			};
		}
		if (this.rounds === 0 || this.tokens < limits.tokens) return undefined;
		return {
			type: "limit",
			limit: "turn-tokens",
			message: `This turn used about ${this.tokens.toLocaleString("en-US")} tokens, which is more than its limit (setting mcpHost.chat.maxTokens). ${goOn}`,
		};
	}
}

/** About how many tokens a request is, for endpoints that do not say. */
export function requestTokens(messages: readonly ModelMessage[], tools: readonly ModelTool[]): number {
	const ofMessages = messages.reduce((sum, message) => sum + countMessageTokens(message), 0);
	return tools.reduce((sum, tool) => sum + toolTokens(tool), ofMessages);
}
