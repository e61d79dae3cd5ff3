import {
	Client,
	ProtocolError,
	SUPPORTED_PROTOCOL_VERSIONS,
	type ClientContext,
	type ElicitRequestParams,
	type StandardSchemaV1,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { withWords } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import { wordsIn } from "../http/refusalWords.ts";
import { plainWords } from "../messages/plainWords.ts";
import type { ConnectionHandlers, ConnectRequest, EraVerdict } from "../connection.ts";
import { relatedTaskOf } from "./taskCall.ts";
import { tasksExtension } from "../tasks.ts";
import type { AnswerInput } from "./taskExtension.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** Rounds of `input_required` that one request may take (TRN-55). */
const maxRounds = 25;
/** JSON-RPC's "Invalid Request", and its "Internal error". */
const invalidRequest = -32600;
const internalError = -32603;

/** How a client finds out which era its server speaks. */
export interface Negotiation {
	readonly era: "probe" | EraVerdict;
	readonly probeTimeoutMs: number;
	/** The revision that `initialize` asks for; the newest by default. */
	readonly revision?: string | undefined;
}

/** A client of the SDK that answers what the server asks by the host's handlers. */
export function makeClient(
	{ client: info, extensions, canSample = true, handlers }: ConnectRequest,
	{ era, probeTimeoutMs, revision }: Negotiation,
): Client {
	const client = new HostClient(info, {
		capabilities: {
			roots: { listChanged: true },
			...(canSample ? { sampling: { tools: {}, context: {} } } : {}),
			// Without the SDK's `applyDefaults`, which would put back what a user has cleared.
			elicitation: { form: {}, url: {} },
			extensions: { ...extensions, ...tasksExtension },
		},
		enforceStrictCapabilities: true,
		versionNegotiation: { mode: negotiationMode(era), probe: { timeoutMs: probeTimeoutMs } },
		inputRequired: { maxRounds },
		// The first is asked for, and whichever of them the server answers with is taken.
		...(revision === undefined
			? {}
			: { supportedProtocolVersions: [revision, ...SUPPORTED_PROTOCOL_VERSIONS.filter((one) => one !== revision)] }),
	});
	client.onerror = (error) => handlers.onTrouble(withWords(oneLine(plainWords(messageOf(error)), 500), wordsIn(error)));
	const answer = <T extends object>(run: () => T | Promise<T>, meta?: JsonObject): Promise<T> => {
		// Before it has answered the handshake a server may only ping (specification, "Lifecycle"; TRN-14).
		if (client.getServerCapabilities() === undefined) {
			return Promise.reject(new ProtocolError(invalidRequest, "The connection is not initialized yet."));
		}
		return refusable(handlers, async () => withRelatedTask(await run(), meta));
	};
	client.setRequestHandler("roots/list", () => answer(() => ({ roots: [...handlers.listRoots()] })));
	if (canSample) {
		client.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }: ClientContext) =>
			answer(() => handlers.createMessage(params, mcpReq.signal, mcpReq.id), jsonObjectOf(params._meta)),
		);
	}
	client.setRequestHandler("elicitation/create", { params: asSent }, (params, { mcpReq }: ClientContext) =>
		answer(() => handlers.elicit(params, mcpReq.signal, mcpReq.id), jsonObjectOf(params._meta)),
	);
	client.setNotificationHandler("notifications/tools/list_changed", () => handlers.onListChanged("tools"));
	client.setNotificationHandler("notifications/prompts/list_changed", () => handlers.onListChanged("prompts"));
	client.setNotificationHandler("notifications/resources/list_changed", () => handlers.onListChanged("resources"));
	client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
		handlers.onResourceUpdated(params.uri),
	);
	client.setNotificationHandler("notifications/message", ({ params }) =>
		handlers.onLog(params.level, params.logger, params.data),
	);
	return client;
}

/** A client that leaves the reading of forms to the host: the SDK's schema refuses fields for their spelling. */
class HostClient extends Client {
	protected override _wrapHandler(
		...[method, handler]: Parameters<Client["_wrapHandler"]>
	): ReturnType<Client["_wrapHandler"]> {
		return method === "elicitation/create" ? handler : super._wrapHandler(method, handler);
	}

	async answerInput(...[key, request, signal]: Parameters<AnswerInput>): ReturnType<AnswerInput> {
		const method = isJsonObject(request) ? request["method"] : undefined;
		const handler = typeof method === "string" && inputs.has(method) ? this._getRequestHandler(method) : undefined;
		if (!isJsonObject(request) || typeof method !== "string" || handler === undefined) {
			const what = typeof method === "string" ? `“${oneLine(method, 80)}”` : "something without a method";
			throw new ProtocolError(invalidRequest, `The task asks for ${what}, which MCP Host does not offer in a task.`);
		}
		const params = jsonObjectOf(request["params"]);
		const unavailable = (): Promise<never> => Promise.reject(new TypeError("A request in a task has no channel."));
		const mcpReq = { id: key, method, signal, send: unavailable, notify: unavailable, requestState: () => undefined };
		return handler({ jsonrpc: "2.0", id: key, method, params }, this.buildContext({ mcpReq }));
	}
}

/** What a server may ask for in a task. */
const inputs: ReadonlySet<string> = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

/**
 * Answers a request that a server put into a task as the same request by itself is answered: by the same handler, after the
 * same checks (extension "Tasks", "Task Update Requests").
 * @throws ProtocolError for what is no such request, and when the user refuses.
 */
export async function answerInput(
	client: Client,
	...[key, request, signal]: Parameters<AnswerInput>
): ReturnType<AnswerInput> {
	if (!(client instanceof HostClient)) throw new TypeError("This client was not made by makeClient.");
	return client.answerInput(key, request, signal);
}

/** The params of a form or page as the server sent them; `ElicitationService` reads them. */
const asSent: StandardSchemaV1<unknown, ElicitRequestParams> = {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the SDK has checked, which it gives as unknown
	"~standard": { version: 1, vendor: "mcp-host", validate: (value) => ({ value: value as ElicitRequestParams }) },
};

function negotiationMode(era: Negotiation["era"]): "auto" | "legacy" | { pin: string } {
	if (era === "probe") return "auto";
	return era.kind === "legacy" ? "legacy" : { pin: era.version };
}

/** What was asked on behalf of a task is answered as part of it (revision 2025-11-25, "Tasks"). */
function withRelatedTask<T extends object>(result: T, meta: JsonObject | undefined): T {
	const related = relatedTaskOf(meta);
	if (related === undefined) return result;
	const own = "_meta" in result ? jsonObjectOf(result._meta) : {};
	return { ...result, _meta: { ...own, ...related } };
}

/**
 * Turns a refusal of the host into the JSON-RPC error that the specification names for it. Any other error stays here:
 * its message may hold what is none of the server's business.
 */
async function refusable<T>(handlers: ConnectionHandlers, run: () => Promise<T>): Promise<T> {
	try {
		return await run();
	} catch (error) {
		if (error instanceof ProtocolError) throw error;
		const code: unknown = error instanceof Error && "rpcCode" in error ? error.rpcCode : undefined;
		if (typeof code === "number") throw new ProtocolError(code, messageOf(error));
		handlers.onTrouble(`A request from the server was not answered: ${oneLine(messageOf(error), 500)}`);
		throw new ProtocolError(internalError, "The host could not handle this request.");
	}
}
