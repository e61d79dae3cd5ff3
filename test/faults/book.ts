import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { textResult, tool, type Reply } from "../servers/lineServer.ts";

/** The place where a fault server's tools record their effects. */
export interface Effects {
	/** The tool `count` was carried out; `nonce` identifies the call. */
	counted(nonce: string): void;
	/** The tool `arm` was called: the fault strikes as soon as it is answered. */
	armed(): void;
}

/** The revision that fault servers speak by default. */
export const latestLegacy = "2025-11-25";
export const modern = "2026-07-28";

const capabilities: JsonObject = {
	tools: { listChanged: true },
	prompts: { listChanged: true },
	resources: { subscribe: true, listChanged: true },
	completions: {},
	logging: {},
};

/** The same for a server that sends nothing on its own. */
const quietCapabilities: JsonObject = { tools: {}, prompts: {}, resources: {}, completions: {} };

/** The correct answer of a server to a request; the tools take effect. Revision 2026-07-28 needs its marks on results. */
export function bookReply(method: string, params: JsonObject, revision: string, effects: Effects): Reply {
	const reply = legacyReply(method, params, revision, effects);
	if (revision !== modern || typeof reply === "string" || !("result" in reply)) return reply;
	const cached = method.endsWith("/list") || method === "resources/read" || method === "server/discover";
	return {
		result: { resultType: "complete", ...(cached ? { ttlMs: 0, cacheScope: "private" } : {}), ...reply.result },
	};
}

function legacyReply(method: string, params: JsonObject, revision: string, effects: Effects): Reply {
	switch (method) {
		case "initialize":
			if (revision === modern) return unknownMethod;
			return {
				result: { protocolVersion: revision, capabilities, serverInfo: { name: "fault server", version: "1.0.0" } },
			};
		case "server/discover":
			if (revision !== modern) return unknownMethod;
			return { result: { supportedVersions: [modern], capabilities: quietCapabilities } };
		case "ping":
		case "logging/setLevel":
		case "resources/subscribe":
		case "resources/unsubscribe":
			return { result: {} };
		case "tools/list":
			return { result: { tools: [tool("count"), tool("echo"), tool("arm")] } };
		case "prompts/list":
			return { result: { prompts: [{ name: "greet" }] } };
		case "prompts/get":
			return { result: { messages: [{ role: "user", content: { type: "text", text: "Say hello." } }] } };
		case "resources/list":
			return { result: { resources: [{ uri: faultUri, name: "one" }] } };
		case "resources/templates/list":
			return { result: { resourceTemplates: [{ uriTemplate: "fault://{id}", name: "any" }] } };
		case "resources/read":
			return { result: { contents: [{ uri: faultUri, mimeType: "text/plain", text: "one" }] } };
		case "completion/complete":
			return { result: { completion: { values: ["Ann"] } } };
		case "tools/call":
			return callTool(params, effects);
		default:
			return unknownMethod;
	}
}

/** The resource of every fault server. */
export const faultUri = "fault://one";

const unknownMethod: Reply = { error: { code: -32601, message: "Method not found" } };

function callTool({ name, arguments: args }: JsonObject, effects: Effects): Reply {
	const text = isJsonObject(args) && typeof args["text"] === "string" ? args["text"] : "";
	if (name === "count") effects.counted(text);
	if (name === "arm") effects.armed();
	return textResult(text);
}
