import { Emitter } from "../../../../src/base/event.ts";
import type {
	Admission,
	DecidingRule,
	Reservation,
	ReviewMode,
	Send,
} from "../../../../src/permissions/budgets/samplingPolicy.ts";
import { Decision } from "../../../../src/questions/decisions/decision.ts";
import { costOf, type ModelPrice, type Prices } from "../../../../src/models/prices.ts";
import type {
	RecordedAttempt,
	RecordedEnd,
	SamplingArrival,
	SamplingRecord,
} from "../../../../src/records/activity/samplingRecord.ts";
import type { FindSecrets, Redaction, RedactionMark } from "../../../../src/features/sampling/redaction/redaction.ts";
import type { Asker } from "../../../../src/permissions/budgets/asker.ts";
import type { ContextPiece } from "../../../../src/features/sampling/collectContext.ts";
import type { SamplingRequest } from "../../../../src/features/sampling/request.ts";
import { RequestTexts } from "../../../../src/features/sampling/requestTexts.ts";
import { ReviewSession } from "../../../../src/features/sampling/review/review.ts";
import type { ReviewAnswer } from "../../../../src/features/sampling/review/reviewEnds.ts";
import type {
	CompletionDraft,
	CompletionView,
	RequestDraft,
} from "../../../../src/features/sampling/review/reviewProtocol.ts";
import { SamplingModels } from "../../../../src/features/sampling/modelChoice/chooseModel.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { FakeDirectory, FakeModel, until } from "./fakes.ts";

/** A server named `weather` that asks during a call. */
export const asker: Asker = {
	id: "weather-id",
	name: "weather",
	definition: { name: "weather" } as unknown as ServerDefinition,
	during: "tools/call pack",
	isForUser: true,
};

/** A request with every kind of text; tests replace parts of it. */
export const request: SamplingRequest = {
	systemPrompt: "Be kind.",
	messages: [
		{ role: "user", content: [{ type: "text", text: "What to pack?" }] },
		{ role: "assistant", content: [{ type: "text", text: "Where to?" }] },
	],
	maxTokens: 400,
	temperature: 0.5,
	stopSequences: ["END", "\n\n"],
	tools: [],
	toolChoice: undefined,
	preferences: { hints: ["qwen"], cost: undefined, speed: undefined, intelligence: undefined },
	includeContext: "allServers",
	metadata: { user: "x" },
	answersWithArray: false,
};

/** Finds the given secrets, by their labels, and nothing else; each is shown as `[label]`. */
export function fakeSecrets(secrets: Readonly<Record<string, string>> = {}): {
	readonly find: FindSecrets;
	readonly problems: string[];
} {
	const problems: string[] = [];
	const find: FindSecrets = (texts) => {
		const all = [...texts];
		const marks = (): RedactionMark[] =>
			Object.entries(secrets).flatMap(([label, secret]) => {
				const count = all.join("\n").split(secret).length - 1;
				return count === 0 ? [] : [{ id: label, label, mark: `[${label}]`, count }];
			});
		const redaction: Redaction = {
			get marks() {
				return marks();
			},
			problems,
			take: async (more) => void all.push(...more),
			mask: (text, shown = new Set()) =>
				Object.entries(secrets).reduce(
					(masked, [label, secret]) => (shown.has(label) ? masked : masked.replaceAll(secret, `[${label}]`)),
					text,
				),
			unmask: (text, shown) =>
				Object.entries(secrets).reduce(
					(open, [label, secret]) => (shown.has(label) ? open.replaceAll(`[${label}]`, secret) : open),
					text,
				),
		};
		return Promise.resolve(redaction);
	};
	return { find, problems };
}

/** An admission that records reservations, and counts. */
export class FakeAdmission implements Admission {
	mode: ReviewMode;
	by: DecidingRule = { kind: "default", label: "Review everything" };
	notice?: string;
	mostTokens: number | undefined;
	/** Whether the rule of the mode is in force. */
	stands = true;
	/** Why nothing more may be sent. */
	problem: string | undefined;
	readonly sends: Send[] = [];
	/** The settlements, by the number of the reservation; a number that occurs twice was settled twice. */
	readonly settled: { readonly number: number; readonly inputTokens: number; readonly outputTokens: number }[] = [];
	ends = 0;

	constructor(mode: ReviewMode = "review", label?: string) {
		this.mode = mode;
		if (label !== undefined) this.by = { kind: "rule", label };
	}

	budget(): readonly string[] {
		return [`${this.sends.length} requests sent`];
	}

	mayReturnUnseen(): boolean {
		return this.stands;
	}

	reserve(send: Send): Reservation | { readonly problem: string } {
		if (this.problem !== undefined) return { problem: this.problem };
		const number = this.sends.push(send);
		return {
			settle: ({ inputTokens, outputTokens, isEstimated }) => {
				this.settled.push({ number, inputTokens, outputTokens });
				const cost = costOf({ inputPerMillion: 1, outputPerMillion: 10 }, { inputTokens, outputTokens });
				return { inputTokens, outputTokens, isEstimated, cost };
			},
		};
	}

	end(): void {
		this.ends++;
	}
}

type Written = SamplingArrival;

/** A record in memory. Entries after the end are kept too, so that tests see them. */
export class FakeRecord implements SamplingRecord {
	readonly entries: (Written & { readonly attempts: RecordedAttempt[]; readonly ends: RecordedEnd[] })[] = [];

	open(entry: Written): ReturnType<SamplingRecord["open"]> {
		const written = { ...entry, attempts: [] as RecordedAttempt[], ends: [] as RecordedEnd[] };
		this.entries.push(written);
		return {
			attempt: (attempt) => void written.attempts.push(attempt),
			close: (end) => void written.ends.push(end),
		};
	}
}

/** The options of a review, beside those of every test. */
export interface ReviewSetUp {
	readonly request?: Partial<SamplingRequest>;
	readonly admission?: FakeAdmission;
	readonly secrets?: Readonly<Record<string, string>>;
	readonly collect?: (choice: string, signal: AbortSignal) => Promise<readonly ContextPiece[]>;
	readonly models?: readonly FakeModel[];
	readonly price?: ModelPrice;
	/** The parts that could not be searched for secrets. */
	readonly unsearched?: string;
	/** The search for secrets in later texts waits for this. */
	readonly whenTaken?: () => Promise<void>;
}

/** A review with two models, `llama` and `qwen`, of which the request hints at the second. */
export async function setUpReview({
	admission = new FakeAdmission(),
	secrets = {},
	unsearched,
	...given
}: ReviewSetUp = {}) {
	const llama = new FakeModel("llama");
	const qwen = new FakeModel("qwen");
	const directory = new FakeDirectory(...(given.models ?? [llama, qwen]));
	const whole: SamplingRequest = { ...request, ...given.request };
	const found = fakeSecrets(secrets);
	if (unsearched !== undefined) found.problems.push(unsearched);
	const texts = await RequestTexts.of(whole, asker.during, async (all) => {
		const redaction = await found.find(all);
		const take = redaction.take.bind(redaction);
		redaction.take = async (more) => given.whenTaken?.().then(() => take(more)) ?? take(more);
		return redaction;
	});
	const record = new FakeRecord();
	const entry = record.open({ id: "1", server: "weather", serverId: "1", request: [], parameters: {} });
	const models = new SamplingModels();
	const prices: Prices = { onDidChange: models.prices.onDidChange, of: () => given.price };
	const waiting = { count: 0, changed: new Emitter<void>() };
	const clock = { now: 1000 };
	const subject = { kind: "sampling", server: "weather", serverId: asker.id, title: "a completion" } as const;
	const review = new ReviewSession(new Decision<ReviewAnswer>(subject, { kind: "reject", reason: "" }), {
		asker,
		request: whole,
		texts,
		admission,
		entry,
		models: directory,
		chooser: models.chooser,
		prices,
		collectContext: (choice, _asker, signal) => given.collect?.(choice, signal) ?? Promise.resolve([]),
		waiting: { others: () => waiting.count, onDidChange: waiting.changed.event },
		now: () => clock.now,
	});
	const written = record.entries[0] as (typeof record.entries)[0];
	return { review, llama, qwen, directory, admission, written, waiting, clock, models, ...handles(review) };
}

/** A test's inputs to a review and its view. */
export function handles(review: ReviewSession) {
	const step = () => review.state.step;
	const reach = (kind: string) => until(() => step().kind === kind);
	const draft = (change: Partial<RequestDraft> = {}): RequestDraft => ({ ...review.document.draft, ...change });
	/** Changes texts of the request on top of earlier changes. */
	const changed = (changes: RequestDraft["changes"]): RequestDraft =>
		draft({ changes: { ...review.document.draft.changes, ...changes } });
	const completion = (): CompletionView => {
		const now = step();
		if (now.kind !== "completion") throw new Error(`The review is at ${now.kind}`);
		return now.completion;
	};
	const completionDraft = (
		changes: CompletionDraft["changes"] = {},
		removed: readonly string[] = [],
	): CompletionDraft => ({
		...completion().draft,
		changes,
		removed,
	});
	const text = () => completion().fields[0]?.original;
	return { step, reach, draft, changed, completion, completionDraft, text };
}

/** A review at each step, for tests of what a step ignores. */
export async function setUpAt(kind: "request" | "generating" | "completion" | "done", setUp: ReviewSetUp = {}) {
	const parts = await setUpReview(setUp);
	const { review, qwen, reach, draft } = parts;
	if (kind === "done") review.reject("");
	if (kind === "generating" || kind === "completion") review.approve(draft());
	if (kind === "completion") qwen.answer("Socks.");
	await reach(kind);
	return parts;
}
