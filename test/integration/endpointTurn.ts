import { runTurn, type TurnRecord } from "../../src/surfaces/chat/turn.ts";
import { TurnClock } from "../../src/surfaces/chat/turnClock.ts";
import type { TurnEvent } from "../../src/surfaces/chat/turnEvents.ts";
import { ApiKeys } from "../../src/models/apiKeys.ts";
import { createEndpointModel } from "../../src/models/directory.ts";
import type { ChatModel, ModelMessage } from "../../src/models/model.ts";
import { parseEndpoints } from "../../src/models/parseEndpoints.ts";
import { KeptResults, readingLimits, ResultReading } from "../../src/features/tools/results/resultReading.ts";
import type { ToolBox } from "../../src/features/agentTools/toolBox.ts";
import { startScriptedModel, type ScriptedStep } from "../servers/scriptedModel.ts";
import { boxOf, wideLimits } from "../unit/surfaces/chat/scripted.ts";
import type { User } from "../unit/features/tools/toolSession.ts";
import type { TestHost } from "./testHost.ts";

/** Our model over HTTP and its scripted endpoint. */
export interface EndpointModel extends AsyncDisposable {
	readonly model: ChatModel;
	/** Queues answers. */
	readonly say: (...steps: ScriptedStep[]) => void;
	/** The bodies of the requests so far, as texts. */
	readonly requests: () => readonly string[];
	/** Resolves once the n-th request, counted from 0, has come. */
	readonly asked: (index: number) => Promise<unknown>;
}

/** Starts an endpoint and makes a model of it. */
export async function openEndpoint(): Promise<EndpointModel> {
	const server = await startScriptedModel();
	const [endpoint] = parseEndpoints([{ name: "Scripted", baseURL: server.url }]).endpoints;
	if (endpoint === undefined) throw new Error("The endpoint is not valid.");
	const keys = new ApiKeys({
		get: async () => undefined,
		store: async () => undefined,
		delete: async () => undefined,
		keys: async () => [],
	});
	return {
		model: createEndpointModel(endpoint, { name: "scripted-model" }, keys),
		say: server.next,
		requests: () => server.requests.map(({ body }) => JSON.stringify(body)),
		asked: server.request,
		[Symbol.asyncDispose]: () => server.close(),
	};
}

/** A turn with any model, for a user who sees every event. */
export async function playWith(
	{ host }: TestHost,
	model: ChatModel,
	user: User,
	box: ToolBox = boxOf(host.registry),
	history: readonly ModelMessage[] = [],
): Promise<{ readonly events: readonly TurnEvent[]; readonly record: TurnRecord }> {
	using clock = new TurnClock(60_000);
	const { approvals, policy, pins } = user;
	const turn = runTurn({
		model,
		history,
		messages: [{ role: "user", content: [{ type: "text", text: "Go" }] }],
		box,
		approvals,
		policy,
		pins,
		reading: new ResultReading(new KeptResults(), readingLimits(model.info)),
		limits: wideLimits,
		clock,
		signal: new AbortController().signal,
	});
	const events: TurnEvent[] = [];
	for (;;) {
		const next = await turn.next();
		if (next.done === true) return { events, record: next.value };
		events.push(next.value);
		if (next.value.type === "call") user.see(next.value.event);
	}
}
