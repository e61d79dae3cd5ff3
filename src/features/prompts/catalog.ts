import { KeyedDisposables } from "../../base/keyedDisposables.ts";
import { runningSessions } from "../../servers/sessions/findServer.ts";
import { toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import type { Prompt, Session, SessionDirectory } from "../../servers/sessions/session.ts";

/** One prompt of a running server. The texts of `prompt` are the server's own and untrusted. */
export interface PromptEntry {
	/**
	 * The name that users read and type: `<server name>/<prompt name>`; the server's unique id replaces its name when
	 * several configured servers share that name.
	 */
	readonly id: string;
	/** The identity of the prompt, independent of other configured servers; for remembering. */
	readonly key: string;
	readonly session: Session;
	readonly prompt: Prompt;
}

/** The identity of a prompt: the id of its server and its name. */
export function promptKey(server: string, prompt: string): string {
	return `${server}\n${prompt}`;
}

/** The name for display, in the specification's order: the title, otherwise the name. */
export function promptTitle(prompt: Prompt): string {
	return oneLine(prompt.title ?? prompt.name, 100) || oneLine(prompt.name, 100);
}

/** The prompts of all running servers, in the order of the configuration and of each server. */
export function listPrompts(directory: SessionDirectory): readonly PromptEntry[] {
	return runningSessions(directory).flatMap((session) => {
		const server = serverLabel(directory, session);
		return session.prompts.items.map((prompt) => ({
			id: `${server}/${prompt.name}`,
			key: promptKey(session.definition.id, prompt.name),
			session,
			prompt,
		}));
	});
}

/** Calls back whenever a server or a list of prompts changed, until disposed. */
export function watchPrompts(directory: SessionDirectory, listener: () => void): Disposable {
	const lists = new KeyedDisposables((session: Session) => session.prompts.onDidChange(listener));
	const subscription = directory.onDidChange(() => {
		lists.follow(directory.sessions);
		listener();
	});
	lists.follow(directory.sessions);
	return toDisposable(() => {
		subscription.dispose();
		lists.dispose();
	});
}

/** The configured name, or the unique id where several servers are configured under that name. */
export function serverLabel(directory: SessionDirectory, session: Session): string {
	const { name, id } = session.definition;
	const isShared = directory.sessions.some((other) => other !== session && other.definition.name === name);
	return isShared ? id : name;
}
