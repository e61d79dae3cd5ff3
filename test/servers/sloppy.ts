import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";

/** The answer of a server in place of a correct one; `$id` in it is the id of the request, as JSON. */
export interface SloppyAnswer {
	readonly result?: Json;
	readonly error?: JsonObject;
	/** A whole message. */
	readonly message?: Json;
	/** A raw line. */
	readonly line?: string;
	/** Members that replace those of the correct result. */
	readonly change?: JsonObject;
	/** Only for a revision newer than that. */
	readonly onlyAbove?: string;
}

/** The sloppy answers of a server that is correct otherwise. */
export interface Sloppy {
	readonly answers?: Readonly<Record<string, SloppyAnswer>>;
	/** Speaks the era without a handshake. */
	readonly isModern?: boolean;
	/** Its request while its tool `ask` runs, whose result is the answer to it. */
	readonly asks?: Json;
	/** Its output before it answers a call. */
	readonly before?: string;
}

const modern = "2026-07-28";
const tool = (name: string): JsonObject => ({ name, inputSchema: { type: "object" } });

/** The answer of a server to a request of the host, as text. */
export function sloppyText(sloppy: Sloppy, message: JsonObject): string {
	const { id = null } = message;
	const method = typeof message["method"] === "string" ? message["method"] : "";
	const answer = sloppy.answers?.[method];
	const text = (value: Json): string => JSON.stringify(value);
	const whole = (rest: JsonObject): string => text({ jsonrpc: "2.0", id, ...rest });
	const good = goodResult(method, sloppy, message);
	const isMeant = answer?.onlyAbove === undefined || revisionOf(message) > answer.onlyAbove;
	if (answer === undefined || !isMeant) {
		return good === undefined
			? whole({ error: { code: -32601, message: "Method not found" } })
			: whole({ result: good });
	}
	if (answer.line !== undefined) return answer.line.replaceAll("$id", text(id));
	if (answer.message !== undefined) return text(answer.message).replaceAll('"$id"', text(id));
	if (answer.error !== undefined) return whole({ error: answer.error });
	if (answer.result !== undefined) return whole({ result: answer.result });
	return whole({ result: merged(good ?? {}, answer.change ?? {}) });
}

function goodResult(method: string, { isModern = false }: Sloppy, message: JsonObject): JsonObject | undefined {
	const about = isModern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
	switch (method) {
		case "server/discover":
			return isModern ? { ...about, supportedVersions: [modern], capabilities: { tools: {} } } : undefined;
		case "initialize":
			return isModern
				? undefined
				: {
						protocolVersion: revisionOf(message),
						capabilities: { tools: {} },
						serverInfo: { name: "sloppy", version: "1" },
					};
		case "ping":
			return {};
		case "tools/list":
			return { ...about, tools: [tool("echo"), tool("ask")] };
		case "tools/call":
			return { ...(isModern ? { resultType: "complete" } : {}), content: [{ type: "text", text: "row written" }] };
		default:
			return undefined;
	}
}

/** The revision that a message asks for; empty without one. */
export function revisionOf({ params }: JsonObject): string {
	const revision = isJsonObject(params) ? params["protocolVersion"] : undefined;
	return typeof revision === "string" ? revision : "";
}

function merged(value: JsonObject, change: JsonObject): JsonObject {
	const all: Record<string, Json | undefined> = { ...value };
	for (const [key, to] of Object.entries(change)) {
		const from = all[key];
		all[key] = isJsonObject(from) && isJsonObject(to) ? merged(from, to) : to;
	}
	return all;
}
