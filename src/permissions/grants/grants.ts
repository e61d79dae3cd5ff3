import { Emitter, type Event } from "../../base/event.ts";
import { sha256 } from "../../base/hash.ts";
import { canonicalJson, type JsonObject, parseJsonObject } from "../../base/json.ts";
import { knowsNone, SafeWriter } from "../../base/secrets/writer.ts";
import { makeKey } from "../../base/store/line.ts";
import { Journal } from "../../base/store/journal.ts";
import type { Store } from "../../base/store/store.ts";
import { cap, oneLine } from "../../base/text.ts";
import type { ActivityNotes, PermissionActivity } from "../../records/activity/journal/entry.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { destructive } from "../catalog/annotations.ts";
import type { ToolEntry } from "../catalog/catalog.ts";
import { fingerprint } from "../pinning/fingerprint.ts";
import {
	type CallCover,
	coversCalls,
	describeCover,
	describeEffect,
	describeScope,
	type Grant,
	isGrant,
	isNamed,
	isOfSampling,
	type SamplingCover,
	type SamplingRule,
	type Scope,
	type ScopedGrant,
	scopes,
} from "./grant.ts";

/** Most grants for calls in one scope, and most for sampling requests; the oldest makes room. */
const limit = 500;

/** The storage of grants, and the clock. */
export interface GrantServices {
	/** The storage that windows share, out of the reach of the workspace's files (SEC-05). */
	readonly store: Store;
	/** The time in milliseconds since the epoch. */
	readonly now?: () => number;
	/** Where the user's new and revoked grants are recorded. */
	readonly notes?: ActivityNotes;
}

/**
 * The grants of the user, for calls and for sampling requests. A revocation by another window applies before the next
 * call or request is decided (TOL-12). A revocation here is final, even if another window writes without knowing of it
 * (SEC-09). Those of a session are only in memory; the others are in a journal of the store.
 */
export class Grants {
	private readonly services: GrantServices;
	private readonly session: Journal;
	private readonly shared: Journal;
	private known: { readonly version: string; readonly grants: readonly ScopedGrant[] } | undefined;
	private readonly changed = new Emitter<void>();
	private readonly revoked = new Emitter<ReadonlySet<string>>();
	/** Fired when a grant was given or revoked, by this window or another. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** Fired with the ids of the grants that this window revokes. */
	readonly onDidRevoke = this.revoked.event;

	constructor(services: GrantServices) {
		this.services = services;
		this.shared = services.store.journal("grants");
		this.session = new Journal({ ...this.shared.options, folder: undefined });
		for (const journal of [this.shared, this.session]) journal.onDidChange(() => this.changed.fire());
	}

	/** All grants, expired ones among them: those of this window, of the workspace, of everywhere; the latest of each last. */
	get all(): readonly ScopedGrant[] {
		const version = `${this.shared.version} ${this.session.version}`;
		if (this.known?.version !== version) {
			const grants = scopes.flatMap((scope) => this.of(scope).map((grant) => Object.assign({}, grant, { scope })));
			this.known = { version, grants };
		}
		return this.known.grants;
	}

	/** The grant that allows a call now: one for exactly this definition, with any or with these very arguments. Without: with any. */
	find(entry: ToolEntry, args: JsonObject | undefined): ScopedGrant | undefined {
		const { id, hash: definition } = entry.session.definition;
		this.shared.refresh();
		// Only a grant for exactly this tool needs hashes: most grants are for others, and each call is decided twice.
		let hash: string | undefined;
		return this.all.find((grant) => {
			const { covers } = grant;
			if (grant.server !== id || grant.definition !== definition || this.isExpired(grant)) return false;
			if (!("tool" in covers)) return covers.kind === "read-only" && isCalledReadOnly(entry);
			if (covers.tool !== entry.tool.name || covers.fingerprint !== fingerprint(entry.session, entry.tool))
				return false;
			return covers.kind === "tool" || (args !== undefined && covers.hash === (hash ??= hashOf(args)));
		});
	}

	/**
	 * The rules about the sampling requests of a server, even if it has changed, the effective one first: that with the
	 * narrowest scope, so that a choice for a session ends with it, and the strictest of those. `never` is about any
	 * server of its name.
	 */
	about(server: Pick<ServerDefinition, "id" | "name" | "origin">): readonly SamplingRule[] {
		this.shared.refresh();
		const rules = this.all
			.filter(isOfSampling)
			.filter((rule) => rule.server === server.id || (rule.covers.kind === "never" && isNamed(rule, server)));
		return scopes.flatMap((scope) =>
			rules.filter((rule) => rule.scope === scope).toSorted((a, b) => rankOf(a) - rankOf(b) || b.at - a.at),
		);
	}

	/** Makes a grant that does not count yet: see `add`. It is bound to the tool as the entry has it. */
	make({ session, tool }: ToolEntry, args: JsonObject, kind: CallCover["kind"], lastsMs?: number): Grant {
		const bound = { tool: tool.name, fingerprint: fingerprint(session, tool) };
		const covers: CallCover =
			kind === "read-only"
				? { kind }
				: kind === "tool"
					? { kind, ...bound }
					: { kind, ...bound, hash: hashOf(args), shown: preview(args) };
		return this.bind(session.definition, covers, lastsMs);
	}

	/** Lets a grant count from now on. One for the same in the same scope is replaced. On the disk when it resolves. */
	async add(grant: Grant, scope: Scope): Promise<void> {
		const journal = this.journalOf(scope);
		journal.put(this.keyOf(grant, scope), grant);
		// Many grants for calls must not push out a rule that rejects sampling requests.
		const isAboutCalls = coversCalls(grant.covers);
		const others = this.of(scope).filter(({ covers }) => coversCalls(covers) === isAboutCalls);
		journal.write(others.slice(0, -limit).map((one) => ({ key: this.keyOf(one, scope) })));
		this.note("granted", grant, scope);
	}

	/** Makes a rule for a server's sampling requests, in place of those about it with the same or a narrower scope. */
	async set(definition: ServerDefinition, covers: SamplingCover, scope: Scope, lastsMs?: number): Promise<void> {
		const narrower = scopes.slice(0, scopes.indexOf(scope) + 1);
		const replaced = this.about(definition).filter((rule) => narrower.some((one) => one === rule.scope));
		await this.add(this.bind(definition, covers, lastsMs), scope);
		await this.revoke(replaced.map(({ id }) => id));
	}

	/** Withdraws grants, in all windows. They stop counting before this returns, even if the disk fails. */
	async revoke(ids: readonly string[]): Promise<void> {
		this.shared.refresh();
		const gone = this.all.filter(({ id }) => ids.includes(id));
		for (const scope of scopes) {
			const ofScope = gone.filter((grant) => grant.scope === scope);
			this.journalOf(scope).write(ofScope.map((grant) => ({ key: this.keyOf(grant, scope) })));
		}
		for (const grant of gone) this.note("revoked", grant, grant.scope);
		this.revoked.fire(new Set(ids));
	}

	/** Whether a grant has expired. */
	isExpired({ expiresAt }: Grant): boolean {
		return expiresAt !== undefined && this.now() >= expiresAt;
	}

	/** Whether a grant neither expired nor was revoked, in any window. */
	stands(grant: ScopedGrant): boolean {
		if (this.isExpired(grant)) return false;
		this.shared.refresh();
		return this.all.some(({ id, scope }) => id === grant.id && scope === grant.scope);
	}

	private of(scope: Scope): readonly Grant[] {
		const start = `${makeKey(...this.placeOf(scope)).slice(0, -1)},`;
		const lines = this.journalOf(scope).lines.filter(({ key }) => key.startsWith(start));
		return lines.map(({ value }) => value).filter(isGrant);
	}

	private keyOf(grant: Grant, scope: Scope): string {
		return makeKey(...this.placeOf(scope), subjectOf(grant));
	}

	private placeOf(scope: Scope): readonly string[] {
		return scope === "workspace" ? [scope, this.services.store.workspace] : [scope];
	}

	private journalOf(scope: Scope): Journal {
		return scope === "session" ? this.session : this.shared;
	}

	private bind({ id, name, hash }: ServerDefinition, covers: Grant["covers"], lastsMs: number | undefined): Grant {
		const at = this.now();
		const ends = lastsMs === undefined ? {} : { expiresAt: at + lastsMs };
		return { id: crypto.randomUUID(), server: id, serverName: name, definition: hash, covers, at, ...ends };
	}

	private note(event: PermissionActivity["event"], grant: Grant, scope: Scope): void {
		const { server: serverId, serverName: server, covers, expiresAt } = grant;
		// The arguments of a grant are contents, which the journal does not contain.
		const what =
			covers.kind === "arguments"
				? `${oneLine(covers.tool, 100)} of ${oneLine(server, 60)} with certain arguments`
				: coversCalls(covers)
					? describeCover(grant)
					: `sampling requests of ${oneLine(server, 60)}: ${describeEffect(covers)}`;
		const subject = `${what}, ${describeScope(scope, expiresAt)}`;
		this.services.notes?.note({ kind: "permission", event, subject, server, serverId });
	}

	private now(): number {
		return (this.services.now ?? Date.now)();
	}
}

/** The subject of a grant: two with the same subject are one. */
function subjectOf({ server, definition, covers }: Grant): string {
	const tool = "tool" in covers ? [covers.tool, covers.fingerprint] : [];
	const bound = covers.kind === "arguments" ? [covers.hash] : covers.kind === "read-only" ? [definition] : [];
	return makeKey(server, covers.kind, ...tool, ...bound);
}

/** The stricter first, where two rules of one scope are about a server. */
function rankOf({ covers }: SamplingRule): number {
	return ["never", "request-only", "auto"].indexOf(covers.kind);
}

/**
 * Whether the server calls a tool of its own read-only, and not destructive as well. Annotations are untrusted: this
 * counts only for a server whose read-only tools the user granted.
 */
export function isCalledReadOnly({ tool, perform }: Pick<ToolEntry, "tool" | "perform">): boolean {
	const { annotations } = tool;
	return perform === undefined && annotations?.readOnlyHint === true && destructive(annotations) === undefined;
}

/** Arguments are equal if they have the same members and values, in any order (the sent ones have their own). */
function hashOf(args: JsonObject): string {
	return sha256(canonicalJson(args));
}

/** How much of the arguments is kept to be shown, in characters. */
const shownLength = 300;
/** The text that is shown in place of a secret. */
const hidden = "\u2022\u2022\u2022";
/** The beginning of the arguments, without text that looks like a secret (SEC-03), nor the beginning of such text. */
export function preview(args: JsonObject): string {
	const short = JSON.stringify(args, (_, value: unknown) =>
		typeof value === "string" ? value.slice(0, 2 * shownLength) : value,
	);
	const writer = new SafeWriter(knowsNone, { mark: () => hidden, isDeep: true });
	return cap(JSON.stringify(writer.json(parseJsonObject(short) ?? {})), shownLength);
}
