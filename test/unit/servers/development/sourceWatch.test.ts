import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { SourceWatch } from "../../../../src/servers/development/sourceWatch.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

class Restartable extends FakeSession {
	restarts = 0;
	/** Whether the session refuses to start. */
	refused = false;

	restart(): Promise<FakeSession["state"]> {
		this.restarts++;
		this.setState({ kind: "starting" });
		if (this.refused) this.setState({ kind: "needs-approval", reason: "unapproved" });
		return Promise.resolve(this.state);
	}
}

const origin = { kind: "mcp-json", label: "", isWorkspace: true, folder: "/ws", file: "/ws/.vscode/mcp.json" } as const;

async function scene(overrides: Partial<ServerDefinition>, cwd = "/ws") {
	const session = new Restartable("orders", { origin, ...overrides });
	const directory = new FakeDirectory(session) as FakeDirectory & { readonly sessions: readonly Restartable[] };
	const lines: string[] = [];
	/** The inputs that have no value. */
	const missing = new Set<string>();
	const watched = new Map<string, (path: string) => void>();
	const watch = new SourceWatch({
		directory,
		watch: (folder, pattern, onChange) => {
			watched.set(`${folder} ${pattern}`, onChange);
			return { dispose: () => watched.delete(`${folder} ${pattern}`) };
		},
		resolve: async () => {
			if (missing.size > 0) throw new HostError("cancelled", "It needs a value for API_KEY.");
			return { kind: "stdio", command: "node", args: ["server.mjs"], env: {}, envFile: undefined, cwd };
		},
		logOf: () => ({ info: (line) => void lines.push(line) }),
		settleMs: 100,
	});
	onTestFinished(() => watch.dispose());
	return {
		session,
		directory,
		lines,
		missing,
		watched,
		watch,
		change: (path: string) => [...watched.values()][0]?.(path),
	};
}

afterEach(() => vi.useRealTimers());

describe("a server with dev.watch (CFG-47)", () => {
	it("is restarted once for several changes, which its log names", async () => {
		vi.useFakeTimers();
		const { session, lines, watched, change } = await scene({ watch: ["src/**/*.ts"] });
		expect(watched.size).toBe(0);
		await session.run();
		expect([...watched.keys()]).toEqual(["/ws src/**/*.ts"]);
		change("/ws/src/a.ts");
		change("/ws/src/b.ts");
		await vi.runOnlyPendingTimersAsync();
		expect(session.restarts).toBe(1);
		expect(lines).toEqual(["Restarting, because files changed: src/a.ts, src/b.ts"]);
	});

	it("is not started when it was stopped, and not restarted for what is installed", async () => {
		vi.useFakeTimers();
		const { session, change, watched } = await scene({ watch: ["**/*.js"] });
		await session.run();
		change("/ws/node_modules/x/index.js");
		await vi.runOnlyPendingTimersAsync();
		const [first] = watched.values();
		change("/ws/a.js");
		session.setState({ kind: "stopped" });
		first?.("/ws/b.js");
		await vi.runOnlyPendingTimersAsync();
		expect(session.restarts).toBe(0);
		expect(watched.size).toBe(0);
	});

	it("is started again by a change once it failed, as after a mistake in its source", async () => {
		vi.useFakeTimers();
		const { session, change } = await scene({ watch: ["*.js"] });
		await session.run();
		session.setState({ kind: "failed", message: "exited", stderr: [] });
		change("/ws/a.js");
		await vi.runOnlyPendingTimersAsync();
		expect(session.restarts).toBe(1);
	});

	it("is restarted for what changed while it started, when it runs", async () => {
		vi.useFakeTimers();
		const { session, change } = await scene({ watch: ["*.js"] });
		session.setState({ kind: "starting" });
		change("/ws/a.js");
		await vi.runOnlyPendingTimersAsync();
		expect(session.restarts).toBe(0);
		await session.run();
		await vi.runOnlyPendingTimersAsync();
		expect(session.restarts).toBe(1);
	});

	it("is not restarted where a value is missing that the user would be asked for: its row says that a file changed", async () => {
		vi.useFakeTimers();
		const { session, change, lines, missing, watch } = await scene({ watch: ["*.js"] });
		await session.run();
		missing.add("API_KEY");
		const changes: string[] = [];
		watch.onDidChange((one) => changes.push(one.definition.name));
		change("/ws/a.js");
		await vi.runOnlyPendingTimersAsync();
		expect([session.restarts, changes, lines]).toEqual([
			0,
			["orders"],
			["Files changed. It needs a value for API_KEY."],
		]);
		expect(watch.changedFile(session)).toBe("a.js");
		// The user starts it again, and is asked.
		session.setState({ kind: "starting" });
		missing.clear();
		await session.run();
		expect(watch.changedFile(session)).toBeUndefined();
	});

	it("stays refused where it may not start any more", async () => {
		vi.useFakeTimers();
		const { session, change, watched } = await scene({ watch: ["*.js"] });
		session.refused = true;
		await session.run();
		change("/ws/a.js");
		await vi.runOnlyPendingTimersAsync();
		expect(session.state.kind).toBe("needs-approval");
		expect(watched.size).toBe(0);
	});
});

describe("a server without dev.watch", () => {
	async function running() {
		const folder = await mkdtemp(join(tmpdir(), "mcp-watch-"));
		onTestFinished(() => rm(folder, { recursive: true }));
		await writeFile(join(folder, "server.mjs"), "");
		const all = await scene({}, folder);
		await all.session.run();
		await vi.waitFor(() => expect(all.watched.size).toBe(1));
		return { ...all, folder };
	}

	it("is not restarted; the file that its command names and that changed is known until it starts again", async () => {
		const { session, watch, watched, change, folder } = await running();
		const said = vi.fn();
		watch.onDidChange(said);
		expect([...watched.keys()]).toEqual([`${folder} server.mjs`]);
		expect(watch.changedFile(session)).toBeUndefined();
		change(join(folder, "server.mjs"));
		change(join(folder, "server.mjs"));
		expect(watch.changedFile(session)).toBe("server.mjs");
		expect(said).toHaveBeenCalledTimes(1);
		session.setState({ kind: "starting" });
		await session.run();
		expect(watch.changedFile(session)).toBeUndefined();
		expect(session.restarts).toBe(0);
	});

	it("is brought up to date by one request, also before the editor reported the change", async () => {
		const { session, watch, folder } = await running();
		await watch.bringUpToDate(session, true);
		expect(session.restarts).toBe(0);
		await utimes(join(folder, "server.mjs"), 1, 1);
		await watch.bringUpToDate(session, false);
		expect(session.restarts).toBe(0);
		await watch.bringUpToDate(session, true);
		expect(session.restarts).toBe(1);
	});

	it("says nothing once it was stopped", async () => {
		const { session, watch, watched, change, folder } = await running();
		change(join(folder, "server.mjs"));
		session.setState({ kind: "stopped" });
		expect(watch.changedFile(session)).toBeUndefined();
		expect(watched.size).toBe(0);
	});
});
