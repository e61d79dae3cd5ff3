import type { Session } from "./session.ts";

type List = Pick<Session["tools"], "refresh">;

/** A list is read again after this time at the latest, in milliseconds, even if its server calls it fresh for years. */
const longestMs = 24 * 3_600_000;

/** Until when each list counts as fresh, in milliseconds since the epoch. Lists without a hint are absent. */
const times = new WeakMap<object, number>();

/**
 * Notes the `ttlMs` of a page that just arrived (revision 2026-07-28, "Caching"): a list is as fresh as its first page to
 * expire. Without a positive `ttlMs` a list has no hint, and is read again when its server announces a change.
 */
export function noteFreshness(list: List, isFirstPage: boolean, ttlMs: number | undefined): void {
	const former = isFirstPage ? undefined : times.get(list);
	const until = ttlMs === undefined ? undefined : Date.now() + Math.min(ttlMs, longestMs);
	if (until !== undefined) times.set(list, Math.min(until, former ?? until));
	else if (isFirstPage) times.delete(list);
}

/** Until when a list counts as fresh, in milliseconds since the epoch; undefined without a hint of its server. */
export function freshUntil(list: List): number | undefined {
	return times.get(list);
}

/**
 * Reads again the lists of running servers that are no longer fresh, because they are about to be used. Resolves when they
 * are current, or when the signal aborts; then the former lists are used. Never rejects. `until` is called only if a list is
 * not fresh: it may start a timer.
 */
export async function freshen(sessions: readonly Session[], until?: () => AbortSignal): Promise<void> {
	const now = Date.now();
	const stale = sessions
		.filter(({ state }) => state.kind === "running")
		.flatMap((one): List[] => [one.tools, one.prompts, one.resources, one.resourceTemplates, one.skills])
		.filter((list) => (times.get(list) ?? now) < now);
	if (stale.length === 0) return;
	const signal = until?.();
	if (signal?.aborted === true) return;
	const { promise, resolve } = Promise.withResolvers<void>();
	signal?.addEventListener("abort", () => resolve(), { once: true });
	await Promise.race([Promise.all(stale.map((list) => list.refresh())), promise]);
}
