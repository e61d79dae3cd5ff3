import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { Journal } from "../../base/store/journal.ts";
import { makeKey } from "../../base/store/line.ts";
import { ScopedStore, scopes } from "../../base/store/scopedStore.ts";
import type { Store } from "../../base/store/store.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { Amount } from "./amount.ts";
import { dayOf } from "./dayBudget.ts";
import type { RuleBudget } from "./ruleBudget.ts";
import {
	isNamed,
	isSamplingRule,
	type RuledServer,
	type RuleScope,
	type SamplingEffect,
	type SamplingRule,
	type ScopedSamplingRule,
} from "./samplingRule.ts";
import { type Booking, isUseKept, type Period, UsageCounter, usageName } from "./usageCounter.ts";

/** Most rules of one scope; the oldest makes room. */
const limit = 200;

/** The storage of rules, and the clock. */
export interface RuleServices {
	/** The storage that windows share, out of the reach of the workspace's files (SEC-05). */
	readonly store: Store;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** Where the user's new and revoked rules are recorded. */
	readonly notes?: ActivityNotes;
	/** Called with the unreadable parts, in a sentence. */
	readonly onProblem: (message: string) => void;
}

/**
 * The user's rules for sampling requests and the usage of their budgets. Of one server's rules the one with the
 * narrowest scope applies, so that a choice for a session ends with it. A revocation by another window applies before
 * the next request is decided. A revocation here is final, even if another window writes without knowing of it
 * (SEC-09).
 */
export class SamplingRules {
	private readonly services: RuleServices;
	private readonly kept: ScopedStore<SamplingRule>;
	private readonly used: Readonly<Record<RuleScope, UsageCounter>>;
	private readonly changed = new Emitter<void>();
	/** Fired when a rule was made or revoked, by this window or another. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: RuleServices) {
		this.services = services;
		const { now, onProblem, store } = services;
		this.kept = new ScopedStore(store, { name: "samplingRules", isItem: isSamplingRule, subjectOf, limit });
		this.kept.onDidChange(() => this.changed.fire());
		const shared = store.journal(usageName, { isKept: (line) => isUseKept(line, now()) });
		const useOf = (name: string, journal = shared) => ({ journal, name, now, onProblem });
		this.used = {
			session: new UsageCounter(useOf("rules", new Journal({ ...shared.options, folder: undefined }))),
			workspace: new UsageCounter(useOf(`rules of ${store.workspace}`)),
			always: new UsageCounter(useOf("rules")),
		};
	}

	/** All rules, ended ones among them: those of this window, of the workspace, of everywhere. */
	get all(): readonly ScopedSamplingRule[] {
		return this.kept.all;
	}

	/** The rules about a server, even if it has changed, the effective one first. */
	about(definition: RuledServer): readonly ScopedSamplingRule[] {
		this.kept.refresh();
		const all = this.all.filter((rule) => isAbout(rule, definition));
		return scopes.flatMap((scope) =>
			all.filter((rule) => rule.scope === scope).toSorted((a, b) => rank(a) - rank(b) || b.at - a.at),
		);
	}

	/** Makes a rule for a server, which takes the place of those about it with the same or a narrower scope. */
	async set(definition: ServerDefinition, effect: SamplingEffect, scope: RuleScope, expiresAt?: number): Promise<void> {
		const { id, name, hash } = definition;
		const ends = expiresAt === undefined ? {} : { expiresAt };
		const at = this.services.now();
		const made = { id: crypto.randomUUID(), server: id, serverName: name, definition: hash, effect, at, ...ends };
		const narrower = new Set<RuleScope>(scopes.slice(0, scopes.indexOf(scope) + 1));
		const replaced = this.about(definition).filter((rule) => narrower.has(rule.scope));
		this.kept.add(made, scope);
		this.note("granted", made, scope);
		await this.revoke(replaced.map((rule) => rule.id));
	}

	/** Withdraws rules, in all windows. They stop counting before this returns, even if the disk fails. */
	async revoke(ids: readonly string[]): Promise<void> {
		const gone = new Set(ids);
		const revoked = this.all.filter((rule) => gone.has(rule.id));
		this.kept.remove(ids);
		for (const rule of revoked) this.note("revoked", rule, rule.scope);
		for (const scope of scopes) this.used[scope].forget(gone);
	}

	/** Whether a rule is still valid: neither withdrawn nor ended. */
	stands({ id, scope, expiresAt }: ScopedSamplingRule): boolean {
		if (expiresAt !== undefined && this.services.now() >= expiresAt) return false;
		this.kept.refresh();
		return this.all.some((rule) => rule.id === id && rule.scope === scope);
	}

	/** The used part of a rule's budget; undefined when that is unknown, which counts as all. */
	useOf({ id, scope, at }: ScopedSamplingRule, budget: RuleBudget): Amount | undefined {
		const period = this.periodOf(budget);
		const unknownAt = this.used[scope].unknownAt(period);
		return unknownAt !== undefined && unknownAt >= at ? undefined : this.used[scope].of(period, id);
	}

	/** Books the usage of a send on a rule. */
	book({ id, scope }: ScopedSamplingRule, budget: RuleBudget, amount: Amount): Booking {
		return this.used[scope].book(this.periodOf(budget), id, amount);
	}

	/** Replaces the booked amount of a rule by the usage. */
	settle({ scope }: ScopedSamplingRule, booking: Booking, used: Pick<Amount, "tokens" | "nanodollars">): void {
		this.used[scope].settle(booking, used);
	}

	private note(event: "granted" | "revoked", { server, serverName, effect }: SamplingRule, scope: RuleScope): void {
		const subject = `rule for sampling requests of ${oneLine(serverName, 60)}: ${effect.kind} (${scope})`;
		this.services.notes?.note({ kind: "permission", event, subject, server: serverName, serverId: server });
	}

	private periodOf({ per }: RuleBudget): Period {
		return per === "day" ? dayOf(this.services.now()) : "life";
	}
}

/**
 * The subject of a rule: two rules of a server with the same effect are one, and of two others the stricter applies.
 */
function subjectOf({ server, effect }: SamplingRule): string {
	return makeKey(server, effect.kind);
}

/** Whether a rule is about a server: the same entry of the same place, or for `never`, any of its name. */
function isAbout(rule: SamplingRule, definition: RuledServer): boolean {
	if (rule.server === definition.id) return true;
	return rule.effect.kind === "never" && isNamed(rule, definition);
}

/** The stricter first, where two rules of one scope are about a server. */
function rank({ effect }: Pick<SamplingRule, "effect">): number {
	return ["never", "request-only", "auto"].indexOf(effect.kind);
}
