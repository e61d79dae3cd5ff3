import { createHash } from "node:crypto";
import { Emitter, type Event } from "../base/event.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../base/json.ts";
import type { KeyValue } from "../base/storage.ts";
import { cap } from "../base/text.ts";
import { holdsSecret, looksSecret } from "../base/secretWords.ts";
import { fingerprint } from "../pinning/fingerprint.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { isGrant, type Grant, type GrantCover, type GrantScope, type ScopedGrant } from "./grant.ts";

const key = "mcpHost.grants";
/** Most grants of one scope; the oldest makes room. */
const limit = 500;
/** How much of the arguments is kept to be shown, in characters. */
const shownLength = 300;

/** Where grants are kept, and what time it is. */
export interface GrantServices {
	/** What VS Code keeps for this workspace, out of the reach of its files (security.md SEC-05). */
	readonly workspaceState: KeyValue;
	/** What VS Code keeps for the profile. */
	readonly state: KeyValue;
	/** The time in milliseconds since the epoch. */
	readonly now?: () => number;
}

/**
 * The grants of the person. Read anew at each question, so that what another window revoked counts here as soon as VS Code
 * has told this one's store: a moment on one machine, at the next start where profiles are synchronised. What was revoked
 * here stays so even if a window that had not heard of it writes its old state back (security.md SEC-09).
 */
export class Grants {
	private readonly services: GrantServices;
	private readonly session: Grant[] = [];
	/** Checked before, by what the store handed out. */
	private readonly checked = new WeakMap<object, readonly Grant[]>();
	private readonly revoked = new Set<string>();
	private readonly changed = new Emitter<void>();
	/** Fired when this window changed something. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: GrantServices) {
		this.services = services;
	}

	/** All grants, expired ones among them: those of this window, of the workspace, of everywhere; the latest last. */
	get all(): readonly ScopedGrant[] {
		return (["session", "workspace", "always"] as const).flatMap((scope) =>
			this.read(scope).flatMap((grant) => (this.revoked.has(grant.id) ? [] : [{ ...grant, scope }])),
		);
	}

	/** The grant that allows a call now: one for exactly this definition, with any or with these very arguments. */
	find(entry: ToolEntry, args: JsonObject): ScopedGrant | undefined {
		const now = this.now();
		const { id } = entry.session.definition;
		const candidates = this.all.filter((grant) => grant.server === id && !isExpired(grant, now));
		if (candidates.length === 0) return undefined;
		const print = fingerprint(entry.session, entry.tool);
		const hash = hashOf(args);
		return candidates.find(({ covers }) => {
			if (covers.kind === "read-only")
				return covers.definition === entry.session.definition.hash && isCalledReadOnly(entry);
			const isSameTool = covers.tool === entry.tool.name && covers.fingerprint === print;
			return isSameTool && (covers.kind === "tool" || covers.hash === hash);
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

	/** Lets a grant count from now on. One for the same in the same scope is replaced. */
	async add(grant: Grant, scope: GrantScope): Promise<void> {
		const isSame = (other: Grant): boolean =>
			other.server === grant.server && canonicalJson(other.covers) === canonicalJson(grant.covers);
		const others = this.read(scope).filter((other) => !isSame(other) && !this.revoked.has(other.id));
		await this.write(scope, [...others, grant].slice(-limit));
	}

	/** Withdraws grants. They stop counting before this returns, whatever becomes of the store. */
	async revoke(ids: readonly string[]): Promise<void> {
		for (const id of ids) this.revoked.add(id);
		this.changed.fire();
		for (const scope of ["session", "workspace", "always"] as const) {
			const all = this.read(scope);
			const left = all.filter(({ id }) => !this.revoked.has(id));
			if (left.length < all.length) await this.write(scope, left);
		}
	}

	/** Whether a grant has ended by itself. */
	isExpired(grant: Grant): boolean {
		return isExpired(grant, this.now());
	}

	private now(): number {
		return (this.services.now ?? Date.now)();
	}

	private read(scope: GrantScope): readonly Grant[] {
		if (scope === "session") return this.session;
		const stored: unknown = this.store(scope).get(key);
		if (!Array.isArray(stored)) return [];
		const known = this.checked.get(stored);
		if (known !== undefined) return known;
		const grants = stored.filter(isGrant).slice(-limit);
		this.checked.set(stored, grants);
		return grants;
	}

	private async write(scope: GrantScope, grants: readonly Grant[]): Promise<void> {
		if (scope === "session") this.session.splice(0, this.session.length, ...grants);
		else await this.store(scope).update(key, grants);
		this.changed.fire();
	}

	private store(scope: "workspace" | "always"): KeyValue {
		return scope === "workspace" ? this.services.workspaceState : this.services.state;
	}
}

/**
 * Whether the server calls a tool of its own read-only, and not destructive as well. Annotations are untrusted: this
 * counts only for a server whose read-only tools the person granted (spec.md T2).
 */
export function isCalledReadOnly({ tool, perform }: Pick<ToolEntry, "tool" | "perform">): boolean {
	const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
	return perform === undefined && readOnlyHint === true && destructiveHint !== true;
}

function isExpired({ expiresAt }: Grant, now: number): boolean {
	return expiresAt !== undefined && now >= expiresAt;
}

/** Arguments are the same if they have the same members and values, in whatever order (what is sent has its own). */
function hashOf(args: JsonObject): string {
	return createHash("sha256").update(canonicalJson(args)).digest("hex");
}

/** The beginning of the arguments, without values that look like secrets (security.md SEC-03). */
function preview(args: JsonObject): string {
	const text = JSON.stringify(args, (name, value: unknown) => {
		if (isJsonObject(value) || Array.isArray(value)) return value;
		const isSecret = looksSecret(name) || (typeof value === "string" && holdsSecret(value.slice(0, shownLength)));
		return isSecret ? "•••" : value;
	});
	return cap(text, shownLength);
}
