import { duration, readableSize } from "../../base/amounts.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { appMimeType } from "../../protocol/apps.ts";

/** How many of the latest things are kept of each kind. */
const mostKept = 20;
/** Until when a page that is slow is only slow, in milliseconds. */
const blankAfterMs = 5000;

/** A fact about an app; texts of the app in it are fit for one line. */
export interface HealthLine {
	readonly kind: "good" | "bad" | "open";
	readonly text: string;
	/** The possible remedies. */
	readonly advice?: string;
}

/** Why a page is not shown, with the step at which that was found. Texts of the server in it are fit to show. */
export interface PageFault {
	readonly step: "read" | "type" | "content";
	/** How much arrived, in characters. */
	readonly length: number;
	/** The problem, in a sentence. */
	readonly sentence: string;
	/** The same, as a line among the steps. */
	readonly line: string;
	readonly advice: string;
}

/** The observed fault, how often, and when first. */
interface Seen {
	readonly at: number;
	readonly count: number;
}

const another = "Reload it, or read the text of the result.";

/** Why an app shows nothing, as far as can be seen. */
export interface AppBlank {
	/** The most likely cause, and what to do. */
	readonly sentence: string;
	readonly lines: readonly HealthLine[];
	/** Nothing of the app is visible, so this is shown instead. */
	readonly isInPlace: boolean;
}

/**
 * Follows how an app becomes visible, and reports why it does not. Times are counted from the beginning of the load.
 */
export class AppHealth implements Disposable {
	private readonly changed = new Emitter<void>();
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** The report may have changed, because time has passed or the app has a size. */
	readonly onDidChange: Event<void> = this.changed.event;
	private readonly now: () => number;
	private start: number;
	private readAt: number | undefined;
	private framedAt: number | undefined;
	private length = 0;
	/** Why the page is not shown, and when that was found. */
	private fault: (PageFault & { readonly at: number }) | undefined;
	private loadedAt: number | undefined;
	private askedAt: number | undefined;
	private initializedAt: number | undefined;
	private toldAt: number | undefined;
	private paintedAt: number | undefined;
	private size: { readonly width: number; readonly height: number } | undefined;
	private readonly logs: string[] = [];
	private readonly errors = new Map<string, Seen>();
	private readonly misbehaviour = new Map<string, Seen>();
	/** The requests that the policy blocked. */
	private readonly stopped = new Map<string, Seen>();

	/** `now` is a clock in milliseconds. */
	constructor(now: () => number = () => performance.now()) {
		this.now = now;
		this.start = now();
	}

	/** The page is reloaded. */
	begin(): void {
		this.start = this.now();
		this.readAt = this.toldAt = this.fault = undefined;
		this.framed();
		this.framedAt = undefined;
		this.logs.length = 0;
		for (const map of [this.errors, this.misbehaviour, this.stopped]) map.clear();
	}

	/** The server gave the page. */
	read(length: number): void {
		this.readAt = this.now();
		this.length = length;
	}

	/** Nothing will be visible: the server's content is not a page that is shown. */
	refused(fault: PageFault): void {
		if (fault.step !== "read") this.read(fault.length);
		this.fault = { ...fault, at: this.now() };
		this.changed.fire();
	}

	/** There is a frame for it, maybe another one than before. */
	framed(): void {
		this.framedAt = this.now();
		this.loadedAt = this.askedAt = this.initializedAt = this.paintedAt = this.size = undefined;
		this.watch();
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
		this.watch();
	}

	/** The app has all that it shows: the call has ended. */
	told(): void {
		this.toldAt ??= this.now();
		this.watch();
	}

	/** There is something to be seen of it. */
	painted(): void {
		this.paintedAt ??= this.now();
	}

	resized(width: number, height: number): void {
		const { isSized } = this;
		this.size = { width, height };
		if (isSized !== this.isSized) this.changed.fire();
	}

	failed(text: string): void {
		this.see(this.errors, oneLine(text, 300));
	}

	logged(level: string, text: string): void {
		if (this.logs.length < mostKept) this.logs.push(oneLine(`${level}: ${text}`, 300));
	}

	misbehaved(what: string): void {
		this.see(this.misbehaviour, what);
	}

	/** The policy blocked something: a directive, and its target. */
	violated(text: string): void {
		const what = oneLine(text, 200);
		// Checkers of schemas try whether they may compile, and go on without.
		if (!what.endsWith(" eval")) this.see(this.stopped, what);
	}

	/** How often the policy stopped something. */
	get violations(): number {
		return [...this.stopped.values()].reduce((sum, { count }) => sum + count, 0);
	}

	get isInitialized(): boolean {
		return this.initializedAt !== undefined;
	}

	/** Why there is nothing to be seen of the app, or it does not go on; undefined while nothing speaks for that. */
	get blank(): AppBlank | undefined {
		const { verdict, lines, paintedAt } = this;
		return verdict === undefined ? undefined : { sentence: verdict, lines, isInPlace: paintedAt === undefined };
	}

	dispose(): void {
		clearTimeout(this.timer);
	}

	/** Why the app shows nothing, in one sentence with a remedy; undefined while no problem is likely. */
	get verdict(): string | undefined {
		const isLate = (since: number): boolean => this.now() - since >= blankAfterMs;
		const { readAt, framedAt, loadedAt, initializedAt, toldAt, errors, stopped, isSized, fault } = this;
		if (fault !== undefined) return `${fault.sentence} ${fault.advice}`;
		if (initializedAt !== undefined) {
			if (!isSized) return `The app reports a size of zero. ${another}`;
			const isDone = toldAt !== undefined && isLate(Math.max(toldAt, initializedAt));
			return isDone && this.paintedAt === undefined
				? `The app is ready, but has not drawn anything yet. ${another}`
				: undefined;
		}
		if (readAt === undefined && isLate(this.start))
			return "The server has not sent the app's page yet. Check its log, or restart it.";
		// A page that waits for the user has no frame yet.
		if (framedAt === undefined || !isLate(framedAt)) return undefined;
		if (loadedAt === undefined) return "The app's page has not loaded yet. If this does not change, reload it.";
		const [violation] = stopped.keys();
		if (violation !== undefined && errors.size > 0)
			return `The app needs access that it did not request or that was not granted: ${violation}. The server must request it in the csp of the page.`;
		const [error] = errors.keys();
		if (error !== undefined) return `A script of the app failed: ${error}`;
		if (violation !== undefined)
			return `The app has not answered, and its policy blocked ${violation}. The server must request it in the csp of the page.`;
		if (this.askedAt === undefined)
			return "The app has not sent ui/initialize yet. It may not be an app, or it may be waiting for something.";
		return "The app sent ui/initialize, but not ui/notifications/initialized.";
	}

	/** All that is known, in the order in which it should have happened. */
	get lines(): readonly HealthLine[] {
		const { readAt, loadedAt, askedAt, initializedAt, paintedAt, size, isSized, fault } = this;
		if (fault !== undefined) return this.linesUntil(fault);
		const seen = (what: string, map: ReadonlyMap<string, Seen>, advice?: string): readonly HealthLine[] =>
			Array.from(map, ([text, { at, count }]) => bad(`${what}${this.after(at)}${times(count)}: ${text}`, advice));
		const stopped = seen("Blocked by the policy", this.stopped, "The server must request it in the csp of the page.");
		const errors = seen("Error", this.errors, "The server must fix this.");
		return [
			this.step(readAt, `Page of ${readableSize(this.length)} read`, "Page not read yet", "Check the server's log."),
			...(readAt === undefined ? [] : [good(`Its type is ${appMimeType}`)]),
			this.step(loadedAt, "Loaded", "Not loaded yet", "Reload it."),
			...(stopped.length === 0 ? [good("Nothing blocked by the policy")] : stopped),
			...(errors.length === 0 ? [good("No script errors")] : errors),
			this.step(
				askedAt,
				"Sent ui/initialize",
				"Has not sent ui/initialize yet",
				"It may not be an app, or it may be waiting for something.",
			),
			this.step(
				initializedAt,
				"Initialized",
				"Not initialized yet",
				askedAt === undefined ? undefined : "It did not continue after ui/initialize. The server must fix this.",
			),
			...(size === undefined ? [] : [isSized ? good(sizeText(size)) : bad(sizeText(size), another)]),
			this.step(paintedAt, "Drew its content", "Has not drawn anything yet", another),
			...seen("Noticed", this.misbehaviour),
			...this.logs.map((text): HealthLine => ({ kind: "open", text: `Log, ${text}` })),
		];
	}

	/** The facts about a page that is not shown: nothing arrived after the step that failed. */
	private linesUntil({ step, line: text, advice, at }: PageFault & { readonly at: number }): readonly HealthLine[] {
		const [read, type] = [`Page of ${readableSize(this.length)} read${this.after(at)}`, `Its type is ${appMimeType}`];
		const before = { read: [], type: [read], content: [read, type] }[step];
		const never = ["Not loaded", "No policy applied", "No script ran", "Not initialized", "No size, nothing drawn"];
		return [
			...before.map(good),
			bad(step === "read" ? `${text} (after ${duration(at - this.start)})` : text, advice),
			...never.map((one) => line("open", one, undefined)),
		];
	}

	/** Looks again once there should be something to be seen. */
	private watch(): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.changed.fire(), blankAfterMs + 50);
	}

	private get isSized(): boolean {
		return this.size === undefined || (this.size.width > 0 && this.size.height > 0);
	}

	private step(at: number | undefined, done: string, open: string, advice: string | undefined): HealthLine {
		return at === undefined ? line("open", open, advice) : good(`${done}${this.after(at)}`);
	}

	private after(at: number): string {
		return ` after ${duration(at - this.start)}`;
	}

	private see(map: Map<string, Seen>, what: string): void {
		const { at, count } = map.get(what) ?? { at: this.now(), count: 0 };
		if (count > 0 || map.size < mostKept) map.set(what, { at, count: count + 1 });
	}
}

function good(text: string): HealthLine {
	return { kind: "good", text };
}

function bad(text: string, advice?: string): HealthLine {
	return line("bad", text, advice);
}

function line(kind: HealthLine["kind"], text: string, advice: string | undefined): HealthLine {
	return { kind, text, ...(advice === undefined ? {} : { advice }) };
}

function sizeText({ width, height }: { readonly width: number; readonly height: number }): string {
	return `Wants ${width} × ${height} pixels`;
}

function times(count: number): string {
	return count === 1 ? "" : ` (${count.toLocaleString("en-US")} times)`;
}
