import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { RequestRefusal } from "../../base/refusal.ts";
import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { Prices } from "../../models/prices.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import type { Asker } from "./asker.ts";
import { RequestAdmission } from "./admission.ts";
import { toTokens } from "../grants/amount.ts";
import type { Grants } from "../grants/grants.ts";
import type { RuleScene } from "../grants/grantStatus.ts";
import { type Day, type DayBudget, dayBudget, dayOf } from "./dayBudget.ts";
import { stricter, type Limits, type ObservedLimits } from "./limits.ts";
import type { Admission, SamplingPolicy } from "./samplingPolicy.ts";
import type { ModelUse } from "./modelUse.ts";
import { type BudgetVerdict, verdictOn } from "./verdict.ts";

/** The dependencies of decisions about sampling requests. */
export interface BudgetServices {
	readonly grants: Grants;
	readonly use: ModelUse;
	readonly limits: ObservedLimits;
	readonly prices: Prices;
	/** Whether the user trusts the workspace. */
	readonly isTrusted: () => boolean;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
}

/** All askers together, where each is counted. */
const everyone = "";

/**
 * Decides about sampling requests by the user's rules, limits and budgets (SMP-01). The usage is shared by all windows;
 * rates and concurrent requests are per window, because each window has its own servers.
 */
export class BudgetPolicy implements SamplingPolicy, Disposable {
	readonly services: BudgetServices;
	private readonly rate: LastMinute;
	/** How many requests are running, by server. */
	private readonly open = new Map<string, number>();
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: BudgetServices) {
		this.services = services;
		this.rate = new LastMinute(services.now);
		const { grants, use, limits, prices } = services;
		for (const part of [grants, use.spent, limits, prices]) this.store.add(part.onDidChange(() => this.changed.fire()));
	}

	admit(asker: Asker, need: { readonly inputTokens: number; readonly characters: number }): Admission {
		const inputTokens = toTokens(need.inputTokens) ?? Infinity;
		const verdict = this.verdictOn(asker, inputTokens);
		if (verdict.mode === "never") {
			throw new RequestRefusal(-32603, "denied", "The user does not allow sampling requests from this server");
		}
		const { requestLength, maxTokens } = this.limitsOf(asker);
		if (requestLength !== Infinity && !(need.characters <= requestLength))
			throw refuse(`the request is longer than ${counted(requestLength, "character")}`);
		if (maxTokens < 1) throw refuse("the limit for the answer is 0 tokens");
		for (const whose of ["server", "total"] as const) this.check(asker, whose, inputTokens);
		this.rate.note(asker.id);
		this.rate.note(everyone);
		this.count(asker.id, 1);
		return new RequestAdmission(this, asker, { ...verdict, mode: verdict.mode }, () => this.count(asker.id, -1));
	}

	/** How a request is handled by the current rules. */
	verdictOn(asker: Asker, inputTokens: number): BudgetVerdict {
		return verdictOn(this.services.grants, asker, inputTokens, this.scene);
	}

	/** The current input for rules. */
	get scene(): RuleScene {
		const { use, limits, isTrusted } = this.services;
		return {
			useOf: (rule, budget) => use.of(rule, budget),
			isTrusted: isTrusted(),
			isIncomplete: limits.current.isIncomplete,
		};
	}

	/** The usage of a server and of all together today, with their limits. */
	budgetsOf(server: Pick<ServerDefinition, "id" | "name" | "origin">): readonly [own: DayBudget, total: DayBudget] {
		const { id, name } = server;
		const { limits } = this.services;
		const { spent } = this.services.use;
		const today = this.today;
		const isUnknown = spent.unknownAt(today) !== undefined;
		const [own, all] = isUnknown ? [] : [spent.of(today, id), spent.total(today)];
		return [
			dayBudget(oneLine(name, 60), own, limits.current.of(namesOf(server))),
			dayBudget("all servers together", all, limits.current.total),
		];
	}

	/** The limits on one request of a server, from any source. */
	limitsOf({ definition }: Pick<Asker, "definition">): Limits {
		const { current } = this.services.limits;
		return stricter(current.of(namesOf(definition)), current.total);
	}

	get today(): Day {
		return dayOf(this.services.now());
	}

	dispose(): void {
		this.store.dispose();
	}

	/** Throws a refusal that names the limit, and nothing about the user's actions with other servers. */
	private check(asker: Asker, whose: "server" | "total", inputTokens: number): void {
		const { current } = this.services.limits;
		const limits = whose === "server" ? current.of(namesOf(asker.definition)) : current.total;
		const key = whose === "server" ? asker.id : everyone;
		const of = whose === "server" ? "from this server" : "from all servers together";
		if (Math.min(limits.waiting, limits.requestsPerMinute) < 1) throw refuse(`no requests are accepted ${of}`);
		const open = whose === "server" ? (this.open.get(key) ?? 0) : [...this.open.values()].reduce((a, b) => a + b, 0);
		if (open >= limits.waiting)
			throw refuse(`at most ${counted(limits.waiting, "request")} ${of} may be in progress; wait for their answers`);
		if (this.rate.count(key) >= limits.requestsPerMinute) {
			const seconds = Math.ceil(this.rate.waitMs(key, limits.requestsPerMinute) / 1000);
			throw refuse(
				`at most ${counted(limits.requestsPerMinute, "request")} a minute are accepted ${of}; try again in ${counted(seconds, "second")}`,
			);
		}
		const { tokens: left, nanodollars } = this.budgetsOf(asker.definition)[whose === "server" ? 0 : 1].rest;
		if (left < 1) throw refuse(`today's token budget for requests ${of} is used up`);
		if (left < inputTokens + 1)
			throw refuse(`the request needs more than is left of today's token budget for requests ${of}`);
		if (nanodollars < 1) throw refuse(`today's dollar budget for requests ${of} is used up`);
	}

	private count(server: string, more: 1 | -1): void {
		const open = (this.open.get(server) ?? 0) + more;
		if (open === 0) this.open.delete(server);
		else this.open.set(server, open);
	}
}

function refuse(why: string): RequestRefusal {
	return new RequestRefusal(-32603, "limit", `Sampling limit of the user: ${why}`);
}

const minuteMs = 60_000;

/** Counts the requests of each of several askers within the last minute, from any start of that minute. */
export class LastMinute {
	private readonly times = new Map<string, readonly number[]>();
	private readonly now: () => number;

	/** `now` returns the time in milliseconds since the epoch. */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Notes one more, now. */
	note(asker: string): void {
		this.times.set(asker, [...this.recent(asker), this.now()]);
	}

	/** How many there were within the last minute. */
	count(asker: string): number {
		return this.recent(asker).length;
	}

	/** In how many milliseconds there is room for another, where at most `most` are allowed in a minute. */
	waitMs(asker: string, most: number): number {
		const recent = this.recent(asker);
		if (recent.length < most) return 0;
		const freeing = recent.at(recent.length - Math.max(1, most));
		return freeing === undefined ? minuteMs : Math.max(0, freeing + minuteMs - this.now());
	}

	private recent(asker: string): readonly number[] {
		const now = this.now();
		// Times in the future were noted before the clock was set back.
		const recent = (this.times.get(asker) ?? []).filter((time) => time > now - minuteMs && time <= now);
		if (recent.length === 0) this.times.delete(asker);
		else this.times.set(asker, recent);
		return recent;
	}
}
