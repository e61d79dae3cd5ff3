import type { TraceLevel } from "../../src/records/trace/exchange.ts";
import { collect } from "./measure.ts";
import { server } from "./reach.ts";
import type { Client, Side } from "./side.ts";

type Sample = Readonly<Record<TraceLevel, number>>;

const levels: readonly TraceLevel[] = ["off", "metadata", "bodies"];

/**
 * The processor time of `size` calls with each level of the trace, in µs per call. The levels take turns in one process
 * and one session: between two processes the same work differs by more than a trace costs.
 */
export async function tracedCalls(side: Side, size: number): Promise<Sample> {
	return inTurns(side, size, 100, async (client, count) => {
		for (let call = 0; call < count; call++) await client.callTool("echo", {});
	});
}

/** The same of `size` log messages, in µs per 1,000 of them. */
export async function tracedBurst(side: Side, size: number): Promise<Sample> {
	const taken = await inTurns(side, size, 5000, (client, count) => client.callTool("burst", { count }));
	return { off: taken.off * 1000, metadata: taken.metadata * 1000, bodies: taken.bodies * 1000 };
}

/** Has `size` pieces of work done with each level, this many in a turn; returns the processor time of each piece in µs. */
async function inTurns(
	side: Side,
	size: number,
	perTurn: number,
	work: (client: Client, count: number) => Promise<unknown>,
): Promise<Sample> {
	const group = side.connect([server()]);
	try {
		const [client] = await Promise.all(group.clients);
		if (client?.setTrace === undefined) throw new Error("Only the host has a trace.");
		const taken: Record<TraceLevel, number[]> = { off: [], metadata: [], bodies: [] };
		const turns = Math.ceil(size / perTurn);
		// As many before as are measured: until all of it is compiled, and the trace is full.
		for (let turn = -turns; turn < turns; turn++) {
			if (turn === 0) collect();
			for (let index = 0; index < levels.length; index++) {
				// No level always comes first.
				const level = levels[(index + turn + turns) % levels.length] ?? "off";
				client.setTrace(level);
				const start = process.cpuUsage();
				await work(client, perTurn);
				const { user, system } = process.cpuUsage(start);
				if (turn >= 0) taken[level].push((user + system) / perTurn);
			}
		}
		return { off: usual(taken.off), metadata: usual(taken.metadata), bodies: usual(taken.bodies) };
	} finally {
		await group.close();
	}
}

/** The mean without the longest tenth: the large garbage collections hit one level or another by chance. */
function usual(times: readonly number[]): number {
	const kept = [...times].sort((a, b) => a - b).slice(0, Math.ceil(times.length * 0.9));
	return kept.reduce((sum, time) => sum + time, 0) / kept.length;
}
