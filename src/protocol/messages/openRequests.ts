import type { JSONRPCMessage, ProgressToken, RequestId } from "@modelcontextprotocol/client";
import { jsonObjectOf } from "../../base/guards.ts";
import { isJsonObject } from "../../base/json.ts";
import { isResultOf } from "./resultShapes.ts";
import { isUnnamedAnswer, usableId } from "./wireText.ts";

/** How many requests that were given up are known by their ids. */
const mostLate = 200;

/** An unanswered request of the host. */
export interface OpenRequest {
	/** Undefined where its result has another form than that of its method. */
	readonly method: string | undefined;
	readonly token: ProgressToken | undefined;
	/** A subscription stays open for as long as somebody listens, and waits for no answer. */
	readonly isLasting: boolean;
}

/** The unanswered requests of the host, and which of them an answer belongs to. */
export class OpenRequests {
	private readonly open = new Map<RequestId, OpenRequest>();
	/**
	 * Notifications that the server may still answer, as some servers do: such an answer is for none of the later
	 * requests.
	 */
	private notified = 0;
	/** The methods of requests that were given up: a late answer to one has the form of an answer to the next. */
	private readonly givenUp = new Set<string | undefined>();
	/** The latest of those requests, by their ids. */
	private readonly late = new Set<RequestId>();

	/** The subscriptions that were ended and not answered: their answer says no more than that they ended. */
	private readonly unsubscribed = new Set<RequestId>();

	add(id: RequestId, request: OpenRequest): void {
		this.open.set(id, request);
	}

	/** A notification was sent. */
	notify(): void {
		this.notified++;
	}

	has(id: RequestId): boolean {
		return this.open.has(id);
	}

	/** Nobody waits for its answer any more. Gives what it was; undefined where it was not open. */
	giveUp(id: RequestId): OpenRequest | undefined {
		const request = this.open.get(id);
		if (this.open.delete(id)) {
			this.givenUp.add(request?.method);
			this.late.add(id);
			const [oldest] = this.late;
			if (this.late.size > mostLate && oldest !== undefined) this.late.delete(oldest);
		}
		if (request?.isLasting === true) this.unsubscribed.add(id);
		return request;
	}

	/** Whether an answer comes after its request was given up, which no server can know in time. */
	isLate(answer: JSONRPCMessage): boolean {
		const id = usableId(answer);
		return id !== undefined && (this.late.delete(id) || this.late.delete(Number(id)));
	}

	/** Whether an answer only confirms that a subscription ended. */
	confirmsEnd(answer: JSONRPCMessage): boolean {
		const id = usableId(answer);
		return id !== undefined && this.unsubscribed.delete(id);
	}

	/**
	 * The request that an answer belongs to and that is no longer open; undefined if there is none, or if that is
	 * uncertain. `isShared` if answers arrive on a stream that all requests and notifications share.
	 */
	take(
		answer: JSONRPCMessage,
		isShared: boolean,
	): { readonly id: RequestId; readonly request: OpenRequest } | undefined {
		const named = usableId(answer);
		// The SDK accepts an id that is returned as text.
		const id = named === undefined ? this.unnamed(answer, isShared) : this.open.has(named) ? named : Number(named);
		const request = id === undefined ? undefined : this.open.get(id);
		if (id === undefined || request === undefined) return undefined;
		this.open.delete(id);
		// Servers answer roughly in order: earlier notifications are done.
		this.notified = 0;
		return { id, request };
	}

	private unnamed(answer: JSONRPCMessage, isShared: boolean): RequestId | undefined {
		if (!isUnnamedAnswer(answer)) return undefined;
		const waiting = [...this.open].filter(([, { isLasting }]) => !isLasting);
		const { result } = jsonObjectOf(answer);
		// No notification, and no request of another method, has such a result.
		const fitting = isJsonObject(result) ? waiting.filter(([, { method }]) => isResultOf(method, result)) : [];
		const [only, another] = fitting;
		if (only !== undefined && another === undefined && !this.givenUp.has(only[1].method)) return only[0];
		if (this.notified > 0 && isShared) {
			this.notified--;
			return undefined;
		}
		const [last] = waiting;
		if (last === undefined || waiting.length > 1) return undefined;
		// It may be the late result of a request that was given up, also when others were answered meanwhile.
		return isJsonObject(result) && this.givenUp.has(last[1].method) ? undefined : last[0];
	}
}
