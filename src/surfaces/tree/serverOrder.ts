import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Session, SessionDirectory, SessionState } from "../../servers/sessions/session.ts";
import type { TreeNode } from "./nodes.ts";

/** Which servers come first; all others keep the order of the configuration. */
const ranks: Readonly<Partial<Record<SessionState["kind"], number>>> = {
	failed: -2,
	"needs-approval": -1,
	"needs-sign-in": -1,
};

/** The order of the servers in the view: those that failed, those that wait for the user, all others (FST-13). */
export class ServerOrder implements Disposable {
	private readonly directory: Pick<SessionDirectory, "sessions" | "onDidChange">;
	private readonly changed = new Emitter<void>();
	private readonly ranks = new WeakMap<Session, number>();
	private readonly heard: Disposable;
	/** The servers as the view has them. */
	private shown: readonly Session[];

	constructor(directory: ServerOrder["directory"]) {
		this.directory = directory;
		this.shown = directory.sessions;
		this.heard = directory.onDidChange(() => this.check());
	}

	/** Fires when the servers have another order than the view, also when they have it already. */
	readonly onDidChange: Event<void> = (listener) => {
		const heard = this.changed.event(listener);
		this.check();
		return heard;
	};

	/** The outermost rows in their order, as the view has them from now on. All other rows stay as they are. */
	of(rows: readonly TreeNode[]): readonly TreeNode[] {
		const servers = rows.filter((row) => row.kind === "server");
		if (servers.length === 0) return rows;
		this.shown = this.sorted(servers.map(({ session }) => session));
		const places = new Map(this.shown.map((session, index) => [session, index]));
		const placeOf = (row: TreeNode): number =>
			(row.kind === "server" ? places.get(row.session) : undefined) ?? rows.length;
		return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
	}

	dispose(): void {
		this.heard.dispose();
		this.changed.dispose();
	}

	private check(): void {
		const { sessions } = this.directory;
		// The tree itself announces servers that are added or removed.
		if (this.sorted(sessions).some((session, index) => session !== this.shown[index])) this.changed.fire();
	}

	private sorted(sessions: readonly Session[]): readonly Session[] {
		for (const session of sessions) {
			const { kind } = session.state;
			// A server that starts keeps its place, as it may need the user again.
			if (kind !== "starting") this.ranks.set(session, ranks[kind] ?? 0);
		}
		const rankOf = (session: Session): number => this.ranks.get(session) ?? 0;
		return sessions.toSorted((a, b) => rankOf(a) - rankOf(b));
	}
}
