import { expect, test } from "vitest";
import { ComingServers } from "../../../../src/features/agentTools/comingServers.ts";
import { facts } from "../resources/fakeSession.ts";
import { serve, tool, ToolSession } from "../tools/toolSession.ts";

const hour = 3_600_000;

/** Begins a turn with these servers; `said` records the messages about them. */
function begin(coming: ComingServers, ...sessions: readonly ToolSession[]): Turn {
	const said: string[] = [];
	const stop = new AbortController();
	return { said, stop, late: coming.wait({ sessions, signal: stop.signal, say: (message) => said.push(message) }) };
}

interface Turn {
	readonly said: readonly string[];
	readonly stop: AbortController;
	readonly late: Promise<readonly ToolSession[] | readonly unknown[]>;
}

test("a turn begins at once if its servers run, or can only be started by the user (TOL-26)", async () => {
	const stopped = new ToolSession("stopped");
	const asking = new ToolSession("asking");
	asking.setState({ kind: "needs-approval", reason: "new" });
	const lost = new ToolSession("lost");
	lost.setState({ kind: "failed", message: "It ended.", stderr: [] });
	const later = new ToolSession("later");
	later.setState({ kind: "failed", message: "It ended.", stderr: [], retryAt: Date.now() + 2 * hour });
	const { said, late } = begin(new ComingServers(hour), await serve("s", tool("echo")), stopped, asking, lost, later);
	expect(await late).toEqual([]);
	expect(said).toEqual([]);
});

test("a turn waits for servers that start, also again after a crash, until their tools are there (TOL-26)", async () => {
	const starting = new ToolSession("start\nling");
	starting.setState({ kind: "starting" });
	const lost = new ToolSession("lost");
	lost.setState({ kind: "failed", message: "It ended.", stderr: [], retryAt: Date.now() + 1 });
	const { said, late } = begin(new ComingServers(hour), starting, lost);
	expect(said).toEqual([expect.stringMatching(/^Waiting for start.*ling, lost to start…$/)]);
	let hasBegun = false;
	void late.then(() => (hasBegun = true));
	await starting.run({ tools: [tool("echo")] });
	lost.setState({ kind: "starting" });
	// It runs a moment before its list is requested.
	lost.setState({ kind: "running", facts });
	await Promise.resolve();
	expect(hasBegun).toBe(false);
	await lost.run({ tools: [tool("echo")] });
	expect(await late).toEqual([]);
});

test("a server that hangs delays one turn, and is named in each until it has run (TOL-26)", async () => {
	const coming = new ComingServers(1);
	const hanging = new ToolSession("hanging");
	hanging.setState({ kind: "starting" });
	const first = begin(coming, hanging);
	expect(await first.late).toEqual([hanging]);
	expect(first.said).toHaveLength(1);
	const second = begin(coming, hanging);
	expect(await second.late).toEqual([hanging]);
	expect(second.said).toEqual([]);
	await hanging.run({ tools: [] });
	expect(await begin(coming, hanging).late).toEqual([]);
	hanging.setState({ kind: "starting" });
	expect(begin(coming, hanging).said).toHaveLength(1);
});

test("the user can skip the wait", async () => {
	const hanging = new ToolSession("hanging");
	hanging.setState({ kind: "starting" });
	const { stop, late } = begin(new ComingServers(hour), hanging);
	stop.abort();
	expect(await late).toEqual([hanging]);
});
