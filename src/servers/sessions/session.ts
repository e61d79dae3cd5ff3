import type {
	CallToolResult,
	CompleteResult,
	ContentBlock,
	CreateMessageRequestParams,
	CreateMessageResult,
	CreateMessageResultWithTools,
	ElicitResult,
	GetPromptResult,
	Prompt,
	ReadResourceResult,
	Resource,
	ResourceTemplateType,
	Root,
	Tool,
} from "@modelcontextprotocol/client";
import type { Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Progress } from "../../base/progress.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { RequestLog } from "./requestLog.ts";
import type { ManagedList } from "./managedList.ts";
import type { RequestKind } from "./sessionCalls.ts";
import type { StartCause } from "./startCause.ts";
import type {
	CompletionReference,
	Connection,
	ElicitationRequest,
	RequestControl,
	ServerFacts,
} from "../../protocol/connection.ts";
import type { Departure } from "../../protocol/departure.ts";
import type { FollowedTask } from "../../protocol/followedTask.ts";
import type { Skill, SkillFile } from "../../protocol/skill.ts";
import type { Asker, TracedCall } from "../../protocol/wireTap.ts";

export type { ContentBlock, Prompt, Resource, Root, Skill, SkillFile, Tool };
export type ResourceTemplate = ResourceTemplateType;

/** The states of a session, as shown in the tree. */
export type SessionState =
	| { readonly kind: "stopped" }
	| { readonly kind: "needs-approval"; readonly reason: string }
	/** The user switched it off, or its entry says so. */
	| { readonly kind: "off" }
	/** The user left it to VS Code's own MCP host, which reads the same file. */
	| { readonly kind: "left-to-editor" }
	/** An HTTP server that wants a user to sign in; starting it by hand asks them. */
	| { readonly kind: "needs-sign-in"; readonly message: string }
	/** `note` names the pending condition, such as a download. */
	| { readonly kind: "starting"; readonly note?: string }
	| { readonly kind: "running"; readonly facts: ServerFacts }
	| {
			readonly kind: "failed";
			/** The cause, if known, and the event. */
			readonly message: string;
			/** The last lines of its standard error. */
			readonly stderr: readonly string[];
			/** The reason in its output; `what` is the rest of the message. */
			readonly cause?: StartCause & { readonly what: string };
			/** The first line of its standard output that was not a message. */
			readonly noise?: string;
			/** The reference of the last request during the start in the trace; absent if there was none, or none is kept. */
			readonly exchange?: string;
			/** When it is restarted automatically, in milliseconds since the epoch; absent when only a user can. */
			readonly retryAt?: number;
	  };

/** The states of a server that may not start, be contacted, or have its variables resolved. */
export type RefusedState = Extract<SessionState, { kind: "needs-approval" | "off" | "left-to-editor" }>;

/** Options of every request to a server. Times are in milliseconds. */
export interface CallOptions {
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
	/** Who is behind it; a user by default. */
	readonly asker?: Asker;
	/** The program of another agent that wants it, for the trace. */
	readonly client?: string;
	/** Nobody asked for it just now, such as the read of an open editor: what the server asks meanwhile is not for the user. */
	readonly isUnasked?: boolean;
	/** Receives the call as it is followed in the trace, before it is sent; not called if nothing is recorded. */
	readonly onFollowed?: (call: TracedCall) => void;
	/** Receives the task that the call became, as soon as it is followed. */
	readonly onTask?: (task: FollowedTask) => void;
}

/** A request of a server, during a call of the host or independently. */
export interface ServerRequestContext {
	/** Aborted when the server withdraws the request or goes away. */
	readonly signal: AbortSignal;
	/** The revision that decides the shape of the answer. */
	readonly protocolVersion: string;
	/** The user's action, such as `tools/call bookHotel`; absent when the server asks independently. */
	readonly during: string | undefined;
	/** A call of the user or of their model was running then, and not only one of the server's own app. */
	readonly isForUser?: boolean;
	/** The calls that were running then, one object each; empty or absent when the server asks independently. */
	readonly calls?: readonly object[];
	/** The reference of its exchange in the trace; absent if nothing is recorded. */
	readonly exchange?: string;
}

/**
 * Answers servers' questions to the user (specification, "Client Features"). One for all servers, passed whole to where
 * the requests arrive; throws to refuse. Each function works without the object.
 */
export interface UserRequests {
	readonly createMessage: (
		session: Session,
		params: CreateMessageRequestParams,
		context: ServerRequestContext,
	) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
	readonly elicit: (
		session: Session,
		request: ElicitationRequest,
		context: ServerRequestContext,
	) => Promise<ElicitResult>;
	/** The server says that what it asked for by a page is done (`notifications/elicitation/complete`). */
	readonly onVisited: (session: Session, elicitationId: string) => void;
	/** A call became a task, or one of an earlier run is followed again. Absent where tasks end with their calls. */
	readonly onTask?: (session: Session, task: FollowedTask) => void;
	/** Whether the user wants a tool called as a task that could be called plainly as well; not if absent. */
	readonly wantsTask?: (session: Session, tool: string) => boolean;
}

/**
 * One configured server, running or not: the part that every other part of the host depends on. Calls reject with a
 * HostError: `not-connected` (it was not carried out), `outcome-unknown` (the connection ended, and it may have been),
 * `timeout`, `cancelled` (the signal was aborted), `needs-sign-in`, `limit` or `protocol`.
 */
export interface Session {
	readonly definition: ServerDefinition;
	readonly state: SessionState;
	readonly onDidChangeState: Event<SessionState>;
	readonly tools: ManagedList<Tool>;
	readonly prompts: ManagedList<Prompt>;
	readonly resources: ManagedList<Resource>;
	readonly resourceTemplates: ManagedList<ResourceTemplate>;
	/** The skills that it lists (SEP-2640). */
	readonly skills: ManagedList<Skill>;
	/** The log of all requests to the server, including the running ones. */
	readonly requestLog: RequestLog;
	/** The violations of the protocol by its server since the last start. Untrusted texts. */
	readonly departures?: Departure[];
	/**
	 * The server says that a subscribed resource changed, or one within it; the value is its URI exactly as the server
	 * sent it.
	 */
	readonly onDidUpdateResource: Event<string>;
	/** The server confirmed a subscription: it reports changes of this resource from now on. */
	readonly onDidSubscribeResource: Event<string>;

	callTool(name: string, args: JsonObject, options?: CallOptions): Promise<CallToolResult>;
	readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
	getPrompt(name: string, args: Readonly<Record<string, string>>, options?: CallOptions): Promise<GetPromptResult>;
	/** The entry of one skill, listed or not, by the URI of its `SKILL.md`. */
	getSkill(uri: string, options?: CallOptions): Promise<Skill>;
	/** Reads a file of a skill, checked against this entry; see `Connection.readSkill`. */
	readSkill(skill: Skill, path: string | undefined, options?: CallOptions): Promise<SkillFile>;
	/** Completion values; empty when the server does not offer completion. `known` are the other arguments so far. */
	complete(
		reference: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		known?: Readonly<Record<string, string>>,
		options?: CallOptions,
	): Promise<CompleteResult["completion"]>;
	/** Asks for updates of a resource until disposed; survives reconnects. Counted, so that several may share it. */
	subscribe(uri: string): Disposable;
	/** Carries any request, with the clock and the errors of all calls; `label` names it in logs. */
	call?<T>(
		label: string,
		options: CallOptions,
		send: (connection: Connection, control: RequestControl) => Promise<T>,
		kind?: RequestKind,
	): Promise<T>;
	/**
	 * A call, such as `tools/call bookHotel`, was refused before it was sent; `by` names the cause, for the trace.
	 * Returns its reference in the trace; undefined if nothing is recorded.
	 */
	noteRefused?(label: string, asker: Asker, by: string): string | undefined;
}

/** The sessions of all configured servers, in the order of the configuration. */
export interface SessionDirectory {
	readonly sessions: readonly Session[];
	/** A session was added or removed, or changed its state. */
	readonly onDidChange: Event<void>;
	get(id: string): Session | undefined;
}
