import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import type { ServerSession } from "./serverSession.ts";
import type { SessionDirectory } from "./session.ts";

interface Entry {
	readonly session: ServerSession;
	readonly subscription: Disposable;
}

/** Keeps one session per configured server. A configuration that changes stops and lists, and never starts anything. */
export class ServerRegistry implements SessionDirectory, Disposable {
	private readonly create: (definition: ServerDefinition) => ServerSession;
	private readonly entries = new Map<ServerId, Entry>();
	/** The ends of sessions that are configured no more, whose processes may still be there. */
	private readonly leaving = new Set<Promise<void>>();
	private order: readonly ServerId[] = [];
	private readonly changed = new Emitter<void>();
	private readonly ended = new Emitter<ServerSession>();
	readonly onDidChange: Event<void> = this.changed.event;
	/** A session stopped running, for any reason. */
	readonly onDidEnd: Event<ServerSession> = this.ended.event;

	constructor(create: (definition: ServerDefinition) => ServerSession) {
		this.create = create;
	}

	get sessions(): readonly ServerSession[] {
		return this.order.flatMap((id) => this.entries.get(id)?.session ?? []);
	}

	get(id: string): ServerSession | undefined {
		return this.entries.get(id)?.session;
	}

	/**
	 * Takes a new configuration: unchanged servers keep running, removed and changed ones are stopped, new ones wait for
	 * the user (CFG-05). A name that changed only by an equal one elsewhere counts as a change of the label.
	 */
	apply(definitions: readonly ServerDefinition[]): void {
		const wanted = new Map(definitions.map((definition) => [definition.id, definition]));
		for (const [id, { session }] of this.entries) {
			const now = wanted.get(id);
			if (now?.hash !== session.definition.hash || now.name !== session.definition.name) this.remove(id);
			else session.redefine(now);
		}
		for (const definition of wanted.values()) {
			if (this.entries.has(definition.id)) continue;
			const session = this.create(definition);
			let wasAlive = false;
			const subscription = session.onDidChangeState(({ kind }) => {
				const isAlive = kind === "running" || kind === "starting";
				if (wasAlive && !isAlive) this.ended.fire(session);
				wasAlive = isAlive;
				this.changed.fire();
			});
			this.entries.set(definition.id, { session, subscription });
		}
		this.order = [...wanted.keys()];
		this.changed.fire();
	}

	/** Looks again at every server that does not run, after approvals or trust changed. */
	reconsider(): void {
		for (const session of this.sessions) session.reconsider();
	}

	/** Stops all servers together; resolves when their processes are gone, those of removed servers too. */
	async stopAll(): Promise<void> {
		await Promise.all([...this.sessions.map((session) => session.stop()), ...this.leaving]);
	}

	dispose(): void {
		for (const id of this.entries.keys()) this.remove(id);
		this.changed.dispose();
		this.ended.dispose();
	}

	private remove(id: ServerId): void {
		const entry = this.entries.get(id);
		if (entry === undefined) return;
		this.entries.delete(id);
		this.ended.fire(entry.session);
		entry.subscription.dispose();
		const left = entry.session.stop().finally(() => this.leaving.delete(left));
		this.leaving.add(left);
		entry.session.dispose();
	}
}
