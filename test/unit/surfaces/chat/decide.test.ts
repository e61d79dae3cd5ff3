import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { DecisionLinks, type DecisionHelp } from "../../../../src/surfaces/chat/decide.ts";
import type { ObjectEditRequest } from "../../../../src/questions/form/formQuestion.ts";
import type { ToolAnswer, ToolQuestion } from "../../../../src/features/tools/approval.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { FollowedTask } from "../../../../src/protocol/followedTask.ts";
import { RunningCall, RunningCalls } from "../../../../src/features/tools/runningCall.ts";
import { directoryOf, User, serve, tool } from "../../features/tools/toolSession.ts";

const schema = { nights: { type: "integer", minimum: 1 } };

/** A question in the chat, and its links. */
async function scene(help: Partial<DecisionHelp> = {}): Promise<{
	readonly links: DecisionLinks;
	readonly user: User;
	readonly running: RunningCalls;
	readonly ask: (args?: JsonObject) => ToolQuestion;
	readonly shown: object[];
}> {
	const server = await serve("s", tool("book", schema));
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const user = new User(() => undefined);
	const running = new RunningCalls();
	const shown: object[] = [];
	const links = new DecisionLinks(user.approvals, running, {
		editObject: async () => undefined,
		policy: user.policy,
		chooseGrant: async () => undefined,
		askReason: async () => undefined,
		showChanges: (changed) => shown.push(changed),
		...help,
	});
	const ask = (args: JsonObject = { nights: 3 }): ToolQuestion =>
		user.approvals.ask({ callId: "1", entry, arguments: args }, new AbortController().signal);
	return { links, user, running, ask, shown };
}

function answerOf({ decision: { outcome } }: ToolQuestion): ToolAnswer | undefined {
	return outcome?.by === "user" ? outcome.answer : undefined;
}

describe("a link in the chat", () => {
	test.each([
		["allow", { kind: "allow" }],
		["deny", { kind: "deny" }],
	])("decides its own question: %s", async (action, answer) => {
		const { links, ask } = await scene();
		const [question, other] = [ask(), ask()];
		expect(await links.follow(question.decision.id, action)).toBeUndefined();
		expect(answerOf(question)).toEqual(answer);
		expect(other.decision.outcome).toBeUndefined();
	});

	test("is dead after the first click, and shows how it ended (TOL-11)", async () => {
		const { links, ask } = await scene();
		const question = ask();
		await links.follow(question.decision.id, "deny");
		for (const action of ["allow", "edit", "always", "deny-reason"])
			expect(await links.follow(question.decision.id, action)).toBe("You already denied this call.");
		expect(answerOf(question)).toEqual({ kind: "deny" });
	});

	test.each([
		["an id of another window", "4711", "allow", "This question is no longer open."],
		["no id", undefined, "allow", "This question is no longer open."],
		["a call that is over", "4711", "cancel-call", "This call is no longer running."],
		["a group of another window", "4711", "allow-all", "These questions are no longer open."],
	])("with %s changes nothing", async (_name, id, action, told) => {
		const { links, ask } = await scene();
		const question = ask();
		expect(await links.follow(id, action)).toBe(told);
		expect(question.decision.outcome).toBeUndefined();
	});

	test("with an unknown action decides nothing", async () => {
		const { links, ask } = await scene();
		const question = ask();
		await links.follow(question.decision.id, "toString");
		await links.follow(question.decision.id, { kind: "allow" });
		expect(question.decision.outcome).toBeUndefined();
	});

	test("for all decides those of its group and no other", async () => {
		const { links, user, ask } = await scene();
		const [first, second, later] = [ask(), ask(), ask()];
		const group = user.approvals.group([first, second]);
		expect(await links.follow(group.id, "allow-all")).toBeUndefined();
		expect(await links.follow(group.id, "deny-all")).toBe("These questions are no longer open.");
		expect([answerOf(first), answerOf(second), answerOf(later)]).toEqual([
			{ kind: "allow", together: 2 },
			{ kind: "allow", together: 2 },
			undefined,
		]);
	});

	test("ends a running call once", async () => {
		const { links, running, ask } = await scene();
		const run = new RunningCall(ask().call, {}, new AbortController().signal);
		running.add(run);
		expect(await links.follow(run.id, "cancel-call")).toBeUndefined();
		expect(run.signal.aborted).toBe(true);
		expect(await links.follow(run.id, "cancel-call")).toBe("This call is no longer running.");
	});

	test("leaves the task of a running call to the background once (TSK-13)", async () => {
		const { links, running, ask } = await scene();
		const run = new RunningCall(ask().call, {}, new AbortController().signal);
		running.add(run);
		expect(await links.follow(run.id, "continue-call")).toBe("This call is no longer running.");
		run.task = new FollowedTask({ taskId: "1", kind: "extension", tool: "book", arguments: {}, createdAt: 0 });
		expect(await links.follow(run.id, "continue-call")).toBeUndefined();
		expect([run.isContinued, run.signal.aborted, run.task.stopped.aborted]).toEqual([true, false, true]);
		run.end();
		expect(await links.follow(run.id, "continue-call")).toBe("This call is no longer running.");
	});

	test("shows the change, also after the question has ended, and decides nothing by it", async () => {
		const { links, shown, ask } = await scene();
		const question = ask();
		const { session } = question.call.entry;
		await links.follow(question.decision.id, "show-changes");
		await links.follow(session.definition.id, "show-instructions");
		expect(shown).toEqual([{ server: session.definition.id, tool: "book" }, { server: session.definition.id }]);
		expect(question.decision.outcome).toBeUndefined();
	});
});

describe("Edit…", () => {
	test("opens the form of the tool's own schema with the arguments; its result counts", async () => {
		const requests: ObjectEditRequest[] = [];
		const { links, ask } = await scene({
			editObject: async (request) => {
				requests.push(request);
				expect(await request.validate({ nights: 0 })).toHaveLength(1);
				expect(await request.validate({ nights: 2 })).toEqual([]);
				return { nights: 2 };
			},
		});
		const question = ask();
		await links.follow(question.decision.id, "edit");
		expect(requests[0]).toMatchObject({ initial: { nights: 3 }, schema: { properties: schema } });
		expect(answerOf(question)).toEqual({ kind: "edited", arguments: { nights: 2 } });
	});

	test("is no way around a rule: denied arguments cannot be sent", async () => {
		let problems: readonly object[] = [];
		const { links, ask, user } = await scene({
			editObject: async ({ validate }) => {
				problems = await validate({ nights: 2 });
				return undefined;
			},
		});
		user.rules.set("book", { decision: "deny", by: { kind: "rule", label: "rule 1" } });
		await links.follow(ask().decision.id, "edit");
		expect(problems).toEqual([{ path: [], message: "Denied by rule 1" }]);
	});

	test("without a change allows the call unchanged", async () => {
		const { links, ask } = await scene({ editObject: async ({ initial }) => initial });
		const question = ask();
		await links.follow(question.decision.id, "edit");
		expect(answerOf(question)).toEqual({ kind: "allow" });
	});

	test("that is closed leaves the question open; one form at a time is enough", async () => {
		const closed = Promise.withResolvers<undefined>();
		const { links, ask } = await scene({ editObject: () => closed.promise });
		const question = ask();
		const first = links.follow(question.decision.id, "edit");
		expect(await links.follow(question.decision.id, "edit")).toBe("You are already answering this question.");
		closed.resolve(undefined);
		await first;
		expect(question.decision.outcome).toBeUndefined();
	});

	test("ends with its question", async () => {
		let signal: AbortSignal | undefined;
		const { links, ask } = await scene({
			editObject: (request) => {
				({ signal } = request);
				return new Promise((resolve) => request.signal.addEventListener("abort", () => resolve(undefined)));
			},
		});
		const question = ask();
		const editing = links.follow(question.decision.id, "edit");
		question.decision.lapse("cancelled");
		await editing;
		expect(signal?.aborted).toBe(true);
	});
});

describe("Always…", () => {
	test("saves the user's choice only when it allowed exactly this call", async () => {
		let saved = 0;
		const chosen = { label: "book of s in this workspace", save: async () => void saved++ };
		const { links, ask } = await scene({ chooseGrant: async () => chosen });
		const question = ask();
		await links.follow(question.decision.id, "always");
		expect([answerOf(question), saved]).toEqual([{ kind: "allow", grant: chosen.label }, 1]);
	});

	test("saves nothing when the question ended meanwhile, or nothing was chosen", async () => {
		let saved = 0;
		const { links, ask } = await scene({
			chooseGrant: async () => {
				question.decision.answer({ kind: "deny" });
				return { label: "x", save: async () => void saved++ };
			},
		});
		const question = ask();
		await links.follow(question.decision.id, "always");
		expect([answerOf(question), saved]).toEqual([{ kind: "deny" }, 0]);
		const escaped = await scene();
		const open = escaped.ask();
		await escaped.links.follow(open.decision.id, "always");
		expect(open.decision.outcome).toBeUndefined();
	});
});

describe("Deny with Reason…", () => {
	test.each([
		["Use my calendar instead. ", { kind: "deny", reason: "Use my calendar instead." }],
		["  ", { kind: "deny" }],
		[undefined, undefined],
	])("%j", async (typed, answer) => {
		const { links, ask } = await scene({ askReason: async () => typed });
		const question = ask();
		await links.follow(question.decision.id, "deny-reason");
		expect(answerOf(question)).toEqual(answer);
	});
});
