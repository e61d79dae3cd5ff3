import { describe, expect, it } from "vitest";
import { CallReview } from "../../../../src/surfaces/namedCalls/callReview.ts";
import type { PreparedCall } from "../../../../src/surfaces/namedCalls/callRun.ts";
import { parseCalls } from "../../../../src/surfaces/namedCalls/parseCalls.ts";
import type { DecidedBy } from "../../../../src/permissions/policy/verdict.ts";
import { entryOf } from "../runner/runScene.ts";
import { User, serve, tool, type ToolSession } from "../../features/tools/toolSession.ts";

const echo = tool("echo", { text: { type: "string" } }, { annotations: { readOnlyHint: true } });
const byDefault: DecidedBy = { kind: "default", label: "no rule" };

function prepared(server: ToolSession, args: object, by: DecidedBy = byDefault): PreparedCall {
	const call = { server: "travel", tool: "echo", arguments: args };
	const file = parseCalls(JSON.stringify({ version: 1, calls: { "says it": call } }));
	const [named] = file.calls;
	if (named?.target.kind !== "tool") throw new Error("no call");
	return {
		wanted: { call: named, file, place: ".vscode/mcp-calls.json" },
		target: named.target,
		entry: entryOf(server),
		arguments: named.target.arguments,
		verdict: { decision: "ask", by },
	};
}

class ReviewScene {
	readonly granted: PreparedCall[] = [];
	readonly review: CallReview;

	constructor(calls: readonly PreparedCall[], grant?: () => Promise<void>) {
		this.review = new CallReview(calls, {
			pins: new User({ kind: "deny" }).pins,
			redact: (text) => text.replaceAll("s3cret", "⟦token⟧"),
			grant: async (call) => {
				this.granted.push(call);
				await grant?.();
			},
		});
	}
}

describe("the review of a run's calls (CAL-04)", () => {
	it("shows each call whole: arguments and server, every character visible, secrets of the user as marks", async () => {
		const server = await serve("travel", echo);
		const { review } = new ReviewScene([prepared(server, { text: "a\u202Eb s3cret" })]);
		expect(review.state).toEqual({
			grantable: 1,
			calls: [
				{
					name: "says it",
					place: ".vscode/mcp-calls.json",
					server: "travel",
					target: "tool echo",
					badges: "read-only · open world (assumed)",
					isRisky: false,
					arguments: '{\n  "text": "a\\u202Eb ⟦token⟧"\n}',
					notes: [],
				},
			],
		});
	});

	it("explains why a call asks each time, and offers no grant without effect", async () => {
		const server = await serve("travel", echo);
		const calls = [prepared(server, {}), prepared(server, {}, { kind: "rule", label: "rule 1: ask travel" })];
		const scene = new ReviewScene(calls);
		expect(scene.review.state.grantable).toBe(1);
		expect(scene.review.state.calls[1]?.notes).toEqual(["Confirmation required by rule 1: ask travel."]);
		await scene.review.answer("always");
		expect(scene.granted).toEqual([calls[0]]);
		expect(await scene.review.settled).toEqual(new Set(calls));
	});

	it("settles once: later and invalid answers change nothing", async () => {
		const server = await serve("travel", echo);
		const calls = [prepared(server, {})];
		const scene = new ReviewScene(calls);
		for (const none of [undefined, true, "yes", { answer: "once" }]) await scene.review.answer(none);
		await scene.review.answer("none");
		await scene.review.answer("always");
		expect(await scene.review.settled).toEqual(new Set());
		expect(scene.granted).toEqual([]);
	});

	it("runs allowed calls also if the grant could not be kept", async () => {
		const server = await serve("travel", echo);
		const calls = [prepared(server, {})];
		const scene = new ReviewScene(calls, () => Promise.reject(new Error("disk full")));
		await scene.review.answer("always");
		expect(await scene.review.settled).toEqual(new Set(calls));
	});
});
