import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** Who is behind a request: a user by hand, a model in a turn, an app of a server, the server itself, or the host. */
export type Asker = "user" | "model" | "app" | "server" | "host";

/** One HTTP request as it leaves, with the headers that the host set. */
export interface HttpAttempt {
	readonly method: string;
	readonly url: string;
	readonly requestHeaders: Readonly<Record<string, string>>;
	readonly bytesOut: number;
	/** The request of the protocol that it carries; undefined for a notification, a stream of the server's own, a sign-in of none. */
	readonly requestId: RequestId | undefined;
	/** It goes to others than the server: a step of a sign-in. Its bodies are never told. */
	readonly isSignIn: boolean;
}

/** What becomes of one HTTP request. */
export interface HttpAttemptTap {
	/** The head of the response has come. */
	answered(status: number, headers: Headers): void;
	/** A piece of its body has come. */
	read(bytes: number): void;
	/** No response came. */
	failed(error: unknown): void;
}

/** How a message is on the wire. */
export interface WireForm {
	/** Its size; 0 where only the HTTP attempt tells it. */
	readonly bytes: number;
	/** Its text, where the transport has it at hand as one text of its own: to keep it costs less than to keep the message. */
	readonly json?: string | undefined;
}

/**
 * Who is told what passes over one transport. Messages are the very objects that are carried: nobody may change them. Called
 * for each message, so that whatever costs time is left for later.
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
	/** Where it is found again: names its exchange in the trace of this window, and in that of no other. */
	readonly exchange: string;
	/** What its requests carry so that the spans of the server join (SEP-414); undefined where no spans are sent. */
	readonly traceparent: string | undefined;
	/** A user is asked something, and the clocks stand still; every call needs its `answered`. */
	asked(): void;
	answered(): void;
	/** It is over; `error` is what it failed with. */
	end(error?: unknown): void;
	/** Its result, which came before, does not fit the output schema of its tool. */
	unfit(): void;
	/** A model was told of its end; `content` makes what it was told, and is asked only where that is kept. */
	told(content: () => unknown): void;
}

/** A followed call as whoever makes it sees it. */
export type TracedCall = Pick<FollowedCall, "exchange" | "unfit" | "told">;

/** Who follows what passes between the host and one server, whichever transport carries it. */
export interface ServerTap {
	/** A transport is about to be opened. */
	open(transport: "stdio" | "http" | "sse"): WireTap;
	/** A request is called for; undefined where nobody listens. `label` as in `tools/call bookHotel`. */
	begin(label: string, asker: Asker): FollowedCall | undefined;
	/** A call was refused before anything was sent; `by` says by what, in words. Names its exchange, where somebody listens. */
	refused(label: string, asker: Asker, by: string): string | undefined;
	/**
	 * Names the exchange that a request of the server's belongs to which is not answered yet: its own, or that of the one
	 * call under way. Undefined where nobody listens, or can tell.
	 */
	exchangeOf(id: RequestId | undefined): string | undefined;
	/** Names what was asked of the server last, over the transport opened last; undefined where nothing was, or nobody listens. */
	readonly lastAsked: string | undefined;
	/** A line of the process's standard error, without the secrets that the host knows. */
	stderr(line: string): void;
}

/** Marks the params of a request with its call, as they go through the SDK. No server can write a symbol, and no text carries it. */
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
