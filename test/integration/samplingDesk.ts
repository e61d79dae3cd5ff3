import type { CreateMessageResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../src/base/json.ts";
import { Decision } from "../../src/questions/decisions/decision.ts";
import { DecisionQueue, lapseWithRequest } from "../../src/questions/decisions/queue.ts";
import { rejectedByUser, RequestRefusal } from "../../src/base/refusal.ts";
import { Repetition } from "../../src/questions/decisions/repetition.ts";
import { SamplingGuard, type GuardEnd } from "../../src/features/sampling/guard.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import type { UserRequests } from "../../src/servers/sessions/session.ts";
import { samplingConfig } from "./samplingReach.ts";
import { TestHost } from "./testHost.ts";

type Answer = "return" | "reject";

/**
 * The place where sampling requests of real servers reach a user: answers them as the service does, with nothing
 * between the queue and the user.
 */
export class Desk implements AsyncDisposable {
	readonly test = new TestHost();
	readonly repetition = new Repetition();
	readonly queue = new DecisionQueue(this.test.host.pending);
	/** The questions by the order in which they reached the user. */
	readonly shown: { readonly server: string; readonly decision: Decision<Answer> }[] = [];
	/** The number of requests, including those refused at once. */
	requests = 0;
	/** The end of each. */
	readonly ends: string[] = [];
	/** Answers each question as soon as its turn comes. */
	onShown: (decision: Decision<Answer>) => void = () => undefined;
	private readonly guard: SamplingGuard;

	constructor(loopLimit = 25) {
		this.guard = new SamplingGuard({ repetition: this.repetition, loopLimit: () => loopLimit });
		const refuse = (): never => {
			throw new Error("Nobody asks for that here.");
		};
		this.test.answerWith({ createMessage: (...request) => this.createMessage(...request), elicit: refuse });
	}

	private readonly createMessage: UserRequests["createMessage"] = async (session, params, context) => {
		this.requests++;
		const { id, name } = session.definition;
		const { during, calls, signal } = context;
		const admitted = this.guard.enter(
			{ id, name, definition: session.definition, during, isForUser: true },
			params,
			calls,
		);
		const decision = new Decision<Answer>(
			{ kind: "sampling", server: name, serverId: id, title: "x", ...(during === undefined ? {} : { during }) },
			"reject",
		);
		let end: GuardEnd = "ended";
		try {
			lapseWithRequest(decision, session, signal);
			const { heldMs } = admitted;
			const show = (): void => {
				this.shown.push({ server: name, decision });
				this.onShown(decision);
			};
			this.queue.enter(decision, show, { heldMs });
			const settled = await decision.settled;
			this.ends.push(settled.by === "user" ? settled.answer : settled.reason);
			if (settled.by === "lapse") throw new RequestRefusal(-32603, "cancelled", "It ended.");
			end = settled.answer === "return" ? "answered" : "rejected";
			if (settled.answer === "reject") throw rejectedByUser();
			return { model: "m", role: "assistant", content: { type: "text", text: "yes" } } satisfies CreateMessageResult;
		} finally {
			admitted.note(end);
		}
	};

	/** Calls a tool of a server. */
	call(server: string, tool: string, args: JsonObject, signal?: AbortSignal): ReturnType<ServerSession["callTool"]> {
		const call = this.test.session(server).callTool(tool, args, signal === undefined ? {} : { signal });
		// A test that fails does not await it.
		call.catch(() => undefined);
		return call;
	}

	async start(...servers: readonly string[]): Promise<void> {
		await this.test.configure(Object.fromEntries(servers.map((name) => [name, samplingConfig("legacy")])));
		await this.test.host.startApproved();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.test[Symbol.asyncDispose]();
	}
}
