import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { appPaint } from "./appWork.ts";
import { lint } from "./lintWork.ts";
import { asModelCalls, firstText } from "./loopWork.ts";
import { collect, measure, median, memoryKilobytes, percentile, startMeter } from "./measure.ts";
import { promptTokens } from "./promptWork.ts";
import type { Client, ConnectOptions, Reach, Side } from "./side.ts";
import { filesServer, server } from "./reach.ts";
import { tracedBurst, tracedCalls } from "./traceWork.ts";
import { arrange, browse } from "./treeWork.ts";
import type { WorkName } from "./workName.ts";

/** The figures of one piece of work by their keys. */
export type Sample = Readonly<Record<string, number>>;

/** The function for each work, for any side. */
export const doWork: Readonly<Record<WorkName, (side: Side, size: number) => Promise<Sample>>> = {
	oneByOne: (side, size) => withClient(side, server(), (client) => callOneByOne(client, size)),
	tracedCalls,
	tracedBurst,
	atOnce: (side, size) => withClient(side, server(), (client) => callAtOnce(client, size)),
	modelOneByOne: (side, size) =>
		withClient(side, server(), async (client) => callOneByOne(await asModelCalls(client), size)),
	modelAtOnce: (side, size) =>
		withClient(side, server(), async (client) => callAtOnce(await asModelCalls(client), size)),
	firstText,
	sampling: (side, size) =>
		withClient(side, server(), async ({ sample }) => {
			if (sample === undefined) throw new Error("Only the host answers requests.");
			let times: readonly number[] = [];
			const { stallMs } = await measure(async () => {
				times = await sample(size, sampled);
			});
			return { added: median(times), stall: stallMs };
		}),
	bridged: (side, size) => bridged(side, server(), (client) => callOneByOne(client, size)),
	bridgedFiles: (side, size) => bridged(side, filesServer(), (client) => callFiles(client, size)),
	overHttp: async (side, size) => {
		const web = await serveHttp();
		try {
			const reach = { kind: "http", url: `http://127.0.0.1:${web.port}/mcp` } as const;
			return await withClient(side, reach, (client) => callOneByOne(client, size));
		} finally {
			web.end();
		}
	},
	bigText: (side, size) =>
		withClient(side, server("--megabytes", size), async (client) => {
			const { ms, stallMs } = await measure(async () => {
				const length = await client.readText("bench://log");
				if (length < size * 1_000_000) throw new Error(`Only ${length} characters came.`);
			});
			return { total: ms, stall: stallMs };
		}),
	toolsInOnePage: (side, size) => list(side, "tools", size),
	resourcesInPages: (side, size) => list(side, "resources", size),
	burst,
	startComputing: (side, size) => start(side, size, ["--compute", 150]),
	startPaced: (side, size) => start(side, size, ["--compute", 150], 2),
	startWaiting: (side, size) => start(side, size, ["--wait", 300]),
	idleServers: async (side, size) => {
		const taken = await memoryOf(
			side,
			Array.from({ length: size }, () => server()),
		);
		return { heap: taken.heap / size, resident: taken.resident / size };
	},
	listedTools: async (side, size) => ({ heap: (await memoryOf(side, [server("--tools", size)])).heap / size }),
	browse: (side, size) => browse(side, server(), server("--tools", size, "--resources", size, "--shelves"), size),
	promptTokens,
	lint: (_side, size) => lint(size),
	appPaint,
	arrange: (side, size) => arrange(side, server("--resources", size, "--shelves"), size),
};

/** How many sampling requests are answered one after the other. */
const sampled = 20;
/** How often servers are started and stopped before their cost is measured; from then on it stays the same. */
const formerStarts = 12;

/**
 * The cost of servers beside one that runs already, with their tools listed. The same were started and stopped before:
 * code that is compiled for the first of them, and stays, does not count.
 */
async function memoryOf(side: Side, servers: readonly Reach[]): Promise<{ heap: number; resident: number }> {
	const first = side.connect([server()]);
	await listAll(first.clients);
	for (let start = 0; start < formerStarts; start++) {
		const former = side.connect(servers);
		await listAll(former.clients);
		await former.close();
	}
	const before = await memoryKilobytes();
	const more = side.connect(servers);
	await listAll(more.clients);
	const after = await memoryKilobytes();
	await Promise.all([first.close(), more.close()]);
	return { heap: after.heap - before.heap, resident: after.resident - before.resident };
}

async function withClient(
	side: Side,
	reach: Reach,
	work: (client: Client) => Promise<Sample>,
	options?: ConnectOptions,
): Promise<Sample> {
	const group = side.connect([reach], options);
	try {
		const [client] = await Promise.all(group.clients);
		if (client === undefined) throw new Error("Nothing was connected.");
		return await work(client);
	} finally {
		await group.close();
	}
}

/** As the agent of the user: through the bridge if the side has one, otherwise with a process of its own. */
async function bridged(
	side: Side,
	reach: Reach,
	work: (client: Pick<Client, "callTool">) => Promise<Sample>,
): Promise<Sample> {
	return withClient(side, reach, async (client) => {
		const bridge = await client.openBridge?.();
		try {
			return await work(bridge ?? client);
		} finally {
			await bridge?.close();
		}
	});
}

async function callAtOnce(client: Pick<Client, "callTool">, size: number): Promise<Sample> {
	await callOneByOne(client, 200);
	const { ms, cpuMs, stallMs } = await measure(() =>
		Promise.all(Array.from({ length: size }, (_, call) => client.callTool("echo", { call }))),
	);
	return { total: ms, cpu: (cpuMs * 1000) / size, stall: stallMs };
}

async function callOneByOne(client: Pick<Client, "callTool">, size: number): Promise<Sample> {
	const times: number[] = [];
	const call = async (): Promise<void> => {
		const start = performance.now();
		await client.callTool("echo", {});
		times.push(performance.now() - start);
	};
	for (let warmUp = 0; warmUp < 200; warmUp++) await call();
	times.length = 0;
	const { ms, cpuMs } = await measure(async () => {
		while (times.length < size) await call();
	});
	return { p50: median(times), p99: percentile(times, 0.99), cpu: (cpuMs * 1000) / size, total: ms };
}

/** The calls that coding agents make most, of a server that is used much, in the sources of this repository. */
async function callFiles(client: Pick<Client, "callTool">, size: number): Promise<Sample> {
	const calls = {
		read: () => client.callTool("read_text_file", { path: resolve("src/extension.ts") }),
		list: () => client.callTool("list_directory", { path: resolve("src/base") }),
		search: () => client.callTool("search_files", { path: resolve("src/surfaces/bridge"), pattern: "**/*.ts" }),
	};
	const times = { read: [] as number[], list: [] as number[], search: [] as number[], all: [] as number[] };
	for (let round = -50; round < size; round++) {
		const begun = performance.now();
		for (const name of ["read", "list", "search"] as const) {
			const start = performance.now();
			await calls[name]();
			if (round >= 0) times[name].push(performance.now() - start);
		}
		if (round >= 0) times.all.push(performance.now() - begun);
	}
	return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

/** From the moment in which the server can be called until its list is complete. */
async function list(side: Side, kind: "tools" | "resources", size: number): Promise<Sample> {
	collect();
	const group = side.connect([server(`--${kind}`, size)]);
	try {
		const [client] = await Promise.all(group.clients);
		const end = startMeter();
		const start = performance.now();
		let first: number | undefined;
		const count = await client?.list(kind, () => (first ??= performance.now() - start));
		const { ms, stallMs } = end();
		if (count !== size) throw new Error(`${count} of ${size} ${kind} were listed.`);
		return { first: first ?? ms, total: ms, stall: stallMs };
	} finally {
		await group.close();
	}
}

/**
 * Calls follow one after the other while the messages arrive; the server answers the call for the burst after the last
 * one.
 */
async function burst(side: Side, count: number): Promise<Sample> {
	const work = async (client: Client): Promise<Sample> => {
		await callOneByOne(client, 100);
		collect();
		const residentBefore = process.memoryUsage.rss();
		const calls: number[] = [];
		const { ms, stallMs } = await measure(async () => {
			const over = client.callTool("burst", { count }).then(() => "over" as const);
			for (;;) {
				const start = performance.now();
				await client.callTool("echo", {});
				calls.push(performance.now() - start);
				if ((await Promise.race([over, Promise.resolve()])) === "over") return;
			}
		});
		const peak = process.resourceUsage().maxRSS / 1024 - residentBefore / 1024 / 1024;
		return { total: ms, call: median(calls), slowest: Math.max(...calls), stall: stallMs, peak: Math.max(0, peak) };
	};
	let logged = 0;
	return withClient(side, server(), work, { onLog: () => logged++ });
}

/** Starts servers, all together or this many at a time, and waits until the tools of each are listed. */
async function start(side: Side, size: number, args: readonly (string | number)[], atATime = size): Promise<Sample> {
	const folder = mkdtempSync(join(tmpdir(), "mcp-host-bench-"));
	const starts = join(folder, "starts");
	const servers = Array.from({ length: size }, () => server(...args, "--starts", starts));
	const ready: number[] = [];
	const groups: { close(): Promise<void> }[] = [];
	const { ms } = await measure(async () => {
		const begun = performance.now();
		const queue = [...servers];
		const work = async (batch: readonly Reach[]): Promise<void> => {
			const group = side.connect(batch, { asksEra: true });
			groups.push(group);
			await listAll(group.clients, () => ready.push(performance.now() - begun));
		};
		if (atATime >= size) return work(queue);
		const takeNext = async (): Promise<void> => {
			for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work([next]);
		};
		await Promise.all(Array.from({ length: atATime }, takeNext));
	});
	await Promise.all(groups.map((group) => group.close()));
	const processes = readFileSync(starts, "utf8").trim().split("\n").length;
	rmSync(folder, { recursive: true });
	return { first: Math.min(...ready), total: ms, processes: processes / size };
}

async function listAll(clients: readonly Promise<Client>[], onListed: () => void = () => undefined): Promise<void> {
	await Promise.all(
		clients.map(async (client) => {
			await (await client).list("tools", () => undefined);
			onListed();
		}),
	);
}

async function serveHttp(): Promise<{ readonly port: number; end(): void }> {
	const child = spawn(process.execPath, [...server("--http").args], { stdio: ["ignore", "pipe", "inherit"] });
	const port = await new Promise<number>((found, failed) => {
		createInterface({ input: child.stdout }).once("line", (line) => found(Number(line)));
		child.once("exit", (code) => failed(new Error(`The server ended with code ${code}.`)));
	});
	return { port, end: () => void child.kill() };
}
