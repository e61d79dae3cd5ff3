import type {
	CallToolResult,
	ClientCapabilities,
	CompleteResult,
	CreateMessageRequestParams,
	CreateMessageResult,
	CreateMessageResultWithTools,
	DiscoverResult,
	ElicitRequestParams,
	ElicitResult,
	GetPromptResult,
	LoggingLevel,
	Prompt,
	ReadResourceResult,
	RequestId,
	Resource,
	ResourceTemplateType,
	Root,
	Tool,
	Implementation,
	ServerCapabilities,
} from "@modelcontextprotocol/client";
import type { Json, JsonObject } from "../base/json.ts";
import type { Authorization } from "./authorization.ts";
import type { OnTrouble } from "./departure.ts";
import type { FollowedTask, TaskReference } from "./followedTask.ts";
import type { Launch } from "./launch.ts";
import type { ServerSharing } from "./shared/sharing.ts";
import type { Skill, SkillFile, SkillFolderEntry, SkillList } from "./skill.ts";
import type { FollowedCall, ServerTap } from "./wireTap.ts";
import type { ConnectionLimits, NetworkSettings } from "./limits.ts";

/** How one of the protocol's two eras speaks: `initialize` (to 2025-11-25) or stateless (from 2026-07-28). */
export type Era = "legacy" | "modern";

/**
 * A running server's description of itself. All of it is for display only, never for identity: any server may use any
 * name.
 */
export interface ServerFacts {
	readonly server: Implementation | undefined;
	readonly capabilities: ServerCapabilities;
	/** The negotiated revision, such as `2025-11-25`. */
	readonly protocolVersion: string;
	readonly era: Era;
	readonly instructions: string | undefined;
	/** The transport of the messages. */
	readonly transport: "stdio" | "http" | "sse";
	/** The process id of a stdio server. */
	readonly pid: number | undefined;
	/** Another window runs that process. */
	readonly isElsewhere?: boolean;
}

/** Which of the protocol's eras to speak; `auto` asks the server. */
export type ProtocolMode = "auto" | "legacy" | "modern";

/** One page of a list, as the protocol pages (specification, "Pagination"): an absent cursor ends it, an empty one does not. */
export interface Page<T> {
	readonly items: readonly T[];
	readonly nextCursor?: string | undefined;
	/** Why the list is empty, where the server declares it and then does not know it. */
	readonly note?: string;
	/** How long the page stays fresh, in milliseconds: its `ttlMs`, if positive (revision 2026-07-28, "Caching"). */
	readonly ttlMs?: number | undefined;
}

/** The host's own question whether a user is done at a page that a server wants visited before it answers. */
export interface VisitQuestion {
	readonly mode: "visited";
	/** The page, which the user agreed to open. */
	readonly url: string;
	/** The server's own description of it. */
	readonly message: string;
	/** Aborted when the server says that it is done. */
	readonly completed: AbortSignal;
}

/** The questions to a user by `elicitation/create`, and by the host on the way. */
export type ElicitationRequest = ElicitRequestParams | VisitQuestion;

/** The reference whose argument `completion/complete` completes. */
export type CompletionReference =
	| { readonly type: "ref/prompt"; readonly name: string }
	| { readonly type: "ref/resource"; readonly uri: string };

/** The protocol era that a server was found to use, kept per definition so that the next start needs no probe. */
export type EraVerdict =
	| { readonly kind: "legacy" }
	| { readonly kind: "modern"; readonly version: string; readonly discover?: DiscoverResult };

/** The primitives whose lists change. */
export type ListKind = "tools" | "prompts" | "resources";

/**
 * The callbacks of a connection. The signals are aborted when the server withdraws its request or disconnects. `id` is
 * the server's id of its request, absent for other kinds of requests.
 */
export interface ConnectionHandlers {
	listRoots(): readonly Root[];
	createMessage(
		params: CreateMessageRequestParams,
		signal: AbortSignal,
		id?: RequestId,
	): Promise<CreateMessageResult | CreateMessageResultWithTools>;
	elicit(request: ElicitationRequest, signal: AbortSignal, id?: RequestId): Promise<ElicitResult>;
	/** A task is followed from now on: the server created it in answer to a call, or it is followed again. */
	onTask?(task: FollowedTask): void;
	/** Whether a tool is called as a task that could be called plainly as well (revision 2025-11-25, `optional`); not if absent. */
	wantsTask?(tool: string): Promise<boolean>;
	/** The server says that what it asked for by a page is done (`notifications/elicitation/complete`). */
	onVisited?(elicitationId: string): void;
	onListChanged(kind: ListKind): void;
	onResourceUpdated(uri: string): void;
	/** The server confirmed that it reports changes of a resource from now on; earlier contents may be stale. */
	onResourceSubscribed?(uri: string): void;
	/** A log message of the server: its level, its logger's name, its data. */
	onLog(level: string, logger: string | undefined, data: unknown): void;
	onStderr(text: string): void;
	/** The first line of a process's standard output that is not a message; unchanged unless it was cut. */
	onNoise?(line: string): void;
	/** An attempt to connect failed and another follows; the output of the process so far is from one that has ended. */
	onRetry?(why: string): void;
	/**
	 * The server forgot the session and another one was opened in its place. Its lists and subscriptions restart, and its
	 * description of itself may have changed.
	 */
	onRenewed?(facts: ServerFacts): void;
	/** A trouble that ended nothing, for the server's log and the list of what it does otherwise than the protocol says. */
	readonly onTrouble: OnTrouble;
	/** The connection ended without `close` being called. `reason` says what was seen, such as `exited with code 3`. */
	onClosed(reason: string): void;
}

/** Everything that is needed to connect to one server. */
export interface ConnectRequest {
	readonly launch: Launch;
	readonly protocol: ProtocolMode;
	readonly verdict: EraVerdict | undefined;
	readonly client: { readonly name: string; readonly version: string; readonly title: string };
	/** The extensions that the caller uses, by name, with their settings. No others are declared to a server. */
	readonly extensions?: NonNullable<ClientCapabilities["extensions"]>;
	/** Whether a model can answer the server, as by default. Otherwise sampling is not declared. */
	readonly canSample?: boolean;
	/** How to sign in over HTTP; absent where nobody can. */
	readonly authorization?: Authorization;
	readonly limits: ConnectionLimits;
	readonly network: NetworkSettings;
	/** The least severe level of log message that has readers now; undefined for none (specification, "Logging"). */
	readonly logLevel: () => LoggingLevel | undefined;
	/** How long the handshake may take, in milliseconds. */
	readonly handshakeTimeoutMs: number;
	/** How long a stdio server may leave the era question unanswered before it counts as legacy; 3 s by default. */
	readonly probeTimeoutMs?: number;
	/** After how long a silence an idle HTTP server up to revision 2025-11-25 is pinged, in milliseconds; a minute by default. */
	readonly pingAfterMs?: number;
	readonly signal: AbortSignal;
	readonly handlers: ConnectionHandlers;
	/** How a process is shared with other windows; absent where it is not. */
	readonly sharing?: ServerSharing | undefined;
	/** Whether a process is started although another window runs one. */
	readonly isAnew?: boolean;
	/** Receives all messages, on every transport that is opened; absent if nobody follows it. */
	readonly tap?: ServerTap | undefined;
}

/** The answer of a server: a result, or an error. */
export type RawAnswer = { readonly result: Json } | { readonly code: number; readonly message: string };

/** Options of a request on the wire; the caller owns time and cancellation. */
export interface RequestControl {
	readonly signal: AbortSignal;
	readonly onProgress?: (progress: {
		progress: number;
		total?: number | undefined;
		message?: string | undefined;
	}) => void;
	/** The origin of the request, for followers of the messages. */
	readonly call?: FollowedCall | undefined;
	/** See `CallOptions.onTask`. */
	readonly onTask?: (task: FollowedTask) => void;
}

/**
 * One established connection. Requests reject with the signal's reason or a HostError: `not-connected` (it surely was not
 * carried out, or has no effect), `outcome-unknown` (it may have been carried out), `protocol`, `denied`, `needs-sign-in`.
 */
export interface Connection {
	/** Read at each use: another session with the server may report others. */
	readonly facts: ServerFacts;
	/** How to speak to the server at its next start. It may be modern on a legacy connection, whose server was slow to say so. */
	readonly verdict: EraVerdict;
	listTools(cursor: string | undefined, control: RequestControl): Promise<Page<Tool>>;
	listPrompts(cursor: string | undefined, control: RequestControl): Promise<Page<Prompt>>;
	listResources(cursor: string | undefined, control: RequestControl): Promise<Page<Resource>>;
	listResourceTemplates(cursor: string | undefined, control: RequestControl): Promise<Page<ResourceTemplateType>>;
	/**
	 * `tool` is its definition as listed: output schema and header rules come from there, whether it runs as a task, and
	 * whether it claims to have no effect. Without such a claim it is never sent twice.
	 */
	callTool(name: string, args: JsonObject, tool: Tool | undefined, control: RequestControl): Promise<CallToolResult>;
	/**
	 * Follows a task that this server created on an earlier connection, and returns its result. Aborting sends `tasks/cancel`,
	 * unless the server went away or the time is over.
	 */
	followTask(task: TaskReference, control: RequestControl): Promise<CallToolResult>;
	readResource(uri: string, control: RequestControl): Promise<ReadResourceResult>;
	getPrompt(name: string, args: Readonly<Record<string, string>>, control: RequestControl): Promise<GetPromptResult>;
	complete(
		reference: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		known: Readonly<Record<string, string>>,
		control: RequestControl,
	): Promise<CompleteResult["completion"]>;
	/**
	 * The skills that the server lists; none when it does not offer the extension (SEP-2640), which it does only to those who
	 * declare it: `skillsExtension` among `ConnectRequest.extensions`. Reads none of their files.
	 */
	listSkills(control: RequestControl): Promise<SkillList>;
	/** The entry of one skill, listed or not, by the URI of its `SKILL.md`. Rejects with HostError `protocol` for an invalid one. */
	getSkill(uri: string, control: RequestControl): Promise<Skill>;
	/**
	 * Reads one file of a listed skill, its `SKILL.md` unless `path` (relative to the skill) says otherwise.
	 * Rejects with HostError `protocol` when size, digest or front matter are not as listed: the skill must not be used.
	 */
	readSkill(skill: Skill, path: string | undefined, control: RequestControl): Promise<SkillFile>;
	/**
	 * The direct contents of a folder of a skill, by its URI; undefined when the server does not offer to read folders. They
	 * are no files of the skill unless its entry lists them.
	 */
	readSkillFolder(uri: string, control: RequestControl): Promise<readonly SkillFolderEntry[] | undefined>;
	/** Sends a request of any method; resolves with its answer as received, also for an error. Rejects without an answer. */
	raw?(method: string, params: JsonObject, control: RequestControl): Promise<RawAnswer>;
	/** Sets the resources whose changes are to be reported; replaces the former set. */
	watchResources(uris: readonly string[]): Promise<void>;
	/** Notifies the server that the roots changed, if its era has that message. */
	notifyRootsChanged(): Promise<void>;
	/** Sends the server the level of `ConnectRequest.logLevel` again, after it changed; rejects as requests do. */
	updateLogLevel(): Promise<void>;
	/** Ends the session and, for stdio, the process tree. Never rejects. */
	close(): Promise<void>;
}
