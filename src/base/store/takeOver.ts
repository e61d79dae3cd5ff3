import type { KeyValue } from "../storage.ts";
import type { Journal } from "./journal.ts";
import { makeKey, writeLine } from "./line.ts";

/** Something that an earlier version of the extension kept. */
export interface Former {
	readonly key: string;
	readonly value: unknown;
	/** When it was decided, in milliseconds since the epoch. */
	readonly at: number;
	/** Its place on the clock of lines, where its time does not tell which of two is the later. */
	readonly moment?: number;
}

/**
 * Takes over what an earlier version kept in a `Memento`, and deletes it there. May be stopped at any moment and done by
 * several windows at once. An earlier version that still runs in another window writes its whole state again whenever it
 * changes something: of that only what was decided since the last time is taken, so that what was removed here stays
 * removed. `place` tells the workspace's `Memento` from the one for all.
 */
export function takeOver(
	journal: Journal,
	{ memento, name, place = "" }: { readonly memento: KeyValue; readonly name: string; readonly place?: string },
	read: (stored: unknown) => readonly Former[],
): void {
	const stored = memento.get<unknown>(name);
	if (stored === undefined) return;
	journal.refresh();
	const mark = makeKey("taken over", name, place);
	const before = journal.get(mark)?.value;
	const since = typeof before === "number" ? before : -Infinity;
	const formers = read(stored).filter(({ at }) => at > since);
	// What cannot be a moment is made one by the journal.
	const momentOf = (at: number): number => Math.floor(at) * 1000;
	journal.adopt(formers.map(({ key, value, at, moment = momentOf(at) }) => writeLine(key, moment, 0, value)));
	if (journal.fault !== undefined) return;
	journal.put(mark, journal.options.now());
	// What stays there is taken over once more by the next window, which changes nothing.
	void memento.update(name, undefined).then(undefined, () => undefined);
}
