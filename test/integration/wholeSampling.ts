import { silentLog } from "../../src/base/log.ts";
import { PendingDecisions } from "../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue } from "../../src/questions/decisions/queue.ts";
import { Repetition } from "../../src/questions/decisions/repetition.ts";
import { ApiKeys } from "../../src/models/apiKeys.ts";
import type { Secrets } from "../../src/base/storage.ts";
import { createEndpointModel } from "../../src/models/directory.ts";
import { parseEndpoints } from "../../src/models/parseEndpoints.ts";
import { hostSecrets } from "../../src/features/sampling/redaction/hostSecrets.ts";
import { secretFinder } from "../../src/features/sampling/redaction/secretFinder.ts";
import { contextCollector } from "../../src/features/sampling/collectContext.ts";
import { SamplingGuard } from "../../src/features/sampling/guard.ts";
import type { ReviewSession } from "../../src/features/sampling/review/review.ts";
import { SamplingModels } from "../../src/features/sampling/modelChoice/chooseModel.ts";
import { SamplingService } from "../../src/features/sampling/service.ts";
import type { SessionDirectory } from "../../src/servers/sessions/session.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { BudgetScene } from "../unit/permissions/budgets/scene.ts";
import { type KeptRequest, RecordScene, requestsIn } from "../unit/records/activity/recordScene.ts";
import { handles } from "../unit/features/sampling/reviewFakes.ts";
import type { TestHost } from "./testHost.ts";

/** The key of the endpoint, as the user's key store has it. */
export const apiKey = "sk-proj-4f9wQ2Lr8TzY6uHc3Nd7";

/** A key store with one key, that of the endpoint. */
const keys: Secrets = {
	get: async (key) => (key.startsWith("mcpHost.apiKey:") ? apiKey : undefined),
	store: async () => undefined,
	delete: async () => undefined,
	keys: async () => [],
};

/**
 * All of sampling as the extension wires it, without the editor: guard, policy, redaction, context, choice of the
 * model, a record on the disk, and a scripted endpoint. Only the user and the clock of the budgets are replaced.
 */
export class WholeSampling implements AsyncDisposable {
	readonly endpoint: ScriptedModel;
	/** The user's limits, rules and prices; without limits unless the test sets them. */
	readonly budgets = new BudgetScene().limit({
		requestsPerMinute: null,
		servers: { "*": { requestsPerMinute: null } },
	});
	readonly pending = new PendingDecisions();
	readonly service: SamplingService;
	/** The reviews that were shown to the user, in order. */
	readonly shown: ReviewSession[] = [];
	/** The user's action on a review that is shown to them. */
	onReview: (review: ReviewSession) => unknown = () => undefined;
	private readonly records: RecordScene;
	private readonly window: ReturnType<RecordScene["window"]>;

	private constructor(endpoint: ScriptedModel, records: RecordScene, directory: Pick<SessionDirectory, "sessions">) {
		this.endpoint = endpoint;
		this.records = records;
		records.journals.now = Date.now();
		this.window = records.window();
		const traits = { maxInputTokens: 2_000_000, maxOutputTokens: 1_000_000, images: true };
		const { endpoints } = parseEndpoints([{ name: "Test", baseURL: endpoint.url, ...traits }]);
		const [known] = endpoints;
		if (known === undefined) throw new Error("The endpoint is not valid.");
		const model = createEndpointModel(known, { name: "scripted-model" }, new ApiKeys(keys));
		const unchanging = { onDidChange: () => ({ dispose: () => undefined }) };
		const { budgets } = this;
		this.service = new SamplingService({
			guard: new SamplingGuard({ repetition: new Repetition(), loopLimit: () => 1000 }),
			policy: budgets.window.policy,
			findSecrets: secretFinder(
				() => ({ patterns: undefined, forms: undefined }),
				() =>
					hostSecrets({
						definitions: () => directory.sessions.map(({ definition }) => definition),
						endpoints: () => endpoints,
						store: keys,
						environment: {},
						environmentFile: async () => ({}),
					}),
			),
			collectContext: contextCollector({
				directory,
				pins: { instructionsOf: () => undefined },
				live: { addresses: [], presentOf: () => undefined },
				calls: () => [],
			}),
			models: { models: [model], ...unchanging },
			chooser: new SamplingModels().chooser,
			prices: { of: () => budgets.price, ...unchanging },
			record: this.window.log,
			queue: new DecisionQueue(this.pending),
			log: silentLog,
			now: Date.now,
			expiresMs: () => 0,
			show: (review) => {
				if (this.shown.includes(review)) return;
				this.shown.push(review);
				void this.onReview(review);
			},
		});
	}

	/** Sets all up for the servers of a directory: none unless a host is given, whose requests it then answers. */
	static async begin(host?: TestHost): Promise<WholeSampling> {
		const directory = host === undefined ? { sessions: [] } : host.host.registry;
		const whole = new WholeSampling(await startScriptedModel(), await RecordScene.begin(), directory);
		host?.answerWith({
			createMessage: (...request) => whole.service.createMessage(...request),
			elicit: () => Promise.reject(new Error("Nobody asks a form.")),
		});
		return whole;
	}

	/** The record on the disk, oldest first. */
	async record(): Promise<readonly KeptRequest[]> {
		return (await requestsIn(this.window.journal)).toReversed();
	}

	/** The whole content of the record on the disk. */
	get disk(): string {
		return this.records.disk;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.pending.dispose();
		await this.endpoint.close();
		await this.records[Symbol.asyncDispose]();
	}
}

/** A user who approves a request with some edits, and returns the completion with others. */
export function approving(
	changes: Readonly<Record<string, string>> = {},
	completion: Readonly<Record<string, string>> = {},
): (review: ReviewSession) => Promise<void> {
	return async (review) => {
		const { changed, completionDraft } = handles(review);
		review.approve(changed(changes));
		const step = await whenAnswered(review);
		if (step === "completion") review.returnToServer(completionDraft(completion));
		else review.reject("");
	};
}

/** Waits until the answer of the model has come, or the reason why not; returns the step of the review then. */
export function whenAnswered(review: ReviewSession): Promise<string> {
	return new Promise((resolve) => {
		const look = (): void => {
			const { step, problem } = review.state;
			if (step.kind !== "generating" && (step.kind !== "request" || problem !== undefined)) resolve(step.kind);
		};
		review.onDidChange(look);
		look();
	});
}
