import { HostError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import { nearest } from "../../base/nearest.ts";
import { oneLine } from "../../base/text.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { listPrompts, type PromptEntry } from "./catalog.ts";
import { findServer, runningSessions } from "../../servers/sessions/findServer.ts";

/**
 * The reference to a prompt: by the id that users type, or by its server (configured name or unique id) and its name.
 */
export type PromptReference = string | { readonly server: string; readonly prompt: string };

/**
 * The prompt that a reference names. Waits for lists that are still loading. Rejects with a HostError: `not-connected`
 * when its server is not running, `invalid` when it is unknown (the message contains the nearest names) or names
 * several prompts; with the signal's reason when aborted.
 */
export async function findPrompt(
	directory: SessionDirectory,
	reference: PromptReference,
	signal: AbortSignal,
): Promise<PromptEntry> {
	for (const session of runningSessions(directory)) {
		if (matchesOf(directory, reference).length > 0) break;
		while (session.prompts.status.kind === "loading") await once(session.prompts.onDidChange, signal);
	}
	const [match, ...others] = matchesOf(directory, reference);
	if (match === undefined) throw unknownPrompt(directory, reference);
	if (others.length > 0) {
		const ids = [match, ...others].map(({ session, prompt }) => oneLine(`${session.definition.id}/${prompt.name}`));
		throw new HostError(
			"invalid",
			`Several prompts are named "${nameOf(reference)}". Choose one of: ${ids.join(", ")}`,
		);
	}
	return match;
}

function matchesOf(directory: SessionDirectory, reference: PromptReference): readonly PromptEntry[] {
	const entries = listPrompts(directory);
	const byId = entries.filter(({ session, prompt }) =>
		typeof reference === "string"
			? `${session.definition.id}/${prompt.name}` === reference
			: session.definition.id === reference.server && prompt.name === reference.prompt,
	);
	if (byId.length > 0) return byId;
	return entries.filter(({ session, prompt }) =>
		typeof reference === "string"
			? `${session.definition.name}/${prompt.name}` === reference
			: session.definition.name === reference.server && prompt.name === reference.prompt,
	);
}

/** The message about a server that cannot provide prompts now. */
export function notRunning({ definition }: Session): HostError {
	const message = `The server "${oneLine(definition.name)}" is not running. Start it to run its prompts.`;
	return new HostError("not-connected", message);
}

function unknownPrompt(directory: SessionDirectory, reference: PromptReference): HostError {
	const idle = directory.sessions.find(({ state, definition }) => {
		const names = [definition.name, definition.id];
		return (
			state.kind !== "running" &&
			names.some((name) =>
				typeof reference === "string" ? reference.startsWith(`${name}/`) : reference.server === name,
			)
		);
	});
	if (idle !== undefined) {
		return notRunning(idle);
	}
	if (typeof reference !== "string") {
		const { server } = reference;
		const isKnown = directory.sessions.some(({ definition }) => definition.name === server || definition.id === server);
		if (!isKnown) findServer(directory, server);
	}
	const known = listPrompts(directory).map(({ id }) => id);
	if (known.length === 0) return new HostError("invalid", "No running server offers prompts.");
	const near = nearest(nameOf(reference), known)
		.map((id) => oneLine(id))
		.join(", ");
	return new HostError("invalid", `There is no prompt "${nameOf(reference)}". Did you mean: ${near}?`);
}

function nameOf(reference: PromptReference): string {
	return oneLine(typeof reference === "string" ? reference : `${reference.server}/${reference.prompt}`);
}
