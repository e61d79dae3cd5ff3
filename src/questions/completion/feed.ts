import { isSecret } from "../../base/secrets/judge.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { messageOf } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";

/** The input of an argument's completion: its name, its text so far, and the other arguments. */
export interface CompletionQuery {
	readonly name: string;
	readonly value: string;
	readonly known: Readonly<Record<string, string>>;
}

/** Values that a server suggests. */
export interface Completions {
	readonly values: readonly string[];
	/** How many there are in total, if the server reports it. */
	readonly total?: number | undefined;
	readonly hasMore?: boolean | undefined;
}

/** Asks a server. May be slow, fail, or answer after it was aborted. */
export type CompletionSource = (query: CompletionQuery, signal: AbortSignal) => Promise<Completions>;

/** How long typing must pause before the server is asked, in milliseconds. */
const pauseMs = 150;

/** How many values are shown at once (specification, "Completion"; PRM-05). */
const shownLimit = 100;

/** How many answers are kept for a text that is typed again. */
const keptAnswers = 50;

/** Answers to a longer question, in characters, are not kept: each would hold a whole file that another argument has. */
const keptLength = 10_000;

const nothing: Completions = { values: [] };

/**
 * The suggestions for what is typed now. Only the answer to the latest question is ever shown; a failure means no
 * suggestions and goes to the log, since completion is a convenience.
 */
export class CompletionFeed implements Disposable {
	private readonly source: CompletionSource;
	private readonly log: Log;
	private readonly answers = new Map<string, Completions>();
	private readonly changed = new Emitter<void>();
	private current: Completions = nothing;
	private argument: string | undefined;
	private pending: AbortController | undefined;
	private timer: NodeJS.Timeout | undefined;
	/** Fired when the values or the waiting changed. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(source: CompletionSource, log: Log) {
		this.source = source;
		this.log = log;
	}

	get values(): readonly string[] {
		return this.current.values;
	}

	/** Whether an answer is waited for. */
	get isBusy(): boolean {
		return this.pending !== undefined;
	}

	/** Shown when not all values are. */
	get note(): string | undefined {
		const { values, total, hasMore } = this.current;
		if (total !== undefined && total > values.length) {
			return `${values.length} of ${total.toLocaleString("en-US")} values, type to narrow`;
		}
		return hasMore === true ? "more values exist, type to narrow" : undefined;
	}

	/** Asks for suggestions, after a pause in typing. The values of before stay until then if they are the same argument's. */
	request(query: CompletionQuery): void {
		this.drop();
		const key = JSON.stringify([query.name, query.value, query.known]);
		const answer = this.answers.get(key);
		if (answer !== undefined || query.name !== this.argument) this.current = answer ?? nothing;
		this.argument = query.name;
		if (answer === undefined) {
			const controller = new AbortController();
			this.pending = controller;
			this.timer = setTimeout(() => void this.ask(query, key, controller), pauseMs);
		}
		this.changed.fire();
	}

	dispose(): void {
		this.drop();
		this.changed.dispose();
	}

	private async ask(query: CompletionQuery, key: string, controller: AbortController): Promise<void> {
		let answer = nothing;
		try {
			answer = limited(await this.source(query, controller.signal));
			if (key.length <= keptLength) this.answers.set(key, answer);
			const [oldest] = this.answers.keys();
			if (this.answers.size > keptAnswers && oldest !== undefined) this.answers.delete(oldest);
		} catch (error) {
			if (!controller.signal.aborted) this.log.debug(`Completion of "${query.name}" failed: ${messageOf(error)}`);
		}
		if (this.pending !== controller) return;
		this.pending = undefined;
		this.current = answer;
		this.changed.fire();
	}

	private drop(): void {
		clearTimeout(this.timer);
		this.pending?.abort();
		this.pending = undefined;
	}
}

/** The displayed part of a server's answer. Wrong counts are not passed on. */
function limited({ values, total, hasMore }: Completions): Completions {
	const distinct = [...new Set(values)].filter((value) => value !== "");
	const known = Math.max(distinct.length, total ?? 0);
	return {
		values: distinct.slice(0, shownLimit),
		// All of them are here, unless the server says that there are more.
		total: total === undefined && hasMore === true ? undefined : known,
		hasMore: hasMore === true || distinct.length > shownLimit,
	};
}

/** The maximum length of a value that is sent to a server while the user types, in characters. */
const lengthLimit = 200;

/**
 * A source that sends the server only the data that completion needs, because it is asked on every pause in typing,
 * before the user has submitted anything. Secrets, files, selections and other long texts are not sent, neither as the
 * value to complete nor as its context. `isHidden` returns the arguments whose values are secret.
 */
export function discreet(source: CompletionSource, isHidden: (name: string) => boolean): CompletionSource {
	const maySend = (name: string, value: string): boolean =>
		!isHidden(name) && value.length <= lengthLimit && !/[\r\n]/.test(value) && !isSecret("", value, "asked");
	return async ({ name, value, known }, signal) => {
		if (!maySend(name, value)) return { values: [] };
		const sent = Object.entries(known).filter((entry) => maySend(...entry));
		return source({ name, value, known: Object.fromEntries(sent) }, signal);
	};
}
