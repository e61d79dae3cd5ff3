import type { RequestId } from "@modelcontextprotocol/client";
import { cap } from "../../base/text.ts";
import type { ExchangeRecord } from "./exchangeRecord.ts";

/** Requests that are remembered after they were abandoned. */
const mostGivenUp = 100;

/** The report about an answer that nobody waits for. */
interface StrayAnswer {
	/** The subject of its request, or its id. Untrusted. */
	readonly target: string;
	/** Why nobody waits for it, in our words. */
	readonly why: string;
}

/** One transport's memory of its requests, to explain why nobody waits for an answer (TRC-02). */
export class StrayAnswers {
	private readonly givenUp = new Map<unknown, ExchangeRecord["parts"]>();
	/** The greatest id so far: the SDK counts. */
	private lastId = -1;

	/** A request was sent. */
	sent(id: RequestId): void {
		if (typeof id === "number" && id > this.lastId) this.lastId = id;
	}

	/** We gave up a request: its answer may be on its way (specification, "Cancellation"). */
	gaveUp(id: RequestId, { parts }: ExchangeRecord): void {
		this.givenUp.set(id, parts);
		const [oldest] = this.givenUp.keys();
		if (this.givenUp.size > mostGivenUp) this.givenUp.delete(oldest);
	}

	/** The report about an answer: it arrived after its request was given up, is a second one, or has a wrong id. */
	told(id: RequestId | undefined, call: ExchangeRecord | undefined): StrayAnswer {
		const late = this.givenUp.get(id);
		if (late !== undefined) {
			const [method, target = method] = late;
			return { target, why: `too late: ${nameOf(late)} had already been cancelled` };
		}
		const target = `id ${cap(String(id), 40)}`;
		if (typeof id === "number" && id <= this.lastId)
			return { target, why: `a second response: ${target} had already been answered` };
		const waits = call?.isWaiting === true ? `: ${nameOf(call.parts)} waits with id ${String(call.rpcId)}` : "";
		return { target, why: `no open request has the ${target}${waits}` };
	}
}

function nameOf([method, target = ""]: ExchangeRecord["parts"]): string {
	return target === "" ? method : `${method} ${target}`;
}
