import type { Launch } from "../../protocol/launch.ts";
import type { ConfigProblem, ServerDefinition } from "../../servers/definitions/config.ts";
import type { ServerProcess } from "../../servers/otherHosts/census.ts";
import type { SessionState, Tool } from "../../servers/sessions/session.ts";
import type { Exchange } from "../../records/trace/exchange.ts";
import type { LocalFolder } from "../../setup/entries/localFolder.ts";
import type { JsonPath } from "../../base/configText.ts";

/** The text in which a server is written. */
export interface EntryText {
	readonly text: string;
	/** The keys to the entry. */
	readonly path: JsonPath;
	/** The path of its file; absent for the user's own settings. */
	readonly file?: string;
}

/** What the host knows of a server without doing anything. */
export interface DoctorFacts {
	readonly definition: ServerDefinition;
	readonly state: SessionState;
	readonly isWorkspaceTrusted: boolean;
	/** Where it is written, if that can be read. */
	readonly entry: EntryText | undefined;
	/** What is wrong with its entry, or with the file that it stands in. */
	readonly problems: readonly ConfigProblem[];
	/** How it is reached, or why that cannot be told; undefined while it may not start: nothing of it is resolved, run or contacted then. */
	readonly launch: Launch | Error | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** The names of other servers that are the same process or address. */
	readonly twins: readonly string[];
	/** What is to be said of the editor's own host, which may run it too. */
	readonly otherHost: string | undefined;
	/** The processes in which other hosts run the same server now. */
	readonly elsewhere: readonly ServerProcess[];
	/** The file by which other hosts start the same server when a window opens, and the names of these hosts. */
	readonly startedWithWindow: { readonly file: string; readonly hosts: string } | undefined;
	/** The open folders of this machine. */
	readonly folders?: readonly LocalFolder[];
	/** What it offers, while it runs. */
	readonly tools: ToolFacts | undefined;
	/** What passed between the host and it lately, oldest first, and what names an exchange in the trace. */
	readonly passed: readonly Exchange[];
	readonly nameOf: (exchange: number) => string;
}

/** What is known of the tools of a server that runs. */
export interface ToolFacts {
	readonly tools: readonly Tool[];
	/** What the definitions of those that models may be offered cost together, in tokens. */
	readonly tokens: number | undefined;
	/** Whether models search for them instead of being told of all. */
	readonly isLazy: boolean;
	/** Why models are never offered a tool; undefined when they may be. */
	readonly whyHidden: (tool: Tool) => string | undefined;
}
