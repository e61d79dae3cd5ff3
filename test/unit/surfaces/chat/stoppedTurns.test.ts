/** The outcome of calls that ran when the user stopped the answer is reported at the next turn (TOL-25). */
import { describe, expect, test } from "vitest";
import { type PastTurn, toMessages, toMetadata } from "../../../../src/surfaces/chat/history.ts";
import type { ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { StoppedTurns } from "../../../../src/surfaces/chat/stoppedTurns.ts";
import { TurnView } from "../../../../src/surfaces/chat/turnView.ts";
import { FinishedCalls } from "../../../../src/features/tools/results/finishedCalls.ts";
import { RunningCalls } from "../../../../src/features/tools/runningCall.ts";
import { User, serve, tool, untilAborted } from "../../features/tools/toolSession.ts";
import { play } from "./scripted.ts";

interface Stopped {
	readonly shown: readonly string[];
	/** The chat's result for the editor, which may store it. */
	readonly metadata: unknown;
}

/** A turn in which `nap` runs until it is stopped, `quick` is done by then and `late` answers nevertheless. */
async function stop(turns: StoppedTurns, prompt: string, before: readonly PastTurn[] = []): Promise<Stopped> {
	const server = await serve("s", tool("nap"), tool("quick"), tool("late"));
	const controller = new AbortController();
	server.onCall = async (name, _args, { signal = controller.signal }) => {
		if (name === "nap") await untilAborted(signal);
		if (name === "late" && !signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
		return { content: [{ type: "text", text: `${name} done` }] };
	};
	const shown: string[] = [];
	const late: ChatPart[] = [];
	const stage = {
		modelText: () => undefined,
		progress: (message: string) => void shown.push(message),
		parts: (parts: readonly ChatPart[]) => void shown.push(...textsOf(parts)),
	};
	const view = new TurnView(stage, new FinishedCalls(), new RunningCalls());
	const { record } = await play(
		[{ text: "Let me.", calls: ["nap", "quick", "late"].map((name) => ({ name: `s_${name}` })) }],
		[server],
		new User({ kind: "allow" }),
		{
			signal: controller.signal,
			patienceMs: 0,
			onEvent: (event) => {
				if (controller.signal.aborted && event.type === "finished") late.push(...view.partsLater(event));
				else view.show(event);
				const isSlow = event.type === "call" && event.event.type === "slow";
				if (isSlow && event.event.type === "slow" && event.event.run.call.entry.tool.name === "nap")
					setImmediate(() => controller.abort());
			},
		},
	);
	turns.note(before, prompt, record, late);
	return { shown, metadata: toMetadata(record) };
}

function textsOf(parts: readonly ChatPart[]): readonly string[] {
	return parts.map((part) =>
		part.kind === "text" ? part.markdown : `[${part.links.map(({ label }) => label).join()}]`,
	);
}

/** As the editor returns a turn that was stopped. */
const cancelled = (prompt: string): PastTurn => ({ prompt, answer: "Let me.", metadata: undefined });

const ended = (prompt: string): PastTurn => ({ prompt, answer: "", metadata: { mcpHost: {} } });

describe("a turn that was stopped", () => {
	test("leaves nothing in the chat that shows a running call", async () => {
		const shown = (await stop(new StoppedTurns(), "Sleep")).shown.join("\n");
		expect(shown).toContain("s · nap was called");
		expect(shown).toContain("[Cancel Call]");
		expect(shown).not.toMatch(/running/);
	});

	test("has the outcome of its calls reported at the next one, once, with unknown ones", async () => {
		const turns = new StoppedTurns();
		await stop(turns, "Sleep");
		const { parts } = turns.recall([cancelled("Sleep")]);
		const said = textsOf(parts).join("\n");
		expect(said).toContain("After you stopped the answer");
		expect(said).toMatch(/\*\*nap\*\*\s+This call was stopped while it ran\. It may have taken effect/);
		expect(said).not.toContain("**quick**");
		expect(turns.recall([cancelled("Sleep")]).parts).toEqual([]);
	});

	test("is recognised by its metadata as well, if the editor keeps them", async () => {
		const turns = new StoppedTurns();
		const { metadata } = await stop(turns, "Sleep");
		const kept: PastTurn = { ...cancelled("Sleep"), metadata: JSON.parse(JSON.stringify(metadata)) as unknown };
		const { parts, turns: recalled } = turns.recall([kept]);
		expect(textsOf(parts).join("\n")).toContain("It may have taken effect");
		expect(JSON.stringify(toMessages(recalled, 100_000))).toContain("It may have taken effect");
		expect(turns.recall([kept]).parts).toEqual([]);
	});

	test("includes its calls in the model's messages from then on", async () => {
		const turns = new StoppedTurns();
		await stop(turns, "Sleep");
		for (let turn = 0; turn < 2; turn++) {
			const text = JSON.stringify(toMessages(turns.recall([cancelled("Sleep")]).turns, 100_000));
			expect(text).toContain("s_nap");
			expect(text).toContain("It may have taken effect");
			expect(text).toContain("quick done");
		}
	});

	test("is distinguished from those of other chats by the user's messages up to it", async () => {
		const turns = new StoppedTurns();
		const [trip, shop] = [ended("Plan a trip"), ended("Buy a lamp")];
		await stop(turns, "continue", [trip]);
		expect(turns.recall([cancelled("Wake")]).parts).toEqual([]);
		expect(turns.recall([shop, cancelled("continue")]).parts).toEqual([]);
		expect(turns.recall([cancelled("continue")]).parts).toEqual([]);
		expect(turns.recall([trip, cancelled("continue"), ended("Thanks")]).parts).not.toEqual([]);
	});

	test("is distinguished from those that ended on their own", async () => {
		const turns = new StoppedTurns();
		await stop(turns, "Sleep");
		const turn = ended("Sleep");
		expect(turns.recall([turn])).toEqual({ turns: [turn], parts: [] });
		expect(turns.recall([cancelled("Sleep"), turn]).parts).not.toEqual([]);
	});
});
