import type { CallToolResult } from "@modelcontextprotocol/client";
import { memoryStore } from "../../base/store/storeFolder.ts";
import { HostError } from "../../../../src/base/errors.ts";
import { Emitter } from "../../../../src/base/event.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import type { CallOptions, Session, SessionDirectory, Tool } from "../../../../src/servers/sessions/session.ts";
import { ToolApprovals, type ToolAnswer, type ToolQuestion } from "../../../../src/features/tools/approval.ts";
import { PinnedDefinitions } from "../../../../src/permissions/pinning/pinnedDefinitions.ts";
import type { ToolPolicy, Verdict } from "../../../../src/permissions/policy/verdict.ts";
import { FakeSession } from "../resources/fakeSession.ts";

/** A tool with an input schema of the given properties, all required. */
export function tool(name: string, properties: JsonObject = {}, more: Partial<Tool> = {}): Tool {
	return {
		name,
		inputSchema: {
			type: "object",
			properties,
			required: Object.keys(properties),
			additionalProperties: false,
		} as Tool["inputSchema"],
		...more,
	};
}

/** The lists and states of the fake that the resources use; its tools answer nothing. */
const SessionWithoutCalls: new (name: string) => Omit<FakeSession, "callTool"> = FakeSession;

/** A session whose tools answer as set by the test. */
export class ToolSession extends SessionWithoutCalls implements Session {
	/** How many results were recorded as violating their output schema. */
	unfit = 0;
	/** The texts of results for models. */
	readonly told: unknown[] = [];
	/** The calls as received, with the exact JSON of their arguments. */
	readonly received: { readonly name: string; readonly text: string }[] = [];
	onCall: (name: string, args: JsonObject, options: CallOptions) => Promise<CallToolResult> = async (name) => ({
		content: [{ type: "text", text: `${name} done` }],
	});

	async callTool(name: string, args: JsonObject, options: CallOptions = {}): Promise<CallToolResult> {
		options.onFollowed?.({
			exchange: "here-1",
			unfit: () => this.unfit++,
			told: (content) => this.told.push(content()),
		});
		this.received.push({ name, text: JSON.stringify(args) });
		return this.onCall(name, args, options);
	}
}

/** A running session with these tools. */
export async function serve(name: string, ...tools: readonly Tool[]): Promise<ToolSession> {
	const session = new ToolSession(name);
	await session.run({ tools });
	return session;
}

/** A directory of sessions that never changes. */
export function directoryOf(...sessions: readonly ToolSession[]): SessionDirectory {
	return {
		sessions,
		onDidChange: () => ({ dispose: () => undefined }),
		get: (id) => sessions.find(({ definition }) => definition.id === id),
	};
}

/** A user who answers every question as `decide` says; undefined leaves it open. */
export class User {
	readonly pending = new PendingDecisions();
	readonly approvals = new ToolApprovals(this.pending, () => undefined);
	readonly asked: ToolQuestion[] = [];
	/** The decision of their rules about a tool, by its name; none about others. */
	readonly rules = new Map<string, Verdict>();
	/** Fired by a test that changes them during a call. */
	readonly ruled = new Emitter<void>();
	readonly policy: ToolPolicy = {
		decide: ({ tool }) =>
			this.rules.get(tool.name) ?? { decision: "ask", by: { kind: "default", label: "no rule is about this call" } },
		onDidChange: this.ruled.event,
	};
	readonly pins = new PinnedDefinitions(directoryOf(), memoryStore());
	private readonly decide: (question: ToolQuestion) => ToolAnswer | undefined;

	constructor(decide: ToolAnswer | ((question: ToolQuestion) => ToolAnswer | undefined)) {
		this.decide = typeof decide === "function" ? decide : () => decide;
	}

	/** Receives every event, as a user sees the chat. */
	see(event: { readonly type: string; readonly question?: ToolQuestion }): void {
		if (event.type !== "asked" || event.question === undefined) return;
		this.asked.push(event.question);
		const answer = this.decide(event.question);
		if (answer !== undefined) event.question.decision.answer(answer);
	}
}

/** Never settles until the signal is aborted; then rejects as a session does. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
	return new Promise((_resolve, reject) => {
		signal?.addEventListener("abort", () => reject(new HostError("cancelled", "cancelled")), { once: true });
	});
}
