import { HostError } from "../../base/errors.ts";
import { exactJson } from "../../base/exactJson.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ServerFacts } from "../../protocol/connection.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { contentOf } from "../../features/tools/results/result.ts";
import type { RawToolResult } from "../../permissions/catalog/catalog.ts";
import { type ResultDocument, resultDocument } from "../../features/tools/results/resultDocument.ts";
import type { RunText } from "./runProtocol.ts";
import type { ToolRun } from "./toolRun.ts";
import { jsonObjectOf, jsonOf } from "../../base/guards.ts";

/**
 * The whole of what the panel may show only the beginning of, as JSON in which every character can be seen.
 * @throws HostError `invalid` for a run that has none.
 */
export function textOf(run: ToolRun, text: RunText): string {
	if (text === "request") return exactJson(requestOf(run));
	const raw = rawOf(run);
	const value = text === "result" ? raw : raw.structuredContent;
	if (value === undefined) throw new HostError("invalid", "The result has no structured content.");
	return exactJson(jsonOf(value));
}

/** The parts of a run that are shown as a document; `whole` is the result for reading rather than as it was sent. */
export type RunDocument = RunText | "whole";

/**
 * A document of a run, with a tab name that distinguishes it from the others of the run.
 * @throws HostError `invalid` for a run that has none.
 */
export function documentOf(run: ToolRun, part: RunDocument): ResultDocument & { readonly title: string } {
	if (part === "whole") return { ...resultDocument(rawOf(run)), title: "result" };
	return { text: textOf(run, part), extension: "json", title: part };
}

/**
 * The text for `Copy Result`: the texts of a result that consists of texts, exactly as received; otherwise all of it as
 * JSON.
 */
export function copiedResult(run: ToolRun): string {
	const raw = rawOf(run);
	const blocks = contentOf(raw);
	const texts = blocks.flatMap(({ block }) => (block.type === "text" ? [block.text] : []));
	const isText = texts.length > 0 && texts.length === blocks.length;
	return isText ? texts.join("\n") : exactJson(jsonObjectOf(raw));
}

/**
 * The result of a run, as the server sent it.
 * @throws HostError `invalid` for a run without a result.
 */
export function rawOf({ outcome }: ToolRun): RawToolResult {
	if (outcome?.kind === "done") return outcome.result.raw;
	throw new HostError("invalid", "This run has no result.");
}

/** How a copied call introduces itself: it is not this host that makes it. */
const client = { name: "shell", version: "1.0.0" };

/** The revision of a legacy call where the server's is not known. */
const latestLegacy = "2025-11-25";

/**
 * The method and parameters of a run, as they are passed to the connection. The name of an entry for another request is
 * its method.
 */
export function requestOf({ entry, arguments: args }: Pick<ToolRun, "entry" | "arguments">): {
	readonly method: string;
	readonly params: JsonObject;
} {
	if (entry.perform !== undefined) return { method: entry.tool.name, params: args };
	return { method: "tools/call", params: { name: entry.tool.name, arguments: args } };
}

/** The facts about a running server; undefined for one that does not run. */
export function factsOf({ state }: Session): ServerFacts | undefined {
	return state.kind === "running" ? state.facts : undefined;
}

/**
 * The messages that make the same call of the server from the beginning: in revision 2026-07-28 the request is sufficient;
 * earlier the handshake precedes it (specification 2025-11-25, "Lifecycle").
 */
export function messagesOf(run: ToolRun): readonly JsonObject[] {
	const facts = factsOf(run.entry.session);
	const { method, params } = requestOf(run);
	if (facts?.era === "modern") {
		const meta: JsonObject = {
			"io.modelcontextprotocol/protocolVersion": facts.protocolVersion,
			"io.modelcontextprotocol/clientInfo": client,
			"io.modelcontextprotocol/clientCapabilities": {},
		};
		return [request(1, method, { ...params, _meta: meta })];
	}
	const handshake = { protocolVersion: facts?.protocolVersion ?? latestLegacy, capabilities: {}, clientInfo: client };
	return [
		request(1, "initialize", handshake),
		{ jsonrpc: "2.0", method: "notifications/initialized" },
		request(2, method, params),
	];
}

/** The one message of a run that calls the tool. */
export function callMessageOf(run: ToolRun): JsonObject {
	return messagesOf(run).at(-1) ?? {};
}

function request(id: number, method: string, params: Json): JsonObject {
	return { jsonrpc: "2.0", id, method, params };
}
