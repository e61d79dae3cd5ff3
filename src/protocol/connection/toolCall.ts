import type { CallToolRequestParams, CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import { jsonObjectOf } from "../../base/guards.ts";
import type { RequestControl, ServerFacts } from "../connection.ts";
import type { TaskReference } from "../followedTask.ts";
import { ofCall } from "../wireTap.ts";
import { toolResultSchema } from "./answerSchemas.ts";
import { asSent, createdTaskIn, held } from "./heldAnswers.ts";
import { requestOptions, type RequestNature } from "./requests.ts";
import { callAsTask, followAgain as followAgainOf2025, runsAsTask } from "./taskCall.ts";
import { type AnswerInput, followAgain, followTask } from "./taskExtension.ts";
import type { TaskContext } from "./taskPolling.ts";
import { mayHaveHeaders } from "./toolHeaders.ts";

/** The facts about a call before it is sent. */
export function natureOf(tool: Tool | undefined): RequestNature {
	return { mayHaveEffect: true, isRepeatable: claimsNoHarm(tool) };
}

/**
 * Calls a tool, and returns its result: that of the call, or that of the task that the call is (2025-11-25, "Tasks") or that the
 * server created in answer to it (extension "Tasks").
 * @throws HostError as `Connection.callTool`.
 */
export async function callTool(
	context: TaskContext & { readonly answer: AnswerInput },
	params: CallToolRequestParams & { readonly arguments: NonNullable<CallToolRequestParams["arguments"]> },
	tool: Tool | undefined,
	facts: ServerFacts,
): Promise<CallToolResult> {
	const { requests, control, nature, answer } = context;
	if (await runsAsTask(tool, facts, context.handlers))
		return callAsTask(context, params.name, jsonObjectOf(params.arguments));
	const result = await requests.run(control, (client) => send(client, params, tool, facts, control), nature);
	const task = createdTaskIn(result);
	if (task === undefined) return result;
	return followTask(context, task, answer, { tool: params.name, arguments: jsonObjectOf(params.arguments) });
}

/** Follows a task of an earlier connection, in the messages in which it was created. Rejects as `callTool` does. */
export function followEarlier(
	context: TaskContext & { readonly answer: AnswerInput },
	task: TaskReference,
): Promise<CallToolResult> {
	return task.kind === "extension" ? followAgain(context, task, context.answer) : followAgainOf2025(context, task);
}

function send(
	client: Client,
	params: CallToolRequestParams,
	tool: Tool | undefined,
	{ era, transport }: ServerFacts,
	control: RequestControl,
): Promise<CallToolResult> {
	const options = requestOptions(control);
	// The SDK's own method is needed for headers only: it checks the result as a whole, and by its tool's output schema,
	// and returns nothing for a result that does not fit. The host shows it with its problems (results/outputSchema.ts).
	return tool === undefined ||
		era === "legacy" ||
		transport !== "http" ||
		!mayHaveHeaders(jsonObjectOf(tool.inputSchema))
		? client.request(
				{ method: "tools/call", params: held(params, control) },
				asSent(toolResultSchema["~standard"].validate),
				options,
			)
		: client.callTool(ofCall(params, control.call), {
				...options,
				toolDefinition: { ...tool, outputSchema: undefined },
			});
}

/** Whether a tool claims that a call which runs twice does no more than one that runs once. */
function claimsNoHarm(tool: Tool | undefined): boolean {
	return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
}
