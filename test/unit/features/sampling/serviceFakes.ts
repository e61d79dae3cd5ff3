import { silentLog } from "../../../../src/base/log.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue, type ShowReason } from "../../../../src/questions/decisions/queue.ts";
import type { GuardEnd } from "../../../../src/features/sampling/guard.ts";
import type { ReviewSession } from "../../../../src/features/sampling/review/review.ts";
import { SamplingModels } from "../../../../src/features/sampling/modelChoice/chooseModel.ts";
import { SamplingService } from "../../../../src/features/sampling/service.ts";
import { FakeDirectory, FakeModel, fakeSession, until } from "./fakes.ts";
import { FakeAdmission, FakeRecord, fakeSecrets, handles } from "./reviewFakes.ts";

/** A service with one model, `qwen`, and a server `weather` that asks during a call. */
export function setUpService(admission = new FakeAdmission(), secrets: Readonly<Record<string, string>> = {}) {
	const model = new FakeModel("qwen");
	const pending = new PendingDecisions();
	const shown: { review: ReviewSession; reason: ShowReason }[] = [];
	const record = new FakeRecord();
	const notes: GuardEnd[] = [];
	/** The error of each stage in place of passing the request on. */
	const refusals: { guard?: Error; policy?: Error; findSecrets?: Error | Promise<never> } = {};
	const models = new SamplingModels();
	const clock = { now: 1_000_000 };
	const service = new SamplingService({
		guard: {
			enter: () => {
				if (refusals.guard !== undefined) throw refusals.guard;
				return { heldMs: 0, note: (end) => void notes.push(end) };
			},
		},
		policy: {
			admit: () => {
				if (refusals.policy !== undefined) throw refusals.policy;
				return admission;
			},
		},
		findSecrets: async (texts) => {
			if (refusals.findSecrets instanceof Error) throw refusals.findSecrets;
			await refusals.findSecrets;
			return fakeSecrets(secrets).find(texts);
		},
		collectContext: () => Promise.resolve([]),
		models: new FakeDirectory(model),
		chooser: models.chooser,
		prices: models.prices,
		record,
		queue: new DecisionQueue(pending),
		log: silentLog,
		now: () => clock.now,
		expiresMs: () => 0,
		show: (review, reason) => void shown.push({ review, reason }),
	});
	const session = fakeSession("weather");
	const controller = new AbortController();
	const ask = (params: object = {}, protocolVersion = "2025-11-25") =>
		service.createMessage(
			session,
			{
				messages: [{ role: "user", content: { type: "text", text: "hi" } }],
				maxTokens: 10,
				...params,
			},
			{ signal: controller.signal, protocolVersion, during: "tools/call pack", isForUser: true, exchange: "here-1" },
		);
	/** The last shown review. */
	const review = () => shown.at(-1)?.review as ReviewSession;
	const whenShown = async () => {
		await until(() => shown.length > 0);
		return { review: review(), ...handles(review()) };
	};
	return {
		model,
		pending,
		shown,
		record,
		notes,
		refusals,
		clock,
		admission,
		session,
		controller,
		ask,
		review,
		whenShown,
	};
}

/** An answer whose failure is handled later. */
export function quiet<T>(answer: Promise<T>): Promise<T> {
	answer.catch(() => undefined);
	return answer;
}

/** A random number generator that repeats itself for a seed (mulberry32). */
export function makeRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
