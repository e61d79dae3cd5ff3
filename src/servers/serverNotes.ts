import type { ActivityNotes, ServerActivity } from "../records/activity/journal/entry.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Event } from "../base/event.ts";
import type { Journal } from "../base/store/journal.ts";
import { throttle } from "../base/throttle.ts";
import { oneLine } from "../base/text.ts";
import { describeSignedIn } from "./sessions/connectionWords.ts";
import type { Accounts } from "./accounts/accounts.ts";
import { type Approvals, serverOf } from "./approval/approvals.ts";
import type { ServerDefinition } from "./definitions/config.ts";
import type { Roots } from "./roots/roots.ts";
import type { Root, Session, SessionDirectory, SessionState } from "./sessions/session.ts";

/** How often the roots of servers are checked, at most, in milliseconds. */
const rootsMs = 300;

/** The watched data of servers. */
export interface ServerNotesServices {
	readonly directory: SessionDirectory;
	readonly approvals: Approvals;
	/** Where approvals are written; reports the writes of this window. */
	readonly approvalsJournal: Journal;
	readonly accounts: Accounts;
	readonly roots: Pick<Roots, "of" | "onDidChange">;
	/** A browser was opened for a sign-in, or its address copied, or the user declined: for the server of a name. */
	readonly onDidAskSignIn: Event<{
		readonly server: string;
		readonly scopes: readonly string[];
		readonly isDeclined?: true;
	}>;
	readonly notes: ActivityNotes;
}

/** The state of a server at the last check. */
interface Seen {
	readonly name: string;
	readonly hash: string;
	readonly state: SessionState["kind"];
}

/** Records the events of servers: approvals, starts and ends, sign-ins (JRN-11). Until disposed. */
export function noteServers(services: ServerNotesServices): Disposable {
	const store = new DisposableStore();
	const { directory, accounts, notes, onDidAskSignIn } = services;
	const seen = new Map<string, Seen>();
	const look = (): void => {
		for (const session of directory.sessions) lookAt(session, seen, notes);
		for (const [id, { name, state }] of seen) {
			if (directory.get(id) !== undefined) continue;
			seen.delete(id);
			if (state === "running") noteServer(notes, id, name, "stopped");
			noteServer(notes, id, name, "removed");
		}
	};
	store.add(directory.onDidChange(look));
	look();
	store.add(noteApprovals(services));
	store.add(noteRoots(services));
	const nameOf = (id: string): string => directory.get(id)?.definition.name ?? id;
	// The stored account of an earlier window is not a current sign-in.
	const asked = new Set<string>();
	store.add(
		onDidAskSignIn(({ server, scopes, isDeclined = false }) => {
			const id = directory.sessions.find(({ definition }) => definition.name === server)?.definition.id ?? server;
			if (!isDeclined) asked.add(id);
			notes.note({ kind: "account", event: isDeclined ? "declined" : "asked", server, serverId: id, scopes });
		}),
	);
	store.add(
		accounts.onDidChange((id) => {
			const account = accounts.get(id);
			const of = { kind: "account", server: nameOf(id), serverId: id } as const;
			if (account === undefined) notes.note({ ...of, event: "signed-out" });
			else if (asked.has(id)) notes.note({ ...of, event: "signed-in", account: describeSignedIn(account) });
		}),
	);
	return store;
}

function lookAt({ definition, state }: Session, seen: Map<string, Seen>, notes: ActivityNotes): void {
	const { id, name, hash } = definition;
	const before = seen.get(id);
	if (before?.state === state.kind && before.hash === hash && before.name === name) return;
	seen.set(id, { name, hash, state: state.kind });
	if (before !== undefined && before.hash !== hash) noteServer(notes, id, name, "changed");
	if (before?.state === state.kind) return;
	if (before?.state === "off") noteServer(notes, id, name, "switched-on");
	if (state.kind === "running") {
		const { transport, protocolVersion } = state.facts;
		// A reopened connection is still the same run.
		noteServer(notes, id, name, "started", `${transport}, ${oneLine(protocolVersion, 40)}`);
	} else if (state.kind === "failed") {
		noteServer(notes, id, name, before?.state === "running" ? "crashed" : "failed", state.message);
	} else if (state.kind === "off" && before !== undefined) {
		noteServer(notes, id, name, "switched-off");
	} else if (before?.state === "running") {
		noteServer(notes, id, name, "stopped", state.kind === "needs-sign-in" ? state.message : undefined);
	}
}

/** Records the approvals and revocations of this window; other windows record theirs. */
function noteApprovals({ directory, approvals, approvalsJournal, notes }: ServerNotesServices): Disposable {
	// Each approval has a salt of its own, also one of the same definition with other files.
	const salts = (): ReadonlyMap<string, string> => new Map([...approvals.all].map(([key, { salt }]) => [key, salt]));
	const store = new DisposableStore();
	let known = salts();
	// After the journal has reported whether this window wrote it.
	store.add(approvals.onDidChange(() => queueMicrotask(() => (known = salts()))));
	store.add(
		approvalsJournal.onDidWrite.event(() => {
			const now = salts();
			for (const key of new Set([...known.keys(), ...now.keys()])) {
				if (known.get(key) === now.get(key)) continue;
				const id = serverOf(key);
				const name = directory.get(id)?.definition.name ?? id;
				noteServer(notes, id, name, now.has(key) ? "approved" : "revoked");
			}
			known = now;
		}),
	);
	return store;
}

/** Records changes of the servers' roots since the first check. */
function noteRoots({ directory, roots, notes }: ServerNotesServices): Disposable {
	const store = new DisposableStore();
	const known = new Map<string, readonly Root[]>();
	const look = (): void => {
		for (const { definition, state } of directory.sessions) {
			if (state.kind === "off") continue;
			const { id, name } = definition;
			const now = roots.of(definition);
			const before = known.get(id);
			known.set(id, now);
			if (before === undefined) continue;
			const changes = [
				...without(now, before).map((root) => `given ${labelOf(root)}`),
				...without(before, now).map((root) => `withdrawn ${labelOf(root)}`),
			];
			if (changes.length === 0) continue;
			const subject = `Roots of ${oneLine(name, 60)}: ${changes.join(", ")}`;
			notes.note({ kind: "permission", event: "roots", subject, server: name, serverId: id });
		}
	};
	// Sessions change often, and roots seldom.
	const looking = store.add(throttle(look, rootsMs));
	store.add(roots.onDidChange(() => looking.run()));
	store.add(directory.onDidChange(() => looking.run()));
	look();
	return store;
}

function without(roots: readonly Root[], others: readonly Root[]): readonly Root[] {
	return roots.filter(({ uri }) => !others.some((other) => other.uri === uri));
}

function labelOf({ name, uri }: Root): string {
	return oneLine(name ?? uri, 80);
}

/** Records that the user did not approve servers when asked: by a button, or by closing the question. */
export function notePutOff(notes: ActivityNotes, definitions: readonly Pick<ServerDefinition, "id" | "name">[]): void {
	for (const { id, name } of definitions) noteServer(notes, id, name, "put-off");
}

function noteServer(
	notes: ActivityNotes,
	serverId: string,
	server: string,
	event: ServerActivity["event"],
	detail?: string,
): void {
	notes.note({ kind: "server", server, serverId, event, ...(detail === undefined ? {} : { detail }) });
}
