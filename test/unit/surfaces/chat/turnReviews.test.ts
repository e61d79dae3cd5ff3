import { describe, expect, test } from "vitest";
import type { ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { TurnReviews } from "../../../../src/surfaces/chat/turnReviews.ts";
import { Decision, type DecisionSubject } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { User, serve, tool } from "../../features/tools/toolSession.ts";
import { play } from "./scripted.ts";

const asked = (subject: Partial<DecisionSubject>): Decision<string> =>
	new Decision({ kind: "sampling", server: "s", title: "completion of “Rank”", ...subject });

/** What the chat shows of reviews, line by line, which of it waits for what follows, and the ids behind its buttons. */
async function shown(
	decisionsOf: (serverId: string) => readonly Decision<string>[],
	answer: (decisions: readonly Decision<string>[]) => void = () => undefined,
) {
	const session = await serve("s", tool("rank"));
	const pending = new PendingDecisions();
	const decisions = decisionsOf(session.definition.id);
	const lines: string[] = [];
	const waiting: string[] = [];
	const ids: string[] = [];
	const stage = {
		parts: (parts: readonly ChatPart[], isMoreSoon = false): void => {
			for (const part of parts) {
				if (part.kind !== "text") ids.push(`${part.main?.label} ${part.id}`);
				else for (const list of isMoreSoon ? [lines, waiting] : [lines]) list.push(part.markdown.trim());
			}
		},
	};
	const reviews = new TurnReviews(pending, stage, { showSlow: () => lines.push(`asking: ${reviews.isAsking}`) });
	await play([{ calls: [{ name: "s_rank" }] }, { text: "Done." }], [session], new User({ kind: "allow" }), {
		onEvent: (event) => {
			reviews.follow(event);
			if (event.type !== "call" || event.event.type !== "started") return;
			for (const decision of decisions) pending.add(decision, () => undefined);
			answer(decisions);
		},
	});
	const late = asked({ serverId: session.definition.id, during: "tools/call rank" });
	pending.add(late, () => undefined);
	reviews[Symbol.dispose]();
	pending.add(asked({ serverId: session.definition.id, during: "tools/call rank" }), () => undefined);
	return { lines, waiting, ids };
}

describe("a review that a call of the turn waits for (UI-15)", () => {
	test("is told of once, with a button that opens it", async () => {
		const decisions: Decision<string>[] = [];
		const { lines, ids } = await shown((serverId) => {
			decisions.push(asked({ serverId, during: "tools/call rank" }), asked({ serverId, during: "tools/call rank" }));
			return decisions;
		});
		const line = "**s** asks for a completion. Nothing is sent to a model until you review the request.";
		expect(lines).toEqual([line, line]);
		expect(ids).toEqual(decisions.map(({ id }) => `Open Review ${id}`));
	});

	test("is followed by a line that says how it ended", async () => {
		const { lines, waiting } = await shown(
			(serverId) => [1, 2].map(() => asked({ serverId, during: "tools/call rank" })),
			([first, second]) => [first?.answer("it"), second?.lapse("server-gone")],
		);
		expect(lines.slice(2)).toEqual([
			"You answered the request of **s** for a completion.",
			// What takes long is said of no call while a review waits.
			"You did not answer the request of **s** for a completion before it ended.",
			"asking: false",
		]);
		// The ends are drawn with the results that they bring about.
		expect(waiting).toEqual(lines.slice(2, 4));
	});

	test("is told of when the server does not say which of its calls it is for", async () => {
		const { ids } = await shown((serverId) => [asked({ serverId, during: "tools/call other, tools/call rank" })]);
		expect(ids).toHaveLength(1);
	});

	test("stays out of turns whose calls it is not for", async () => {
		const { lines } = await shown((serverId) => [
			asked({ serverId: "another", during: "tools/call rank" }),
			asked({ serverId, during: "tools/call other" }),
			asked({ serverId }),
			asked({ serverId, kind: "elicitation", during: "tools/call rank" }),
		]);
		expect(lines).toEqual([]);
	});

	test("shows a server's name as text", async () => {
		const { lines } = await shown((serverId) => [
			asked({ serverId, server: "[x](command:y)\n", during: "tools/call rank" }),
		]);
		expect(lines[0]).toContain(String.raw`\[x\]\(command\:y\)`);
	});
});
