import { Journal } from "../../base/store/journal.ts";
import type { Store } from "../../base/store/store.ts";
import type { ServerId } from "../../servers/definitions/config.ts";
import type { Amount } from "../grants/amount.ts";
import type { SamplingRule, Scope } from "../grants/grant.ts";
import type { Grants } from "../grants/grants.ts";
import type { RuleBudget } from "../grants/ruleBudget.ts";
import { dayOf } from "./dayBudget.ts";
import { isUseKept, type Period, UsageCounter, usageName } from "./usageCounter.ts";

/** The dependencies of the counts. */
export interface ModelUseServices {
	readonly store: Store;
	readonly grants: Pick<Grants, "onDidRevoke">;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** Called with the unreadable parts, in a sentence. */
	readonly onProblem: (message: string) => void;
}

/** The usage of the user's models: by server and day, and of the budgets of rules. */
export class ModelUse {
	/** The usage of each server, by day and the server's id. */
	readonly spent: UsageCounter;
	private readonly now: () => number;
	private readonly ofRules: Readonly<Record<Scope, UsageCounter>>;

	constructor({ store, grants, now, onProblem }: ModelUseServices) {
		this.now = now;
		const shared = store.journal(usageName, { isKept: (line) => isUseKept(line, now()) });
		const counter = (name: string, journal = shared): UsageCounter =>
			new UsageCounter({ journal, name, now, onProblem });
		this.spent = counter("spent");
		this.ofRules = {
			session: counter("rules", new Journal({ ...shared.options, folder: undefined })),
			workspace: counter(`rules of ${store.workspace}`),
			always: counter("rules"),
		};
		grants.onDidRevoke((ids) => Object.values(this.ofRules).forEach((used) => used.forget(ids)));
	}

	/** The used part of a rule's budget; undefined when that is unknown, which counts as all. */
	of({ id, scope, at }: SamplingRule, budget: RuleBudget): Amount | undefined {
		const period = this.periodOf(budget);
		const unknownAt = this.ofRules[scope].unknownAt(period);
		return unknownAt !== undefined && unknownAt >= at ? undefined : this.ofRules[scope].of(period, id);
	}

	/**
	 * Books an amount on a server today, and on the rule that sends it. Returns the function that replaces it by the usage,
	 * to be called once.
	 */
	book(
		server: ServerId,
		rule: SamplingRule | undefined,
		amount: Amount,
	): (used: Pick<Amount, "tokens" | "nanodollars">) => void {
		const today = this.spent.book(dayOf(this.now()), server, amount);
		const bookings = [{ counter: this.spent, booking: today }];
		if (rule?.covers.kind === "auto") {
			const counter = this.ofRules[rule.scope];
			bookings.push({ counter, booking: counter.book(this.periodOf(rule.covers.budget), rule.id, amount) });
		}
		return (used) => {
			for (const { counter, booking } of bookings) counter.settle(booking, used);
		};
	}

	private periodOf({ per }: RuleBudget): Period {
		return per === "day" ? dayOf(this.now()) : "life";
	}
}
