import { Emitter, type Event } from "../base/event.ts";
import type { KeyValue } from "../base/storage.ts";
import type { ServerDefinition } from "../servers/config.ts";
import type { Amount } from "./amount.ts";
import { dayOf } from "./day.ts";
import { Ledger, type Booking, type Period } from "./ledger.ts";
import type { RuleBudget } from "./ruleBudget.ts";
import {
	isSamplingRule,
	type RuleScope,
	type SamplingRule,
	type SamplingTreatment,
	type ScopedSamplingRule,
} from "./samplingRule.ts";

const key = "mcpHost.sampling.rules";
const useKey = "mcpHost.sampling.ruleUse";
/** Most rules of one scope; the oldest makes room. */
const limit = 200;
/** The narrowest first. */
const scopes = ["session", "workspace", "always"] as const satisfies readonly RuleScope[];

/** Where rules are kept, and what time it is. */
export interface RuleServices {
	/** What VS Code keeps for this workspace, out of the reach of its files (built-in.md claim 16). */
	readonly workspaceState: KeyValue;
	/** What VS Code keeps for the profile. */
	readonly state: KeyValue;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** Told what cannot be read or written, in a sentence. */
	readonly onProblem: (message: string) => void;
}

/**
 * The person's rules for sampling requests and what each has used of its budget. Of one server's rules the one with the
 * narrowest scope counts, so that what was chosen for a session ends with it. Read anew at each question, as grants are; what was
 * withdrawn here stays so even if a window that had not heard of it writes its old state back (security.md SEC-09).
 */
export class SamplingRules {
	private readonly services: RuleServices;
	private readonly session: SamplingRule[] = [];
	private readonly used: Readonly<Record<RuleScope, Ledger>>;
	/** Checked before, by what the store handed out. */
	private readonly checked = new WeakMap<object, readonly SamplingRule[]>();
	private readonly revoked = new Set<string>();
	private readonly changed = new Emitter<void>();
	/** Fired when this window changed a rule. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: RuleServices) {
		this.services = services;
		const { now, onProblem, state, workspaceState } = services;
		const ledger = (store: KeyValue): Ledger => new Ledger({ store, key: useKey, now, onProblem });
		this.used = { session: ledger(memory()), workspace: ledger(workspaceState), always: ledger(state) };
	}

	/** All rules, ended ones among them: those of this window, of the workspace, of everywhere. */
	get all(): readonly ScopedSamplingRule[] {
		return scopes.flatMap((scope) => this.kept(scope).map((rule) => scoped(rule, scope)));
	}

	/** The rules that are about a server, whatever has become of it, that which counts first. */
	about(definition: Pick<ServerDefinition, "id" | "name">): readonly ScopedSamplingRule[] {
		const all = this.all.filter((rule) => isAbout(rule, definition));
		return scopes.flatMap((scope) =>
			all.filter((rule) => rule.scope === scope).toSorted((a, b) => rank(a) - rank(b) || b.at - a.at),
		);
	}

	/** Makes a rule for a server, which takes the place of those about it with the same or a narrower scope. */
	async set(
		{ id, name, hash }: ServerDefinition,
		treatment: SamplingTreatment,
		scope: RuleScope,
		expiresAt?: number,
	): Promise<void> {
		const ends = expiresAt === undefined ? {} : { expiresAt };
		const at = this.services.now();
		const made = { id: crypto.randomUUID(), server: id, serverName: name, definition: hash, treatment, at, ...ends };
		const narrower = new Set<RuleScope>(scopes.slice(0, scopes.indexOf(scope) + 1));
		const replaced = this.about({ id, name }).filter((rule) => narrower.has(rule.scope));
		for (const rule of replaced) this.revoked.add(rule.id);
		await this.write(scope, [...this.kept(scope), made].slice(-limit));
		await this.clean();
	}

	/** Withdraws rules. They stop counting before this returns, whatever becomes of the store. */
	async revoke(ids: readonly string[]): Promise<void> {
		for (const id of ids) this.revoked.add(id);
		this.changed.fire();
		await this.clean();
	}

	/** Whether a rule still stands: neither withdrawn nor ended. */
	stands({ id, scope, expiresAt }: ScopedSamplingRule): boolean {
		const isOver = expiresAt !== undefined && this.services.now() >= expiresAt;
		return !isOver && this.kept(scope).some((rule) => rule.id === id);
	}

	/** What a rule has used of its budget; undefined when that cannot be told, which is as if it were all. */
	useOf({ id, scope, at }: ScopedSamplingRule, budget: RuleBudget): Amount | undefined {
		const period = this.periodOf(budget);
		const unknownAt = this.used[scope].unknownAt(period);
		return unknownAt !== undefined && unknownAt >= at ? undefined : this.used[scope].of(period, id);
	}

	/** Books on a rule what it sends. */
	book({ id, scope }: ScopedSamplingRule, budget: RuleBudget, amount: Amount): Booking {
		return this.used[scope].book(this.periodOf(budget), id, amount);
	}

	/** Puts what was used in the place of what was booked on a rule. */
	settle({ scope }: ScopedSamplingRule, booking: Booking, used: Pick<Amount, "tokens" | "nanodollars">): void {
		this.used[scope].settle(booking, used);
	}

	private periodOf({ per }: RuleBudget): Period {
		return per === "day" ? dayOf(this.services.now()) : "life";
	}

	/** Takes what was withdrawn, and what that has used, out of the stores. */
	private async clean(): Promise<void> {
		for (const scope of scopes) {
			const kept = this.kept(scope);
			if (kept.length < this.read(scope).length) await this.write(scope, kept);
			const ids = new Set(kept.map(({ id }) => id));
			const { used } = this;
			if (used[scope].hasOther(ids)) used[scope].retain((id) => ids.has(id));
		}
	}

	private kept(scope: RuleScope): readonly SamplingRule[] {
		return this.read(scope).filter(({ id }) => !this.revoked.has(id));
	}

	private read(scope: RuleScope): readonly SamplingRule[] {
		if (scope === "session") return this.session;
		const stored: unknown = this.store(scope).get(key);
		if (!Array.isArray(stored)) return [];
		const known = this.checked.get(stored);
		if (known !== undefined) return known;
		const rules = stored.filter(isSamplingRule).slice(-limit);
		this.checked.set(stored, rules);
		return rules;
	}

	private async write(scope: RuleScope, rules: readonly SamplingRule[]): Promise<void> {
		if (scope === "session") this.session.splice(0, this.session.length, ...rules);
		else await this.store(scope).update(key, rules);
		this.changed.fire();
	}

	private store(scope: "workspace" | "always"): KeyValue {
		return scope === "workspace" ? this.services.workspaceState : this.services.state;
	}
}

function scoped(rule: SamplingRule, scope: RuleScope): ScopedSamplingRule {
	return { ...rule, scope };
}

/** Whether a rule is about a server: the same entry of the same place, or for `never`, any of its name. */
function isAbout(rule: SamplingRule, { id, name }: Pick<ServerDefinition, "id" | "name">): boolean {
	return rule.server === id || (rule.treatment.kind === "never" && rule.serverName === name);
}

/** The stricter first, where two rules of one scope are about a server. */
function rank({ treatment }: SamplingRule): number {
	return ["never", "request-only", "auto"].indexOf(treatment.kind);
}

/** A store that ends with the window. */
function memory(): KeyValue {
	const values = new Map<string, unknown>();
	return {
		// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature of KeyValue
		get: <T>(key: string) => values.get(key) as T | undefined,
		update: async (key, value) => void values.set(key, value),
	};
}
