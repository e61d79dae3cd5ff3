import { Emitter, type Event } from "../../base/event.ts";
import { KeyedDisposables } from "../../base/keyedDisposables.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { describeProgress } from "../../base/progress.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { throttle } from "../../base/throttle.ts";
import type { LoggedRequest } from "./requestLog.ts";
import type { Session, SessionDirectory } from "./session.ts";

/** How long a request runs before it is worth a line, and how often its line may change, in milliseconds. */
const noticeableMs = 1000;
const intervalMs = 250;

/** The requests of users and models that run for more than a moment, over all servers. */
export class LongRequests implements Disposable {
	private readonly directory: SessionDirectory;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<readonly string[]>();
	private readonly followed = this.store.add(
		new KeyedDisposables((session: Session) => session.requestLog.onDidChange(() => this.update.run())),
	);
	private readonly update = this.store.add(throttle(() => this.look(), intervalMs));
	private timer: NodeJS.Timeout | undefined;
	private current: readonly string[] = [];
	readonly onDidChange: Event<readonly string[]> = this.changed.event;

	constructor(directory: SessionDirectory) {
		this.directory = directory;
		this.store.add(directory.onDidChange(() => this.follow()));
		this.follow();
	}

	/**
	 * One line for each request that takes a while, oldest first, such as `travel: searchFlights, Searching (3 of 7)`. Without
	 * icon syntax of servers, fit for one line.
	 */
	get lines(): readonly string[] {
		return this.current;
	}

	dispose(): void {
		this.store.dispose();
		clearTimeout(this.timer);
	}

	/** Listens to the sessions that are there now. */
	private follow(): void {
		this.followed.follow(this.directory.sessions);
		this.update.run();
	}

	private look(): void {
		const now = Date.now();
		const running = this.directory.sessions
			.flatMap(({ definition, requestLog }) => requestLog.running.map((entry) => ({ server: definition.name, entry })))
			.filter(({ entry }) => !entry.isBackground)
			.sort((a, b) => a.entry.startedAt - b.entry.startedAt);
		const long = running.filter(({ entry }) => entry.startedAt <= now - noticeableMs);
		// One that is too young is looked at again when it no longer is.
		const next = running[long.length];
		clearTimeout(this.timer);
		if (next !== undefined) {
			this.timer = setTimeout(() => this.update.run(), next.entry.startedAt + noticeableMs - now);
			this.timer.unref();
		}
		const lines = long.map(({ server, entry }) => describe(server, entry));
		if (lines.join("\n") === this.current.join("\n")) return;
		this.current = lines;
		this.changed.fire(lines);
	}
}

function describe(server: string, { label, progress }: LoggedRequest): string {
	// Without the method, which is meaningless to most users.
	const what = oneLine(label.replace(/^\S+ /, ""), 40);
	const word = progress === undefined ? "" : `, ${describeProgress(progress)}`;
	return withoutIcons(`${oneLine(server, 40)}: ${what}${word}`);
}
