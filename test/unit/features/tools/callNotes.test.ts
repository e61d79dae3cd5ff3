import { expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { ToolAnswer } from "../../../../src/features/tools/approval.ts";
import { runCall } from "../../../../src/features/tools/call.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { User, serve, tool, type ToolSession } from "./toolSession.ts";

const properties = { city: { type: "string" } };

/** Makes one call for a user, and returns its records. */
async function notesOf(
	answer: ToolAnswer,
	{
		args = { city: "Rome" },
		prepare = () => undefined,
		signal = new AbortController().signal,
	}: {
		readonly args?: JsonObject;
		readonly prepare?: (session: ToolSession, user: User) => void;
		readonly signal?: AbortSignal;
	} = {},
): Promise<CollectedNotes> {
	const session = await serve("travel", tool("book", properties));
	const user = new User(answer);
	prepare(session, user);
	const notes = new CollectedNotes();
	const { approvals, policy, pins } = user;
	const entry = { session, tool: session.tools.items[0]!, modelName: "book", hidden: undefined };
	const noting = { notes, origin: "model", turn: "t1" } as const;
	const events = runCall({ callId: "1", entry, arguments: args }, { approvals, policy, pins, signal, noting });
	for (;;) {
		const next = await events.next();
		if (next.done === true) return notes;
		// The arguments are recorded before they are sent.
		if (next.value.type === "started") expect(session.received).toEqual([]);
		if (next.value.type === "started") expect(notes.steps.at(-1)).toBe("call sent");
		user.see(next.value);
	}
}

it("records a call that the user allowed, was sent and answered (JRN-10)", async () => {
	const notes = await notesOf({ kind: "allow" });
	expect(notes.steps).toEqual(["call asked", "call allowed user", "call sent", "call answered"]);
	const [asked, , , answered] = notes.entries;
	expect(asked).toMatchObject({
		server: "travel",
		target: "book",
		origin: "model",
		turn: "t1",
		contents: { city: "Rome" },
	});
	expect(answered).toMatchObject({
		isError: false,
		contents: { content: [{ text: "book done" }] },
		exchange: "here-1",
	});
	expect(new Set(notes.entries.map((entry) => ("id" in entry ? entry.id : "")))).toHaveProperty("size", 1);
});

it("records a grant beside the answer, and arguments that the user changed (JRN-10)", async () => {
	const granted = await notesOf({ kind: "allow", grant: "book of travel in this session" });
	expect(granted.entries[1]).toMatchObject({ reason: "and allowed from now on: book of travel in this session" });
	const edited = await notesOf({ kind: "edited", arguments: { city: "Oslo" } });
	expect(edited.steps).toEqual(["call asked", "call edited user", "call sent", "call answered"]);
	expect(edited.entries[1]).toMatchObject({ contents: { city: "Oslo" } });
});

it("records a denial, by the user with their reason or by a rule with its line (JRN-10)", async () => {
	const byUser = await notesOf({ kind: "deny", reason: "too dear" });
	expect(byUser.steps).toEqual(["call asked", "call denied user"]);
	expect(byUser.entries[1]).toMatchObject({ reason: "too dear" });
	const rule = { decision: "deny", by: { kind: "rule", label: "rule 1 of User Settings: deny travel" } } as const;
	const byRule = await notesOf(
		{ kind: "allow" },
		{
			prepare(session, user) {
				user.rules.set("book", rule);
				Object.assign(session, { noteRefused: () => "here-2" });
			},
		},
	);
	expect(byRule.steps).toEqual(["call denied rule"]);
	// So that it links to its row in the trace (JRN-17).
	expect(byRule.entries[0]).toMatchObject({ byLabel: rule.by.label, exchange: "here-2" });
});

it("records calls without a question, and by which rule or grant (JRN-10)", async () => {
	for (const kind of ["rule", "grant", "trust"] as const) {
		const verdict = { decision: "allow", by: { kind, label: `the ${kind}` } } as const;
		const notes = await notesOf({ kind: "deny" }, { prepare: (_, user) => user.rules.set("book", verdict) });
		expect(notes.steps).toEqual([`call allowed ${kind}`, "call sent", "call answered"]);
		expect(notes.entries[0]).toMatchObject({ byLabel: `the ${kind}` });
	}
});

it("records an unknown outcome: that a call was sent, without an answer (JRN-10)", async () => {
	for (const code of ["outcome-unknown", "timeout"] as const) {
		const notes = await notesOf(
			{ kind: "allow" },
			{ prepare: (session) => (session.onCall = () => Promise.reject(new HostError(code, "gone"))) },
		);
		expect(notes.steps.slice(-2)).toEqual(["call sent", "call unknown"]);
	}
	const failed = await notesOf(
		{ kind: "allow" },
		{ prepare: (session) => (session.onCall = () => Promise.reject(new HostError("protocol", "bad"))) },
	);
	expect(failed.steps.at(-1)).toBe("call failed");
});

it("records a question that expired, a call that was cancelled, and invalid arguments (JRN-10)", async () => {
	const controller = new AbortController();
	const cancelled = await notesOf(
		{ kind: "allow" },
		{
			signal: controller.signal,
			prepare: (session) =>
				(session.onCall = () => {
					controller.abort();
					return Promise.reject(new HostError("cancelled", "x"));
				}),
		},
	);
	expect(cancelled.entries.at(-1)).toMatchObject({
		phase: "cancelled",
		reason: expect.stringContaining("may have taken"),
	});
	const invalid = await notesOf({ kind: "allow" }, { args: { city: 3 } });
	expect(invalid.steps).toEqual(["call invalid host"]);
});

it("is the same call without a recorder", async () => {
	const session = await serve("travel", tool("book", properties));
	const { approvals, policy, pins } = new User({ kind: "allow" });
	const entry = { session, tool: session.tools.items[0]!, modelName: "book", hidden: undefined };
	const { signal } = new AbortController();
	const events = runCall({ callId: "1", entry, arguments: { city: 1 } }, { approvals, policy, pins, signal });
	expect((await events.next()).value).toMatchObject({ kind: "invalid" });
});
