import { expect, test } from "vitest";
import { AppCalls } from "../../../../src/features/apps/appCalls.ts";
import { AppQuestions } from "../../../../src/features/apps/appQuestions.ts";
import { directoryOf, User, serve, tool } from "../tools/toolSession.ts";
import { budget } from "./appScene.ts";

test("an app of a server that was replaced under the same name cannot reach the new one (APP-02)", async () => {
	const spend = tool("spend");
	const before = await serve("finance", budget, spend);
	const now = await serve("finance", budget, spend);
	const { approvals, policy, pins } = new User(() => undefined);
	const calls = new AppCalls(
		{
			directory: directoryOf(now),
			approvals: () => approvals,
			policy,
			pins,
			refreshRules: async () => undefined,
			createMessage: () => Promise.reject(new Error("not asked here")),
		},
		{ session: before, app: { name: "app", reveal: () => undefined }, questions: new AppQuestions() },
	);
	await expect(calls.callTool("spend", {}, new AbortController().signal)).rejects.toThrow("offers no tool spend");
	expect([...before.received, ...now.received]).toEqual([]);
});
