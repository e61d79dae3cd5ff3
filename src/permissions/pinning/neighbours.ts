import { inPlainLetters } from "../../base/lookAlikes.ts";
import type { Session, SessionDirectory, Tool } from "../../servers/sessions/session.ts";

/** A tool with the server that offers it. */
export interface Neighbour {
	readonly session: Session;
	readonly tool: Tool;
}

/** The keys by which the tools of one list are found. */
interface Index {
	/** By names as the eye takes them (`lookOf`); the first of each. */
	readonly byLook: ReadonlyMap<string, Tool>;
	/** By the words of the names (`wordsOf`); the first of each. */
	readonly byWords: ReadonlyMap<string, Tool>;
}

/** How a name looks: without the difference of capitals, and with letters and digits that look alike as the same. */
export function lookOf(name: string): string {
	const small = name.toLowerCase();
	// Letters of full width and of mathematics are the plain ones in disguise.
	const plain = /^[ -~]*$/.test(small) ? small : inPlainLetters(small.normalize("NFKC").toLowerCase());
	return plain.replaceAll("0", "o").replaceAll("1", "l");
}

/** The letters and digits of a name or title, in which `Read file` and `read_file` are the same. */
export function wordsOf(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Longer names are not real, and could make the search expensive. */
const longestName = 300;

/** Tools are compared many times: their keys are computed once. */
const keys = new WeakMap<Tool, { readonly look: string; readonly words: string }>();

/** The tools of all running servers, found by the look and the words of their names. */
export class Neighbours {
	private readonly directory: SessionDirectory;
	/** By the arrays of the lists: a list that a server sends again is another array. */
	private readonly indexes = new WeakMap<readonly Tool[], Index>();
	private seen: readonly unknown[] = [];
	private count = 0;

	constructor(directory: SessionDirectory) {
		this.directory = directory;
	}

	/** Another number after any of the tools, or who offers them, changed. */
	get version(): number {
		const now = this.running.flatMap((session) => [session, session.tools.items]);
		const isSame = now.length === this.seen.length && now.every((one, index) => one === this.seen[index]);
		if (!isSame) this.count++;
		this.seen = now;
		return this.count;
	}

	/** The tools of other servers whose name looks like this one, or is it. */
	twins(session: Session, name: string): readonly Neighbour[] {
		const look = lookOf(name.slice(0, longestName));
		return this.others(session).flatMap((other) => {
			const tool = other.tools.get(name) ?? this.indexOf(other).byLook.get(look);
			return tool === undefined ? [] : [{ session: other, tool }];
		});
	}

	/** A tool, of this server or another, whose name occurs in the text; not the tool itself. */
	namedBy(text: string, session: Session, self: Tool): Neighbour | undefined {
		const words = wordsOf(text.slice(0, longestName));
		if (words === "" || words === wordsOf(self.name.slice(0, longestName))) return undefined;
		for (const one of [session, ...this.others(session)]) {
			const tool = this.indexOf(one).byWords.get(words);
			if (tool !== undefined) return { session: one, tool };
		}
		return undefined;
	}

	/** The tools of other servers among these names, by their own or with the server's before it, as models know them. */
	among(names: Iterable<string>, session: Session): readonly Neighbour[] {
		const others = this.others(session);
		return [...names].flatMap((name) => {
			// A name of the server's own tool does not refer to another server's.
			if (session.tools.get(name) !== undefined) return [];
			return others.flatMap((other) => {
				const tool = other.tools.get(name) ?? other.tools.get(withoutServer(name, other));
				return tool === undefined ? [] : [{ session: other, tool }];
			});
		});
	}

	private get running(): readonly Session[] {
		return this.directory.sessions.filter(({ state }) => state.kind === "running");
	}

	private others(session: Session): readonly Session[] {
		return this.running.filter((other) => other !== session);
	}

	private indexOf({ tools: { items } }: Session): Index {
		const known = this.indexes.get(items);
		if (known !== undefined) return known;
		const byLook = new Map<string, Tool>();
		const byWords = new Map<string, Tool>();
		for (const tool of items) {
			const { look, words } = keysOf(tool);
			if (!byLook.has(look)) byLook.set(look, tool);
			if (!byWords.has(words)) byWords.set(words, tool);
		}
		const index = { byLook, byWords };
		this.indexes.set(items, index);
		return index;
	}
}

/** The tool's part of a name such as `server_tool`; the name itself if it does not belong to this server. */
function withoutServer(name: string, { definition }: Session): string {
	const { length } = definition.name;
	const isOfServer = name.slice(0, length).toLowerCase() === definition.name.toLowerCase();
	return isOfServer && /[_./-]/.test(name.charAt(length)) ? name.slice(length + 1) : name;
}

function keysOf(tool: Tool): { readonly look: string; readonly words: string } {
	const known = keys.get(tool);
	if (known !== undefined) return known;
	const name = tool.name.slice(0, longestName);
	const made = { look: lookOf(name), words: wordsOf(name) };
	keys.set(tool, made);
	return made;
}
