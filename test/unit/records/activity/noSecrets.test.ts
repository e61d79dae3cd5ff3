/** The whole way of a request with its real redaction: no secret is recorded, whatever a user or a model does with it. */
import { expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue } from "../../../../src/questions/decisions/queue.ts";
import { secretFinder } from "../../../../src/features/sampling/redaction/secretFinder.ts";
import type { ReviewSession } from "../../../../src/features/sampling/review/review.ts";
import { SamplingModels } from "../../../../src/features/sampling/modelChoice/chooseModel.ts";
import { SamplingService } from "../../../../src/features/sampling/service.ts";
import { githubToken, random } from "../../features/sampling/redaction/samples.ts";
import { FakeDirectory, FakeModel, until } from "../../features/sampling/fakes.ts";
import { FakeAdmission, handles } from "../../features/sampling/reviewFakes.ts";
import { serve } from "../../features/tools/toolSession.ts";
import { RecordScene, requestsIn, type RecordWindow } from "./recordScene.ts";

/** A password that only the host recognises. */
const password = "correct horse battery staple 7";
/** A token that the model invents, which was in no request. */
const answered = `gho_${random(36)}`;

/** Has a server ask, and returns the review when it is shown. */
async function ask({ log }: RecordWindow, params: object) {
	const model = new FakeModel("qwen");
	const models = new SamplingModels();
	const shown: ReviewSession[] = [];
	const service = new SamplingService({
		guard: { enter: () => ({ heldMs: 0, note: () => undefined }) },
		policy: { admit: () => new FakeAdmission() },
		findSecrets: secretFinder(
			() => ({ patterns: undefined, forms: undefined }),
			async () => ({ secrets: [{ value: password, name: "password", label: "input “db-password”" }], problems: [] }),
		),
		collectContext: () => Promise.resolve([]),
		models: new FakeDirectory(model),
		chooser: models.chooser,
		prices: models.prices,
		record: log,
		queue: new DecisionQueue(new PendingDecisions()),
		log: silentLog,
		now: Date.now,
		expiresMs: () => 0,
		show: (review) => void shown.push(review),
	});
	const messages = [{ role: "user" as const, content: { type: "text" as const, text: `Use ${githubToken} please` } }];
	const session = await serve("weather");
	const answer = service
		.createMessage(
			session,
			{ messages, maxTokens: 10, ...params },
			{
				signal: new AbortController().signal,
				protocolVersion: "2025-11-25",
				during: `askTool, your turn “log in with ${password}”`,
			},
		)
		.catch((error: unknown) => error);
	await until(() => shown.length > 0);
	const [review] = shown;
	if (review === undefined) throw new Error("no review");
	return { answer, model, review, ...handles(review) };
}

test("no secret reaches the disk, not even one that the user reveals, writes or gives as a reason", async () => {
	await using scene = await RecordScene.begin();
	const window = scene.window();
	const { answer, model, review, draft, reach, changed } = await ask(window, {
		systemPrompt: `The password is ${password}.`,
		stopSequences: [githubToken],
		metadata: { key: githubToken },
		modelPreferences: { hints: [{ name: password }] },
	});
	// The user reveals the secrets, sends them, and writes another one beside them.
	for (const { id } of review.document.redactions) review.showRedacted(id, true);
	expect(JSON.stringify(review.document)).toContain(githubToken);
	review.approve(changed({ system: `It is ${password}, also ${answered}` }));
	await reach("generating");
	model.say(new HostError("model", `The endpoint refuses ${githubToken} and ${password}`));
	await reach("request");
	review.approve(draft());
	model.answer(`Your token is ${githubToken}, mine is ${answered}, the password ${password}.`);
	await reach("completion");
	review.reject(`You gave away ${githubToken} and ${password}.`);
	await answer;

	const [entry] = await requestsIn(window.journal);
	expect(entry?.end).toMatchObject({ kind: "rejected", by: "you" });
	expect(entry?.attempts).toHaveLength(2);
	const { disk } = scene;
	expect(disk).toContain("⟦GitHub token 1⟧");
	for (const secret of [githubToken, password, answered]) {
		expect(disk, `the disk holds ${secret}`).not.toContain(secret);
	}
});
