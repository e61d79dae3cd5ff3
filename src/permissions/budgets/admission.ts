import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { TokenUse } from "../../models/model.ts";
import { costOf, type ModelPrice, type Prices } from "../../models/prices.ts";
import type { Asker } from "./asker.ts";
import { nothing, toDollars, toNanodollars, toTokens, type Amount } from "../grants/amount.ts";
import { describeDay, type DayBudget } from "./dayBudget.ts";
import type { Limits } from "./limits.ts";
import type { SamplingRule } from "../grants/grant.ts";
import type { Grants } from "../grants/grants.ts";
import { type RuleScene, whyVoid } from "../grants/grantStatus.ts";
import { describeBudget, describeRest, formatDollars, restOf } from "../grants/ruleBudget.ts";
import type { ModelUse } from "./modelUse.ts";
import type { Admission, DecidingRule, Reservation, ReviewMode, Send, Spent } from "./samplingPolicy.ts";
import { labelOf, type BudgetVerdict, verdictOn } from "./verdict.ts";

const where = "the setting mcpHost.sampling.limits";

/** The maximum cost of a send. */
interface Need {
	readonly tokens: number;
	/** Undefined when the model's price is not known. */
	readonly nanodollars: number | undefined;
	readonly model: string;
}

/** The questions of an admission to its policy, answered again each time. */
export interface AdmittingPolicy {
	readonly services: { readonly grants: Grants; readonly use: ModelUse; readonly prices: Prices };
	readonly scene: RuleScene;
	limitsOf(asker: Asker): Limits;
	budgetsOf(server: Asker["definition"]): readonly DayBudget[];
	verdictOn(asker: Asker, inputTokens: number): BudgetVerdict;
}

/** An admitted request, until it ends. Everything is checked again when something is to be sent. */
export class RequestAdmission implements Admission {
	readonly mode: ReviewMode;
	readonly by: DecidingRule;
	readonly notice?: string;
	private readonly policy: AdmittingPolicy;
	private readonly asker: Asker;
	private readonly rule: SamplingRule | undefined;
	private release: (() => void) | undefined;

	constructor(
		policy: AdmittingPolicy,
		asker: Asker,
		verdict: BudgetVerdict & { readonly mode: ReviewMode },
		release: () => void,
	) {
		this.policy = policy;
		this.asker = asker;
		this.mode = verdict.mode;
		this.by = labelOf(verdict);
		this.rule = verdict.rule;
		this.release = release;
		if (verdict.notice !== undefined) this.notice = verdict.notice;
	}

	get mostTokens(): number | undefined {
		const { maxTokens } = this.policy.limitsOf(this.asker);
		return maxTokens === Infinity ? undefined : maxTokens;
	}

	mayReturnUnseen(): boolean {
		const { rule, policy, asker, mode } = this;
		const { grants } = policy.services;
		if (rule === undefined || !grants.stands(rule)) return false;
		if (whyVoid(rule, asker.definition, policy.scene) !== undefined) return false;
		// The answer itself may have used the budget up.
		const scene = { ...policy.scene, useOf: () => nothing };
		const now = verdictOn(grants, asker, 0, scene).mode;
		return now === "auto" || now === mode;
	}

	budget(): readonly string[] {
		const days = this.policy
			.budgetsOf(this.asker.definition)
			.map((budget) => `${budget.whose} today: ${describeDay(budget)}`);
		const { rule } = this;
		if (rule?.covers.kind !== "auto") return days;
		const { budget } = rule.covers;
		const used = this.policy.services.use.of(rule, budget);
		const left = used === undefined ? "its usage cannot be read" : `${describeRest(budget, used)} left`;
		return [...days, `its rule, up to ${describeBudget(budget)}: ${left}`];
	}

	reserve({ model, inputTokens, maxTokens, by }: Send): Reservation | { readonly problem: string } {
		if (this.release === undefined) return { problem: "The request has ended." };
		const [input, output] = [toTokens(inputTokens), toTokens(maxTokens)];
		if (input === undefined || output === undefined)
			return { problem: "The cost of this request cannot be determined." };
		const most = this.mostTokens;
		if (most !== undefined && output > most) {
			return {
				problem: `An answer to ${this.server} may have at most ${counted(most, "token")} (${where}). Lower “Max tokens”.`,
			};
		}
		const price = this.policy.services.prices.of(model);
		const cost = costOf(price, { inputTokens: input, outputTokens: output });
		const need: Need = {
			tokens: input + output,
			nanodollars: cost === undefined ? undefined : toNanodollars(cost),
			model: oneLine(model.name, 60),
		};
		const budgets = this.policy.budgetsOf(this.asker.definition);
		const isCostLimited = budgets.some(({ limits }) => limits.costPerDay !== Infinity);
		const problem =
			budgets.map((budget) => exceeds(budget, need)).find((one) => one !== undefined) ??
			(by === "rule" ? this.whyNotAlone(need, input, isCostLimited) : undefined);
		if (problem !== undefined) return { problem };
		const notice =
			isCostLimited && need.nanodollars === undefined
				? {
						notice: `The price of ${need.model} is not known, so this request does not count toward the dollar budget.`,
					}
				: {};
		return { ...notice, ...this.book(need, price, by) };
	}

	end(): void {
		const { release } = this;
		this.release = undefined;
		release?.();
	}

	private get server(): string {
		return oneLine(this.asker.name, 60);
	}

	/** Why a rule may not send this without the user, in a sentence. */
	private whyNotAlone(need: Need, inputTokens: number, isCostLimited: boolean): string | undefined {
		const { rule, mode, notice } = this.policy.verdictOn(this.asker, inputTokens);
		if (mode !== "auto" || rule?.covers.kind !== "auto" || rule.id !== this.rule?.id)
			return notice ?? `No rule approves requests of ${this.server} automatically any more.`;
		const { budget } = rule.covers;
		const used = this.policy.services.use.of(rule, budget);
		if (used === undefined) return "The usage of its rule cannot be read, so you are asked.";
		const { tokens, nanodollars } = restOf(budget, used);
		if (need.nanodollars === undefined && (isCostLimited || nanodollars !== Infinity))
			return `The price of ${need.model} is not known, so a rule with a dollar budget cannot approve this. You decide.`;
		const isTooMuch = need.tokens > tokens || (need.nanodollars ?? 0) > nanodollars;
		return isTooMuch
			? `This request can use up to ${describeNeed(need)}, more than its rule has left (${describeRest(budget, used)}), so you are asked.`
			: undefined;
	}

	private book(need: Need, price: ModelPrice | undefined, by: Send["by"]): Reservation {
		const amount: Amount = {
			requests: 1,
			tokens: need.tokens,
			nanodollars: need.nanodollars ?? 0,
			unpriced: need.nanodollars === undefined ? 1 : 0,
		};
		const book = this.policy.services.use.book(this.asker.id, by === "rule" ? this.rule : undefined, amount);
		let settled: Spent | undefined;
		return {
			settle: (used) => {
				settled ??= settle(used, need, price, book);
				return settled;
			},
		};
	}
}

/** Books the usage; invalid numbers count as the reserved amount. */
function settle(
	used: TokenUse & { readonly isEstimated: boolean },
	need: Need,
	price: ModelPrice | undefined,
	book: (used: Pick<Amount, "tokens" | "nanodollars">) => void,
): Spent {
	const [inputTokens, outputTokens] = [toTokens(used.inputTokens), toTokens(used.outputTokens)];
	if (inputTokens === undefined || outputTokens === undefined) {
		book({ tokens: need.tokens, nanodollars: need.nanodollars ?? 0 });
		const cost = need.nanodollars === undefined ? undefined : toDollars(need.nanodollars);
		return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, cost, isEstimated: true };
	}
	const cached = used.cachedTokens === undefined ? {} : { cachedTokens: used.cachedTokens };
	const cost = costOf(price, { inputTokens, outputTokens, ...cached });
	book({ tokens: inputTokens + outputTokens, nanodollars: cost === undefined ? 0 : toNanodollars(cost) });
	return { inputTokens, outputTokens, ...cached, cost, isEstimated: used.isEstimated };
}

/** Which daily budget a send would exceed, and what to do, in a sentence. */
function exceeds({ whose, limits, rest }: DayBudget, need: Need): string | undefined {
	const { tokens, nanodollars: money } = rest;
	const { tokensPerDay, costPerDay } = limits;
	const remedy = `Shorten the request, lower “Max tokens”, choose a cheaper model, answer by hand, or raise the limit in ${where}.`;
	if (need.tokens > tokens) {
		return `This request can use up to ${counted(need.tokens, "token")}, but ${whose} may use ${counted(tokensPerDay, "token")} a day, of which ${tokens.toLocaleString("en-US")} are left. ${remedy.replace(" choose a cheaper model,", "")}`;
	}
	if (need.nanodollars !== undefined && need.nanodollars > money) {
		return `This request can use up to ${describeNeed(need)}, but ${whose} may use ${formatDollars(costPerDay)} a day, of which ${formatDollars(toDollars(money))} are left. ${remedy}`;
	}
	return undefined;
}

function describeNeed({ tokens, nanodollars }: Need): string {
	const amount = counted(tokens, "token");
	return nanodollars === undefined ? amount : `${amount} and ${formatDollars(toDollars(nanodollars))}`;
}
