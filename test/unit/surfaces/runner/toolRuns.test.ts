import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { stderrLines } from "../../../../src/servers/sessions/stderrLines.ts";
import { ToolRun } from "../../../../src/surfaces/runner/toolRun.ts";
import { toRunView } from "../../../../src/surfaces/runner/runView.ts";
import { directoryOf, serve, tool, untilAborted } from "../../features/tools/toolSession.ts";
import { ended, entryOf, RunScene } from "./runScene.ts";

const echo = tool("echo", { text: { type: "string" } }, { annotations: { readOnlyHint: true } });
const wipe = tool("wipe", {}, { annotations: { destructiveHint: true } });

describe("running a tool as a user", () => {
	test("sends exactly the submitted arguments, once, and asks nothing more (TOL-10, BLT-38)", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		scene.fill = () => ({ text: "exact \u202E bytes" });
		const run = await ended(await scene.runner.run(entryOf(server)));
		expect(server.received).toEqual([{ name: "echo", text: JSON.stringify({ text: "exact \u202E bytes" }) }]);
		expect(scene.user.asked).toEqual([]);
		expect(scene.shown).toEqual([run]);
		const view = toRunView(run, directoryOf(server));
		expect(view).toMatchObject({ standing: "done", server: "travel", tool: "echo", notes: [] });
		expect(view.arguments).toContain("\\u202E");
		expect(view.milliseconds).toBeTypeOf("number");
	});

	test("runs nothing when the user leaves the form, even with arguments from outside", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		scene.fill = () => undefined;
		expect(await scene.runner.run(entryOf(server), { text: "given" })).toBeUndefined();
		expect(scene.forms[0]).toMatchObject({ initial: { text: "given" }, notes: [expect.any(String), /filled in by/] });
		expect(server.received).toEqual([]);
		expect(scene.runs.all).toEqual([]);
	});

	test("shows the confirming form for a tool without arguments, marked as risky when it may destroy", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new RunScene([server]);
		await ended(await scene.runner.run(entryOf(server, "wipe")));
		expect(scene.forms[0]).toMatchObject({ heading: "Run wipe", submitLabel: "Run", isRisky: true });
		await scene.runner.run(entryOf(server, "echo"));
		expect(scene.forms[1]).toMatchObject({ isRisky: false });
	});

	test("is refused by a rule, in the form and once more before the call", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		scene.user.rules.set("echo", { decision: "deny", by: { kind: "rule", label: "rule 1: deny echo" } });
		const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
		expect(await scene.forms[0]?.validate({ text: "x" })).toEqual([
			{ path: [], message: "With these arguments, it is denied by rule 1: deny echo" },
		]);
		expect(toRunView(run, directoryOf(server))).toMatchObject({
			standing: "denied",
			sentence: "Not called: denied by rule 1: deny echo.",
		});
		expect(server.received).toEqual([]);
	});

	test("is not made when the tool changed while the form was open (TOL-02, BLT-40)", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		const entry = entryOf(server);
		await server.run({ tools: [{ ...echo, description: "Sends it elsewhere." }] });
		const run = await ended(await scene.runner.run(entry, { text: "x" }));
		expect(run.outcome).toMatchObject({ kind: "failed", error: { code: "denied" } });
		expect(server.received).toEqual([]);
	});

	test.each([
		[new HostError("timeout", "travel: no answer in 60 s"), "failed"],
		[new HostError("outcome-unknown", "travel went away. Check before you repeat it."), "unknown"],
		[new HostError("protocol", "travel: bad request"), "failed"],
	])("shows how it failed: %s", async (error, standing) => {
		const server = await serve("travel", echo);
		server.onCall = async () => {
			throw error;
		};
		const scene = new RunScene([server]);
		const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
		expect(toRunView(run, directoryOf(server))).toMatchObject({ standing, sentence: error.message });
	});

	test("shows progress and can be cancelled", async () => {
		const server = await serve("travel", echo);
		server.onCall = (_name, _args, { signal, onProgress }) => {
			onProgress?.({ progress: 2, total: 5, message: "looking" });
			return untilAborted(signal);
		};
		const scene = new RunScene([server]);
		const run = await scene.runner.run(entryOf(server), { text: "x" });
		if (run === undefined) throw new Error("nothing was run");
		await expect.poll(() => toRunView(run, directoryOf(server)).progress).toMatchObject({ done: 2, total: 5 });
		run.cancel();
		await ended(run);
		expect(toRunView(run, directoryOf(server))).toMatchObject({ standing: "cancelled" });
	});
});

describe("running again", () => {
	test("sends the same arguments and asks no more than the first run, also for what may destroy", async () => {
		const server = await serve("travel", echo, wipe);
		const scene = new RunScene([server]);
		const first = await ended(await scene.runner.run(entryOf(server, "echo"), { text: "x" }));
		await ended(await scene.runner.runAgain(first));
		expect(scene.confirmed).toEqual([]);
		expect(server.received.map(({ text }) => text)).toEqual(['{"text":"x"}', '{"text":"x"}']);

		const wiped = await ended(await scene.runner.run(entryOf(server, "wipe")));
		await ended(await scene.runner.runAgain(wiped));
		expect(scene.confirmed).toEqual([]);
		expect(server.received).toHaveLength(4);
	});

	test("asks once before it repeats a destructive call of the chat, which had no form", async () => {
		const server = await serve("travel", wipe);
		const scene = new RunScene([server]);
		const called = new ToolRun(entryOf(server), {}, { during: "your chat turn" });
		scene.confirms = false;
		expect(await scene.runner.runAgain(called)).toBeUndefined();
		expect(scene.confirmed).toEqual(["Run travel · wipe again?"]);
		scene.confirms = true;
		await ended(await scene.runner.runAgain((await scene.runner.runAgain(called)) ?? called));
		expect(scene.confirmed).toHaveLength(2);
		expect(server.received).toHaveLength(2);
	});

	test("has the standard error of the call beside its result, also what comes right after it", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		server.onCall = async () => {
			stderrLines(server).fire("looking for x");
			return { content: [] };
		};
		const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
		stderrLines(server).fire("found x");
		expect(toRunView(run, directoryOf(server)).log).toEqual(["looking for x", "found x"]);
	});

	test("goes through the form when the tool has changed since, and shows it", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
		await server.run({ tools: [{ ...echo, description: "Another one." }] });
		expect(toRunView(run, directoryOf(server)).notes).toEqual(["The server has changed this tool."]);
		scene.fill = () => undefined;
		expect(await scene.runner.runAgain(run)).toBeUndefined();
		expect(scene.forms.at(-1)).toMatchObject({ initial: { text: "x" } });
		expect(server.received).toHaveLength(1);
	});

	test("is decided again by the rules", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		const run = await ended(await scene.runner.run(entryOf(server), { text: "x" }));
		scene.user.rules.set("echo", { decision: "deny", by: { kind: "rule", label: "rule 1" } });
		const again = await ended(await scene.runner.runAgain(run));
		expect(again.outcome).toMatchObject({ kind: "denied" });
		expect(server.received).toHaveLength(1);
	});
});

describe("the history", () => {
	test("is limited in runs and in size, and keeps running ones (SEC-03, TOL-15)", async () => {
		const server = await serve("travel", echo);
		server.onCall = async () => ({ content: [{ type: "text", text: "y".repeat(1000) }] });
		const scene = new RunScene([server], { calls: 3, characters: 2500 });
		for (let index = 0; index < 5; index++) {
			await ended(await scene.runner.run(entryOf(server), { text: String(index) }));
		}
		expect(scene.runs.all.map((run) => run.arguments["text"])).toEqual(["4", "3"]);
		server.onCall = (_name, _args, { signal }) => untilAborted(signal);
		const running = await scene.runner.run(entryOf(server), { text: "runs" });
		scene.runs.clear();
		expect(scene.runs.all).toEqual([running]);
		scene.runs.dispose();
	});
});

describe("in the chat", () => {
	const place = (scene: RunScene): Parameters<RunScene["runner"]["runInChat"]>[2] => ({
		approvals: scene.user.approvals,
		signal: new AbortController().signal,
		show: (event) => scene.user.see(event),
	});

	test("valid arguments are asked about like for every call: typing them is no consent", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		const outcome = await scene.runner.runInChat(entryOf(server), { text: "x" }, place(scene));
		expect(outcome).toMatchObject({ kind: "denied" });
		expect(scene.user.asked).toHaveLength(1);
		expect(scene.forms).toEqual([]);
		expect(server.received).toEqual([]);
		expect(scene.runs.all[0]).toMatchObject({ during: "your chat turn" });
	});

	test("the form asks for missing and invalid ones, and is the decision", async () => {
		const server = await serve("travel", echo);
		const scene = new RunScene([server]);
		scene.fill = () => ({ text: "filled in" });
		expect(await scene.runner.runInChat(entryOf(server), undefined, place(scene))).toMatchObject({ kind: "done" });
		expect(await scene.runner.runInChat(entryOf(server), { text: 1 }, place(scene))).toMatchObject({ kind: "done" });
		expect(scene.forms[1]).toMatchObject({ initial: { text: 1 } });
		expect(scene.user.asked).toEqual([]);
		expect(server.received).toHaveLength(2);
		scene.fill = () => undefined;
		expect(await scene.runner.runInChat(entryOf(server), undefined, place(scene))).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});
});
