import { toDisposable, type Disposable } from "../base/lifecycle.ts";
import { oneLine } from "../base/text.ts";
import type { Prompt, Session, SessionDirectory } from "../servers/session.ts";

/** One prompt of a running server. The texts of `prompt` are the server's own and untrusted. */
export interface PromptEntry {
	/**
	 * What people read and type: `<server name>/<prompt name>`; the server's unique id stands for its name
	 * when several configured servers share that name.
	 */
	readonly id: string;
	/** Tells the prompt from every other, whichever servers are configured beside it; for remembering. */
	readonly key: string;
	readonly session: Session;
	readonly prompt: Prompt;
}

/** A prompt as a row of a list. What is shown is what is searched: title, server, name and description. */
export interface PromptRow {
	readonly entry: PromptEntry;
	readonly label: string;
	/** The id, so that no title can hide which server a prompt comes from (security.md PRM-03). */
	readonly description: string;
	/** What the server says about the prompt; empty when it says nothing. */
	readonly detail: string;
}

/** Prompts under a heading: the recently used ones, or those of one server. */
export interface PromptGroup {
	readonly heading: string;
	readonly rows: readonly PromptRow[];
}

/** The name for display, as the specification orders it: the title, else the name. */
export function promptTitle(prompt: Prompt): string {
	return oneLine(prompt.title ?? prompt.name, 100) || oneLine(prompt.name, 100);
}

/** The prompts of all running servers, in the order of the configuration and of each server. */
export function listPrompts(directory: SessionDirectory): readonly PromptEntry[] {
	return runningSessions(directory).flatMap((session) => {
		const server = serverLabel(directory, session);
		return session.prompts.items.map((prompt) => ({
			id: `${server}/${prompt.name}`,
			key: `${session.definition.id}\n${prompt.name}`,
			session,
			prompt,
		}));
	});
}

/** The sessions that can answer now. */
export function runningSessions(directory: SessionDirectory): readonly Session[] {
	return directory.sessions.filter(({ state }) => state.kind === "running");
}

/** Groups prompts for choosing: those in `recent` first, in its order, then the others under their servers. */
export function groupPrompts(
	directory: SessionDirectory,
	entries: readonly PromptEntry[],
	recent: readonly string[],
): readonly PromptGroup[] {
	const recentEntries = recent.flatMap((key) => entries.find((entry) => entry.key === key) ?? []);
	const groups = new Map<Session, PromptEntry[]>();
	for (const entry of entries) {
		if (recentEntries.includes(entry)) continue;
		const group = groups.get(entry.session);
		if (group === undefined) groups.set(entry.session, [entry]);
		else group.push(entry);
	}
	return [
		...(recentEntries.length === 0 ? [] : [{ heading: "recently used", rows: recentEntries.map(toRow) }]),
		...[...groups].map(([session, rest]) => ({
			heading: oneLine(serverLabel(directory, session)),
			rows: rest.map(toRow),
		})),
	];
}

/** Calls back whenever a server or a list of prompts changed, until disposed. */
export function watchPrompts(directory: SessionDirectory, listener: () => void): Disposable {
	const lists = new Map<Session, Disposable>();
	const follow = (): void => {
		for (const [session, subscription] of lists) {
			if (directory.sessions.includes(session)) continue;
			subscription.dispose();
			lists.delete(session);
		}
		for (const session of directory.sessions) {
			if (!lists.has(session)) lists.set(session, session.prompts.onDidChange(listener));
		}
	};
	const subscription = directory.onDidChange(() => {
		follow();
		listener();
	});
	follow();
	return toDisposable(() => {
		subscription.dispose();
		for (const list of lists.values()) list.dispose();
	});
}

/** The configured name, or the unique id where several servers are configured under that name. */
function serverLabel(directory: SessionDirectory, session: Session): string {
	const { name, id } = session.definition;
	const isShared = directory.sessions.some((other) => other !== session && other.definition.name === name);
	return isShared ? id : name;
}

function toRow(entry: PromptEntry): PromptRow {
	return {
		entry,
		label: promptTitle(entry.prompt),
		description: oneLine(entry.id),
		detail: oneLine(entry.prompt.description ?? "", 300),
	};
}
