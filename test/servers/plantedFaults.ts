/**
 * A server over standard input and output with a fault behind each of its tools, for users who search for them in the
 * trace: `node plantedFaults.ts`. No name or description mentions the fault.
 */
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { legacyMethods, tool, writeMessage } from "./lineServer.ts";
import { onLines } from "./received.ts";

/** How many notifications `watch` sends: more than a user reads. */
const flood = 3000;

/** The call of `order` that waits for the user, and that of `search`, which is answered after it was cancelled. */
let ordering: Json | undefined;
let searching: Json | undefined;

const text = (words: string): JsonObject => ({ content: [{ type: "text", text: words }] });

/** The reaction of each tool to its call, by the id of the request. */
const calls: Readonly<Record<string, (id: Json) => void>> = {
	report: (id) => void setTimeout(() => writeMessage({ id, result: text("42 pages") }), 1200),
	lookup: (id) => writeMessage({ id: Number(id) + 1000, result: text("found") }),
	save: (id) => writeMessage({ id, result: { ...text("The disk is full."), isError: true } }),
	forecast: (id) => writeMessage({ id, result: { ...text("warm"), structuredContent: { degrees: "warm" } } }),
	watch(id) {
		for (let count = 0; count < flood; count++)
			writeMessage({ method: "notifications/resources/updated", params: { uri: "planted://stocks" } });
		writeMessage({ id, result: text("watching") });
	},
	order(id) {
		ordering = id;
		const requestedSchema = { type: "object", properties: { size: { type: "string" } } };
		writeMessage({
			id: "form",
			method: "elicitation/create",
			params: { message: "Which?", requestedSchema },
		});
	},
	search: (id) => void (searching = id),
};

const degrees = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] };
const tools = Object.keys(calls).map((name) =>
	name === "forecast" ? { name, inputSchema: { type: "object" }, outputSchema: degrees } : tool(name),
);

onLines(process.stdin, (line) => {
	const message = JSON.parse(line) as Json;
	if (!isJsonObject(message)) return;
	const { id, method, params } = message;
	const given = isJsonObject(params) ? params : {};
	if (method === "notifications/cancelled" && searching !== undefined && given["requestId"] === searching)
		writeMessage({ id: searching, result: text("found") });
	if (id === undefined) return;
	if (typeof method !== "string") {
		if (id === "form" && ordering !== undefined) writeMessage({ id: ordering, result: text("ordered") });
		return;
	}
	const { name } = given;
	if (method === "tools/call" && typeof name === "string") calls[name]?.(id);
	else if (method === "tools/list") writeMessage({ id, result: { tools } });
	else if (method === "initialize") {
		const { protocolVersion } = given;
		const serverInfo = { name: "planted", version: "1.0.0" };
		writeMessage({
			id,
			result: { protocolVersion: protocolVersion ?? "2025-11-25", capabilities: { tools: {} }, serverInfo },
		});
	} else {
		const reply = legacyMethods[method]?.(given) ?? { error: { code: -32_601, message: "Method not found" } };
		if (reply !== "silence") writeMessage({ id, ...reply });
	}
});
