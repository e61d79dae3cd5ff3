import { describe, expect, test } from "vitest";
import { AppCall } from "../../../../src/features/apps/appCall.ts";
import { WrittenCall } from "../../../../src/features/apps/followedCalls.ts";
import { FinishedCalls } from "../../../../src/features/tools/results/finishedCalls.ts";
import type { ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { type ResultApps, TurnView } from "../../../../src/surfaces/chat/turnView.ts";
import type { ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import { answerAll } from "../../../../src/features/tools/approval.ts";
import { RunningCalls } from "../../../../src/features/tools/runningCall.ts";
import { User, serve, tool, type ToolSession, untilAborted } from "../../features/tools/toolSession.ts";
import { play, type Step, type Told, wideLimits } from "./scripted.ts";

const text = { text: { type: "string" } };
const call = (name: string, value = "hi"): { name: string; arguments: object } => ({
	name,
	arguments: { text: value },
});

/** The content of the chat after a turn, line by line: model's text, our parts, links and progress. */
interface Shown {
	readonly lines: readonly string[];
	/** The texts among them that wait for the next ones. */
	readonly waiting: readonly string[];
	readonly running: RunningCalls;
	/** Of the links. */
	readonly ids: readonly string[];
}

/** Plays a turn. */
async function shown(
	steps: readonly Step[],
	servers: readonly ToolSession[],
	user = new User({ kind: "allow" }),
	{ apps, ...more }: Told & { readonly apps?: ResultApps } = {},
): Promise<Shown> {
	const lines: string[] = [];
	const waiting: string[] = [];
	const ids: string[] = [];
	const running = new RunningCalls();
	const stage = {
		modelText: (piece: string) => void lines.push(`model: ${piece}`),
		progress: (message: string) => void lines.push(`progress: ${message}`),
		parts: (parts: readonly ChatPart[], isMoreSoon = false) => {
			for (const part of parts) {
				if (isMoreSoon && part.kind === "text") waiting.push(part.markdown.trim());
				if (part.kind === "text") lines.push(...part.markdown.split("\n").filter((line) => line.trim() !== ""));
				else {
					ids.push(part.id);
					lines.push(`[${[...(part.main ? [part.main] : []), ...part.links].map(({ label }) => label).join(" · ")}]`);
				}
			}
		},
	};
	const view = new TurnView(stage, new FinishedCalls(), running, undefined, apps);
	await play(steps, servers, user, {
		...more,
		onEvent: (event) => (view.show(event), more.onEvent?.(event)),
		onCallPart: (entry, part) => view.write(entry, part),
	});
	view[Symbol.dispose]();
	return { lines, waiting, running, ids };
}

const answers = "[Allow Once · Always… · Deny · Edit… · Deny with Reason…]";

describe("the content of the chat", () => {
	test("MDL-02, MDL-11: shows of thoughts only that there are some, once for each time that it thinks; they are not part of the answer", async () => {
		const thoughts = ["I should ", "look ", "first."];
		const steps = [
			{ thoughts, calls: [call("s_echo")] },
			{ thoughts, text: "Done." },
		];
		const { lines } = await shown(steps, [await serve("s", tool("echo", text))]);
		expect(lines.filter((line) => line.includes("think"))).toEqual([
			"progress: The model is thinking",
			"progress: The model is thinking",
		]);
		// Folded: one link for all of them.
		expect(lines.filter((line) => line === "[Thoughts]")).toHaveLength(1);
		expect([...lines.slice(0, 2), lines.at(-1)]).toEqual([
			"[Thoughts]",
			"progress: The model is thinking",
			"model: Done.",
		]);
		expect(lines.join()).not.toContain("first.");
	});

	test("for one call shows server, tool, answers and outcome; a waiting one is shown by its name (UI-24)", async () => {
		const { lines } = await shown(
			[{ text: "Let me. ", calls: [call("s_echo")] }, { text: "Done." }],
			[await serve("s", tool("echo", text))],
		);
		expect(lines).toEqual([
			"model: Let me. ",
			"**s** · **echo**  ",
			"the server says nothing\\: treated as destructive and open world",
			"**text** `hi`",
			answers,
			"progress: s · echo is not called until you decide",
			"You allowed this call.",
			"progress: s · echo was called",
			expect.stringMatching(/^\*\*s\*\* · \*\*echo\*\*: allowed by you · answered in \d+ ms$/),
			expect.stringContaining("echo done"),
			expect.stringContaining("Details"),
			"model: Done.",
		]);
	});

	test("for a decision is drawn with the result, if that comes at once; the question itself waits for nothing", async () => {
		const steps = [{ calls: [call("s_echo")] }, { text: "Done." }];
		const { waiting } = await shown(steps, [await serve("s", tool("echo", text))]);
		expect(waiting).toEqual(["You allowed this call."]);
		const denied = await shown(steps, [await serve("s", tool("echo", text))], new User({ kind: "deny" }));
		expect(denied.waiting).toEqual([expect.stringContaining("You denied this call.")]);
	});

	test("for a result with an app has the same text, a link that opens it, and the offer to open it automatically (APP-12)", async () => {
		const followed: unknown[] = [];
		const apps: ResultApps = {
			has: ({ tool: { name } }: ToolEntry) => name === "echo",
			write: () => undefined,
			follow: ({ sent }) => {
				followed.push(sent);
				return ({ kind }) => void followed.push(kind);
			},
		};
		const server = await serve("s", tool("echo", text), tool("other", text));
		const steps = [{ calls: [call("s_echo", "a"), call("s_other", "b")] }, { text: "Done." }];
		const { lines } = await shown(steps, [server], undefined, { apps });
		expect(lines.filter((line) => line.includes("Details"))).toEqual([
			"[Open App · Details · Show in Trace]",
			"[Details · Show in Trace]",
		]);
		expect(lines).toEqual(expect.arrayContaining([expect.stringContaining("echo done")]));
		expect(followed).toEqual([{ text: "a" }, { text: "b" }, "done", "done"]);
	});

	test("for a slow call with an app has a link that opens it meanwhile; its end is shown with a stopped turn as well (APP-16)", async () => {
		const ends: string[] = [];
		const ids: string[] = [];
		const apps: ResultApps = {
			has: () => true,
			write: () => undefined,
			follow: ({ id }) => {
				ids.push(id);
				return ({ kind }) => void ends.push(kind);
			},
		};
		const server = await serve("s", tool("echo", text));
		server.onCall = (_name, _args, options) => untilAborted(options.signal);
		const stop = new AbortController();
		const more: Told = { patienceMs: 0, signal: stop.signal };
		const onEvent: Told["onEvent"] = (event) => {
			if (event.type === "call" && event.event.type === "slow") stop.abort();
		};
		const told = await shown([{ calls: [call("s_echo")] }], [server], undefined, { apps, ...more, onEvent });
		expect(told.lines).toContain("[Open App · Cancel Call]");
		expect(told.ids).toContain(ids[0]);
		expect(ends).toEqual(["cancelled"]);
	});

	test("for calls that are being written updates their apps, has a link to the app of a long one, and ends unsent ones (APP-24)", async () => {
		const told: string[] = [];
		const apps: ResultApps = {
			has: () => true,
			write: (entry) => {
				if (entry.tool.name !== "echo") return undefined;
				const call = new AppCall(entry);
				call.onDidChange(() => void told.push(JSON.stringify(call.written ?? call.end)));
				return new WrittenCall(call, () => told.push("gone"));
			},
			follow: ({ sent }, written) => {
				written?.dispose();
				told.push(`sent ${JSON.stringify(sent)}${written === undefined ? ", not seen before" : ""}`);
				return () => undefined;
			},
		};
		const server = await serve("s", tool("echo", text), tool("other", text));
		const long = "x".repeat(1000);
		const steps = [
			{
				calls: [
					{ ...call("s_echo"), written: ['{"te', '{"text"'] },
					{ ...call("s_other"), written: ['{"text"'] },
				],
			},
			{ calls: [{ name: "s_echo", malformed: "{", written: [`{"text": "${long}`, `{"text": "${long}x`] }] },
			{ calls: [{ ...call("s_echo"), written: ["{"] }], error: new Error("It broke off.") },
		];
		const { lines } = await shown(steps, [server], undefined, { apps });
		expect(told.map((one) => one.replace(/x{9,}/, "…"))).toEqual([
			"{}",
			"gone",
			'sent {"text":"hi"}',
			'sent {"text":"hi"}, not seen before',
			'{"text":"…"}',
			"gone",
			'{"cancelled":"The arguments are not a JSON object. Write them as valid JSON."}',
			"{}",
			"gone",
			'{"cancelled":"The call was cancelled before you decided."}',
		]);
		expect(lines.filter((line) => line === "[Open App]")).toHaveLength(1);
		expect(lines.filter((line) => line.includes("long arguments"))).toEqual([
			"**s** · **echo**: the model is writing long arguments.",
		]);
	});

	test("for several calls has their numbers, one row for all, and results under their names", async () => {
		const server = await serve("s", tool("echo", text));
		const user = new User(({ call: { arguments: args } }) =>
			args["text"] === "b" ? { kind: "deny" } : { kind: "allow" },
		);
		const { lines } = await shown(
			[{ calls: [call("s_echo", "a"), call("s_echo", "b")] }, { text: "ok" }],
			[server],
			user,
		);
		expect(lines.filter((line) => line === answers)).toHaveLength(2);
		expect(lines).toContain("2 calls are waiting for you. Decide each of them above, or all of them here:");
		expect(lines).toContain("[Allow All 2 · Deny All]");
		expect(lines).toContain("You allowed call 1 of 2.");
		expect(lines).toContain("You denied call 2 of 2.");
		expect(lines).toContainEqual(
			expect.stringMatching(/^\*\*s\*\* · \*\*echo\*\* · call 1 of 2: allowed by you · answered/),
		);
	});

	test("for several calls that are allowed together, or in part before, shows it once", async () => {
		const server = await serve("s", tool("echo", text));
		const calls = ["a", "b", "c"].map((said) => call("s_echo", said));
		const allowed = async (before: number): Promise<readonly string[]> => {
			const onEvent: Told["onEvent"] = (event) => {
				if (event.type !== "group") return;
				for (const { decision } of event.group.questions.slice(0, before)) decision.answer({ kind: "allow" });
				answerAll(event.group, { kind: "allow" });
			};
			const { lines } = await shown([{ calls }, { text: "ok" }], [server], new User(() => undefined), { onEvent });
			expect(lines.filter((line) => line.includes("allowed by you · answered"))).toHaveLength(3);
			return lines.filter((line) => line.startsWith("You allowed"));
		};
		expect(await allowed(0)).toEqual(["You allowed all 3 calls."]);
		expect((await allowed(1)).toSorted()).toEqual(["You allowed call 1 of 3.", "You allowed the other 2 calls."]);
		expect(await allowed(2)).toHaveLength(3);
	});

	test("for a rule's decision names the rule, and where to change it", async () => {
		const server = await serve("s", tool("echo", text), tool("no", text));
		const user = new User({ kind: "deny" });
		const grant = { kind: "grant", label: "your grant: echo of s", brief: "your grant" } as const;
		user.rules.set("echo", { decision: "allow", by: grant });
		user.rules.set("no", { decision: "deny", by: { kind: "rule", label: "rule 2 of User Settings" } });
		const { lines } = await shown([{ calls: [call("s_echo"), call("s_no")] }, { text: "ok" }], [server], user);
		expect(lines).toContain("Allowed by your grant\\: echo of s.");
		expect(lines).toContainEqual(
			expect.stringMatching(/^\*\*s\*\* · \*\*echo\*\* · call 1 of 2: allowed by your grant · answered/),
		);
		expect(lines).toContain("Not called: denied by rule 2 of User Settings. The model was informed.");
		expect(lines.filter((line) => line === "[Manage Rules]")).toHaveLength(2);
		expect(lines).not.toContain(answers);
	});

	test("for a running call has its log, its progress, and the way to cancel it", async () => {
		const server = await serve("s", tool("echo", text));
		server.onCall = (_name, _args, { signal, onProgress }) => {
			server.requestLog.log("reading *page* 1");
			onProgress?.({ progress: 1, total: 2 });
			return untilAborted(signal);
		};
		const { lines } = await shown([{ calls: [call("s_echo")] }, { text: "ok" }], [server], undefined, {
			patienceMs: 0,
			onEvent: (event) => {
				if (event.type === "call" && event.event.type === "slow") event.event.run.cancel();
			},
		});
		expect(lines).toContain("progress: s · echo: reading *page* 1");
		expect(lines).toContain("progress: s · echo: 1 of 2");
		expect(lines).toContain("[Cancel Call]");
		expect(lines).toContain("You cancelled this call while it ran. It may have taken effect.");
	});

	test("for a call whose server asks the user shows no duration before they answered", async () => {
		const server = await serve("s", tool("echo", text));
		const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
		let isAsking = true;
		server.onCall = async () => {
			await answered;
			return { content: [] };
		};
		const shownLater: string[] = [];
		const parts = (all: readonly ChatPart[]): void =>
			void shownLater.push(
				...all.flatMap((part) => (part.kind === "links" ? part.links : [])).map(({ label }) => label),
			);
		const stage = { modelText: () => undefined, progress: () => undefined, parts };
		const view = new TurnView(stage, new FinishedCalls(), new RunningCalls(), () => isAsking);
		await play([{ calls: [call("s_echo")] }, { text: "ok" }], [server], new User({ kind: "allow" }), {
			patienceMs: 0,
			onEvent: (event) => {
				view.show(event);
				if (event.type !== "call" || event.event.type !== "slow") return;
				expect(shownLater).not.toContain("Cancel Call");
				isAsking = false;
				view.showSlow();
				expect(shownLater).toContain("Cancel Call");
				answer();
			},
		});
		view.showSlow();
		expect(shownLater.filter((label) => label === "Cancel Call")).toHaveLength(1);
	});

	test("for a limit has the sentence with the next step", async () => {
		const server = await serve("s", tool("echo", text));
		const { lines } = await shown([{ calls: [call("s_echo")] }], [server], undefined, {
			limits: { ...wideLimits, rounds: 1 },
		});
		expect(lines.at(-1)).toContain("continue");
	});
});
