import {
	LOG_LEVEL_META_KEY,
	RELATED_TASK_META_KEY,
	SUBSCRIPTION_ID_META_KEY,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type ProgressToken,
	type RequestId,
} from "@modelcontextprotocol/client";
import { jsonObjectOf } from "../../base/guards.ts";
import type { JsonObject } from "../../base/json.ts";
import { OpenRequests } from "../messages/openRequests.ts";
import { isRequestId } from "../messages/requestId.ts";
import { isAnswer } from "../messages/wireText.ts";
import { type HubClient, isAsSevere } from "./hubClient.ts";

/** The ids of guests' requests begin here: no owner counts so far, and every server can read them. */
const firstGuestId = 1_000_000_000;
/** How such an id begins where the guest chose a text. */
const guestMark = "guest:";
/** How many tasks are known, and the length of an id of one. */
const mostTasks = 1000;
const longestTaskId = 1000;
/** The requests that a server answers from what it has, so that it asks nothing because of them. */
const isPlain = /(?:\/list|subscribe|^logging\/setLevel|^ping|^completion\/complete)$/;

/** A request that the server has not answered. */
interface OpenRequest {
	/** Whose it is; undefined for the hub's own. */
	readonly client: HubClient | undefined;
	/** Its id and its progress token as the client chose them. */
	readonly id: RequestId;
	readonly token: ProgressToken | undefined;
	readonly method: string;
	/** The resource that it subscribes to, or no longer does. */
	readonly uri: string | undefined;
	/** The least severe level of log message that it wants (revision 2026-07-28). */
	readonly level: string | undefined;
}

/** The unanswered requests of all clients of one process, each under an id that no other has. */
export class HubRequests {
	private readonly owner: HubClient;
	/** By the ids that the server knows, the latest last. */
	private readonly open = new Map<RequestId, OpenRequest>();
	/** By the progress tokens that the server knows. */
	private readonly tokens = new Map<ProgressToken, OpenRequest>();
	/** The same requests, by the same ids: which of them an answer without an id belongs to. */
	private readonly unanswered = new OpenRequests();
	/** Who called the tools that run as tasks, by the ids of the latest tasks. */
	private readonly tasks = new Map<string, HubClient>();
	private lastId = firstGuestId;

	/** The requests of `owner` keep their ids. */
	constructor(owner: HubClient) {
		this.owner = owner;
	}

	/** A new id, for the hub's own request: its answer is for nobody. */
	ownId(method: string): number {
		const id = ++this.lastId;
		const nobody = { client: undefined, token: undefined, uri: undefined, level: undefined };
		this.open.set(id, { ...nobody, id, method });
		this.unanswered.add(id, { method, token: undefined, isLasting: false });
		return id;
	}

	/** Notes a request of the owner. */
	noteOwn(message: JSONRPCRequest): void {
		this.note(this.owner, message, message.id);
	}

	/** Notes a request of a guest; returns it with the id and the progress token that the server is to know. */
	forward(guest: HubClient, message: JSONRPCRequest): JSONRPCRequest {
		const number = ++this.lastId;
		const id = typeof message.id === "string" ? `${guestMark}${number}` : number;
		this.note(guest, message, id);
		const { params } = message;
		const meta = params?._meta;
		if (meta?.progressToken === undefined) return { ...message, id };
		return { ...message, id, params: { ...params, _meta: { ...meta, progressToken: id } } };
	}

	/** Whether an id, or a token, is of a guest or of the hub itself, open or not. */
	isForeign(known: unknown): boolean {
		if (typeof known === "string") return known.startsWith(guestMark);
		return typeof known === "number" && known > firstGuestId && known <= this.lastId;
	}

	/** The request that the server means by an id. */
	get(known: unknown): OpenRequest | undefined {
		return isRequestId(known) ? this.open.get(known) : undefined;
	}

	/** The request whose progress a token means. */
	ofToken(token: unknown): OpenRequest | undefined {
		return isRequestId(token) ? this.tokens.get(token) : undefined;
	}

	/** Forgets a request, by the id that the server knows; returns what it was. */
	close(known: RequestId): OpenRequest | undefined {
		const request = this.open.get(known);
		if (request === undefined) return undefined;
		this.open.delete(known);
		this.unanswered.giveUp(known);
		request.client?.sent.delete(request.id);
		if (request.token !== undefined) this.tokens.delete(request.client === this.owner ? request.token : known);
		return request;
	}

	/** Notes a notification that goes to the server, which it may answer without an id. */
	notify(): void {
		this.unanswered.notify();
	}

	/** Forgets the request that an answer belongs to; undefined where there is none, or where that is uncertain. */
	take(answer: JSONRPCMessage): OpenRequest | undefined {
		const taken = this.unanswered.take(answer, true);
		const request = taken === undefined ? undefined : this.close(taken.id);
		if (request?.client !== undefined) this.noteTask(request.client, jsonObjectOf(answer)["result"]);
		return request;
	}

	/** Forgets a request that a client withdraws; returns the id that the server knows. */
	withdraw(client: HubClient, id: unknown): RequestId | undefined {
		const known = isRequestId(id) ? client.sent.get(id) : undefined;
		if (known !== undefined) this.close(known);
		return known;
	}

	/**
	 * Whose request a question of the server belongs to: that which made the task that the question names (revision
	 * 2025-11-25), or the latest that may make the server ask; otherwise the owner's.
	 */
	askerOf(params: JsonObject): HubClient {
		const { taskId } = jsonObjectOf(jsonObjectOf(params["_meta"])[RELATED_TASK_META_KEY]);
		const creator = typeof taskId === "string" ? this.tasks.get(taskId) : undefined;
		if (creator !== undefined) return creator;
		const mayAsk = ({ client, method }: OpenRequest): boolean => client !== undefined && !isPlain.test(method);
		return [...this.open.values()].findLast(mayAsk)?.client ?? this.owner;
	}

	/** A client went away: nobody can answer for its tasks. */
	forgetTasks(client: HubClient): void {
		for (const [taskId, creator] of this.tasks) if (creator === client) this.tasks.delete(taskId);
	}

	/** Whether a client has a request open that wants log messages of this level (revision 2026-07-28). */
	wantsLog(client: HubClient, level: unknown): boolean {
		return [...client.sent.values()].some((known) => {
			const least = this.open.get(known)?.level;
			return least !== undefined && isAsSevere(level, least);
		});
	}

	private noteTask(client: HubClient, result: unknown): void {
		const { taskId } = jsonObjectOf(jsonObjectOf(result)["task"]);
		if (typeof taskId !== "string" || taskId.length > longestTaskId) return;
		this.tasks.delete(taskId);
		this.tasks.set(taskId, client);
		const [oldest] = this.tasks.keys();
		if (this.tasks.size > mostTasks && oldest !== undefined) this.tasks.delete(oldest);
	}

	private note(client: HubClient, { id, method, params }: JSONRPCRequest, known: RequestId): void {
		const token = params?._meta?.progressToken;
		const uri = /^resources\/(?:un)?subscribe$/.test(method) ? params?.["uri"] : undefined;
		const level = params?._meta?.[LOG_LEVEL_META_KEY];
		const request: OpenRequest = {
			client,
			id,
			token,
			method,
			uri: typeof uri === "string" ? uri : undefined,
			level: typeof level === "string" ? level : undefined,
		};
		this.open.set(known, request);
		const isOfMethod = method !== "tools/call" || params?.["task"] === undefined;
		const isLasting = method === "subscriptions/listen";
		this.unanswered.add(known, { method: isOfMethod ? method : undefined, token, isLasting });
		if (token !== undefined) this.tokens.set(client === this.owner ? token : known, request);
		client.sent.set(id, known);
	}
}

/** A message of the server to a guest, about a request of the guest, by the id that it chose. */
export function withIds(message: JSONRPCMessage, id: RequestId): JSONRPCMessage {
	if (!isAnswer(message) && "method" in message) {
		const { params } = message;
		if (message.method === "notifications/cancelled") return { ...message, params: { ...params, requestId: id } };
		return { ...message, params: { ...params, _meta: { ...params?._meta, [SUBSCRIPTION_ID_META_KEY]: id } } };
	}
	if (!("result" in message)) return { ...message, id };
	const { result } = message;
	const meta = jsonObjectOf(jsonObjectOf(result)["_meta"]);
	if (meta[SUBSCRIPTION_ID_META_KEY] === undefined) return { ...message, id };
	return { ...message, id, result: { ...result, _meta: { ...meta, [SUBSCRIPTION_ID_META_KEY]: id } } };
}
