import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { KeptFields } from "../model.ts";

/** More than any answer's signatures and thoughts; longer data is neither kept nor sent back. */
export const mostKept = 1_000_000;

/** The identity of the model whose data is kept: another model, or the same one at another address, does not get it. */
export function keeperOf({ baseURL }: { readonly baseURL: string }, model: string): string {
	return `${baseURL} ${model}`;
}

/** Joins the kept data of an answer; undefined if there is none, or too much of it. */
export function toKept(by: string, message: JsonObject, calls: KeptFields["calls"]): KeptFields | undefined {
	if (Object.keys(message).length === 0 && calls.length === 0) return undefined;
	const kept: KeptFields = { by, message, calls };
	return sizeOf(kept) > mostKept ? undefined : kept;
}

/** How long kept fields are as JSON, in characters. */
export function sizeOf(kept: KeptFields): number {
	return JSON.stringify(kept).length;
}

/**
 * Kept fields that were stored elsewhere: in VS Code's history, or in a message of VS Code's model API. Undefined for
 * invalid ones, or too long ones (SEC-08). The request's dialect decides which of the fields it includes.
 */
export function readKept(value: unknown): KeptFields | undefined {
	if (!isJsonObject(value)) return undefined;
	const { by, message, calls } = value;
	if (typeof by !== "string" || !isJsonObject(message) || !Array.isArray(calls)) return undefined;
	const read = (calls as readonly unknown[]).flatMap((call) => {
		if (!isJsonObject(call) || typeof call["callId"] !== "string" || !isJsonObject(call["fields"])) return [];
		return [{ callId: call["callId"], fields: call["fields"] }];
	});
	return toKept(by, message, read);
}

/** Kept fields as a member of their message or call, if there are any. */
export function keptWith(kept: KeptFields | undefined): { readonly kept?: KeptFields } {
	return kept === undefined ? {} : { kept };
}
