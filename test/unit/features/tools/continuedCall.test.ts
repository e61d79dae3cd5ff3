import { expect, test } from "vitest";
import { runCall } from "../../../../src/features/tools/call.ts";
import { resultForModel } from "../../../../src/features/tools/outcome.ts";
import { FollowedTask } from "../../../../src/protocol/followedTask.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { User, serve, tool, untilAborted } from "./toolSession.ts";

test("a call whose task is left to the background is neither done nor cancelled, for the model and the activity (TSK-13)", async () => {
	const session = await serve("s", tool("research"));
	session.onCall = async (name, args, { onTask }) => {
		const task = new FollowedTask({ taskId: "1", kind: "extension", tool: name, arguments: args, createdAt: 0 });
		onTask?.(task);
		return untilAborted(task.stopped);
	};
	const notes = new CollectedNotes();
	const user = new User({ kind: "allow" });
	const { approvals, policy, pins } = user;
	const entry = { session, tool: session.tools.items[0]!, modelName: "research", hidden: undefined };
	const { signal } = new AbortController();
	const noting = { notes, origin: "model" } as const;
	const context = { approvals, policy, pins, signal, noting, patienceMs: 0 };
	const events = runCall({ callId: "1", entry, arguments: {} }, context);
	let next = await events.next();
	for (; next.done !== true; next = await events.next()) {
		user.see(next.value);
		if (next.value.type === "slow") expect(next.value.run.continueInBackground()).toBe(true);
	}
	expect(next.value.kind).toBe("continued");
	expect(JSON.stringify(resultForModel("1", next.value))).toContain("continues as a task in the background");
	expect(notes.steps).toEqual(["call asked", "call allowed user", "call sent", "call unknown"]);
});
