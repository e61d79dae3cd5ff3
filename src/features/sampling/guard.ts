import { createHash } from "node:crypto";
import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { canonicalJson } from "../../base/json.ts";
import { RequestRefusal } from "../../base/refusal.ts";
import { limitPerServer, queueIsFull } from "../../questions/decisions/queue.ts";
import type { Repetition } from "../../questions/decisions/repetition.ts";
import type { Asker } from "../../permissions/budgets/asker.ts";

/**
 * How a request ended, for the guard. `answered`: by a completion that a user returned; `auto`: by one that a rule
 * returned; `rejected`: by a user, explicitly or by closing its panel; `withdrawn`: the server withdrew it while a user
 * was reviewing it; `ended`: in any other way, which says nothing about the server.
 */
export type GuardEnd = "answered" | "auto" | "rejected" | "withdrawn" | "ended";

/** A request that may go on. */
export interface AdmittedRequest {
	/** How long it is only listed before it is shown to the user automatically, in milliseconds. */
	readonly heldMs: number;
	/** Says how the request ended; every call after the first does nothing. */
	note(end: GuardEnd): void;
}

/** The dependencies of the guard. */
export interface GuardDependencies {
	/** How patient the user is with each server. */
	readonly repetition: Repetition;
	/**
	 * The maximum number of a server's requests within one call, and of requests that rules answer within an hour when
	 * the server asks independently and no user acts on it. Read at each request.
	 */
	readonly loopLimit: () => number;
	/** Returns the time in milliseconds. */
	readonly now?: () => number;
}

/**
 * How many equal requests may wait at the same time: some tools request several completions of one text to choose from.
 */
const mostSame = 5;
/** How long a rejected request of a server that asks independently is refused when it is repeated, in milliseconds. */
const rejectedMs = 5 * 60_000;
/** How many of those are remembered, over all servers. */
const mostRejected = 500;
/** The time within which the requests that rules answered are counted, in milliseconds. */
const unattendedMs = 60 * 60_000;

/** The requests during one call. Forgotten with the call. */
interface CallAccount {
	requests: number;
	/** The fingerprints of the requests that the user rejected. */
	readonly rejected: Set<string>;
}

/**
 * Runs before everything that makes a sampling request expensive, and immediately refuses requests that should not
 * reach the user (SMP-01, SMP-13, SMP-14): requests of a server that is rejected for now, repeated requests or ones
 * that were rejected, loops, and more than the queue takes. The messages of refusals are for the server's author.
 */
export class SamplingGuard {
	private readonly deps: GuardDependencies;
	private readonly now: () => number;
	/** The fingerprints of the requests that are not answered yet, each as often as it waits, by server. */
	private readonly open = new Map<string, string[]>();
	private readonly calls = new WeakMap<object, CallAccount>();
	/** When requests outside of any call were rejected, by server and fingerprint, oldest first. */
	private readonly rejected = new Map<string, number>();
	/** When rules answered requests of servers that ask on their own, since a user last did. */
	private readonly unattended = new Map<string, readonly number[]>();

	constructor(deps: GuardDependencies) {
		this.deps = deps;
		this.now = deps.now ?? Date.now;
	}

	/**
	 * Admits a request. `calls` are the calls during which it arrived, by identity; empty when the server asks
	 * independently.
	 * @throws RequestRefusal `denied` for a request that the user rejected for now or before, `limit` for the others.
	 */
	enter({ id }: Asker, params: CreateMessageRequestParams, calls: readonly object[] = []): AdmittedRequest {
		if (this.deps.repetition.isMuted(id)) throw rejectedBefore("User rejected all sampling requests for now");
		const open = this.open.get(id) ?? [];
		if (open.length >= limitPerServer) throw queueIsFull();
		const fingerprint = fingerprintOf(params);
		if (open.filter((other) => other === fingerprint).length >= mostSame) {
			throw tooMany(`The same sampling request is already waiting ${mostSame} times`);
		}
		const accounts = calls.map((call) => this.accountOf(call));
		if (this.wasRejected(id, fingerprint, accounts))
			throw rejectedBefore("User rejected the same sampling request before");
		this.checkLoop(id, accounts);

		for (const account of accounts) account.requests++;
		open.push(fingerprint);
		this.open.set(id, open);
		let isOpen = true;
		return {
			heldMs: this.deps.repetition.holdMs(id),
			note: (end) => {
				if (!isOpen) return;
				isOpen = false;
				open.splice(open.indexOf(fingerprint), 1);
				if (open.length === 0) this.open.delete(id);
				this.learn(id, fingerprint, accounts, end);
			},
		};
	}

	private learn(server: string, fingerprint: string, accounts: readonly CallAccount[], end: GuardEnd): void {
		const { repetition } = this.deps;
		if (end === "answered") repetition.note(server, false);
		if (end === "rejected" || end === "withdrawn") repetition.note(server, true);
		if (end === "answered" || end === "rejected") this.unattended.delete(server);
		if (end === "rejected" && accounts.length === 0) this.rememberRejected(`${server}\n${fingerprint}`);
		if (end === "rejected") for (const { rejected } of accounts) rejected.add(fingerprint);
		if (end === "auto" && accounts.length === 0) this.unattended.set(server, [...this.answersOf(server), this.now()]);
	}

	/**
	 * A rejection applies to its call; another call of the user's may cause the request again. A server that asks
	 * independently must wait for some time.
	 */
	private wasRejected(server: string, fingerprint: string, accounts: readonly CallAccount[]): boolean {
		if (accounts.length > 0) return accounts.every(({ rejected }) => rejected.has(fingerprint));
		const at = this.rejected.get(`${server}\n${fingerprint}`);
		return at !== undefined && at > this.now() - rejectedMs;
	}

	private checkLoop(server: string, accounts: readonly CallAccount[]): void {
		const limit = this.deps.loopLimit();
		if (accounts.length > 0) {
			if (accounts.some(({ requests }) => requests < limit)) return;
			throw tooMany(`Iteration limit: at most ${limit} sampling requests are answered within one call`);
		}
		if (this.answersOf(server).length < limit) return;
		throw tooMany(`Iteration limit: at most ${limit} sampling requests outside of calls are answered within an hour`);
	}

	private answersOf(server: string): readonly number[] {
		return (this.unattended.get(server) ?? []).filter((at) => at > this.now() - unattendedMs);
	}

	private accountOf(call: object): CallAccount {
		const known = this.calls.get(call);
		if (known !== undefined) return known;
		const account: CallAccount = { requests: 0, rejected: new Set() };
		this.calls.set(call, account);
		return account;
	}

	private rememberRejected(key: string): void {
		this.rejected.delete(key);
		this.rejected.set(key, this.now());
		for (const [oldest, at] of this.rejected) {
			if (this.rejected.size <= mostRejected && at > this.now() - rejectedMs) break;
			this.rejected.delete(oldest);
		}
	}
}

/** The identity of a request among those of its server; the progress token and the like are not part of it. */
function fingerprintOf({ _meta, ...params }: CreateMessageRequestParams): string {
	return createHash("sha256").update(canonicalJson(params)).digest("base64");
}

function rejectedBefore(message: string): RequestRefusal {
	return new RequestRefusal(-1, "denied", message);
}

function tooMany(message: string): RequestRefusal {
	return new RequestRefusal(-32603, "limit", message);
}

/** The user's limits on servers' requests, and how long one waits. */
export interface GuardLimits {
	/** See `GuardDependencies.loopLimit`. */
	readonly loopLimit: number;
	/** After how long without the user's doing a review expires, in milliseconds; 0 is never. */
	readonly expiresMs: number;
}

const defaults = { loopLimit: 25, reviewMinutes: 60 };
/** A week; a timer of Node supports at most about 24 days. */
const longestMinutes = 7 * 24 * 60;

/** Reads the settings `loopLimit` and `reviewTimeout` (in minutes); an invalid value counts as not set. */
export function guardLimits(loopLimit: unknown, reviewTimeout: unknown): GuardLimits {
	const minutes = isNumber(reviewTimeout, 0) ? Math.min(reviewTimeout, longestMinutes) : defaults.reviewMinutes;
	return {
		loopLimit: isNumber(loopLimit, 1) ? Math.floor(loopLimit) : defaults.loopLimit,
		expiresMs: minutes * 60_000,
	};
}

function isNumber(value: unknown, least: number): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= least;
}
