import type {
	JSONRPCErrorResponse,
	JSONRPCMessage,
	JSONRPCNotification,
	JSONRPCRequest,
	LoggingLevel,
	MessageExtraInfo,
	ProgressToken,
	RequestId,
	TransportSendOptions,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import { LineBudget } from "./lineBudget.ts";
import { MessageReading } from "./messageReading.ts";
import { OpenRequests } from "./openRequests.ts";
import { plainError } from "./plainWords.ts";
import { Repeats } from "./repeats.ts";
import type { RawAnswer } from "./wellFormed.ts";
import { isAnswer, usableId } from "./wireText.ts";
import { WrappedTransport, type ServerTransport } from "./wrappedTransport.ts";
import { isRequestId } from "./requestId.ts";
import type { Departure, OnTrouble } from "../departure.ts";

/** How often a list, or a resource, may be reported as changed, in milliseconds (TRN-24). */
const changeIntervalMs = 250;
/** How often the progress of one call is reported, in milliseconds. */
const progressIntervalMs = 50;
/** Resources that change within one interval; of those without subscribers, more than this are dropped. */
const maxChanging = 200;
const longestUri = 8192;
/** Requests of the server that may be open at once, and refusals on their way to it. */
const maxOpenRequests = 128;
const maxRefusals = 256;
/** Faults worth a line each, and notifications of all other kinds. */
const troubleRate = { burst: 5, perSecond: 0.1 };
const otherRate = { burst: 500, perSecond: 200 };

/** From the least to the most severe (specification, "Logging"). */
export const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** The needs and callbacks of the gate. */
export interface GateOptions {
	/** A trouble that ended nothing, as a sentence for the log. */
	readonly onTrouble: OnTrouble;
	/** The least severe level of log message that has readers; undefined for none. */
	logLevel(): LoggingLevel | undefined;
	/** A message was dropped before it was read. */
	onDropped?(method: string): void;
}

/** A transport that asks the gate about a message before it reads it: in a flood, reading is what costs the most. */
export interface Sieved {
	/** Whether a message that begins so, as sent, would be dropped anyway. Set by its `GatedTransport`. */
	isUnwanted: ((head: string) => boolean) | undefined;
}

/** How a message begins up to its method, whichever way round a server writes the first two members. */
const beforeMethod = ['{"jsonrpc":"2.0","method":"', '{"method":"'];
/** The methods that arrive in floods. */
const floodKinds = [
	"notifications/message",
	"notifications/tools/list_changed",
	"notifications/prompts/list_changed",
	"notifications/resources/list_changed",
];

/** The dropped message, and the wrong part of it. */
type DroppedMessage = Pick<Departure, "message" | "path"> & { readonly isFault?: boolean };

type Arrival = readonly [JSONRPCMessage, MessageExtraInfo | undefined];

/**
 * A transport with a gate: messages that a server sends too often, or that nobody requested, end here, before the SDK
 * validates them. All others pass in order.
 */
export class GatedTransport extends WrappedTransport {
	private readonly options: GateOptions;
	private readonly changes = new Repeats<string>(changeIntervalMs);
	private readonly progress = new Repeats<ProgressToken>(progressIntervalMs);
	private readonly logLines: LineBudget;
	private readonly troubles: LineBudget;
	private readonly others: LineBudget;
	private readonly reading: MessageReading;
	private readonly asked = new OpenRequests();
	/** The progress of the calls by their own numbers. */
	private readonly reached = new Map<ProgressToken, number>();
	/** The resources that were ever subscribed to. */
	private readonly watched = new Set<unknown>();
	/** The requests of the server that were handed on and are not answered. */
	private readonly open = new Set<RequestId>();
	private refusals = 0;
	/** Only the first era lets clients answer requests. */
	private isLegacy = false;
	/** Progress that was handed on and is not yet with the one who waits for it. */
	private arriving = 0;
	/** Messages that must not overtake that progress. */
	private held: Arrival[] = [];

	constructor(inner: ServerTransport & Partial<Sieved>, options: GateOptions) {
		super(inner);
		if ("isUnwanted" in inner) inner.isUnwanted = (head) => this.isUnwanted(head);
		this.options = options;
		const report = (message: string): void => options.onTrouble(message);
		this.logLines = new LineBudget((count) => report(`${count} log messages of the server were dropped: too many.`));
		const onFaults = (count: number): void => report(`${count} more problems of this kind were not logged.`);
		this.troubles = new LineBudget(onFaults, troubleRate);
		this.others = new LineBudget((count) => report(`${count} notifications were dropped: too many.`), otherRate);
		this.reading = new MessageReading((...trouble) => options.onTrouble(...trouble));
	}

	/** Notes what is asked of the server, so that its answers and its progress are known. */
	send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		if (!("method" in message)) {
			if (message.id !== undefined) this.open.delete(message.id);
			return this.inner.send(plainError(message), options);
		}
		if (!("id" in message)) {
			if (message.method === "notifications/cancelled") this.forget(message.params?.["requestId"]);
			this.asked.notify();
			return this.inner.send(message, options);
		}
		const { id, method, params } = message;
		const token = params?._meta?.progressToken;
		const isOfMethod = method !== "tools/call" || params?.["task"] === undefined;
		const isLasting = method === "subscriptions/listen";
		this.asked.add(id, { method: isOfMethod ? method : undefined, token, isLasting });
		if (token !== undefined) this.reached.set(token, Number.NEGATIVE_INFINITY);
		if (method === "initialize") this.isLegacy = true;
		for (const uri of watchedBy(method, params)) this.watched.add(uri);
		options?.requestSignal?.addEventListener("abort", () => this.forget(id), { once: true });
		const onRequestStreamEnd = (): void => {
			this.forget(id);
			options?.onRequestStreamEnd?.();
		};
		return this.inner.send(message, { ...options, onRequestStreamEnd }).catch((error: unknown) => {
			this.forget(id);
			throw error;
		});
	}

	private isUnwanted(head: string): boolean {
		const method = floodKindOf(head);
		if (method === undefined) return false;
		const isLog = method === "notifications/message";
		if (!(isLog ? this.logLines.isSpent : this.changes.isWaiting(method))) return false;
		if (isLog) this.logLines.suppress(1);
		this.options.onDropped?.(method);
		return true;
	}

	protected receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		this.reading.frame(message);
		if (isAnswer(message)) return this.receiveAnswer(message, extra);
		const read = this.reading.incoming(message);
		if (read.kind === "request") this.receiveRequest(read.message, extra);
		else if (read.kind === "notification") this.receiveNotification(read.message, extra);
		else this.refuseUnread(read.id, read.why, read.isRequest);
	}

	protected handleClose(): void {
		// Messages that arrived before the end are delivered before the end.
		for (const [message, extra] of this.held.splice(0)) this.deliver(message, extra);
		this.changes.clear();
		this.progress.clear();
		for (const budget of [this.logLines, this.troubles, this.others]) budget.flush();
		this.onclose?.();
	}

	private receiveAnswer(answer: JSONRPCMessage & RawAnswer, extra: MessageExtraInfo | undefined): void {
		const taken = this.asked.take(answer, !this.hasPerRequestStream);
		if (taken === undefined) {
			if (this.asked.confirmsEnd(answer)) return;
			const isNameless = usableId(answer) === undefined;
			this.complain(
				isNameless
					? "A response without a request ID was ignored: the request that it answers is unknown."
					: "A response was ignored: its request was never sent, or was already answered or cancelled.",
				{ message: "an answer", path: "id", isFault: !this.asked.isLate(answer) },
			);
			return;
		}
		const { token, method } = taken.request;
		if (usableId(answer) !== taken.id) this.reading.otherId(answer.id, method);
		if (token !== undefined) {
			this.progress.flush(token);
			this.reached.delete(token);
		}
		this.pass(this.reading.answer(taken.id, method, answer), extra);
	}

	/** Every request gets an answer, also one that cannot be read. */
	private refuseUnread(id: RequestId | undefined, why: string, isRequest: boolean): void {
		this.complain(`A ${isRequest ? "request" : "message"} from the server cannot be read and was rejected: ${why}`, {});
		if (isRequest) this.refuse(id, { code: -32600, message: `The message cannot be read: ${why}` });
	}

	private refuse(id: RequestId | undefined, error: JSONRPCErrorResponse["error"]): void {
		if (!this.isLegacy || this.refusals >= maxRefusals) return;
		this.refusals++;
		// `void` is safe: a refusal that does not arrive has no effect.
		void this.inner
			.send({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error })
			.catch(() => undefined)
			.finally(() => this.refusals--);
	}

	private receiveRequest(message: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
		const { id } = message;
		if (this.open.has(id)) {
			// As a server does that sends again what its stream may have lost: the one answer is an answer to both.
			this.complain("The server repeated a request that is not answered yet. The repeated request was ignored.", {
				message: message.method,
				path: "id",
			});
			return;
		}
		if (this.open.size < maxOpenRequests) {
			this.open.add(id);
			this.pass(message, extra);
			return;
		}
		this.complain(
			`The server sends too many requests at once. At most ${maxOpenRequests} can be open; more are rejected.`,
			{ message: message.method },
		);
		this.refuse(id, { code: -32603, message: "Too many requests are open. Wait for responses." });
	}

	private receiveNotification(message: JSONRPCNotification, extra: MessageExtraInfo | undefined): void {
		const { method, params } = message;
		const pass = (): void => this.pass(message, extra);
		switch (method) {
			case "notifications/message":
				if (this.isWanted(params?.["level"]) && this.logLines.take()) pass();
				break;
			case "notifications/tools/list_changed":
			case "notifications/prompts/list_changed":
			case "notifications/resources/list_changed":
				this.changes.offer(method, pass);
				break;
			case "notifications/resources/updated":
				this.receiveUpdate(params?.["uri"], pass);
				break;
			case "notifications/progress":
				this.receiveProgress(params, pass);
				break;
			case "notifications/cancelled":
				// A server may withdraw its own requests and end subscriptions, which have a text for an id (TRN-23).
				if (this.concernsServer(params?.["requestId"])) pass();
				break;
			default:
				if (this.others.take()) pass();
		}
	}

	private receiveUpdate(uri: unknown, pass: () => void): void {
		if (typeof uri !== "string") return;
		// A part of what was subscribed to may change too, so the unknown are not dropped without need.
		if (!this.watched.has(uri) && (this.changes.size >= maxChanging || uri.length > longestUri)) return;
		this.changes.offer(`updated ${uri}`, pass);
	}

	private receiveProgress(params: JSONRPCNotification["params"], pass: () => void): void {
		const token = params?.["progressToken"];
		if (!isRequestId(token)) return;
		const progress = params?.["progress"];
		const reached = this.reached.get(token);
		// Late, unknown, or going backwards (TRN-21).
		if (reached === undefined || typeof progress !== "number" || progress < reached) return;
		this.reached.set(token, progress);
		this.progress.offer(token, () => {
			pass();
			this.arriving++;
			// The SDK hands progress on in a microtask, but answers at once, and then forgets whose progress it was.
			queueMicrotask(() => this.arrived());
		});
	}

	private arrived(): void {
		if (--this.arriving > 0) return;
		for (const [message, extra] of this.held.splice(0)) this.pass(message, extra);
	}

	private pass(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		if (this.held.length > 0 || (this.arriving > 0 && !("method" in message))) this.held.push([message, extra]);
		else this.deliver(message, extra);
	}

	/** A delayed message has no caller that could handle a failure. */
	private deliver(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		try {
			this.onmessage?.(message, extra);
		} catch (error) {
			this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
		}
	}

	/** Notes that nobody waits for an answer any more. */
	private forget(id: unknown): void {
		if (!isRequestId(id)) return;
		const token = this.asked.giveUp(id)?.token;
		if (token === undefined) return;
		this.reached.delete(token);
		this.progress.forget(token);
	}

	private concernsServer(id: unknown): boolean {
		if (isRequestId(id) && this.open.delete(id)) return true;
		return typeof id === "string" && this.asked.has(id);
	}

	private isWanted(level: unknown): boolean {
		const wanted = this.options.logLevel();
		return wanted !== undefined && logLevels.indexOf(String(level)) >= logLevels.indexOf(wanted);
	}

	/** Reports a dropped message; `isFault` is false if the server could not avoid it. */
	private complain(what: string, { isFault = true, ...place }: DroppedMessage): void {
		if (this.troubles.take()) this.options.onTrouble(what, isFault ? [{ rule: "dropped", what, ...place }] : []);
	}
}

/** The method of a message that begins this way, if it is one that arrives in floods. */
function floodKindOf(head: string): string | undefined {
	const start = beforeMethod.find((before) => head.startsWith(before))?.length;
	if (start === undefined) return undefined;
	return floodKinds.find((kind) => head.startsWith(kind, start) && head.startsWith('"', start + kind.length));
}

/** The resources that a request of the host subscribes to. */
function watchedBy(method: string, params: JSONRPCNotification["params"]): readonly unknown[] {
	if (method === "resources/subscribe") return [params?.["uri"]];
	const filter = method === "subscriptions/listen" ? params?.["notifications"] : undefined;
	if (typeof filter !== "object" || filter === null || !("resourceSubscriptions" in filter)) return [];
	return Array.isArray(filter.resourceSubscriptions) ? filter.resourceSubscriptions : [];
}
