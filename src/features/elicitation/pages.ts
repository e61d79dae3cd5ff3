import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import type { Session } from "../../servers/sessions/session.ts";

/** How long the server's word on a page that is open is waited for, in milliseconds. */
const patienceMs = 10 * 60_000;
/** More pages of one server than these are not remembered. */
const mostPages = 50;

/** A page whose end its server may report. */
export interface Expectation extends Disposable {
	/** Aborted when the server reports that the visit is over, or nobody waits for that any more. */
	readonly over: AbortSignal;
	/** Whether it was the server that ended it. */
	readonly isCompleted: boolean;
	/** Whether `await` was called. */
	readonly isAwaited: boolean;
	/** The page is open: from now on it is waited for, but not for ever. */
	await(): void;
}

interface Expected {
	readonly id: string;
	readonly href: string;
	readonly controller: AbortController;
	isCompleted: boolean;
}

/**
 * The pages to which servers sent the user: which of them are open, and for which the server may still report the end
 * of the visit (`notifications/elicitation/complete` of revision 2025-11-25). Servers never share an id.
 */
export class Pages {
	private readonly expected = new WeakMap<Session, Set<Expected>>();
	/** For each page the calls that ran when it was opened. */
	private readonly opened = new WeakMap<Session, Map<string, ReadonlySet<number>>>();

	/** Notes that a page was opened. */
	noteOpened(session: Session, href: string): void {
		const pages = this.opened.get(session) ?? new Map<string, ReadonlySet<number>>();
		pages.delete(href);
		pages.set(href, new Set(session.requestLog.running.map(({ id }) => id)));
		const [oldest] = pages.keys();
		if (pages.size > mostPages && oldest !== undefined) pages.delete(oldest);
		this.opened.set(session, pages);
	}

	/** Whether the page was opened for this server during a call that still runs. */
	wasOpened(session: Session, href: string): boolean {
		const calls = this.opened.get(session)?.get(href);
		return calls !== undefined && session.requestLog.running.some(({ id }) => calls.has(id));
	}

	/** Forgets that a page was opened, because the user is done there; nobody waits for the server's report any more. */
	finish(session: Session, href: string): void {
		this.opened.get(session)?.delete(href);
		for (const page of this.expected.get(session) ?? []) if (page.href === href) page.controller.abort();
	}

	/**
	 * Waits for the server's notification about a page, from before the user is asked: it may be done as soon as it is
	 * open.
	 */
	expect(session: Session, id: string, href: string): Expectation {
		const pages = this.expected.get(session) ?? new Set();
		this.expected.set(session, pages);
		const page: Expected = { id, href, controller: new AbortController(), isCompleted: false };
		pages.add(page);
		const store = new DisposableStore();
		store.add(toDisposable(() => pages.delete(page)));
		store.add(toDisposable(() => page.controller.abort()));
		let isAwaited = false;
		return {
			over: page.controller.signal,
			get isCompleted() {
				return page.isCompleted;
			},
			get isAwaited() {
				return isAwaited;
			},
			await() {
				isAwaited = true;
				const timer = setTimeout(() => store.dispose(), patienceMs);
				timer.unref();
				store.add(toDisposable(() => clearTimeout(timer)));
			},
			dispose: () => store.dispose(),
		};
	}

	/** The server says that a visit is over. An id that it was not given by this very server, or not now, is ignored. */
	complete(session: Session, id: string): void {
		for (const page of this.expected.get(session) ?? []) {
			if (page.id !== id) continue;
			page.isCompleted = true;
			this.opened.get(session)?.delete(page.href);
			page.controller.abort();
		}
	}
}
