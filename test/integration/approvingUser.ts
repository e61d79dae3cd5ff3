import { silentLog } from "../../src/base/log.ts";
import { PendingDecisions } from "../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue } from "../../src/questions/decisions/queue.ts";
import type { ChatModel } from "../../src/models/model.ts";
import { respond } from "../../src/models/openai/openai.ts";
import type { ReviewSession } from "../../src/features/sampling/review/review.ts";
import { SamplingModels } from "../../src/features/sampling/modelChoice/chooseModel.ts";
import { SamplingService } from "../../src/features/sampling/service.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { targetAt } from "../unit/models/asking.ts";
import { edits } from "../unit/features/sampling/edits.ts";
import { FakeDirectory } from "../unit/features/sampling/fakes.ts";
import { FakeAdmission, FakeRecord, fakeSecrets, handles } from "../unit/features/sampling/reviewFakes.ts";
import type { TestHost } from "./testHost.ts";

/**
 * The sampling service, whole, with a scripted endpoint as the model and a user who approves everything as configured
 * by the test. When the model's answer is no completion, the user records the text of the review and rejects.
 */
export class ApprovingUser implements AsyncDisposable {
	readonly model: ScriptedModel;
	/** The texts of reviews that did not continue. */
	readonly problems: string[] = [];
	/** The user's changes to the next request, and to its completion. */
	request: ReturnType<typeof edits> = edits();
	completion: Pick<ReturnType<typeof edits>, "changes" | "removed"> = edits();

	private constructor(model: ScriptedModel, host: TestHost) {
		this.model = model;
		const models = new SamplingModels();
		const service = new SamplingService({
			guard: { enter: () => ({ heldMs: 0, note: () => undefined }) },
			policy: { admit: () => new FakeAdmission() },
			findSecrets: fakeSecrets().find,
			collectContext: () => Promise.resolve([]),
			models: new FakeDirectory(this.chatModel()),
			chooser: models.chooser,
			prices: models.prices,
			record: new FakeRecord(),
			queue: new DecisionQueue(new PendingDecisions()),
			log: silentLog,
			now: () => Date.now(),
			expiresMs: () => 0,
			show: (review) => void this.decide(review),
		});
		host.answerWith({
			elicit: () => Promise.reject(new Error("Nobody asks a form.")),
			createMessage: (...request) => service.createMessage(...request),
		});
	}

	/** Puts a user, and a model of theirs, at a host. */
	static async at(host: TestHost): Promise<ApprovingUser> {
		return new ApprovingUser(await startScriptedModel(), host);
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.model.close();
	}

	private async decide(review: ReviewSession): Promise<void> {
		const { draft, completionDraft } = handles(review);
		review.approve(draft(this.request));
		await new Promise<void>((resolve) => {
			const look = (): void => {
				if (review.state.step.kind === "completion" || review.state.problem !== undefined) resolve();
			};
			review.onDidChange(look);
			look();
		});
		const { problem } = review.state;
		if (problem === undefined) {
			const { changes, removed } = this.completion;
			return review.returnToServer(completionDraft(changes, removed));
		}
		this.problems.push(problem.text);
		review.reject("");
	}

	private chatModel(): ChatModel {
		const target = targetAt(this.model.url, { images: true });
		return {
			info: {
				id: "test/scripted-model",
				name: "scripted-model",
				provider: "Test",
				maxInputTokens: 30_000,
				maxOutputTokens: 4000,
				supportsTools: true,
				supportsImages: true,
			},
			respond: (messages, options) => respond(target, messages, options),
		};
	}
}
