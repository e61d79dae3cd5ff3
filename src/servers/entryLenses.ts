import { readConfigText, type TextRange } from "../base/configText.ts";
import { isJsonObject } from "../base/json.ts";
import { isRetrying, stateWord } from "./sessions/describeState.ts";
import { chooseRunner, rowNote } from "./otherHosts/remarks.ts";
import type { SharedFiles } from "./otherHosts/sharedFiles.ts";
import { idOf, maxTextLength, serversKey } from "./definitions/parseConfig.ts";
import type { Session, SessionState } from "./sessions/session.ts";

/** One of the texts above an entry of a configuration file; without a command it only says something. */
export interface EntryLens {
	/** The place of the entry's key. */
	readonly range: TextRange;
	/** Only our own words. */
	readonly title: string;
	readonly command?: string;
	readonly argument?: { readonly server: string };
}

type Action = readonly [title: string, command: string];

const start: Action = ["Start", "mcpHost.startServer"];
const stop: Action = ["Stop", "mcpHost.stopServer"];
const review: Action = ["Review…", "mcpHost.reviewServer"];
const debug: Action = ["Debug", "mcpHost.debugServer"];
const debuggable: ReadonlySet<SessionState["kind"]> = new Set(["running", "stopped", "failed"]);
const log: Action = ["Show Log", "mcpHost.showLog"];
const change: Action = ["Change…", chooseRunner.id];

/**
 * The lenses above the entries of a file: the state of MCP Host's own server of that entry, and its actions. They must
 * not be mistaken for the lenses of VS Code's own host. Entries that are not servers here, including faulty ones, have
 * none.
 */
export function entryLenses(
	{ file, text }: { readonly file: string; readonly text: string },
	sessions: readonly Session[],
	shared: Pick<SharedFiles, "access" | "answer" | "isEditorOn" | "isLeft" | "isShared">,
): readonly EntryLens[] {
	const ofFile = sessions.filter(({ definition }) => definition.origin.file === file);
	const [first] = ofFile;
	if (first === undefined || text.length > maxTextLength) return [];
	const { origin } = first.definition;
	const read = readConfigText(text);
	const key = isJsonObject(read.value) ? serversKey(origin.kind, read.value) : undefined;
	const servers = isJsonObject(read.value) && key !== undefined ? read.value[key] : undefined;
	if (key === undefined || !isJsonObject(servers)) return [];
	const names = new Map(Object.keys(servers).map((name) => [idOf(origin, name), name]));
	const note = rowNote(shared, origin);
	return ofFile.flatMap(({ definition: { id, config }, state }) => {
		const name = names.get(id);
		const range = name === undefined ? undefined : read.rangeOf([key, name]);
		if (range === undefined) return [];
		const title = `MCP Host: ${wordOf(state)}${note === undefined ? "" : ` · ${note}`}`;
		const argument = { server: id };
		const isDebuggable = config.kind === "stdio" && config.debug !== undefined && debuggable.has(state.kind);
		const actions = [
			...actionsFor(state),
			...(isDebuggable ? [debug] : []),
			...(note === undefined ? [] : [change]),
		].map(([action, command]): EntryLens => ({ range, title: action, command, argument }));
		return [{ range, title }].concat(actions);
	});
}

function wordOf(state: SessionState): string {
	if (state.kind === "needs-approval") return state.reason;
	return isRetrying(state) ? "restarts soon" : stateWord(state);
}

function actionsFor(state: SessionState): readonly Action[] {
	switch (state.kind) {
		case "stopped":
			return [start, review];
		case "needs-approval":
			return [review];
		case "off":
			return [["Switch On", "mcpHost.switchOn"]];
		case "left-to-editor":
			return [change];
		case "needs-sign-in":
			return [["Sign In…", "mcpHost.signIn"]];
		case "starting":
			return [stop];
		case "running":
			return [stop, ["Restart", "mcpHost.restartServer"], review];
		case "failed":
			return isRetrying(state) ? [stop, log] : [start, log, review];
	}
}
