import { duration, readableSize } from "../base/amounts.ts";
import { oneLine } from "../base/text.ts";

/** How many of the latest things are kept of each kind. */
const mostKept = 20;
/** Until when a page that is slow is only slow, in milliseconds. */
export const blankAfterMs = 8000;

/** A line of what is known of an app; texts of the app in it are fit for one line. */
export interface HealthLine {
	readonly kind: "good" | "bad" | "open";
	readonly text: string;
}

/** Follows how an app comes to be seen, and says why it does not. Times are counted from the beginning of the load. */
export class AppHealth {
	private readonly now: () => number;
	private start: number;
	private readAt: number | undefined;
	private length = 0;
	private loadedAt: number | undefined;
	private askedAt: number | undefined;
	private initializedAt: number | undefined;
	private size: { readonly width: number; readonly height: number } | undefined;
	private readonly errors: string[] = [];
	private readonly logs: string[] = [];
	private readonly misbehaviour = new Map<string, number>();
	/** What the policy stopped, each with how often. */
	private readonly stopped = new Map<string, number>();

	/** `now` is a clock in milliseconds. */
	constructor(now: () => number = () => performance.now()) {
		this.now = now;
		this.start = now();
	}

	/** The page is loaded anew. */
	begin(): void {
		this.start = this.now();
		this.readAt = this.loadedAt = this.askedAt = this.initializedAt = this.size = undefined;
		for (const list of [this.errors, this.logs]) list.length = 0;
		for (const map of [this.misbehaviour, this.stopped]) map.clear();
	}

	/** The server gave the page. */
	read(length: number): void {
		this.readAt = this.now();
		this.length = length;
	}

	/** The frame has the document. */
	loaded(): void {
		this.loadedAt ??= this.now();
	}

	asked(): void {
		this.askedAt ??= this.now();
	}

	initialized(): void {
		this.initializedAt ??= this.now();
	}

	resized(width: number, height: number): void {
		this.size = { width, height };
	}

	failed(text: string): void {
		keep(this.errors, text);
	}

	logged(level: string, text: string): void {
		keep(this.logs, `${level}: ${text}`);
	}

	misbehaved(what: string): void {
		this.misbehaviour.set(what, (this.misbehaviour.get(what) ?? 0) + 1);
	}

	/** The policy stopped something: a directive, and what it was about. */
	violated(text: string): void {
		const what = oneLine(text, 200);
		// Checkers of schemas try whether they may compile, and go on without.
		if (what.endsWith(" eval")) return;
		if (this.stopped.size < mostKept || this.stopped.has(what))
			this.stopped.set(what, (this.stopped.get(what) ?? 0) + 1);
	}

	/** How often the policy stopped something. */
	get violations(): number {
		return [...this.stopped.values()].reduce((sum, count) => sum + count, 0);
	}

	get isInitialized(): boolean {
		return this.initializedAt !== undefined;
	}

	/** Why the app shows nothing, in one sentence with what to do; undefined while nothing speaks for that it does not. */
	get verdict(): string | undefined {
		const isLate = this.now() - this.start >= blankAfterMs;
		const { loadedAt, errors, stopped } = this;
		if (this.isInitialized) {
			if (this.size === undefined || (this.size.width > 0 && this.size.height > 0)) return undefined;
			return "The app says that it has no size. Reload it, or read the text of the result.";
		}
		if (!isLate) return undefined;
		if (loadedAt === undefined) return "The app's page has not been loaded yet. If that goes on, reload it.";
		const [violation] = stopped.keys();
		if (violation !== undefined && errors.length > 0)
			return `The app needs what it did not ask for or was not allowed: ${violation}. Its server has to ask for it in the page's csp.`;
		const error = errors[0];
		if (error !== undefined) return `A script of the app failed: ${error}`;
		if (violation !== undefined)
			return `The app has not answered, and its policy stopped ${violation}. Its server has to ask for that in the page's csp.`;
		if (this.askedAt === undefined)
			return "The app has not asked for its host yet (ui/initialize): it may not be an app, or wait for something that does not come.";
		return "The app asked for its host and has not said that it is initialized.";
	}

	/** All that is known, in the order in which it should have happened. */
	get lines(): readonly HealthLine[] {
		const step = (at: number | undefined, done: string, open: string): HealthLine =>
			at === undefined
				? { kind: "open", text: open }
				: { kind: "good", text: `${done} after ${duration(at - this.start)}` };
		const bad = (text: string): HealthLine => ({ kind: "bad", text });
		const { size } = this;
		return [
			step(this.readAt, `Page of ${readableSize(this.length)} read`, "Page not read yet"),
			step(this.loadedAt, "Loaded", "Not loaded yet"),
			step(this.askedAt, "Asked for its host", "Has not asked for its host yet"),
			step(this.initializedAt, "Initialized", "Not initialized yet"),
			...(size === undefined ? [] : [{ kind: "good" as const, text: `Wants ${size.width} × ${size.height} pixels` }]),
			...[...this.stopped].map(([what, count]) => bad(`Stopped by the policy${times(count)}: ${what}`)),
			...this.errors.map((text) => bad(`Error: ${text}`)),
			...[...this.misbehaviour].map(([what, count]) => bad(`${what}${times(count)}`)),
			...this.logs.map((text): HealthLine => ({ kind: "open", text: `Log, ${text}` })),
		];
	}
}

function times(count: number): string {
	return count === 1 ? "" : ` (${count.toLocaleString("en-US")} times)`;
}

function keep(list: string[], text: string): void {
	if (list.length < mostKept) list.push(oneLine(text, 300));
}
