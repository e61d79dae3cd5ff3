import { describe, expect, it } from "vitest";
import { HostError } from "../../src/base/errors.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { messagesOf, processesOf, readReceived } from "../servers/received.ts";
import { faultyConfig, isAlive, smallConfig, textOf } from "./fixtures.ts";
import { factsOf, failureOf, TestHost } from "./testHost.ts";

describe("a server that does not start", () => {
	it("is reported with the command that was not found, and the others run", async () => {
		await using host = new TestHost();
		await host.configure({ missing: { command: "no-such-command-here" }, small: smallConfig("modern") });
		await host.host.startApproved();
		expect(failureOf(host.session("missing"))).toMatch(/no-such-command-here was not found.*PATH/s);
		expect(textOf(await host.session("small").callTool("echo", { text: "hello" }))).toBe("hello");
	});

	it("is reported with a working directory that is not a folder", async () => {
		await using host = new TestHost();
		const cwd = host.path("no", "such", "folder");
		const session = await host.start("lost", { ...smallConfig("modern"), cwd });
		expect(failureOf(session)).toContain(cwd);
	});

	it("shows the reason in words, its exit code and its last output (DOC-01)", async () => {
		await using host = new TestHost();
		const session = await host.start("broken", faultyConfig("exitAtOnce"));
		expect(failureOf(session)).toMatch(/^SMALL_API_KEY is not set, and the server needs it\..* code 3/);
		expect(session.state).toMatchObject({
			stderr: ["Error: the API key is missing.", "Set SMALL_API_KEY and start again."],
		});
	});

	it("ends after the time for the handshake, and its process with it", async () => {
		// Much longer than the process takes to start.
		await using host = new TestHost({ handshakeMs: 12_000, probeMs: 1500 });
		const log = host.path("hang.log");
		const session = await host.start("silent", faultyConfig("hang", log));
		expect(failureOf(session)).toBe("The server did not answer the handshake within 12 s. Its log may say why.");
		// It was running and was asked, in both ways.
		const received = readReceived(log);
		expect(processesOf(received)).toHaveLength(1);
		for (const asked of ["server/discover", "initialize"]) expect(messagesOf(received, asked)).toHaveLength(1);
		await expect.poll(() => processesOf(readReceived(log)).filter(isAlive)).toEqual([]);
	});

	it("can be stopped while it hangs", async () => {
		await using host = new TestHost();
		const log = host.path("hang.log");
		await host.configure({ silent: faultyConfig("hang", log) });
		const session = host.session("silent");
		const starting = session.start();
		await expect.poll(() => messagesOf(readReceived(log), "server/discover")).toHaveLength(1);
		await session.stop();
		expect(session.state.kind).toBe("stopped");
		await starting;
		expect(session.state.kind).toBe("stopped");
	});

	it("is refused when it uses an unknown revision, with that revision in the message", async () => {
		await using host = new TestHost();
		expect(failureOf(await host.start("old", faultyConfig("badVersion")))).toContain("1999-01-01");
	});
});

describe("a server that is killed", () => {
	it("is restarted automatically, each time a little later, and no process is left over", async () => {
		await using host = new TestHost();
		const log = host.path("killed.log");
		const session = await host.run("killed", smallConfig("both", log));
		const ends: { readonly message: string; readonly delay: number }[] = [];
		session.onDidChangeState((state) => {
			if (state.kind !== "failed") return;
			ends.push({ message: state.message, delay: (state.retryAt ?? Number.NaN) - Date.now() });
		});
		for (const starts of [2, 3]) {
			const pid = processesOf(readReceived(log)).find(isAlive);
			if (pid === undefined) throw new Error("It does not run.");
			process.kill(pid, "SIGKILL");
			await expect.poll(() => [processesOf(readReceived(log)).length, session.state.kind]).toEqual([starts, "running"]);
		}
		// Windows has no signals: Node ends a process there with the code 1.
		const end = process.platform === "win32" ? "exited with code 1" : "was killed by SIGKILL";
		const message = expect.stringContaining(`The server ${end}`) as string;
		expect(ends).toMatchObject([{ message }, { message }]);
		expect(ends[1]?.delay).toBeGreaterThan(ends[0]?.delay ?? Number.NaN);
		expect(textOf(await session.callTool("echo", { text: "hello" }))).toBe("hello");
		expect(processesOf(readReceived(log)).filter(isAlive)).toHaveLength(1);
	});
});

describe("the era probe", () => {
	it.each(["legacyOnly", "exitOnDiscover"] as const)("leads to the legacy handshake with %s", async (mode) => {
		await using host = new TestHost();
		const session = await host.run("old", faultyConfig(mode));
		expect(factsOf(session)).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
	});

	it("is abandoned in time when it is ignored, and not repeated at the next start", async () => {
		await using host = new TestHost({ probeMs: 1500 });
		const log = host.path("ignores.log");
		const session = await host.run("ignores", faultyConfig("hangDiscover", log));
		expect(factsOf(session).era).toBe("legacy");
		await session.restart();
		expect(factsOf(session).era).toBe("legacy");
		expect(messagesOf(readReceived(log), "server/discover")).toHaveLength(1);
		expect(messagesOf(readReceived(log), "initialize")).toHaveLength(2);
	});

	it("costs no second process with a server that answers it in any way", async () => {
		await using host = new TestHost();
		const log = host.path("one.log");
		await host.run("modern", smallConfig("both", log));
		expect(readReceived(log).filter(({ kind }) => kind === "start")).toHaveLength(1);
	});
});

describe("a server that misbehaves", () => {
	it.each(["noise", "oddMessages", "eager"] as const)("works in spite of %s", async (mode) => {
		await using host = new TestHost();
		const session = await host.run("odd", faultyConfig(mode));
		expect(textOf(await session.callTool("echo", { text: "hi" }))).toBe('{"text":"hi"}');
		expect(host.user.asked).toEqual([]);
	});

	it("has its noise logged once", async () => {
		await using host = new TestHost();
		await host.run("noisy", faultyConfig("noise"));
		const told = host.log.filter((line) => line.includes("Standard output"));
		expect(told).toEqual([expect.stringContaining("Welcome to the noisy server!")]);
	});

	it("may flood its standard error before the handshake", async () => {
		await using host = new TestHost();
		const session = await host.run("floods", faultyConfig("stderrFlood"));
		expect(textOf(await session.callTool("echo", {}))).toBe("{}");
	});

	it("may answer with a line of twenty mebibytes", async () => {
		await using host = new TestHost();
		const session = await host.run("huge", faultyConfig("hugeLine", undefined, 20));
		expect(textOf(await session.callTool("echo", {}))).toHaveLength(20 * 1024 * 1024);
	});

	it("has an endless list of tools stopped at a cap, and reported", async () => {
		await using host = new TestHost();
		const session = await host.run("endless", faultyConfig("endlessPages"));
		await expect.poll(() => session.tools.status).toMatchObject({ kind: "ready", truncated: /./ });
		expect(session.tools.items.length).toBeGreaterThan(100);
	});

	it("has each tool listed once when it repeats a cursor", async () => {
		await using host = new TestHost();
		const session = await host.run("repeats", faultyConfig("repeatedCursor"));
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		expect(session.tools.items.map(({ name }) => name)).toEqual(["echo"]);
	});

	it("has its second page read although the cursor is empty", async () => {
		await using host = new TestHost();
		const session = await host.run("empty", faultyConfig("emptyCursor"));
		await expect.poll(() => session.tools.items.map(({ name }) => name)).toEqual(["first", "second"]);
	});

	it("costs at most a few readings of its list when it announces ten thousand changes", async () => {
		await using host = new TestHost();
		const log = host.path("storm.log");
		const startedAt = performance.now();
		const session = await host.run("storm", faultyConfig("listChangedStorm", log));
		await expect.poll(() => messagesOf(readReceived(log), "tools/list").length).toBeGreaterThanOrEqual(2);
		expect(textOf(await session.callTool("echo", {}))).toBe("{}");
		// One at the start, and one for each quarter of a second that the storm took to arrive.
		const most = 2 + (performance.now() - startedAt) / 250;
		expect(messagesOf(readReceived(log), "tools/list").length).toBeLessThanOrEqual(most);
	});

	it("fails the call with the reason when it dies of it; the others live, and it restarts", async () => {
		await using host = new TestHost();
		await host.configure({ fragile: faultyConfig("crashLater"), small: smallConfig("modern") });
		await host.host.startApproved();
		const fragile = host.session("fragile");
		// Whether the tool did its work before it died is unknown.
		await expect(fragile.callTool("crash", {})).rejects.toSatisfy((error) => HostError.is(error, "outcome-unknown"));
		await expect.poll(() => fragile.state.kind).toBe("failed");
		expect(failureOf(fragile)).toContain("code 7");
		expect(fragile.state).toMatchObject({ stderr: ["panic: the fixture crashed as asked"] });
		expect(fragile.tools.items).toEqual([]);
		expect(textOf(await host.session("small").callTool("echo", { text: "alive" }))).toBe("alive");
		await fragile.start();
		expect(textOf(await fragile.callTool("echo", {}))).toBe("still alive");
	});

	it("is abandoned after the time for a request, but not while it asks the user", async () => {
		// Much longer than a call takes that waits for no user.
		await using host = new TestHost({ requestMs: 5000 });
		await host.configure({ small: smallConfig("legacy"), other: smallConfig("legacy") });
		await host.host.startApproved();
		const [session, other] = [host.session("small"), host.session("other")];
		const isLeft = async (one: ServerSession): Promise<void> =>
			expect(one.callTool("slow", { steps: 1, stepMs: 60_000 })).rejects.toSatisfy((error) =>
				HostError.is(error, "timeout"),
			);
		await isLeft(session);
		host.user.sample = async () => {
			// A user who takes longer than a request may: a request that begins after theirs ends before it.
			await isLeft(other);
			return { model: "slow", role: "assistant", content: { type: "text", text: "At last." } };
		};
		expect(textOf(await session.callTool("ask", { question: "Well?" }))).toContain("At last.");
	});
});
