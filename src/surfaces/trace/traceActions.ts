import { openTracedApp } from "../../features/apps/tracedCall.ts";
import { HostError } from "../../base/errors.ts";
import type { ActivityGroup } from "../../records/activity/journal/activityProtocol.ts";
import { type JsonObject, isJsonObject, type Json } from "../../base/json.ts";
import { appUriOf, type ToolMeta } from "../../protocol/toolPage.ts";
import type { SchemaVerdict } from "../../base/schema/schema.ts";
import type { Exchange, ExchangeBodies, TraceReader } from "../../records/trace/exchange.ts";
import { argumentsIn, holdsMarks } from "./copies.ts";
import type { MessagePlace } from "./messages.ts";
import type { TraceAction } from "./viewProtocol.ts";

/** A command of the extension with its argument. */
export interface CommandCall {
	readonly command: string;
	readonly argument: JsonObject;
	/** A note for the user before they continue, in our sentence; empty for none. */
	readonly note: string;
}

/**
 * The actions on an exchange besides viewing it: each opens another part of the extension, with that part's questions.
 * `tool` is the current definition of the called one, if it is known.
 */
export function actionsOf({ exchange, child }: MessagePlace, tool?: ToolMeta): readonly TraceAction[] {
	const within = child === undefined ? undefined : exchange.children[child];
	const isAsking = exchange.outcome.kind === "waiting" && exchange.outcome.on === "user";
	const asking = isAsking && within?.ms === undefined ? [{ id: "pending", label: "Review Pending…" }] : [];
	if (within !== undefined) return within.kind === "serverRequest" ? [...asking, ...activityOf(within.label)] : [];
	const { method, direction, kind, outcome } = exchange;
	const isOurs = direction === "out" && kind === "request";
	const hasApp =
		isOurs && method === "tools/call" && outcome.kind === "ok" && tool !== undefined && appUriOf(tool) !== undefined;
	const isWrong = outcome.kind !== "ok" && outcome.kind !== "waiting";
	return [
		...asking,
		...(isOurs && Object.hasOwn(repeats, method) ? [{ id: "again", label: repeats[method]?.label ?? "" }] : []),
		...(isOurs && Object.hasOwn(rows, method) ? [{ id: "row", label: rows[method]?.label ?? "" }] : []),
		...(hasApp ? [{ id: "app", label: "Open App" }] : []),
		...activityOf(method),
		{ id: "log", label: "Show Log" },
		{ id: "definition", label: "Go to Definition" },
		...(isWrong && method === "initialize" ? [{ id: "doctor", label: "Check Server" }] : []),
	];
}

/** The methods with a decision, and the group of the activity that contains it. */
const groups: Readonly<Record<string, ActivityGroup>> = {
	"tools/call": "call",
	"resources/read": "call",
	"sampling/createMessage": "sampling",
	"elicitation/create": "question",
};

function activityOf(method: string): readonly TraceAction[] {
	return Object.hasOwn(groups, method) ? [{ id: `activity:${groups[method]}`, label: "Show in Activity" }] : [];
}

/** The methods that a user can repeat, each by the command that asks for it as always. */
const repeats: Readonly<Record<string, { readonly label: string; readonly command: string; readonly of: string }>> = {
	"tools/call": { label: "Run Again…", command: "mcpHost.runTool", of: "tool" },
	"prompts/get": { label: "Run Again…", command: "mcpHost.runPrompt", of: "prompt" },
	"resources/read": { label: "Open Resource", command: "mcpHost.openResource", of: "uri" },
};

/** The rows of the Servers view for methods, by the group that contains them. */
const rows: Readonly<Record<string, { readonly label: string; readonly group: string }>> = {
	"tools/call": { label: "Show Tool", group: "tools" },
	"prompts/get": { label: "Show Prompt", group: "prompts" },
	"resources/read": { label: "Show Resource", group: "resources" },
};

/** Where the other actions lead. */
const commands: Readonly<Record<string, string>> = {
	log: "mcpHost.showLog",
	definition: "mcpHost.goToDefinition",
	doctor: "mcpHost.whyNotStart",
};

/** Chooses a row of the Servers view. */
const showItem = "_mcpHost.showItem";

/**
 * The command of an action, as `actionsOf` gives it.
 * @throws HostError `invalid` for one that the exchange does not have.
 */
export function commandOf(
	action: string,
	exchange: Exchange,
	bodies: ExchangeBodies | undefined,
	trace: Pick<TraceReader, "nameOf">,
): CommandCall {
	const server = exchange.server;
	const [verb, group = ""] = action.split(":");
	if (verb === "activity")
		return { command: "mcpHost.showActivity", argument: { exchange: trace.nameOf(exchange.id), group }, note: "" };
	if (verb === "pending")
		return { command: "mcpHost.showPending", argument: { exchange: trace.nameOf(exchange.id) }, note: "" };
	if (verb === "app") return { command: openTracedApp, argument: tracedCall(exchange, bodies, trace), note: "" };
	const row = Object.hasOwn(rows, exchange.method) ? rows[exchange.method] : undefined;
	if (verb === "row" && row !== undefined && exchange.direction === "out")
		return { command: showItem, argument: { server, group: row.group, key: exchange.target ?? "" }, note: "" };
	const command = Object.hasOwn(commands, action) ? commands[action] : undefined;
	if (command !== undefined) return { command, argument: { server }, note: "" };
	const repeat = Object.hasOwn(repeats, exchange.method) ? repeats[exchange.method] : undefined;
	if (action !== "again" || repeat === undefined || exchange.direction === "in") {
		throw new HostError("invalid", "The trace does not support this action for this exchange.");
	}
	const args = bodies?.request?.kind === "whole" ? argumentsIn(bodies.request.value) : undefined;
	const note =
		args === undefined
			? "Its arguments were not recorded, so the form is empty."
			: holdsMarks(args)
				? "Secrets are not recorded. Replace the parts marked ⟦…⟧ before you continue."
				: "";
	return {
		command: repeat.command,
		argument: {
			server,
			[repeat.of]: exchange.target ?? "",
			...(args === undefined || repeat.of === "uri" ? {} : { arguments: args }),
		},
		note: repeat.of === "uri" ? "" : note,
	};
}

/** The arguments and the result of a call, for its app. */
function tracedCall(
	{ server, target, id }: Exchange,
	bodies: ExchangeBodies | undefined,
	trace: Pick<TraceReader, "nameOf">,
): JsonObject {
	const { request, response } = bodies ?? {};
	const answer = response?.kind === "whole" && isJsonObject(response.value) ? response.value["result"] : undefined;
	if (request?.kind !== "whole" || !isJsonObject(answer))
		throw new HostError("invalid", "The messages of this call were not recorded, so its app cannot be shown.");
	const sent = argumentsIn(request.value) ?? {};
	return { server, tool: target ?? "", arguments: sent, result: answer, exchange: trace.nameOf(id) };
}

/** The schemas of a tool. */
export interface ToolSchemas {
	readonly inputSchema: JsonObject;
	readonly outputSchema: JsonObject | undefined;
}

/** The deviations of a call from the current schemas of its tool, in our sentences. */
export async function misfitsOf(
	bodies: ExchangeBodies | undefined,
	schemas: ToolSchemas,
	apply: (schema: JsonObject, value: Json) => Promise<SchemaVerdict>,
): Promise<readonly string[]> {
	const { request, response } = bodies ?? {};
	const found: string[] = [];
	const check = async (what: string, schema: JsonObject | undefined, value: Json | undefined): Promise<void> => {
		if (schema === undefined || value === undefined) return;
		const verdict = await apply(schema, value);
		if (verdict.kind === "unusable") found.push(`The ${what} could not be checked: the schema ${verdict.why}.`);
		else for (const { path, message } of verdict.problems) found.push(misfit(what, path, message));
	};
	if (request?.kind === "whole") await check("input schema", schemas.inputSchema, argumentsIn(request.value) ?? {});
	const result = response?.kind === "whole" && isJsonObject(response.value) ? response.value["result"] : undefined;
	if (isJsonObject(result) && result["isError"] !== true) {
		await check("output schema", schemas.outputSchema, result["structuredContent"]);
		if (schemas.outputSchema !== undefined && result["structuredContent"] === undefined) {
			found.push("The tool has an output schema, but its result has no structured content.");
		}
	}
	return found;
}

function misfit(what: string, path: readonly (string | number)[], message: string): string {
	return `Does not match the ${what}${path.length === 0 ? "" : ` at /${path.join("/")}`}: ${message}`;
}
