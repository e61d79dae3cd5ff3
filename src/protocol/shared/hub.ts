import {
	METHOD_NOT_FOUND,
	SUBSCRIPTION_ID_META_KEY,
	type JSONRPCMessage,
	type JSONRPCNotification,
	type JSONRPCRequest,
	type RequestId,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { canonicalJson, type JsonObject } from "../../base/json.ts";
import type { Sieved } from "../messages/gatedTransport.ts";
import { isRequestId } from "../messages/requestId.ts";
import { type Measured, unmeasured } from "../messages/tappedTransport.ts";
import { isAnswer, usableId } from "../messages/wireText.ts";
import type { ServerTransport } from "../messages/wrappedTransport.ts";
import type { WireForm } from "../wireTap.ts";
import { HubClient, isAsSevere, leastSevere, type HubListener } from "./hubClient.ts";
import { HubRequests, withIds } from "./hubRequests.ts";

/** A process as a hub uses it. */
export type HubProcess = ServerTransport & Sieved & Measured & { readonly pid: number | null };

/** A further client of a process, as the one who carries its messages sees it. */
export interface HubGuest {
	/** Takes a message of the client. Resolves when the server has it; never rejects. */
	send(message: JSONRPCMessage): Promise<void>;
	/** The client went away. */
	leave(): void;
}

/** How many requests of one guest may be open. */
const mostOpen = 256;
/** JSON-RPC's "Internal error" and "Invalid params". */
const internalError = -32603;
const invalidParams = -32602;
/** The requests of servers that belong to a request of a client. */
const questions: ReadonlySet<unknown> = new Set(["sampling/createMessage", "elicitation/create", "roots/list"]);

/**
 * Lets several clients use one process, as if each were its only one. The first is the owner, whose messages pass as
 * they are; the others, the guests, join a running conversation. It adds no word of its own for the server
 * but those that take back what a guest leaves behind (GST-16).
 */
export class Hub {
	private readonly process: HubProcess;
	private readonly owner: HubClient;
	private readonly guests = new Set<HubClient>();
	private readonly requests: HubRequests;
	/** The handshake of the owner; undefined where there is none, as from revision 2026-07-28 on. */
	private handshake: { readonly params: JsonObject; readonly result: JsonObject } | undefined;
	private handshakeParams: JsonObject = {};
	/** The log level that the server was asked for last. */
	private level: string | undefined;
	private readonly over = Promise.withResolvers<void>();
	private isEnded = false;
	/** Whether the last message of the owner went to the server. */
	private ownIsSent = true;
	/** Resolves when the process ends. */
	readonly ended: Promise<void> = this.over.promise;

	constructor(process: HubProcess, owner: HubListener) {
		this.process = process;
		this.owner = new HubClient(owner);
		this.requests = new HubRequests(this.owner);
	}

	/** Whether a message that begins so may be dropped where the owner does not want it: each guest needs each change. */
	maySkip(head: string): boolean {
		return this.guests.size === 0 || head.includes('"notifications/message"');
	}

	/** Takes a message of the owner. Rejects as the process does. */
	async sendOwn(message: JSONRPCMessage): Promise<void> {
		const passed = this.passOwn(message);
		this.ownIsSent = passed !== undefined;
		if (passed === undefined) return;
		try {
			await this.pass(passed);
		} catch (error) {
			const id = "method" in passed ? usableId(passed) : undefined;
			if (id !== undefined) this.requests.close(id);
			throw error;
		}
	}

	/** How the last message of the owner is on the wire; one that the hub answers is on none. */
	get ownForm(): WireForm {
		return this.ownIsSent ? this.process.sentForm : unmeasured;
	}

	/** Lets a guest join; undefined when the process has ended. */
	join(listener: HubListener): HubGuest | undefined {
		if (this.isEnded) return undefined;
		const guest = new HubClient(listener);
		this.guests.add(guest);
		return { send: (message) => this.sendFor(guest, message), leave: () => this.leave(guest) };
	}

	/** Ends the guests; `why` goes on from "The server …". The owner goes on. */
	endGuests(why: string): void {
		for (const guest of this.guests) this.dismiss(guest, why);
	}

	/** The process ends: nothing more is sent or comes. */
	end(why: string): void {
		this.isEnded = true;
		this.over.resolve();
		const guests = [...this.guests];
		this.guests.clear();
		for (const { listener } of guests) listener.end(why);
	}

	/** Takes a message of the server. */
	receive(message: JSONRPCMessage, form: WireForm): void {
		const { owner } = this;
		if (isAnswer(message)) return this.receiveAnswer(message, form);
		const { method, id, params } = jsonObjectOf(message);
		if (id !== undefined) {
			const client = questions.has(method) ? this.requests.askerOf(jsonObjectOf(params)) : owner;
			if (isRequestId(id)) client.asked.add(id);
			return client.listener.deliver(message, form);
		}
		if (this.guests.size === 0 && method !== "notifications/cancelled") return owner.listener.deliver(message, form);
		this.receiveNotice(method, jsonObjectOf(params), message, form);
	}

	/** A message of the owner as the server gets it; undefined if it gets none. */
	private passOwn(message: JSONRPCMessage): JSONRPCMessage | undefined {
		const { owner, requests } = this;
		if (!("method" in message)) {
			if (message.id !== undefined) owner.asked.delete(message.id);
			return message;
		}
		const { method } = message;
		const params = jsonObjectOf(message.params);
		if (!("id" in message)) {
			if (method === "notifications/cancelled") requests.withdraw(owner, params["requestId"]);
			return message;
		}
		if (method === "initialize") this.handshakeParams = params;
		noteSubscription(owner, method, params);
		if (method === "resources/unsubscribe" && this.isSubscribed(params["uri"])) {
			// As an answer of the server, it comes when the request is sent.
			queueMicrotask(() => owner.answer(message.id, {}));
			return undefined;
		}
		requests.noteOwn(message);
		if (method !== "logging/setLevel") return message;
		const level = this.changeLevel(owner, params["level"]);
		return level === params["level"] ? message : { ...message, params: { ...message.params, level } };
	}

	/** Gives a message to the server. */
	private pass(message: JSONRPCMessage): Promise<void> {
		if ("method" in message && !("id" in message)) this.requests.notify();
		return this.process.send(message);
	}

	private async sendFor(guest: HubClient, message: JSONRPCMessage): Promise<void> {
		if (!this.guests.has(guest)) return;
		const passed = this.passFor(guest, message);
		if (passed === undefined) return;
		try {
			await this.pass(passed);
		} catch (error) {
			const id = "method" in passed ? usableId(passed) : undefined;
			const request = id === undefined ? undefined : this.requests.close(id);
			if (request !== undefined && this.guests.has(guest)) guest.refuse(request.id, internalError, messageOf(error));
		}
	}

	/** A message of a guest as the server gets it; undefined if it gets none. */
	private passFor(guest: HubClient, message: JSONRPCMessage): JSONRPCMessage | undefined {
		if (!("method" in message)) {
			// The server did not ask this guest.
			return message.id !== undefined && guest.asked.delete(message.id) ? message : undefined;
		}
		return "id" in message ? this.passRequest(guest, message) : this.passNotice(guest, message);
	}

	private passRequest(guest: HubClient, message: JSONRPCRequest): JSONRPCMessage | undefined {
		const { id, method } = message;
		const params = jsonObjectOf(message.params);
		if (guest.sent.has(id)) return guest.refuse(id, internalError, "A request with this id is open already.");
		if (guest.sent.size >= mostOpen) {
			this.dismiss(guest, "was asked too much at once by this window");
			return undefined;
		}
		if (method === "initialize") return this.initialize(guest, id, params);
		if (method === "server/discover" && this.handshake !== undefined)
			return guest.refuse(id, METHOD_NOT_FOUND, "The server was connected to by a handshake.");
		if (method === "logging/setLevel") {
			const before = this.level;
			const level = this.changeLevel(guest, params["level"]);
			if (level === before) return guest.answer(id, {});
			return this.requests.forward(guest, { ...message, params: { ...message.params, level } });
		}
		const { uri } = params;
		noteSubscription(guest, method, params);
		if (method === "resources/unsubscribe" && this.isSubscribed(uri)) return guest.answer(id, {});
		return this.requests.forward(guest, message);
	}

	private passNotice(guest: HubClient, message: JSONRPCNotification): JSONRPCMessage | undefined {
		switch (message.method) {
			// The server received both from the owner, whose roots are the same.
			case "notifications/initialized":
			case "notifications/roots/list_changed":
				return undefined;
			case "notifications/cancelled": {
				const requestId = this.requests.withdraw(guest, message.params?.["requestId"]);
				return requestId === undefined ? undefined : { ...message, params: { ...message.params, requestId } };
			}
			default:
				return message;
		}
	}

	/** Answers the handshake of a guest as the server answered that of the owner, which must be the same. */
	private initialize(guest: HubClient, id: RequestId, params: JsonObject): undefined {
		const { handshake } = this;
		// The server chose the revision, whichever was asked for.
		const comparable = (one: JsonObject): string => canonicalJson({ ...one, protocolVersion: "", _meta: {} });
		if (handshake !== undefined && comparable(handshake.params) === comparable(params))
			return guest.answer(id, handshake.result);
		return guest.refuse(id, invalidParams, "The window that runs this server connected to it in another way.");
	}

	/** Notes the level that a client asks for; returns the one that the server is to have. */
	private changeLevel(client: HubClient, level: unknown): string | undefined {
		client.level = typeof level === "string" ? level : undefined;
		this.level = leastSevere(this.all.map((one) => one.level));
		return this.level;
	}

	private get all(): readonly HubClient[] {
		return [this.owner, ...this.guests];
	}

	private isSubscribed(uri: unknown): boolean {
		return typeof uri === "string" && this.all.some(({ subscribed }) => subscribed.has(uri));
	}

	private dismiss(guest: HubClient, why: string): void {
		this.leave(guest);
		guest.listener.end(why);
	}

	/** Takes back all that a guest has at the server. */
	private leave(guest: HubClient): void {
		if (!this.guests.delete(guest)) return;
		this.requests.forgetTasks(guest);
		const message = "The window went away.";
		for (const known of guest.sent.values()) {
			this.requests.close(known);
			this.say({ method: "notifications/cancelled", params: { requestId: known, reason: message } });
		}
		for (const id of guest.asked) this.say({ id, error: { code: internalError, message } });
		const ask = (method: string, params: Record<string, unknown>): void =>
			this.say({ id: this.requests.ownId(method), method, params });
		for (const uri of guest.subscribed) if (!this.isSubscribed(uri)) ask("resources/unsubscribe", { uri });
		const before = this.level;
		const level = this.changeLevel(guest, undefined);
		if (level !== before && level !== undefined) ask("logging/setLevel", { level });
	}

	/** Sends the hub's own message. It may be lost with the process. */
	private say(message: Own<JSONRPCMessage>): void {
		void this.pass({ jsonrpc: "2.0", ...message }).catch(() => undefined);
	}

	private receiveAnswer(message: JSONRPCMessage, form: WireForm): void {
		const { owner, requests } = this;
		const request = requests.take(message);
		// Late: its guest has withdrawn the request, or is gone.
		if (request === undefined && requests.isForeign(usableId(message))) return;
		const { result } = jsonObjectOf(message);
		if (request === undefined || request.client === owner) {
			if (request?.method === "initialize" && result !== undefined)
				this.handshake = { params: this.handshakeParams, result: jsonObjectOf(result) };
			return owner.listener.deliver(message, form);
		}
		const { client, method, uri } = request;
		if (client === undefined) return;
		if (method === "resources/subscribe" && result === undefined) client.subscribed.delete(uri ?? "");
		client.listener.deliver(withIds(message, request.id), { bytes: form.bytes });
	}

	private receiveNotice(method: unknown, params: JsonObject, message: JSONRPCMessage, form: WireForm): void {
		const { owner, all, requests } = this;
		const deliver = (to: readonly HubClient[]): void => to.forEach(({ listener }) => listener.deliver(message, form));
		if (method === "notifications/progress") {
			const { progressToken } = params;
			const request = requests.ofToken(progressToken);
			if (request === undefined && requests.isForeign(progressToken)) return;
			if (request?.client === undefined || request.client === owner) return deliver([owner]);
			const own = { ...params, progressToken: request.token };
			return request.client.listener.deliver({ jsonrpc: "2.0", method, params: own }, { bytes: form.bytes });
		}
		const isEnd = method === "notifications/cancelled";
		const about = isEnd ? params["requestId"] : jsonObjectOf(params["_meta"])[SUBSCRIPTION_ID_META_KEY];
		if (isRequestId(about)) {
			const asked = isEnd ? all.find((one) => one.asked.delete(about)) : undefined;
			if (asked !== undefined) return deliver([asked]);
			const request = requests.get(about);
			if (request === undefined && requests.isForeign(about)) return;
			if (request?.client === undefined || request.client === owner) return deliver([owner]);
			return request.client.listener.deliver(withIds(message, request.id), { bytes: form.bytes });
		}
		if (method === "notifications/message") return deliver(this.readersOf(params["level"]));
		if (method === "notifications/resources/updated")
			return deliver(all.filter((one) => one === owner || one.follows(params["uri"])));
		deliver(all);
	}

	/** Who gets a log message: up to revision 2025-11-25 by their levels, later those whose requests ask for it. */
	private readersOf(level: unknown): readonly HubClient[] {
		const { all, requests } = this;
		if (this.handshake !== undefined) return all.filter((one) => isAsSevere(level, one.level));
		const readers = all.filter((one) => requests.wantsLog(one, level));
		return readers.length > 0 ? readers : [this.owner];
	}
}

/** Notes whether a client follows a resource, from its request on: a change may be reported before the answer. */
function noteSubscription(client: HubClient, method: string, { uri }: JsonObject): void {
	if (typeof uri !== "string") return;
	if (method === "resources/subscribe") client.subscribed.add(uri);
	if (method === "resources/unsubscribe") client.subscribed.delete(uri);
}

type Own<T> = T extends unknown ? Omit<T, "jsonrpc"> : never;
