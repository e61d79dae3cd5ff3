import { editDistance } from "../../base/nearest.ts";
import { oneLine } from "../../base/text.ts";
import type { Session } from "../../servers/sessions/session.ts";

/** The servers of a turn, by the user's message. */
export interface ServerChoice {
	/** The ids of the sessions that are left out. */
	readonly without: ReadonlySet<string>;
	/** The rest of the user's message. */
	readonly text: string;
	/**
	 * The parsed words, or words that were probably meant as server names, in one line; undefined when there are none.
	 */
	readonly note?: string;
}

/** One word at the beginning, such as `-github`, `+travel` or `-"my server"`. */
const firstWord = /^\s*([+-])(?:"([^"]+)"|([^\s"]\S*))(?:\s+|$)/;

/**
 * Reads from the words at the very beginning of a message which servers its turn has: `-github` leaves one out,
 * `+travel` takes no others. Only the exact name of a single configured server counts; the message begins at the first
 * other word. A similar name is reported, so that nobody believes that the server is left out.
 */
export function chooseServers(prompt: string, sessions: readonly Session[]): ServerChoice {
	const chosen = { "+": new Set<Session>(), "-": new Set<Session>() };
	let text = prompt;
	for (;;) {
		const [word = "", sign = "", quoted, plain = ""] = firstWord.exec(text) ?? [];
		const name = quoted ?? plain;
		const [named, ...others] = sessions.filter(({ definition }) => definition.name === name);
		if (named === undefined || others.length > 0 || (sign !== "+" && sign !== "-")) break;
		chosen[sign].add(named);
		text = text.slice(word.length);
	}
	// A message that consists only of such words is taken literally.
	if (text.trim() === "") return { without: new Set(), text: prompt };
	const isIn = (session: Session): boolean =>
		!chosen["-"].has(session) && (chosen["+"].size === 0 || chosen["+"].has(session));
	const notes = [describe(chosen["+"], chosen["-"]), nearMiss(text, sessions)].filter((one) => one !== undefined);
	const note = notes.length === 0 ? undefined : notes.join(" ");
	return {
		without: new Set(sessions.filter((session) => !isIn(session)).map(({ definition }) => definition.id)),
		text,
		...(note === undefined ? {} : { note }),
	};
}

/** The words that leave servers out of a turn, for the chat's input; servers whose names cannot be written are in. */
export function wordsWithout(sessions: readonly Session[]): string {
	return sessions
		.map(({ definition: { name } }) => name)
		.filter((name) => name.trim() !== "" && !name.includes('"'))
		.map((name) => `-${/\s/.test(name) ? `"${name}"` : name} `)
		.join("");
}

function describe(only: ReadonlySet<Session>, without: ReadonlySet<Session>): string | undefined {
	if (only.size > 0) return `Only ${namesOf([...only].filter((session) => !without.has(session)))} in this turn.`;
	return without.size > 0 ? `Without ${namesOf([...without])} in this turn.` : undefined;
}

/** Why the word at the beginning of a text, which is like the name of a server, was not taken for one. */
function nearMiss(text: string, sessions: readonly Session[]): string | undefined {
	const [, , quoted, plain = ""] = firstWord.exec(text) ?? [];
	const name = (quoted ?? plain).slice(0, 100);
	const names = new Set(sessions.map(({ definition }) => definition.name));
	if (names.has(name)) return `More than one server is named ${oneLine(name, 60)}, so none of them was chosen.`;
	const mostEdits = Math.min(2, Math.floor(name.length / 3));
	const isLike = (other: string): boolean => {
		const edits = editDistance(name.toLowerCase(), other.toLowerCase().slice(0, 100));
		return name !== "" && edits <= mostEdits;
	};
	const meant = [...names].find(isLike);
	if (meant === undefined) return undefined;
	return `No server is named ${oneLine(name, 60)}, so none was chosen: did you mean ${oneLine(meant, 60)}?`;
}

function namesOf(sessions: readonly Session[]): string {
	const names = sessions.map(({ definition }) => oneLine(definition.name, 60));
	return names.length === 0 ? "no server" : names.join(", ");
}
