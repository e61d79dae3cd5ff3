import type { Launch } from "../../protocol/launch.ts";
import type { ConfigProblem, ServerDefinition } from "../../servers/definitions/config.ts";
import type { ServerProcess } from "../../servers/otherHosts/census.ts";
import type { Prompt, Resource, ResourceTemplate, SessionState, Tool } from "../../servers/sessions/session.ts";
import type { ProtocolMisfit } from "../trace/protocolCheck.ts";
import type { Finding } from "./finding.ts";
import type { Departure } from "../../protocol/departure.ts";
import type { ListStatus } from "../../servers/sessions/managedList.ts";
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

/** The host's facts about a server that need no action. */
export interface DoctorFacts {
	readonly definition: ServerDefinition;
	readonly state: SessionState;
	readonly isWorkspaceTrusted: boolean;
	/** Where it is written, if that can be read. */
	readonly entry: EntryText | undefined;
	/** The problems of its entry, or of the file that contains it. */
	readonly problems: readonly ConfigProblem[];
	/**
	 * How it is reached, or why that is unknown; undefined while it may not start: nothing of it is resolved, run or
	 * contacted then.
	 */
	readonly launch: Launch | Error | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** The names of other servers that are the same process or address. */
	readonly twins: readonly string[];
	/** The remark about VS Code's own host, which may run it too. */
	readonly otherHost: string | undefined;
	/** The processes in which other hosts run the same server now. */
	readonly elsewhere: readonly ServerProcess[];
	/** The file by which other hosts start the same server when a window opens, and the names of these hosts. */
	readonly startedWithWindow: { readonly file: string; readonly hosts: string } | undefined;
	/** The open folders of this machine. */
	readonly folders?: readonly LocalFolder[];
	/** Its offer, while it runs. */
	readonly tools: ToolFacts | undefined;
	/** How it follows the protocol; undefined if nothing is known of that. */
	readonly conduct: Conduct | undefined;
	/** The recent messages between the host and it, oldest first, and the reference of an exchange in the trace. */
	readonly passed: readonly Exchange[];
	readonly nameOf: (exchange: number) => string;
}

/** The facts about how a server follows the protocol. */
export interface Conduct {
	/** Everything that the host tolerated, repaired, dropped or skipped since the last start. */
	readonly departures: readonly Departure[];
	/** The mismatches with the protocol in messages of the server that are kept. */
	readonly misfits: readonly (Pick<ProtocolMisfit, "place" | "what" | "isOfRevision"> & { readonly message: string })[];
	/** The findings about its answers to requests that have no effect. */
	readonly answers: readonly Finding[];
	/** The state of its lists, by the requests that read them. */
	readonly lists: readonly { readonly method: string; readonly status: ListStatus }[];
}

/** The facts about the features of a running server. */
export interface ToolFacts {
	readonly tools: readonly Tool[];
	readonly prompts: readonly Prompt[];
	readonly resources: readonly Resource[];
	readonly templates: readonly ResourceTemplate[];
	/** The total cost of the definitions that models may be offered, in tokens. */
	readonly tokens: number | undefined;
	/** Whether models search for them instead of receiving all. */
	readonly isLazy: boolean;
	/** Why models are never offered a tool; undefined when they may be. */
	readonly whyHidden: (tool: Tool) => string | undefined;
}
