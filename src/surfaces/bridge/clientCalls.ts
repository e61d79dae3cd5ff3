import type { JsonObject } from "../../base/json.ts";
import { stringOf } from "../../base/guards.ts";
import type { Progress } from "../../base/progress.ts";
import { repairedCall } from "../../features/tools/call.ts";
import type { Deciding } from "../../features/tools/deciding.ts";
import { asTold, resultForModel } from "../../features/tools/outcome.ts";
import type { ForeignCaller } from "../../features/tools/approval.ts";
import type { ModelPart } from "../../models/model.ts";
import type { TracedCall } from "../../protocol/wireTap.ts";
import { AgentCalls, type AgentCallServices } from "../guest/agentCalls.ts";
import type { AskingAgent } from "../guest/guestQuestions.ts";
import { readArguments } from "../guest/guestTools.ts";
import type { ClientConsents } from "./consents.ts";
import type { ClaimedClient } from "./link.ts";
import type { OfferedTools } from "./offer.ts";
import { clientWords, nameOf, type Peer, programKey, programOf } from "./program.ts";

/** The dependencies of answering clients. */
export interface ClientCallServices extends AgentCallServices, Pick<Required<Deciding>, "refreshRules"> {
	readonly offer: Pick<OfferedTools, "find" | "tools">;
	readonly consents: Pick<ClientConsents, "of" | "request">;
	/** Asks about the calls of an agent. */
	readonly callerOf: (agent: AskingAgent) => ForeignCaller;
	readonly home: string;
}

/** A request of a client, from when it arrived. */
export interface ClientRequest {
	readonly peer: Peer;
	readonly client: ClaimedClient;
	readonly signal: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
}

/** How many calls of one program may be open in all of its processes: it takes no other's place (GST-10). */
const mostOpen = 16;
/** How many programs' calls are remembered. */
const mostPrograms = 100;

const waits =
	"The user has not allowed this program to use their MCP servers yet. MCP Host asks them in VS Code. Ask the user to answer there, then try again.";
const denied =
	"The user does not allow this program to use their MCP servers. They can change that with Show What May Run in VS Code.";

/** Answers the requests of clients, of which each call goes the way of every call (GST-07). */
export class ClientCalls {
	private readonly services: ClientCallServices;
	private readonly programs = new Map<string, { readonly calls: AgentCalls; open: number }>();

	constructor(services: ClientCallServices) {
		this.services = services;
	}

	/** The tools for a client; none before the user allowed it, and `note` says why. */
	list({ peer, client }: Omit<ClientRequest, "signal">): JsonObject {
		const why = this.whyRefused(peer, client);
		return why === undefined ? { tools: this.services.offer.tools } : { tools: [], note: why };
	}

	/** Makes a call; every ending is a result of the protocol. Never rejects. */
	async call(params: JsonObject, request: ClientRequest): Promise<JsonObject> {
		const { peer, client, signal } = request;
		const why = this.whyRefused(peer, client);
		if (why !== undefined) return refusal(why);
		const program = this.programOf(programKey(programOf(peer, client)));
		if (program.open >= mostOpen)
			return refusal(`${mostOpen} calls of this program are open already. Wait for their results.`);
		program.open++;
		try {
			const args = readArguments(params["arguments"]);
			if (args === undefined) return refusal("The arguments are not a JSON object.");
			const found = await this.services.offer.find(stringOf(params["name"]), signal);
			if ("problem" in found) return refusal(found.problem);
			await this.services.refreshRules();
			// The user may have revoked it meanwhile.
			const late = this.whyRefused(peer, client);
			if (late !== undefined) return refusal(late);
			const call = await repairedCall({ entry: found.entry, arguments: args });
			let traced: TracedCall | undefined;
			const outcome = await program.calls.run(call, {
				...request,
				caller: this.services.callerOf(this.agentOf(peer, client)),
				onFollowed: (followed) => void (traced = followed),
			});
			const part = resultForModel("", outcome);
			traced?.told(() => asTold(part));
			const content = part.type === "tool-result" ? part.content : [part];
			const isError = outcome.kind !== "done" || outcome.result.isError;
			return { content: content.flatMap(blockOf), isError };
		} finally {
			program.open--;
		}
	}

	/** Why nothing is done for a client, in a sentence for its model; undefined when the user allowed it. */
	private whyRefused(peer: Peer, client: ClaimedClient): string | undefined {
		const { consents } = this.services;
		const program = programOf(peer, client);
		const isAllowed = consents.of(program);
		if (isAllowed === undefined) void consents.request(program);
		return isAllowed === true ? undefined : isAllowed === false ? denied : waits;
	}

	private agentOf(peer: Peer, client: ClaimedClient): AskingAgent {
		const words = clientWords(client, peer, this.services.home);
		return { name: `The program “${nameOf(client)}”`, during: `a call of ${words}`, client: words };
	}

	private programOf(key: string): { readonly calls: AgentCalls; open: number } {
		const program = this.programs.get(key) ?? { calls: new AgentCalls(this.services), open: 0 };
		this.programs.set(key, program);
		for (const [other, { open }] of this.programs) {
			if (this.programs.size <= mostPrograms) break;
			if (open === 0 && other !== key) this.programs.delete(other);
		}
		return program;
	}
}

function refusal(text: string): JsonObject {
	return { content: [{ type: "text", text }], isError: true };
}

/** A part for a model as a block of the protocol. */
function blockOf(part: ModelPart): readonly JsonObject[] {
	return part.type === "text" || part.type === "image" || part.type === "audio" ? [{ ...part }] : [];
}
