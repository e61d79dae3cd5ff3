import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import type { Era } from "../../protocol/connection.ts";
import { callOf, type HttpAttempt, type HttpAttemptTap, type WireForm, type WireTap } from "../../protocol/wireTap.ts";
import type { JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { ownCap } from "../../base/ownText.ts";
import { CallRecord, isRound, outcomeOf, paramsOf, revisionOf, short, targetOf, withoutQuery } from "./callRecord.ts";
import type { Exchange, ExchangeOutcome, TraceLevel } from "./exchange.ts";
import type { ChildRecord, ExchangeRecord, ExchangeStart } from "./exchangeRecord.ts";
import type { HeldBody } from "./keptBodies.ts";
import { StrayAnswers } from "./strayAnswers.ts";
import { isRequestId } from "../../protocol/messages/requestId.ts";

/** Notifications of one method with at most this time between them are one burst, in milliseconds. */
const burstGapMs = 1000;
const longestText = 500;
/** How many names of notifications have bursts of their own; those of more names are one, under a name of ours. */
const [mostBursts, otherNames] = [100, "(other notifications)"];
const cancelled: ExchangeOutcome = { kind: "cancelled" };
const unanswered: ExchangeOutcome = { kind: "unanswered" };

/** The receiver of a connection recorder's findings. */
export interface ConnectionOwner {
	readonly level: TraceLevel;
	/** The one running call, to which the server's messages meanwhile belong; undefined if it cannot be determined. */
	readonly soleCall: ExchangeRecord | undefined;
	/** Adds an exchange. */
	add(start: ExchangeStart): ExchangeRecord;
	/** Keeps a message where bodies are wanted, in place of a former one where only the last is shown. */
	hold(message: unknown, form: WireForm, former?: HeldBody): HeldBody | undefined;
	/** Something about an exchange is new. */
	touch(record: ExchangeRecord): void;
}

/** A request on the wire, to be paired with its answer. */
interface OpenRequest {
	readonly record: ExchangeRecord;
	readonly child: ChildRecord | undefined;
	readonly method: string;
	/** Nothing else ends its exchange. */
	readonly isAlone: boolean;
}

/**
 * Pairs the messages of one transport: by direction and id, because each side counts its own (JSON-RPC 2.0, "Request
 * object"), and ids restart with another transport (TRC-02).
 */
export class ConnectionRecorder implements WireTap {
	private readonly owner: ConnectionOwner;
	private readonly generation: number;
	private readonly transport: Exchange["transport"];
	private era: Era | undefined;
	private protocolVersion: string | undefined;
	private readonly asked = new Map<RequestId, OpenRequest>();
	private readonly askedOfUs = new Map<RequestId, OpenRequest>();
	private readonly bursts = new Map<string, ExchangeRecord>();
	private lastNotified: ExchangeRecord | undefined;
	private readonly strays = new StrayAnswers();

	/** `generation` counts the transports of the server in this window. */
	constructor(owner: ConnectionOwner, generation: number, transport: Exchange["transport"]) {
		this.owner = owner;
		this.generation = generation;
		this.transport = transport;
	}

	sent(message: JSONRPCMessage, form: WireForm): void {
		if (this.owner.level === "off") return;
		const now = performance.now();
		if (!("method" in message)) this.sendAnswer(message, form, now);
		else if ("id" in message) this.sendRequest(message, message.id, form, now);
		else {
			if (message.method === "notifications/cancelled") this.forget(this.asked, message.params?.["requestId"], now);
			const record = this.notify(message.method, "out", now, form.bytes);
			this.lastNotified = record;
			record.request = this.owner.hold(message, form, record.request);
		}
	}

	received(message: JSONRPCMessage, form: WireForm): void {
		if (this.owner.level === "off") return;
		const now = performance.now();
		if (!("method" in message)) this.takeAnswer(message, form, now);
		else if ("id" in message) this.takeRequest(message, message.id, form, now);
		else this.takeNotification(message, form, now);
	}

	dropped(method: string): void {
		if (this.owner.level === "off") return;
		const burst = this.bursts.get(this.burstOf(short(method)));
		if (burst === undefined) this.notify(method, "in", performance.now(), 0);
		else {
			burst.count++;
			this.owner.touch(burst);
		}
	}

	http(attempt: HttpAttempt): HttpAttemptTap | undefined {
		const { owner } = this;
		if (owner.level === "off") return undefined;
		const now = performance.now();
		const open = attempt.requestId === undefined ? undefined : this.asked.get(attempt.requestId);
		const label = `${attempt.method} ${withoutQuery(attempt.url)}`;
		const carried = open?.record ?? (attempt.method === "POST" && !attempt.isSignIn ? this.lastNotified : undefined);
		const record = carried ?? this.begin("request", "out", attempt.method, withoutQuery(attempt.url), now);
		const isOwn = carried === undefined;
		const child = record.addChild("httpAttempt", label, now);
		child.bytesOut += attempt.bytesOut;
		record.bytesOut += attempt.bytesOut;
		if (attempt.isSignIn) child.isSignIn = true;
		if (owner.level === "bodies" && !attempt.isSignIn) child.requestHeaders = attempt.requestHeaders;
		owner.touch(record);
		const end = (outcome: ExchangeOutcome): void => {
			child.endedAt = performance.now();
			child.outcome = outcome;
			if (isOwn) record.end(outcome, child.endedAt);
			// A sign-in goes to another server.
			else if (outcome.kind !== "ok" && !attempt.isSignIn) record.answer = outcome;
			owner.touch(record);
		};
		return {
			answered(status, headers) {
				child.status = status;
				if (owner.level === "bodies" && !attempt.isSignIn) child.responseHeaders = headers;
				end(status < 400 ? { kind: "ok" } : { kind: "http-error", status });
			},
			read(bytes) {
				child.bytesIn += bytes;
				record.bytesIn += bytes;
				child.endedAt = performance.now();
				owner.touch(record);
			},
			failed(error) {
				end({ kind: "failed", message: ownCap(error instanceof Error ? error.message : String(error), longestText) });
			},
		};
	}

	/** The exchange of an unanswered request of the server. */
	recordOf(id: RequestId): ExchangeRecord | undefined {
		return this.askedOfUs.get(short(id))?.record;
	}

	closed(): void {
		const now = performance.now();
		for (const open of [this.asked, this.askedOfUs])
			for (const { record, child, isAlone } of open.values()) {
				record.clock.back(now);
				// That HTTP refused it says more.
				const { answer } = record;
				const outcome: ExchangeOutcome =
					answer?.kind === "http-error" || answer?.kind === "failed" ? answer : unanswered;
				if (child !== undefined) Object.assign(child, { endedAt: now, outcome });
				if (isAlone) record.end(outcome, now);
				else record.answer = outcome;
				this.owner.touch(record);
			}
		this.asked.clear();
		this.askedOfUs.clear();
		this.bursts.clear();
	}

	private sendRequest(message: JSONRPCMessage & { method: string }, id: RequestId, form: WireForm, now: number): void {
		const { method } = message;
		const params = paramsOf(message);
		const revision = revisionOf(params);
		if (revision !== undefined) this.speaks("modern", revision);
		else if (method === "initialize") this.era = "legacy";
		const call = callOf(params);
		const followed = call instanceof CallRecord ? call.record : undefined;
		const record = followed ?? this.begin("request", "out", method, targetOf(params), now);
		record.generation = this.generation;
		record.transport = this.transport;
		record.era = this.era;
		record.protocolVersion = this.protocolVersion;
		record.rpcId = id;
		this.strays.sent(id);
		record.answer = undefined;
		const kind = record.wires++ === 0 || method !== record.method ? "request" : isRound(params) ? "round" : "retry";
		// An HTTP stream that ended without the answer is not reported.
		if (kind === "retry")
			for (const [former, open] of this.asked)
				if (open.record === record) this.forget(this.asked, former, now, unanswered);
		const child = record.addChild(kind, method, now);
		child.bytesOut = form.bytes;
		record.bytesOut += form.bytes;
		const held = this.owner.hold(message, form);
		child.request = held;
		if (kind !== "request" || record.wires === 1) record.request = held;
		record.clock.away(now);
		this.asked.set(id, { record, child, method, isAlone: followed === undefined });
		this.owner.touch(record);
	}

	private takeAnswer(message: JSONRPCMessage, form: WireForm, now: number): void {
		const id = "id" in message ? message.id : undefined;
		// The SDK accepts an id that is returned as text.
		const key = typeof id === "string" && !this.asked.has(id) ? Number(id) : id;
		const open = key === undefined ? undefined : this.asked.get(key);
		if (open === undefined || key === undefined) return this.takeStray(message, id, form, now);
		this.asked.delete(key);
		const { record, child, method, isAlone } = open;
		const outcome = outcomeOf(message, method);
		if (method === "initialize" && outcome.kind === "ok") {
			const result: JsonObject = "result" in message ? jsonObjectOf(message.result) : {};
			this.speaks("legacy", result["protocolVersion"]);
		}
		record.era = this.era;
		record.protocolVersion = this.protocolVersion;
		record.clock.back(now);
		record.bytesIn += form.bytes;
		const held = this.owner.hold(message, form);
		record.response = held;
		if (child !== undefined) {
			child.bytesIn += form.bytes;
			child.endedAt = now;
			child.outcome = outcome;
			child.response = held;
		}
		record.answer = outcome;
		if (isAlone) record.end(outcome, now);
		this.owner.touch(record);
	}

	/** An answer to nothing. */
	private takeStray(message: JSONRPCMessage, id: RequestId | undefined, form: WireForm, now: number): void {
		const { target, why } = this.strays.told(id, this.owner.soleCall);
		const record = this.begin("notification", "in", "response", target, now);
		record.bytesIn = form.bytes;
		record.rpcId = id === undefined ? undefined : short(id);
		record.response = this.owner.hold(message, form);
		record.end({ kind: "failed", message: why }, now);
	}

	private takeRequest(
		message: JSONRPCMessage & { method: string },
		whole: RequestId,
		form: WireForm,
		now: number,
	): void {
		const method = short(message.method);
		const id = short(whole);
		const params = paramsOf(message);
		const call = this.owner.soleCall;
		const record = call ?? this.begin("request", "in", method, targetOf(params), now);
		const held = this.owner.hold(message, form);
		const child = call?.addChild("serverRequest", method, now);
		if (child === undefined) {
			record.rpcId = id;
			record.bytesIn += form.bytes;
			record.request = held;
		} else {
			child.bytesIn = form.bytes;
			child.request = held;
		}
		this.forget(this.askedOfUs, id, now, unanswered);
		this.askedOfUs.set(id, { record, child, method, isAlone: call === undefined });
		this.owner.touch(record);
	}

	private sendAnswer(message: JSONRPCMessage, form: WireForm, now: number): void {
		const id = "id" in message && message.id !== undefined ? short(message.id) : undefined;
		const open = id === undefined ? undefined : this.askedOfUs.get(id);
		if (open === undefined || id === undefined) return;
		this.askedOfUs.delete(id);
		const { record, child, method, isAlone } = open;
		const outcome = outcomeOf(message, method);
		const held = this.owner.hold(message, form);
		if (child === undefined) {
			record.bytesOut += form.bytes;
			record.response = held;
		} else Object.assign(child, { bytesOut: form.bytes, endedAt: now, outcome, response: held });
		if (isAlone) record.end(outcome, now);
		this.owner.touch(record);
	}

	private takeNotification(message: JSONRPCMessage & { method: string }, form: WireForm, now: number): void {
		const method = short(message.method);
		const params = paramsOf(message);
		if (method === "notifications/cancelled") this.forget(this.askedOfUs, params?.["requestId"], now);
		// The token is the id of the request (the SDK's choice); a server that names another one is not believed.
		const token = method === "notifications/progress" ? params?.["progressToken"] : undefined;
		const meant = isRequestId(token) ? this.asked.get(token)?.record : undefined;
		const record = meant ?? (method === "notifications/message" ? this.owner.soleCall : undefined);
		if (record === undefined) {
			const burst = this.notify(method, "in", now, form.bytes);
			burst.request = this.owner.hold(message, form, burst.request);
			return;
		}
		const kind = token === undefined ? "log" : "progress";
		const child = record.addChild(kind, method, now);
		child.bytesIn += form.bytes;
		child.request = this.owner.hold(message, form, child.request);
		this.owner.touch(record);
	}

	/** The burst that a notification belongs to: one row, however many they are. */
	private notify(method: string, direction: Exchange["direction"], now: number, bytes: number): ExchangeRecord {
		const key = direction === "in" ? this.burstOf(method) : `out ${method}`;
		let burst = this.bursts.get(key);
		if (burst !== undefined && now - burst.lastAt <= burstGapMs) burst.count++;
		else {
			burst = this.begin("notification", direction, key === otherNames ? key : method, undefined, now);
			burst.outcome = { kind: "ok" };
			this.bursts.set(key, burst);
		}
		burst.lastAt = now;
		if (direction === "in") burst.bytesIn += bytes;
		else burst.bytesOut += bytes;
		this.owner.touch(burst);
		return burst;
	}

	/** The key of a burst of the server's notification. */
	private burstOf(method: string): string {
		return this.bursts.has(method) || this.bursts.size < mostBursts ? method : otherNames;
	}

	private speaks(era: Era, revision: unknown): void {
		this.era = era;
		if (typeof revision === "string") this.protocolVersion = ownCap(revision, 40);
	}

	/** One side withdrew a request, or we repeat it: no answer is expected. */
	private forget(open: Map<RequestId, OpenRequest>, id: unknown, now: number, outcome = cancelled): void {
		const request = isRequestId(id) ? open.get(short(id)) : undefined;
		if (request === undefined || !isRequestId(id)) return;
		open.delete(short(id));
		const { record, child, isAlone } = request;
		if (open === this.asked) {
			record.clock.back(now);
			this.strays.gaveUp(id, record);
		}
		if (child !== undefined) Object.assign(child, { endedAt: now, outcome });
		if (isAlone) record.end(outcome, now);
		this.owner.touch(record);
	}

	private begin(
		kind: Exchange["kind"],
		direction: Exchange["direction"],
		method: string,
		target: string | undefined,
		now: number,
	): ExchangeRecord {
		const { generation, transport, era } = this;
		const origin = direction === "in" ? "server" : "host";
		return this.owner.add({ generation, transport, era, kind, direction, method, target, origin, now });
	}
}
