import { Emitter, type Event } from "../../base/event.ts";
import { KeyedDisposables } from "../../base/keyedDisposables.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { count, oneLine } from "../../base/text.ts";
import { exactJson } from "../../base/exactJson.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { Prompt, Resource, ResourceTemplate, Session, Tool } from "../../servers/sessions/session.ts";
import { definitionText } from "./definitionText.ts";
import { fieldTexts } from "./toolFields.ts";

/** The changes of the offer of a server by its restart. */
export interface RestartChange {
	/** In a few words of ours, for a row: `1 tool added, 2 changed`. */
	readonly words: string;
	/** Both sides as texts for the user, each definition that differs on its own. */
	readonly before: string;
	readonly after: string;
}

/** The lists of a server as they were: nothing of them is copied. */
interface Offer {
	readonly tools: readonly Tool[];
	readonly prompts: readonly Prompt[];
	readonly resources: readonly Resource[];
	readonly resourceTemplates: readonly ResourceTemplate[];
}

/** As many definitions that differ are shown. */
const mostShown = 100;
/** A server that offers more is not compared. */
const mostCompared = 2000;
const kinds = ["tool", "prompt", "resource", "resource template"] as const;
type Kind = (typeof kinds)[number];

interface Followed extends Disposable {
	/** The offer of its previous run, and the present one. */
	base: Offer | undefined;
	now: Offer | undefined;
	change: RestartChange | undefined;
	/** How many lists of its present run are offered, as far as that is known. */
	offered: number;
	wasRunning: boolean;
}

/**
 * Compares what each server offered before it was started again in this window with what it offers now. It is about what
 * its author wrote meanwhile; what the user approved is another question (PinnedDefinitions).
 */
export class RestartChanges implements Disposable {
	private readonly directory: { readonly sessions: readonly Session[]; readonly onDidChange: Event<void> };
	private readonly followed = new KeyedDisposables((session: Session) => this.begin(session));
	private readonly subscription: Disposable;
	private readonly changed = new Emitter<Session>();
	/** The difference of a server is another one. */
	readonly onDidChange: Event<Session> = this.changed.event;

	constructor(directory: RestartChanges["directory"]) {
		this.directory = directory;
		this.subscription = directory.onDidChange(() => this.follow());
		this.follow();
	}

	/** The changes by the last restart of a running server; undefined if it offers the same. */
	of(session: Session): RestartChange | undefined {
		return session.state.kind === "running" ? this.followed.get(session)?.change : undefined;
	}

	dispose(): void {
		this.subscription.dispose();
		this.followed.dispose();
		this.changed.dispose();
	}

	private follow(): void {
		const { sessions } = this.directory;
		this.followed.follow(sessions);
		for (const session of sessions) {
			const one = this.followed.get(session);
			if (one === undefined) continue;
			const isRunning = session.state.kind === "running";
			if (one.wasRunning && !isRunning) {
				one.base = one.now ?? one.base;
				one.now = undefined;
				this.tell(session, one, undefined);
			}
			if (!isRunning) one.offered = 0;
			one.wasRunning = isRunning;
			this.look(session, one);
		}
	}

	private begin(session: Session): Followed {
		const subscriptions = new DisposableStore();
		const one: Followed = {
			dispose: () => subscriptions.dispose(),
			base: undefined,
			now: undefined,
			change: undefined,
			offered: 0,
			wasRunning: false,
		};
		for (const list of listsOf(session)) subscriptions.add(list.onDidChange(() => this.look(session, one)));
		return one;
	}

	/** Compares as soon as all lists are whole. */
	private look(session: Session, one: Followed): void {
		if (session.state.kind !== "running") return;
		if (listsOf(session).some(({ status: { kind } }) => kind === "loading" || kind === "failed")) return;
		// Before the lists are read nothing says that there are none.
		const offered = listsOf(session).filter(({ status: { kind } }) => kind !== "unsupported").length;
		// A run that ends loses its lists one after the other.
		if (offered === 0 || offered < one.offered) return;
		one.offered = offered;
		one.now = offerOf(session);
		this.tell(session, one, one.base === undefined ? undefined : changeBetween(one.base, one.now));
	}

	private tell(session: Session, one: Followed, change: RestartChange | undefined): void {
		const isSame = JSON.stringify(one.change) === JSON.stringify(change);
		one.change = change;
		if (!isSame) this.changed.fire(session);
	}
}

function listsOf({ tools, prompts, resources, resourceTemplates }: Session) {
	return [tools, prompts, resources, resourceTemplates];
}

function offerOf({ tools, prompts, resources, resourceTemplates }: Session): Offer {
	return {
		tools: tools.items,
		prompts: prompts.items,
		resources: resources.items,
		resourceTemplates: resourceTemplates.items,
	};
}

/** The texts of what is offered, by kind and name. */
function textsOf({ tools, prompts, resources, resourceTemplates }: Offer): ReadonlyMap<string, string> {
	const other = (value: unknown): string => exactJson(jsonObjectOf(value));
	return new Map([
		...tools.map((tool) => [keyOf("tool", tool.name), toolText(tool)] as const),
		...prompts.map((prompt) => [keyOf("prompt", prompt.name), other(prompt)] as const),
		...resources.map((resource) => [keyOf("resource", resource.uri), other(resource)] as const),
		...resourceTemplates.map((one) => [keyOf("resource template", one.uriTemplate), other(one)] as const),
	]);
}

function keyOf(kind: Kind, name: string): string {
	return `${kind}: ${name}`;
}

function toolText(tool: Tool): string {
	return definitionText({ name: tool.name, fields: Object.fromEntries(fieldTexts(tool)) });
}

function changeBetween(former: Offer, current: Offer): RestartChange | undefined {
	const sizes = [former, current].map((offer) => Object.values(offer).reduce((sum, { length }) => sum + length, 0));
	if (Math.max(...sizes) > mostCompared) return undefined;
	const [before, after] = [textsOf(former), textsOf(current)];
	const different = [...new Set([...before.keys(), ...after.keys()])].filter(
		(key) => before.get(key) !== after.get(key),
	);
	if (different.length === 0) return undefined;
	const words = kinds.flatMap((kind) => {
		const keys = different.filter((key) => key.startsWith(`${kind}: `));
		const added = keys.filter((key) => !before.has(key)).length;
		const removed = keys.filter((key) => !after.has(key)).length;
		const parts = [
			{ number: added, what: "added" },
			{ number: keys.length - added - removed, what: "changed" },
			{ number: removed, what: "removed" },
		].filter(({ number }) => number > 0);
		return parts.map(({ number, what }, index) =>
			index > 0 ? `${count(number)} ${what}` : `${count(number)} ${kind}${number === 1 ? "" : "s"} ${what}`,
		);
	});
	const text = (texts: ReadonlyMap<string, string>): string =>
		different
			.slice(0, mostShown)
			.map((key) => `# ${oneLine(key, 200)}\n\n${texts.get(key) ?? "(not offered)"}`)
			.join("\n\n");
	const more = different.length > mostShown ? `\n\n(${count(different.length - mostShown)} more)` : "";
	return { words: words.join(", "), before: text(before) + more, after: text(after) + more };
}
