import { sha256 } from "../../base/hash.ts";
import type { ActivityNotes, PermissionActivity } from "../../records/activity/journal/entry.ts";
import { oneLine, cap } from "../../base/text.ts";
import type { Event } from "../../base/event.ts";
import { canonicalJson, type JsonObject, parseJsonObject } from "../../base/json.ts";
import { makeKey } from "../../base/store/line.ts";
import { ScopedStore } from "../../base/store/scopedStore.ts";
import type { Store } from "../../base/store/store.ts";
import { destructive } from "../catalog/annotations.ts";
import { fingerprint } from "../pinning/fingerprint.ts";
import type { ToolEntry } from "../catalog/catalog.ts";
import {
	describeCover,
	describeScope,
	isGrant,
	type Grant,
	type GrantCover,
	type GrantScope,
	type ScopedGrant,
} from "./grant.ts";
import { knowsNone, SafeWriter } from "../../base/secrets/writer.ts";

/** Most grants of one scope; the oldest makes room. */
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
 * The grants of the user. A revocation by another window applies before the next call is decided (TOL-12). A revocation
 * here is final, even if another window writes without knowing of it (SEC-09).
 */
export class Grants {
	private readonly services: GrantServices;
	private readonly kept: ScopedStore<Grant>;
	/** Fired when a grant was given or revoked, by this window or another. */
	readonly onDidChange: Event<void>;

	constructor(services: GrantServices) {
		this.services = services;
		this.kept = new ScopedStore(services.store, { name: "grants", isItem: isGrant, subjectOf, limit });
		this.onDidChange = this.kept.onDidChange;
	}

	/** All grants, expired ones among them: those of this window, of the workspace, of everywhere; the latest last. */
	get all(): readonly ScopedGrant[] {
		return this.kept.all;
	}

	/** The grant that allows a call now: one for exactly this definition, with any or with these very arguments. Without: with any. */
	find(entry: ToolEntry, args: JsonObject | undefined): ScopedGrant | undefined {
		const now = this.now();
		const { id } = entry.session.definition;
		this.kept.refresh();
		// Only a grant for exactly this tool needs hashes: most grants are for others, and each call is decided twice.
		let hash: string | undefined;
		return this.all.find((grant) => {
			const { server, covers } = grant;
			if (server !== id || isExpired(grant, now)) return false;
			if (covers.kind === "read-only")
				return covers.definition === entry.session.definition.hash && isCalledReadOnly(entry);
			if (covers.tool !== entry.tool.name || covers.fingerprint !== fingerprint(entry.session, entry.tool))
				return false;
			return covers.kind === "tool" || (args !== undefined && covers.hash === (hash ??= hashOf(args)));
		});
	}

	/** Makes a grant that does not count yet: see `add`. It is bound to the tool as the entry has it. */
	make({ session, tool }: ToolEntry, args: JsonObject, kind: GrantCover["kind"], lastsMs?: number): Grant {
		const { id, name, hash } = session.definition;
		const at = this.now();
		const print = fingerprint(session, tool);
		const covers: GrantCover =
			kind === "read-only"
				? { kind, definition: hash }
				: kind === "tool"
					? { kind, tool: tool.name, fingerprint: print }
					: { kind, tool: tool.name, fingerprint: print, hash: hashOf(args), shown: preview(args) };
		const ends = lastsMs === undefined ? {} : { expiresAt: at + lastsMs };
		return { id: crypto.randomUUID(), server: id, serverName: name, covers, at, ...ends };
	}

	/** Lets a grant count from now on. One for the same in the same scope is replaced. On the disk when it resolves. */
	async add(grant: Grant, scope: GrantScope): Promise<void> {
		this.kept.add(grant, scope);
		this.note("granted", grant, scope);
	}

	/** Withdraws grants, in all windows. They stop counting before this returns, even if the disk fails. */
	async revoke(ids: readonly string[]): Promise<void> {
		const gone = this.all.filter(({ id }) => ids.includes(id));
		this.kept.remove(ids);
		for (const grant of gone) this.note("revoked", grant, grant.scope);
	}

	/** Whether a grant has expired. */
	isExpired(grant: Grant): boolean {
		return isExpired(grant, this.now());
	}

	private note(event: PermissionActivity["event"], grant: Grant, scope: GrantScope): void {
		const { server: serverId, serverName: server, covers, expiresAt } = grant;
		// The arguments of a grant are contents, which the journal does not contain.
		const what =
			covers.kind === "arguments"
				? `${oneLine(covers.tool, 100)} of ${oneLine(server, 60)} with certain arguments`
				: describeCover(grant);
		this.services.notes?.note({
			kind: "permission",
			event,
			subject: `${what}, ${describeScope(scope, expiresAt)}`,
			server,
			serverId,
		});
	}

	private now(): number {
		return (this.services.now ?? Date.now)();
	}
}

/** The subject of a grant: two with the same subject are one. */
function subjectOf({ server, covers }: Grant): string {
	switch (covers.kind) {
		case "tool":
			return makeKey(server, covers.kind, covers.tool, covers.fingerprint);
		case "arguments":
			return makeKey(server, covers.kind, covers.tool, covers.fingerprint, covers.hash);
		case "read-only":
			return makeKey(server, covers.kind, covers.definition);
	}
}

/**
 * Whether the server calls a tool of its own read-only, and not destructive as well. Annotations are untrusted: this
 * counts only for a server whose read-only tools the user granted.
 */
export function isCalledReadOnly({ tool, perform }: Pick<ToolEntry, "tool" | "perform">): boolean {
	const { annotations } = tool;
	return perform === undefined && annotations?.readOnlyHint === true && destructive(annotations) === undefined;
}

function isExpired({ expiresAt }: Grant, now: number): boolean {
	return expiresAt !== undefined && now >= expiresAt;
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
