import { describe, expect, test } from "vitest";
import type { ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { TurnReviews } from "../../../../src/surfaces/chat/turnReviews.ts";
import { Decision, type DecisionSubject } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { User, serve, tool } from "../../features/tools/toolSession.ts";
import { play } from "./scripted.ts";

const asked = (subject: Partial<DecisionSubject>): Decision<string> =>
	new Decision({ kind: "sampling", server: "s", title: "completion of “Rank”", ...subject });

/** The chat's lines about reviews, which of them waits for the next one, and the ids of its buttons. */
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
	test("is shown once, with a button that opens it", async () => {
		const decisions: Decision<string>[] = [];
		const { lines, ids } = await shown((serverId) => {
			decisions.push(asked({ serverId, during: "tools/call rank" }), asked({ serverId, during: "tools/call rank" }));
			return decisions;
		});
		const line = "**s** asks for a completion. Nothing is sent to a model until you review the request.";
		expect(lines).toEqual([line, line]);
		expect(ids).toEqual(decisions.map(({ id }) => `Open Review ${id}`));
	});

	test("is followed by a line about its end", async () => {
		const { lines, waiting } = await shown(
			(serverId) => [1, 2].map(() => asked({ serverId, during: "tools/call rank" })),
			([first, second]) => [first?.answer("it"), second?.lapse("server-gone")],
		);
		expect(lines.slice(2)).toEqual([
			"You answered the request of **s** for a completion.",
			// Slow calls are not reported while a review waits.
			"You did not answer the request of **s** for a completion before it ended.",
			"asking: false",
		]);
		// The ends are drawn with the results that they cause.
		expect(waiting).toEqual(lines.slice(2, 4));
	});

	test("is shown when the server does not name the call that it is for", async () => {
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
