/** Runs of tools by the user against real servers of both eras, and the commands that users copy from such runs. */
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { findTool } from "../../src/surfaces/runner/findTool.ts";
import { shellCommandOf } from "../../src/surfaces/runner/copyCommand.ts";
import { toRunView } from "../../src/surfaces/runner/runView.ts";
import type { ToolRun } from "../../src/surfaces/runner/toolRun.ts";
import { ToolRuns } from "../../src/surfaces/runner/toolRuns.ts";
import { startHttpServer } from "../servers/httpServer.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { FinishedCalls } from "../../src/features/tools/results/finishedCalls.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The runs of a user who has confirmed each in its form, and denies all other questions. */
function newRuns(): ToolRuns {
	const { policy, pins, approvals } = new User({ kind: "deny" });
	return new ToolRuns({ policy, pins, approvals, calls: new FinishedCalls() });
}

async function run(host: TestHost, runs: ToolRuns, tool: string, args: JsonObject): Promise<ToolRun> {
	const { registry } = host.host;
	const started = runs.start(await findTool(registry, "small", tool, AbortSignal.timeout(30_000)), args);
	await expect.poll(() => started.outcome).toBeDefined();
	return started;
}

/** The output of a shell for a command; its input stays open until the expected output has come. */
async function printedBy(command: string, awaited: RegExp): Promise<string> {
	const shell = spawn("bash", ["-c", command], { stdio: "pipe" });
	let printed = "";
	let errors = "";
	shell.stderr.on("data", (data: Buffer) => (errors += data.toString()));
	shell.stdout.on("data", (data: Buffer) => {
		printed += data.toString();
		if (awaited.test(printed)) shell.stdin.end();
	});
	const code = await new Promise((resolve) => shell.on("close", resolve));
	expect(code, `${command}\n${errors}`).toBe(0);
	return printed;
}

const tricky = `it's "quoted" $HOME \`id\` \\ \u001b[31m \u202E ünïcödé\nsecond line`;

describe.each(["legacy", "modern"] as const)("a %s server", (era) => {
	it("runs, asks nothing twice, and its copied command makes the same call over stdio", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		await host.run("small", smallConfig(era, log));
		const runs = newRuns();
		const made = await run(host, runs, "echo", { text: tricky });
		const view = toRunView(made, host.host.registry);
		expect(view).toMatchObject({ standing: "done", result: { blocks: [{ block: { kind: "text" } }] } });
		expect(host.host.registry.sessions[0]?.requestLog.counts.result).toBeGreaterThan(0);
		const calls = (): readonly unknown[] => messagesOf(readReceived(log), "tools/call").map(({ params }) => params);
		expect(calls()).toHaveLength(1);

		const printed = await printedBy(shellCommandOf(made), /"id":\s*[12]\b.*"content"|"content".*"id":\s*[12]\b/s);
		expect(printed).toContain(JSON.stringify(tricky).slice(1, 8));
		await expect.poll(() => calls().length).toBe(2);
		const [byHost, byShell] = calls() as readonly { name: string; arguments: unknown }[];
		expect([byShell?.name, byShell?.arguments]).toEqual([byHost?.name, byHost?.arguments]);
	});

	it("gets the same call from the copied curl", async () => {
		await using server = await startHttpServer({ speaks: era });
		await using host = new TestHost();
		await host.run("small", { url: server.url });
		const made = await run(host, newRuns(), "echo", { text: tricky });
		expect(made.outcome?.kind).toBe("done");
		const printed = await printedBy(shellCommandOf(made), /"content"/);
		expect(printed).toContain("quoted");
		const calls = messagesOf(server.received, "tools/call").map(({ params }) => params);
		expect(calls).toEqual([
			expect.objectContaining({ name: "echo", arguments: { text: tricky } }),
			expect.objectContaining({ name: "echo", arguments: { text: tricky } }),
		]);
	});

	it("may ask the user meanwhile, and reports how calls end", async () => {
		await using host = new TestHost();
		await host.run("small", smallConfig(era));
		const runs = newRuns();
		expect(toRunView(await run(host, runs, "elicit", {}), host.host.registry)).toMatchObject({ standing: "done" });
		expect(toRunView(await run(host, runs, "ask", { question: "Why?" }), host.host.registry)).toMatchObject({
			standing: "done",
		});
		expect(host.user.asked.map(({ kind }) => kind)).toEqual(["elicitation", "sampling"]);
		const failed = toRunView(await run(host, runs, "fail", { how: "result" }), host.host.registry);
		expect(failed).toMatchObject({ standing: "tool-error", sentence: "The tool reported an error." });
		const refused = toRunView(await run(host, runs, "fail", { how: "protocol" }), host.host.registry);
		expect(refused.standing).toBe("failed");
		expect(refused.sentence).toContain("small: The fixture failed as asked");

		const media = toRunView(await run(host, runs, "media", {}), host.host.registry);
		expect(media.result?.blocks.map(({ block }) => block.kind)).toContain("image");
	});

	it("reports the known outcome of a call whose server disappeared", async () => {
		await using host = new TestHost();
		const session = await host.run("small", smallConfig(era));
		const { registry } = host.host;
		const runs = newRuns();
		const find = (tool: string): ReturnType<typeof findTool> =>
			findTool(registry, "small", tool, AbortSignal.timeout(30_000));
		const reading = runs.start(await find("slow"), { steps: 1000, stepMs: 20 });
		const asked = Promise.withResolvers<void>();
		host.user.elicit = ({ signal }) => {
			asked.resolve();
			const { promise, reject } = Promise.withResolvers<never>();
			signal.addEventListener("abort", () => reject(signal.reason as Error));
			return promise;
		};
		const changing = runs.start(await find("elicit"), {});
		await asked.promise;
		await expect.poll(() => toRunView(reading, registry).progress?.text).toMatch(/of 1000/);
		process.kill((session.state.kind === "running" && session.state.facts.pid) || Number.NaN, "SIGKILL");

		await expect.poll(() => toRunView(changing, registry).standing).toBe("unknown");
		expect(toRunView(changing, registry).sentence).toContain("Check before you repeat it");
		// That it only reads is the tool's own claim, which is unchecked.
		await expect.poll(() => toRunView(reading, registry).standing).toBe("unknown");
		expect(toRunView(reading, registry).sentence).toContain("Check before you repeat it");
	});
});
