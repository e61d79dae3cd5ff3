import { compileGlob, countAlternatives } from "../../../src/base/glob.ts";
import { Store } from "../../../src/base/store/store.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { runTurn } from "../../../src/surfaces/chat/turn.ts";
import { TurnClock } from "../../../src/surfaces/chat/turnClock.ts";
import type { McpHost } from "../../../src/servers/host.ts";
import type { ChatModel, ModelEvent } from "../../../src/models/model.ts";
import { PinnedDefinitions } from "../../../src/permissions/pinning/pinnedDefinitions.ts";
import { Grants } from "../../../src/permissions/grants/grants.ts";
import { parseRules } from "../../../src/permissions/policy/parseRules.ts";
import { RulesAndGrants } from "../../../src/permissions/policy/policy.ts";
import { ToolApprovals } from "../../../src/features/tools/approval.ts";
import { runCall } from "../../../src/features/tools/call.ts";
import { readCatalog } from "../../../src/permissions/catalog/catalog.ts";
import { resultForModel } from "../../../src/features/tools/outcome.ts";
import { KeptResults, readingLimits, ResultReading } from "../../../src/features/tools/results/resultReading.ts";
import { openToolBox } from "../../../src/features/agentTools/toolBox.ts";
import { ToolCosts } from "../../../src/features/tools/toolCosts.ts";

const limits = { rounds: 25, calls: 100, tokens: 1_000_000, minutes: 60 };

/** The default of `mcpHost.chat.toolTokens`. */
const budgetTokens = 10_000;

const noEvent = (): { dispose(): void } => ({ dispose: () => undefined });

/** The layers between a model and the sessions: names, policy, pins, checks of arguments and results, the model's text. */
export class HostLoop {
	private readonly core: McpHost;
	private readonly pins: PinnedDefinitions;
	private readonly policy: RulesAndGrants;
	private readonly approvals: ToolApprovals;
	private readonly reading = new ResultReading(
		new KeptResults(),
		readingLimits({ maxInputTokens: 128_000, supportsTools: true }),
	);

	constructor(core: McpHost) {
		this.core = core;
		this.pins = new PinnedDefinitions(core.registry, new Store({ folder: undefined, onProblem: () => undefined }));
		// A user with some rules, of which the last lets the call run, since there is no user to ask.
		const own = [
			{ decision: "deny", server: "prod-*" },
			{ decision: "ask", server: "*", tool: "{delete,remove}*" },
			{ decision: "allow", server: "server-*", tool: "echo" },
		];
		const list = parseRules(own, { kind: "user", label: "User Settings" }, { compileGlob, countAlternatives });
		const rules = { lists: [list], onDidChange: noEvent };
		const grants = new Grants({ store: new Store({ folder: undefined, onProblem: () => undefined }) });
		this.policy = new RulesAndGrants({ rules, grants, pins: this.pins });
		this.approvals = new ToolApprovals(core.pending, () => undefined);
	}

	/** Resolves once all background work of the host on its tools is done. */
	async prepared(): Promise<void> {
		const { sessions } = this.core.registry;
		const costs = new ToolCosts(this.core.registry, { current: budgetTokens, onDidChange: noEvent });
		const areKnown = (): boolean => sessions.every((session) => costs.of(session) !== undefined);
		await new Promise<void>((resolve) => {
			const look = (): void => {
				if (areKnown()) resolve();
			};
			costs.onDidChange(look);
			look();
		});
		costs.dispose();
	}

	/** A call as a model requests it, from its name to the model's text of the result. */
	async call(modelName: string, args: JsonObject): Promise<unknown> {
		const entry = readCatalog(this.core.registry).find(modelName);
		if (entry === undefined) throw new Error(`There is no ${modelName}.`);
		const { approvals, policy, pins } = this;
		const { signal } = new AbortController();
		const run = runCall({ callId: "1", entry, arguments: args }, { approvals, policy, pins, signal, asker: "model" });
		for (;;) {
			const next = await run.next();
			if (next.done !== true) continue;
			if (next.value.kind !== "done") throw new Error(`The call ended so: ${next.value.kind}`);
			return resultForModel("1", next.value, this.reading);
		}
	}

	/** The time of a turn to its first text, in milliseconds, with a model that needs no time at all. */
	async firstText(): Promise<number> {
		const { approvals, policy, pins, reading } = this;
		const start = performance.now();
		using clock = new TurnClock(limits.minutes * 60_000);
		const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Plan a trip" }] }];
		const box = openToolBox({
			pins: { approvedTools: () => new Map() },
			directory: this.core.registry,
			budgetTokens,
			messages,
		});
		const { signal } = new AbortController();
		const turn = {
			model: instant,
			history: [],
			messages,
			box,
			approvals,
			policy,
			pins,
			reading,
			limits,
			clock,
			signal,
		};
		let first: number | undefined;
		for await (const event of runTurn(turn)) if (event.type === "text") first ??= performance.now() - start;
		return first ?? Number.NaN;
	}
}

/** Answers at once. */
const instant: ChatModel = {
	info: {
		id: "instant",
		name: "instant",
		provider: "bench",
		maxInputTokens: 128_000,
		maxOutputTokens: 1000,
		supportsTools: true,
		supportsImages: false,
	},
	// oxlint-disable-next-line typescript/require-await -- the signature of ChatModel
	async *respond(): AsyncGenerator<ModelEvent> {
		yield { type: "text", text: "Hello" };
		yield { type: "done", stopReason: "endTurn", model: "instant" };
	},
};
