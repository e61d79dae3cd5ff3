import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { ownCap, ownText } from "../../base/ownText.ts";
import type { FollowedCall, WireForm } from "../../protocol/wireTap.ts";
import type { ExchangeOutcome, TraceLevel } from "./exchange.ts";
import type { ExchangeRecord } from "./exchangeRecord.ts";
import type { HeldBody } from "./keptBodies.ts";

const longestText = 500;
/** A name of a server's that is longer is kept as its ends and its length, and so is an id. */
const longestName = 200;

/** Who keeps the records of calls. */
interface CallOwner {
	/** The name of an exchange. */
	nameOf(id: number): string;
	/** The trace context of its requests; undefined if no spans are sent. */
	traceparentOf(id: number): string | undefined;
	/** Something about a record is new. */
	touch(record: ExchangeRecord): void;
	/** A call is over; `error` is its failure. */
	finish(record: ExchangeRecord, error: unknown): void;
	readonly level: TraceLevel;
	/** Keeps contents where they are wanted. */
	hold(content: unknown, form: WireForm): HeldBody | undefined;
}

/** A call of the host's, followed to its end. */
export class CallRecord implements FollowedCall {
	/** Until the call is over; it may belong to another one later. */
	readonly record: ExchangeRecord;
	private readonly id: number;
	private readonly owner: CallOwner;
	private isOver = false;

	constructor(record: ExchangeRecord, owner: CallOwner) {
		this.record = record;
		this.id = record.id;
		this.owner = owner;
	}

	get exchange(): string {
		return this.owner.nameOf(this.id);
	}

	get traceparent(): string | undefined {
		return this.owner.traceparentOf(this.id);
	}

	asked(): void {
		this.record.clock.ask(performance.now());
		this.owner.touch(this.record);
	}

	answered(): void {
		this.record.clock.answer(performance.now());
		this.owner.touch(this.record);
	}

	end(error?: unknown): void {
		if (!this.isOver) this.owner.finish(this.record, error);
		this.isOver = true;
	}

	unfit(): void {
		const { record, id, owner } = this;
		// Its record may belong to another exchange by now, and the original error is more informative.
		if (record.id !== id || record.outcome.kind !== "ok") return;
		record.outcome = unfit;
		owner.touch(record);
	}

	told(content: () => unknown): void {
		const { record, id, owner } = this;
		if (record.id !== id || owner.level !== "bodies") return;
		record.told = owner.hold(content(), { bytes: 0 });
		owner.touch(record);
	}
}

const ok: ExchangeOutcome = { kind: "ok" };
const unfit: ExchangeOutcome = { kind: "ok", isUnfit: true };
const toolError: ExchangeOutcome = { kind: "tool-error" };

/** How a call ended, as near to the wire as it is known. */
export function endOf({ answer }: ExchangeRecord, error: unknown): ExchangeOutcome {
	if (error === undefined) return answer?.kind === "tool-error" ? answer : ok;
	if (HostError.is(error, "cancelled")) return { kind: "cancelled" };
	if (HostError.is(error, "timeout")) return { kind: "timed-out" };
	if (HostError.is(error, "outcome-unknown")) return { kind: "unanswered" };
	if (answer !== undefined && answer.kind !== "ok" && answer.kind !== "tool-error") return answer;
	return { kind: "failed", message: ownCap(messageOf(error), longestText) };
}

/** How the other side answered a request of a method. */
export function outcomeOf(message: JSONRPCMessage, method: string): ExchangeOutcome {
	const { error, result } = jsonObjectOf(message);
	if (isJsonObject(error)) {
		const { code, message: text } = error;
		return {
			kind: "rpc-error",
			code: typeof code === "number" ? code : 0,
			message: typeof text === "string" ? ownCap(text, longestText) : "",
		};
	}
	return method === "tools/call" && isJsonObject(result) && result["isError"] === true ? toolError : ok;
}

/** The params of a message; undefined where it has none. */
export function paramsOf(message: JSONRPCMessage): JsonObject | undefined {
	return "params" in message && isJsonObject(message.params) ? message.params : undefined;
}

/** The subject of a request. */
export function targetOf(params: JsonObject | undefined): string | undefined {
	const target = params?.["name"] ?? params?.["uri"];
	return typeof target === "string" ? ownCap(target, longestText) : undefined;
}

/**
 * Whether a request answers the server's earlier request for input (specification 2026-07-28, "Multi Round-Trip
 * Requests").
 */
export function isRound(params: JsonObject | undefined): boolean {
	return params?.["inputResponses"] !== undefined || params?.["requestState"] !== undefined;
}

/** A name or an id in its kept form, for any length. */
export function short<T extends RequestId>(name: T): T | string {
	if (typeof name !== "string" || name.length <= longestName) return name;
	return ownText(
		`${name.slice(0, longestName)}…${name.slice(-20)} (${name.length.toLocaleString("en-US")} characters)`,
	);
}

/** An address without parts that may contain secrets. */
export function withoutQuery(url: string): string {
	const parsed = URL.parse(url);
	return parsed === null ? "(no address)" : ownCap(`${parsed.origin}${parsed.pathname}`, longestText);
}

/** The revision that a request names (specification 2026-07-28, "Versioning"); undefined for older revisions. */
export function revisionOf(params: JsonObject | undefined): unknown {
	return jsonObjectOf(params?.["_meta"])["io.modelcontextprotocol/protocolVersion"];
}
