/** Windows of the user that share their servers: one process for each server, whichever window started it. */
import { once } from "node:events";
import { readdirSync, renameSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { announce, readWindows } from "../../src/surfaces/bridge/meetingPlace.ts";
import { onLines } from "../servers/received.ts";
import { textOf } from "./fixtures.ts";
import { type OtherWindow, patience, WindowsScene } from "./sharedWindowsScene.ts";
import type { Sight } from "./sharingWindow.ts";

describe.each(["legacy", "modern"] as const)("two windows with the same %s server (GST-16)", (era) => {
	it("run one process, and each receives the results of its own calls and the changed lists", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open(era);
		const other = await scene.openOther(era);
		const session = window.host.session("small");
		await session.start();
		const sight = await other.start();
		expect(sight).toMatchObject({ kind: "running", isElsewhere: true, pid: window.sight("small").pid });
		expect(scene.processes).toHaveLength(1);

		expect(textOf(await other.call("echo", { text: "from the other" }))).toBe("from the other");
		expect(textOf(await session.callTool("echo", { text: "from the owner" }))).toBe("from the owner");
		const together = await Promise.all([
			other.call("add", { a: 1, b: 2 }),
			session.callTool("add", { a: 3, b: 4 }),
			other.call("add", { a: 5, b: 6 }),
		]);
		expect(together.map(textOf)).toEqual(["3", "7", "11"]);

		// Its questions during a call are asked in the window of that call.
		expect(textOf(await other.call("elicit", {}))).toContain("accept");
		expect((await other.state()).asked).toBe(1);
		expect(window.host.user.asked).toHaveLength(0);

		// Progress and cancellation are of one window's call.
		const controller = new AbortController();
		const told: number[] = [];
		const slow = session.callTool(
			"slow",
			{ steps: 100_000, stepMs: 20 },
			{
				signal: controller.signal,
				onProgress: ({ progress }) => told.push(progress),
			},
		);
		slow.catch(() => undefined);
		expect(textOf(await other.call("slow", { steps: 3, stepMs: 5 }))).not.toBe("");
		await vi.waitUntil(() => told.length > 1, patience);
		controller.abort(new Error("enough"));
		await expect(slow).rejects.toThrow();

		const before = session.tools.items.length;
		await other.call("change", { what: "tools" });
		await expect.poll(() => session.tools.items.length, patience).toBe(before + 1);
		await session.callTool("change", { what: "tools" });
		await vi.waitUntil(async () => (await other.state()).tools === before + 2, patience);
		// The trace of a window has its own messages.
		const called = window.host.trace.snapshot(-1).exchanges.map(({ target }) => target);
		expect(called).toContain("change");
		expect(called).not.toContain("elicit");
		expect(scene.processes).toHaveLength(1);
	});

	it("go on with a process of the window that is left when the owner stops", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open(era);
		const other = await scene.openOther(era);
		await window.host.session("small").start();
		const { pid } = await other.start();
		await window.host.session("small").stop();
		await vi.waitUntil(async () => {
			const { kind, isElsewhere } = await other.state();
			return kind === "running" && isElsewhere !== true;
		}, patience);
		const now = await other.state();
		expect(now.pid).not.toBe(pid);
		expect(now.log.filter((line) => line.includes(" error "))).toEqual([]);
		expect(textOf(await other.call("echo", { text: "on" }))).toBe("on");
		// Now the first one uses the process of the other.
		await window.host.session("small").start();
		expect(window.sight("small")).toMatchObject({ kind: "running", isElsewhere: true, pid: now.pid });
		await window.host.session("small").stop();
		expect(textOf(await other.call("echo", { text: "still" }))).toBe("still");
		expect(scene.processes).toHaveLength(2);
	});
});

describe("two windows that share their servers (GST-16)", () => {
	it("go on when the window with the process is killed", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open("both");
		const other = await scene.openOther("both");
		await other.start();
		const session = window.host.session("small");
		await session.start();
		expect(window.sight("small").isElsewhere).toBe(true);
		scene.wasKilled = true;
		other.child.kill("SIGKILL");
		await vi.waitUntil(() => {
			const { kind, isElsewhere } = window.sight("small");
			return kind === "running" && isElsewhere !== true;
		}, patience);
		expect(textOf(await session.callTool("echo", { text: "on" }))).toBe("on");
	});

	it("that start it at the same moment come to one process", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open("both");
		const other = await scene.openOther("both");
		const third = await scene.openOther("both");
		await Promise.all([window.host.session("small").start(), other.start(), third.start()]);
		const all = [window.sight("small"), await other.state(), await third.state()];
		expect(all.map(({ kind }) => kind)).toEqual(["running", "running", "running"]);
		expect(scene.processes).toHaveLength(1);
		expect(all.filter(({ isElsewhere }) => isElsewhere === true)).toHaveLength(2);
	});

	it("share each of many servers that start together", async () => {
		await using scene = new WindowsScene();
		scene.names = Array.from({ length: 24 }, (_, index) => `small${index}`);
		const window = await scene.open("both");
		const other = await scene.openOther("both");
		await Promise.all(scene.names.map((name) => window.host.session(name).start()));
		const sights = await Promise.all(scene.names.map((name) => other.start(name)));
		expect(sights.filter(({ isElsewhere }) => isElsewhere === true)).toHaveLength(24);
		expect(scene.processes).toHaveLength(24);
		// The owner stops sharing: the other window takes all of them over.
		window.unshare();
		await vi.waitUntil(async () => {
			const now = await Promise.all(scene.names.map((name) => other.state(name)));
			return now.every(({ kind, isElsewhere }) => kind === "running" && isElsewhere !== true);
		}, patience);
		expect(scene.processes).toHaveLength(48);
	});

	it("run two processes with different folders or environments", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open("both");
		await window.host.session("small").start();
		const elsewhere = await scene.openOther("both", scene.work("another"));
		expect(await elsewhere.start()).not.toHaveProperty("isElsewhere", true);
		const otherwise = await scene.openOther("both", scene.work(), { env: { LC_TIME: "C" } });
		expect(await otherwise.start()).not.toHaveProperty("isElsewhere", true);
		expect(scene.processes).toHaveLength(3);
	});

	it("part when one gets another folder, or stops sharing", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open("both");
		await window.host.session("small").start();
		const other = await scene.openOther("both");
		const third = await scene.openOther("both");
		expect(await other.start()).toHaveProperty("isElsewhere", true);
		expect(await third.start()).toHaveProperty("isElsewhere", true);
		const isOwn = async (one: OtherWindow): Promise<boolean> => {
			const { kind, isElsewhere } = await one.state();
			return kind === "running" && isElsewhere !== true;
		};
		await other.ask({ kind: "roots", folder: scene.work("another") });
		await vi.waitUntil(() => isOwn(other), patience);
		expect(await isOwn(third)).toBe(false);
		await third.ask({ kind: "unshare" });
		await vi.waitUntil(() => isOwn(third), patience);
		expect(window.sight("small").kind).toBe("running");
		expect(scene.processes).toHaveLength(3);
	});

	it("a restart starts a process, although another window runs one", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open("both");
		await window.host.session("small").start();
		const other = await scene.openOther("both");
		await other.start();
		const again = (await other.ask({ kind: "restart", name: "small" })) as Sight;
		expect(again).not.toHaveProperty("isElsewhere", true);
		expect(again.pid).not.toBe(window.sight("small").pid);
		expect(window.sight("small").kind).toBe("running");
	});

	it("a window that may not start the server does not get to a running one", async () => {
		await using scene = new WindowsScene();
		const other = await scene.openOther("both");
		await other.start();
		const window = await scene.open("both");
		await window.host.host.revoke(window.host.session("small").definition.id);
		await window.host.session("small").start();
		expect(window.sight("small").kind).toBe("needs-approval");
		expect(scene.processes).toHaveLength(1);
	});
});

describe("a program that is no window of this VS Code (GST-17)", () => {
	it("does not get to a process with another key, and is refused", async () => {
		await using scene = new WindowsScene();
		const window = await scene.open("both");
		await window.host.session("small").start();
		const other = await scene.openOther("both", scene.work(), { key: "cd".repeat(32) });
		// It is not even asked.
		expect(await other.start()).not.toHaveProperty("isElsewhere", true);

		const [target] = await readWindows(scene.meeting);
		const lines: string[] = [];
		const socket = connect(target?.socket ?? "");
		onLines(socket, (line) => lines.push(line));
		const nonce = "00".repeat(32);
		socket.write(`${JSON.stringify({ window: { form: 1, key: target?.key, nonce } })}\n`);
		await vi.waitUntil(() => lines.length === 1, patience);
		socket.write(`${JSON.stringify({ proof: "ee".repeat(32), process: "aa", rank: "0" })}\n`);
		await once(socket, "close");
		expect(lines.at(-1)).toBe('{"refused":true}');
		expect((await other.state()).log.join()).toContain("did not prove it, and was refused");
	});

	it.each([
		["claims to be a window", false],
		["stands between two windows", true],
	])("is given nothing when it %s", async (_what, isRelay) => {
		await using scene = new WindowsScene();
		const other = await scene.openOther("both");
		await other.start();
		const [real] = await readWindows(scene.meeting);
		if (real === undefined) throw new Error("No window is announced.");
		const heard: string[] = [];
		const address = path.join(scene.folder, "false.sock");
		await using server = createServer((socket) => {
			onLines(socket, (line) => {
				heard.push(line);
				if (!isRelay) socket.write(`${JSON.stringify({ nonce: "00", proof: "00" })}\n`);
			});
			if (!isRelay) return;
			const onward = connect(real.socket);
			socket.pipe(onward).pipe(socket);
			onward.on("error", () => undefined);
			socket.on("error", () => undefined);
		}).listen(address);
		await once(server, "listening");
		// It hides the real one.
		for (const name of readdirSync(scene.meeting).filter((name) => name.endsWith(".json")))
			renameSync(path.join(scene.meeting, name), path.join(scene.folder, "hidden"));
		await announce(path.join(scene.meeting, "false.json"), { ...real, socket: address });
		const window = await scene.open("both");
		const session = window.host.session("small");
		await session.start();
		expect(window.sight("small")).toMatchObject({ kind: "running", isElsewhere: undefined });
		expect(window.log.join()).toContain("did not prove it, and was refused");
		// It received the first message and no other.
		expect(heard).toHaveLength(1);
		rmSync(path.join(scene.meeting, "false.json"));
	});
});
