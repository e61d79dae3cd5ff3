import type { CallToolRequestParams, CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import { jsonObjectOf } from "../../base/guards.ts";
import type { RequestControl, ServerFacts } from "../connection.ts";
import { ofCall } from "../wireTap.ts";
import { toolResultSchema } from "./answerSchemas.ts";
import { asSent, createdTaskIn, held } from "./heldAnswers.ts";
import { requestOptions, type RequestNature } from "./requests.ts";
import { callAsTask, runsAsTask } from "./taskCall.ts";
import { followTask, type AnswerInput } from "./taskExtension.ts";
import type { TaskContext } from "./taskPolling.ts";
import { mayHaveHeaders } from "./toolHeaders.ts";

/** What is known of a call before it is sent. */
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
	if (runsAsTask(tool, facts)) return callAsTask(context, params.name, jsonObjectOf(params.arguments));
	const result = await requests.run(control, (client) => send(client, params, tool, facts, control), nature);
	const task = createdTaskIn(result);
	return task === undefined ? result : followTask(context, task, answer);
}

function send(
	client: Client,
	params: CallToolRequestParams,
	tool: Tool | undefined,
	{ era, transport }: ServerFacts,
	control: RequestControl,
): Promise<CallToolResult> {
	const options = requestOptions(control);
	// The SDK's own verb is needed for headers only: it checks the result as a whole, and by its tool's output schema, and
	// gives nothing of one that does not fit. The host shows what came, and what is wrong with it (results/outputSchema.ts).
	return tool === undefined ||
		era === "legacy" ||
		transport !== "http" ||
		!mayHaveHeaders(jsonObjectOf(tool.inputSchema))
		? client.request({ method: "tools/call", params: held(params, control) }, asSent(toolResultSchema), options)
		: client.callTool(ofCall(params, control.call), {
				...options,
				toolDefinition: { ...tool, outputSchema: undefined },
			});
}

/** Whether a tool claims that a call which runs twice does no more than one that runs once. */
function claimsNoHarm(tool: Tool | undefined): boolean {
	return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
}
