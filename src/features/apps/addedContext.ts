import { Emitter, type Event } from "../../base/event.ts";
import { exactJson } from "../../base/exactJson.ts";
import { cap } from "../../base/text.ts";
import { estimateTokens } from "../../models/tokens.ts";
import type { AppAddedView } from "./appProtocol.ts";

/** The text that an app adds to the user's next message. */
export interface AddedContext {
	/** For the user. */
	readonly name: string;
	/** For the model, which learns whose words these are. */
	readonly label: string;
	readonly content: { readonly text: string };
	/** Its approximate cost for a model. */
	readonly tokens: number;
}

/** The part of an app's text for a message, or why it is not sent. */
export type TakenContext = { readonly context: AddedContext } | { readonly held: string };

/** How much an app may add, in characters. */
const longest = 40_000;
/** A text that appeared less than this before the message, in milliseconds, was not seen by its user. */
const settlingMs = 500;

/**
 * The context of an app for models: its last text, for one message of the user (MCP Apps 2026-01-26,
 * "ui/update-model-context"). It is the text of a server's page, as its label informs the model. A message takes only
 * the revision that its user saw: one that the page has painted, and only the opened one if they opened one.
 */
export class AppAddition {
	private readonly who: string;
	private readonly now: () => number;
	private context: AddedContext | undefined;
	private revision = 0;
	/** When the page painted the present revision. */
	private paintedAt: number | undefined;
	/** The last revision that the user opened and that no message took. */
	private read: number | undefined;
	private readonly changed = new Emitter<void>();
	/** The view is different. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** `who`: the app and its server, in words fit for one line; `now`: a clock in milliseconds. */
	constructor(who: string, now: () => number = () => performance.now()) {
		this.who = who;
		this.now = now;
	}

	/** The part that the page shows; undefined for nothing. */
	get view(): AppAddedView | undefined {
		const { context, revision } = this;
		if (context === undefined) return undefined;
		const { content, tokens } = context;
		const adds = `Adds about ${tokens.toLocaleString("en-US")} tokens to your next message to @mcp`;
		const sentence = this.isOtherThanRead
			? `Changed since you read it. It is not sent until you open it. ${adds}`
			: adds;
		return { revision, sentence, exact: exactJson(content.text) };
	}

	/** Another text in place of the one before; an empty one takes that away. */
	set(text: string): void {
		if (text.trim() === "") return this.withdraw();
		const kept = cap(text, longest);
		if (kept === this.context?.content.text) return;
		const name = `what the ${this.who} shows`;
		const label = `${name} (written by its server, not by the user)`;
		this.context = { name, label, content: { text: kept }, tokens: estimateTokens(kept) };
		this.revision++;
		this.paintedAt = undefined;
		this.changed.fire();
	}

	/** The page painted this revision where it can be seen. */
	painted(revision: number): void {
		if (revision === this.revision) this.paintedAt ??= this.now();
	}

	/** The user opened this revision, which counts if it is the present one. */
	opened(revision: number): void {
		if (this.context === undefined || revision !== this.revision) return;
		this.read = revision;
		this.changed.fire();
	}

	/**
	 * Takes it for a message, once. A text that the user did not see in its current form stays. Undefined for nothing.
	 */
	take(): TakenContext | undefined {
		const { context, paintedAt } = this;
		if (context === undefined) return undefined;
		if (this.isOtherThanRead)
			return { held: `${context.name} changed after you read it. Open it above the app first.` };
		if (paintedAt === undefined || this.now() - paintedAt < settlingMs)
			return { held: `${context.name} was not shown to you yet. It is added to your next message.` };
		this.clear();
		return { context };
	}

	/** Takes it away, as the user or a message does. */
	clear(): void {
		this.read = undefined;
		this.withdraw();
	}

	/** Takes it away, as the app or the end of its server does: what comes next is still another text than its user read. */
	withdraw(): void {
		if (this.context === undefined) return;
		this.context = undefined;
		this.changed.fire();
	}

	private get isOtherThanRead(): boolean {
		return this.read !== undefined && this.read !== this.revision;
	}
}
