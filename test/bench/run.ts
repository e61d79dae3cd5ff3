/**
 * `npm run bench`: the same work by each side, interleaved, so that only ratios within a row mean anything on a busy
 * machine. Prints a table, and one line of JSON last. Times in milliseconds; nothing is asserted.
 */
import { resolve } from "node:path";
import { sides, type Running, type Side } from "./sides.ts";

const rounds = 5;
const server = [resolve(import.meta.dirname, "server.ts")];

interface Work {
	readonly name: string;
	run(side: Side): Promise<number>;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/** Work on a server that was started and warmed up before the clock runs. */
function onServer(name: string, work: (running: Running) => Promise<number>): Work {
	return {
		name,
		async run(side) {
			const running = await side.start(server);
			try {
				for (let call = 0; call < 200; call++) await running.callTool("echo", {});
				return await work(running);
			} finally {
				await running.stop();
			}
		},
	};
}

const works: readonly Work[] = [
	{
		name: "start until callable",
		async run(side) {
			let running: Running | undefined;
			const time = await timed(async () => {
				running = await side.start(server);
			});
			await running?.stop();
			return time;
		},
	},
	...[100, 1000, 3000].map((count) =>
		onServer(`${count} calls, one by one`, (running) =>
			timed(async () => {
				for (let call = 0; call < count; call++) await running.callTool("echo", { call });
			}),
		),
	),
	...[100, 1000, 3000].map((count) =>
		onServer(`${count} calls at once`, (running) =>
			timed(() => Promise.all(Array.from({ length: count }, (_, call) => running.callTool("echo", { call })))),
		),
	),
	...[1, 5, 20].map((megabytes) =>
		onServer(`${megabytes} MB result`, (running) =>
			timed(() => running.callTool("large", { bytes: megabytes * 1_000_000 })),
		),
	),
];

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const report: Record<string, Record<string, number>> = {};
console.log(`${"work".padEnd(24)}${sides.map(({ name }) => name.padStart(20)).join("")}`);
for (const work of works) {
	const times = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const side of sides) times.get(side.name)?.push(await work.run(side));
	}
	const medians = sides.map(({ name }) => [name, median(times.get(name) ?? [])] as const);
	const floor = medians[0]?.[1] ?? Number.NaN;
	report[work.name] = Object.fromEntries(medians);
	const cells = medians.map(([, time]) => `${time.toFixed(1)} (${(time / floor).toFixed(2)}×)`.padStart(20));
	console.log(`${work.name.padEnd(24)}${cells.join("")}`);
}
console.log(JSON.stringify(report));
process.exit(0);
