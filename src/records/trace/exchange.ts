import type { Event } from "../../base/event.ts";
import type { Json } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Asker } from "../../protocol/wireTap.ts";
import type { Era } from "../../protocol/connection.ts";

/** How much is recorded: nothing, all but the contents of messages, or these as well. */
export type TraceLevel = "off" | "metadata" | "bodies";

/** The wanted level for a server: a level, or `recent`, which keeps contents of the last messages only. */
export type WantedTrace = TraceLevel | "recent";

/** The state of an exchange. Texts are the server's or the host's; untrusted. */
export type ExchangeOutcome =
	/** Sent, and not answered yet; or asked by the server, and not answered by us yet. `on` says that a user is asked. */
	| { readonly kind: "waiting"; readonly on?: "user" }
	/** `isUnfit`: the result does not fit the tool's output schema (specification, "Output Schema" of tools). */
	| { readonly kind: "ok"; readonly isUnfit?: true }
	/** The tool answered with `isError` (specification, "Error Handling" of tools). */
	| { readonly kind: "tool-error" }
	/** The other side answered with an error of JSON-RPC. */
	| { readonly kind: "rpc-error"; readonly code: number; readonly message: string }
	/** The last HTTP attempt was refused by its status, without a message of the protocol. */
	| { readonly kind: "http-error"; readonly status: number }
	/** The host gave it up: the connection broke, an answer was unusable. */
	| { readonly kind: "failed"; readonly message: string }
	| { readonly kind: "cancelled" }
	| { readonly kind: "timed-out" }
	/** A rule or a user refused it before anything was sent; `by` says which in words. */
	| { readonly kind: "refused"; readonly by: string }
	/** The connection ended without its answer. */
	| { readonly kind: "unanswered" };

/** How the time was spent, in milliseconds; for a waiting exchange, so far. The three parts are the whole. */
export interface Durations {
	readonly total: number;
	/** A user was asked something, by the server or for it. */
	readonly user: number;
	/** The request was on its way to the server, or being handled, and no user was asked. */
	readonly server: number;
	/** The rest: sign-in, the opening of a new session, checks. */
	readonly own: number;
}

/** An event within an exchange. */
export interface ExchangeChild {
	/**
	 * `progress` and `log` are the server's notifications, `notification` any other, `stderr` a line of its process;
	 * `serverRequest` is a request of the server meanwhile; `request` one request on the wire, of which an exchange may
	 * have several: the first, rounds that bring input (`round`), and repetitions after a fault or a lost session
	 * (`retry`); `httpAttempt` is one HTTP request, of a sign-in as well.
	 */
	readonly kind:
		| "progress"
		| "log"
		| "notification"
		| "stderr"
		| "serverRequest"
		| "request"
		| "round"
		| "retry"
		| "httpAttempt";
	/** Milliseconds after the exchange began. */
	readonly at: number;
	/** How long it took, where it has an end; absent while it waits. */
	readonly ms?: number;
	/** Its label, such as `notifications/progress` or `POST https://…`. Untrusted. */
	readonly label: string;
	/** How many of the same kind and label this represents; the times are of the first and the last one. */
	readonly count: number;
	readonly bytesOut?: number;
	readonly bytesIn?: number;
	/** The status of an HTTP attempt; absent if there was none. */
	readonly status?: number;
	/** It is a part of a sign-in, to another host than the server. */
	readonly isSignIn?: boolean;
	/** How it ended, if known. */
	readonly outcome?: ExchangeOutcome;
	/** The argument for `TraceReader.body`; absent if nothing is kept. */
	readonly bodyId?: string;
}

/** One request with its answer, in either direction, or a burst of one notification: the content of a row. */
export interface Exchange {
	/** Within this window, or within a file; later ones are greater. */
	readonly id: number;
	/** The id of the server's definition, and its name. The name is untrusted text. */
	readonly server: string;
	readonly serverName: string;
	/** Counts the server's connections in this window from 1; another process or session is another one. 0: never sent. */
	readonly generation: number;
	readonly transport: "stdio" | "http" | "sse";
	/** Absent until the server has reported its era. */
	readonly era?: Era;
	/** The revision of the protocol in use, if reported. Untrusted. */
	readonly protocolVersion?: string;
	readonly kind: "request" | "notification";
	/** `out` is from us to the server. */
	readonly direction: "out" | "in";
	/** The method, and its subject: the name of a tool or prompt, a URI. Untrusted. */
	readonly method: string;
	readonly target?: string;
	readonly origin: Asker;
	/** The program of another agent that wanted it, with its parents. */
	readonly client?: string;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly durations: Durations;
	readonly bytesOut: number;
	readonly bytesIn: number;
	readonly outcome: ExchangeOutcome;
	/** In the order of time; `request` among them only where there is more than one. */
	readonly children: readonly ExchangeChild[];
	/** Children that are not kept. */
	readonly childrenDropped: number;
	/** How many notifications it represents; 1 for a request. */
	readonly count: number;
	/** Whether `TraceReader.body` has its messages. */
	readonly hasBodies: boolean;
	/** The id on the wire, of the last request that was sent for it. */
	readonly rpcId?: number | string;
}

/** A message, or the kept part of a large one, without the secrets that the host knows. */
export type KeptBody =
	| { readonly kind: "whole"; readonly value: Json }
	/**
	 * The head of its JSON and its length in characters; the SHA-256 of the whole in hexadecimal digits, absent for one of
	 * more than 8 MB.
	 */
	| { readonly kind: "head"; readonly text: string; readonly length: number; readonly sha256?: string };

/** Headers as they went over the wire, by lower-case names; secrets are marked. */
export type KeptHeaders = Readonly<Record<string, string>>;

/** The kept contents of an exchange or of one of its children. */
export interface ExchangeBodies {
	/** The request or notification of either side; the last one of a burst. */
	readonly request?: KeptBody;
	readonly response?: KeptBody;
	readonly requestHeaders?: KeptHeaders;
	readonly responseHeaders?: KeptHeaders;
	/** The answer in the form for a model, after cuts, omissions and additions. */
	readonly told?: KeptBody;
	/** How many secrets were taken out. */
	readonly hidden: number;
}

/** The update for a view. */
export interface TraceSnapshot {
	/** To be given back at the next call. */
	readonly revision: number;
	/** Those that are new or changed, oldest first. */
	readonly exchanges: readonly Exchange[];
	/** The oldest that is kept; a view drops earlier ones. */
	readonly firstId: number;
	/** How many were dropped since the window opened, for any reason. */
	readonly gone: number;
	/** How many older ones were dropped for lack of room, since the window opened or the trace was cleared. */
	readonly dropped: number;
}

/** The recorded messages, as views, documents and exports read them. */
export interface TraceReader {
	/** Something is new, changed or dropped; at most a few times a second. */
	readonly onDidChange: Event<void>;
	/** The changes after a revision; everything for 0. */
	snapshot(since: number): TraceSnapshot;
	/** One current exchange; undefined when it was dropped. */
	get(id: number): Exchange | undefined;
	/** The name of an exchange beyond this window, as links and the activity use it. */
	nameOf(id: number): string;
	/** The id of an exchange by its name; undefined when it was dropped, or is another window's. */
	find(name: string): number | undefined;
	/**
	 * The kept contents of an exchange, redacted for this call; `child` is the `bodyId` of one of its children. Undefined
	 * when nothing is kept.
	 */
	body(id: number, child?: string): ExchangeBodies | undefined;
	/** How much is kept of a server's messages now. */
	level(server: string): TraceLevel;
	/** Has bodies kept of all servers whose trace is not off, until disposed: while a view is open. Counted. */
	holdBodies(): Disposable;
	/** Forgets everything except pending requests. */
	clear(): void;
}
