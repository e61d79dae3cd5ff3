import type { ServerDefinition } from "../servers/config.ts";
import type { Root, Session } from "../servers/session.ts";
import { isSameRoots } from "./roots.ts";

/** A session that hears of changed roots; one of the modern era has no such message and asks when it needs them. */
export type Announced = Pick<Session, "definition" | "state"> & { notifyRootsChanged(): void };

/** Remembers what each running server knows of its roots, so that it is told of a change, and only then. */
export class Announcements {
	private readonly rootsOf: (definition: ServerDefinition) => readonly Root[];
	/** What a server was told last, or could have asked for since it runs. */
	private readonly known = new WeakMap<object, readonly Root[]>();
	private readonly asked = new WeakMap<object, number>();

	constructor(rootsOf: (definition: ServerDefinition) => readonly Root[]) {
		this.rootsOf = rootsOf;
	}

	/** Answers `roots/list`. */
	answer(session: Pick<Session, "definition">): readonly Root[] {
		const roots = this.rootsOf(session.definition);
		this.known.set(session, roots);
		this.asked.set(session, Date.now());
		return roots;
	}

	askedAt(session: object): number | undefined {
		return this.asked.get(session);
	}

	/**
	 * Compares with what each server knows, after anything changed. A server that asked before it ran counts as well, and
	 * one that never asked is told too: it may have put it off.
	 */
	update(sessions: readonly Announced[]): void {
		for (const session of sessions) {
			const { kind } = session.state;
			if (kind === "starting") continue;
			if (kind !== "running") {
				this.known.delete(session);
				this.asked.delete(session);
				continue;
			}
			const before = this.known.get(session);
			const now = this.rootsOf(session.definition);
			this.known.set(session, now);
			if (before !== undefined && !isSameRoots(before, now)) session.notifyRootsChanged();
		}
	}
}
