import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** Who is behind a request: a user by hand, a model in a turn, an app of a server, the server itself, or the host. */
export type Asker = "user" | "model" | "app" | "server" | "host";

/** One HTTP request as it leaves, with the headers that the host set. */
export interface HttpAttempt {
	readonly method: string;
	readonly url: string;
	readonly requestHeaders: Readonly<Record<string, string>>;
	readonly bytesOut: number;
	/**
	 * The JSON-RPC request that it carries; undefined for a notification, a stream of the server's own messages, and a
	 * sign-in without a request.
	 */
	readonly requestId: RequestId | undefined;
	/** It goes to a host other than the server: a step of a sign-in. Its bodies are never reported. */
	readonly isSignIn: boolean;
}

/** The events of one HTTP request. */
export interface HttpAttemptTap {
	/** The head of the response has arrived. */
	answered(status: number, headers: Headers): void;
	/** A piece of its body has arrived. */
	read(bytes: number): void;
	/** No response arrived. */
	failed(error: unknown): void;
}

/** How a message is on the wire. */
export interface WireForm {
	/** Its size; 0 if only the HTTP attempt reports it. */
	readonly bytes: number;
	/** Its text, where the transport has it at hand as one text of its own: to keep it costs less than to keep the message. */
	readonly json?: string | undefined;
}

/**
 * The receiver of everything that passes over one transport. Messages are the very objects that are carried: receivers
 * must not change them. Called for each message, so expensive work must be deferred.
 */
export interface WireTap {
	/** A message is handed to the transport. */
	sent(message: JSONRPCMessage, form: WireForm): void;
	/** A message arrived, before anything judged it. */
	received(message: JSONRPCMessage, form: WireForm): void;
	/** A message of a flood was dropped before it was read. */
	dropped(method: string): void;
	/** An HTTP request leaves; undefined where nobody listens. */
	http(attempt: HttpAttempt): HttpAttemptTap | undefined;
	/** Nothing passes any more. */
	closed(): void;
}

/** A request of the host's that is followed from its call to its end, over as many messages as it takes. */
export interface FollowedCall {
	/** The reference of its exchange in the trace of this window, and of no other. */
	readonly exchange: string;
	/**
	 * The trace context of its requests, by which the spans of the server join (SEP-414); undefined if no spans are sent.
	 */
	readonly traceparent: string | undefined;
	/** A user is asked, and the clocks are paused; every call needs its `answered`. */
	asked(): void;
	answered(): void;
	/** It is over; `error` is what it failed with. */
	end(error?: unknown): void;
	/** Its earlier result does not fit the output schema of its tool. */
	unfit(): void;
	/** A model was informed of its end; `content` makes the text for the model, and is called only if that is kept. */
	told(content: () => unknown): void;
}

/** A followed call as its caller sees it. */
export type TracedCall = Pick<FollowedCall, "exchange" | "unfit" | "told">;

/** Who follows what passes between the host and one server, whichever transport carries it. */
export interface ServerTap {
	/** A transport is about to be opened. */
	open(transport: "stdio" | "http" | "sse"): WireTap;
	/**
	 * A request is called for; undefined where nobody listens. `label` as in `tools/call bookHotel`; `client` is the
	 * program of another agent that wants it, in words.
	 */
	begin(label: string, asker: Asker, client?: string): FollowedCall | undefined;
	/**
	 * A call was refused before anything was sent; `by` names the cause, in words. Names its exchange, if somebody
	 * listens.
	 */
	refused(label: string, asker: Asker, by: string): string | undefined;
	/**
	 * Names the exchange of an unanswered request of the server: its own, or that of the one running call. Undefined if
	 * nobody listens, or if it cannot be determined.
	 */
	exchangeOf(id: RequestId | undefined): string | undefined;
	/** Names what was asked of the server last, over the transport opened last; undefined where nothing was, or nobody listens. */
	readonly lastAsked: string | undefined;
	/** A line of the process's standard error, without the secrets that the host knows. */
	stderr(line: string): void;
}

/**
 * Marks the params of a request with its call, as they go through the SDK. No server can send a symbol, and no text
 * contains it.
 */
const followed = Symbol("the call that a request belongs to");

/** The params of a request, as those of a call that is followed; the same ones where it is not. */
export function ofCall<T extends object>(params: T, call: FollowedCall | undefined): T {
	if (call === undefined) return params;
	const { traceparent } = call;
	if (traceparent === undefined) return { ...params, [followed]: call };
	const { _meta: meta } = params as { readonly _meta?: object };
	return { ...params, _meta: { ...meta, traceparent }, [followed]: call };
}

/** The call that a request belongs to; undefined where nobody follows it. */
export function callOf(params: { readonly [followed]?: FollowedCall } | undefined): FollowedCall | undefined {
	return params?.[followed];
}
