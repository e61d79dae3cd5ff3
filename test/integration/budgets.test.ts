/** Limits, budgets and rules in the whole service: a real server, an endpoint that counts its requests, and a user. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Emitter } from "../../src/base/event.ts";
import { silentLog } from "../../src/base/log.ts";
import { describeRule } from "../../src/permissions/grants/grant.ts";
import { DecisionQueue } from "../../src/questions/decisions/queue.ts";
import { Repetition } from "../../src/questions/decisions/repetition.ts";
import { SamplingGuard } from "../../src/features/sampling/guard.ts";
import type { ReviewSession } from "../../src/features/sampling/review/review.ts";
import { SamplingModels } from "../../src/features/sampling/modelChoice/chooseModel.ts";
import { SamplingService } from "../../src/features/sampling/service.ts";
import { BudgetScene, type BudgetWindow } from "../unit/permissions/budgets/scene.ts";
import { FakeDirectory } from "../unit/features/sampling/fakes.ts";
import { FakeRecord, fakeSecrets, handles } from "../unit/features/sampling/reviewFakes.ts";
import { type EndpointModel, openEndpoint } from "./endpointTurn.ts";
import { answersOf, samplingConfig } from "./samplingReach.ts";
import { TestHost } from "./testHost.ts";

/** The user's action on a review that is shown to them. */
type User = (review: ReviewSession) => Promise<void>;

const approve: User = async (review) => {
	const { draft, reach, completionDraft } = handles(review);
	review.approve(draft());
	await vi.waitFor(() => reach("completion"), patience);
	review.returnToServer(completionDraft());
};
const reject: User = async (review) => review.reject("");
const patience = { timeout: 60_000 };

/** A window with real servers, whose user answers as configured. Stores outlive the window. */
class Desk implements AsyncDisposable {
	readonly host = new TestHost();
	readonly scene = new BudgetScene();
	readonly record = new FakeRecord();
	/** The reviews that were shown to the user, in order. */
	readonly shown: ReviewSession[] = [];
	/** The number of requests from servers. */
	received = 0;
	window: BudgetWindow = this.scene.window;
	user: User = approve;
	private readonly queue = new DecisionQueue(this.host.host.pending);
	private readonly endpoint: EndpointModel;

	constructor(endpoint: EndpointModel) {
		this.endpoint = endpoint;
		this.open();
	}

	/** Opens the window, also after a reload. */
	open(): void {
		this.window = this.scene.open();
		const models = new SamplingModels();
		const service = new SamplingService({
			guard: new SamplingGuard({ repetition: new Repetition(), loopLimit: () => 1000 }),
			policy: this.window.policy,
			findSecrets: fakeSecrets().find,
			collectContext: () => Promise.resolve([]),
			models: new FakeDirectory(this.endpoint.model),
			chooser: models.chooser,
			prices: { of: () => this.scene.price, onDidChange: new Emitter<void>().event },
			record: this.record,
			queue: this.queue,
			log: silentLog,
			now: Date.now,
			expiresMs: () => 0,
			show: (review) => {
				if (this.shown.includes(review)) return;
				this.shown.push(review);
				void this.user(review);
			},
		});
		this.host.answerWith({
			createMessage: (...request) => {
				this.received++;
				return service.createMessage(...request);
			},
			elicit: () => Promise.reject(new Error("Nobody asks a form.")),
		});
	}

	/** Has the server ask `count` different questions at once, and returns the answer to each. */
	async ask(count: number, name = "weather") {
		const result = await this.host.session(name).callTool("sampleMany", { count, text: "question {n}" });
		return answersOf(result);
	}

	/** The number of requests that reached the model. */
	get hits(): number {
		return this.endpoint.requests().length;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.host[Symbol.asyncDispose]();
		await this.endpoint[Symbol.asyncDispose]();
	}
}

let desk: Desk;
beforeEach(async () => {
	desk = new Desk(await openEndpoint());
	await desk.host.configure({ weather: samplingConfig("legacy"), other: samplingConfig("legacy") });
	await desk.host.host.startApproved();
});
afterEach(() => desk[Symbol.asyncDispose]());

const count = (answers: readonly object[], key: string): number => answers.filter((answer) => key in answer).length;

it("100 requests reach the model only as approved by the user, and excess ones are refused at once (SMP-01)", async () => {
	let seen = 0;
	let approved = 0;
	desk.user = async (review) => {
		// All arrive before the first is answered, which makes room for another.
		await vi.waitFor(() => expect(desk.received).toBe(100), patience);
		if (seen++ % 2 === 1) return reject(review);
		approved++;
		return approve(review);
	};
	const answers = await desk.ask(100);
	expect(answers).toHaveLength(100);
	expect([seen, approved, desk.hits]).toEqual([20, 10, 10]);
	expect(count(answers, "result")).toBe(10);
	const errors = answers.flatMap((answer) => ("error" in answer ? [answer.error] : []));
	expect(errors.filter(({ code }) => code === -1)).toHaveLength(10);
	expect(errors.filter(({ code }) => code === -32603).map(({ message }) => message)).toEqual(
		Array(80).fill(
			expect.stringMatching(/20 requests (?:from this server may be in progress|from this server are already waiting)/),
		),
	);
});

it("100 requests within the limits reach the model as approved, one by one (SMP-01)", async () => {
	desk.scene.limit({ requestsPerMinute: null, servers: { "*": { requestsPerMinute: null } } });
	const rejectAfterAll: User = async (review) => {
		await vi.waitFor(() => expect(desk.received).toBe(100), patience);
		return reject(review);
	};
	for (let round = 0; round < 5; round++) {
		// The last one, and only when all of them have arrived, because a request after many refusals is delayed.
		if (round === 4) desk.user = rejectAfterAll;
		expect(count(await desk.ask(20), "result")).toBe(round === 4 ? 0 : 20);
	}
	expect([desk.shown.length, desk.hits]).toEqual([100, 80]);
});

it("“Never” refuses every request without a question, also after a reload (BLT-08, BLT-15, SMP-06)", async () => {
	const { definition } = desk.host.session("weather");
	await desk.window.grants.set(definition, { kind: "never" }, "always");
	for (const isReloaded of [false, true]) {
		if (isReloaded) desk.open();
		const answers = await desk.ask(10);
		expect(answers).toEqual(
			Array.from({ length: 10 }, () => ({
				error: { code: -32603, message: "The user does not allow sampling requests from this server" },
			})),
		);
	}
	expect([desk.shown.length, desk.hits]).toEqual([0, 0]);
	expect(count(await desk.ask(1, "other"), "result")).toBe(1);
});

it("a refusal applies to one request: the next is reviewed, and reaches no model before (BLT-08, SMP-06)", async () => {
	desk.user = reject;
	for (let round = 1; round <= 3; round++) {
		expect(count(await desk.ask(1), "error")).toBe(1);
		expect([desk.shown.length, desk.hits]).toEqual([round, 0]);
	}
});

it("a used-up budget refuses at once, with an error that names the budget, for this server only (SMP-01)", async () => {
	desk.scene.limit({ servers: { weather: { tokensPerDay: 130 } } });
	expect(count(await desk.ask(1), "result")).toBe(1);
	const { definition } = desk.host.session("weather");
	const used = desk.window.use.spent.of(desk.window.policy.today, definition.id);
	expect(used).toMatchObject({ requests: 1, tokens: expect.any(Number) });
	desk.scene.limit({ servers: { weather: { tokensPerDay: used.tokens } } });
	desk.open();
	const [answer] = await desk.ask(1);
	expect(answer).toEqual({
		error: {
			code: -32603,
			message: "Sampling limit of the user: today's token budget for requests from this server is used up",
		},
	});
	expect([desk.shown.length, desk.hits]).toEqual([1, 1]);
	expect(count(await desk.ask(1, "other"), "result")).toBe(1);
	expect(desk.record.entries.map(({ ends }) => ends.map(({ kind }) => kind))).toEqual([
		["returned"],
		["refused"],
		["returned"],
	]);
});

it("a budget that would be exceeded is shown in the review, and nothing is sent (SMP-01)", async () => {
	desk.scene.limit({ tokensPerDay: 50 });
	let problem: string | undefined;
	desk.user = async (review) => {
		const { draft, changed } = handles(review);
		review.approve(draft());
		problem = review.state.problem?.text;
		expect(desk.hits).toBe(0);
		review.approve(changed({ maxTokens: "20" }));
		await vi.waitFor(() => handles(review).reach("completion"), patience);
		review.returnToServer(handles(review).completionDraft());
	};
	expect(count(await desk.ask(1), "result")).toBe(1);
	expect(problem).toMatch(
		/but all servers together may use 50 tokens a day, of which 50 are left\..*lower “Max tokens”/,
	);
	expect(desk.hits).toBe(1);
});

it("a rule with a budget answers without a question until the budget is used up, and then the user is asked (SMP-01, SMP-13)", async () => {
	const { definition } = desk.host.session("weather");
	const budget = { per: "life", requests: 3 } as const;
	await desk.window.grants.set(definition, { kind: "auto", budget, coversUnasked: false }, "workspace");
	const [rule] = desk.window.grants.about(definition);
	for (let round = 0; round < 3; round++) {
		expect(count(await desk.ask(1), "result")).toBe(1);
		if (round === 1) desk.open();
	}
	expect([desk.shown.length, desk.hits]).toEqual([0, 3]);
	expect(desk.record.entries.map(({ ends }) => ends[0]?.by)).toEqual(
		Array(3).fill(rule === undefined ? "" : describeRule(rule)),
	);
	desk.user = reject;
	expect(count(await desk.ask(2), "error")).toBe(2);
	expect([desk.shown.length, desk.hits]).toEqual([2, 3]);
	expect(desk.shown[0]?.document.notices.join()).toMatch(/its budget is used up/);
});

it("a rule lets no more of many simultaneous requests pass than its budget allows (SMP-01)", async () => {
	const { definition } = desk.host.session("weather");
	const budget = { per: "day", requests: 4 } as const;
	await desk.window.grants.set(definition, { kind: "auto", budget, coversUnasked: false }, "session");
	desk.user = reject;
	const answers = await desk.ask(10);
	expect([count(answers, "result"), count(answers, "error"), desk.hits]).toEqual([4, 6, 4]);
	expect(desk.shown).toHaveLength(6);
});

it("a rule that reviews only the request sends nothing before approval, and returns the completion (SMP-01)", async () => {
	const { definition } = desk.host.session("weather");
	await desk.window.grants.set(definition, { kind: "request-only" }, "session");
	desk.user = async (review) => {
		expect(desk.hits).toBe(0);
		review.approve(handles(review).draft());
	};
	expect(count(await desk.ask(1), "result")).toBe(1);
	expect([desk.shown.length, desk.hits]).toEqual([1, 1]);
});
