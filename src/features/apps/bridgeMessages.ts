import { isJsonObject, type JsonObject } from "../../base/json.ts";

/** The revision of the MCP Apps extension that is spoken. */
export const appsRevision = "2026-01-26";

/** JSON-RPC's codes for an app's mistakes, and for refusals of the host. */
export const rpcCodes = {
	invalidRequest: -32600,
	unknownMethod: -32601,
	invalidParams: -32602,
	refused: -32000,
} as const;

/** An id that an app gave its request. */
export type AppRequestId = string | number;

/** A message of an app, classified by its shape (JSON-RPC 2.0). */
export type AppMessage =
	| { readonly kind: "request"; readonly id: AppRequestId; readonly method: string; readonly params: JsonObject }
	| { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
	| { readonly kind: "response"; readonly id: AppRequestId };

/** Reads a message of an app, which may be any value; undefined for an invalid one. */
export function readAppMessage(value: unknown): AppMessage | undefined {
	if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return undefined;
	const { id, method, params = {} } = value;
	const isId = typeof id === "number" || (typeof id === "string" && id.length <= 200);
	if (method === undefined) return isId ? { kind: "response", id } : undefined;
	if (typeof method !== "string" || !isJsonObject(params)) return undefined;
	if (id === undefined) return { kind: "notification", method, params };
	return isId ? { kind: "request", id, method, params } : undefined;
}

/** Why a request of an app is not fulfilled, in words for the app's author. */
export class AppRefusal extends Error {
	override readonly name = "AppRefusal";
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}
}
