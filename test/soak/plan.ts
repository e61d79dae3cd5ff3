/** The servers of the soak, by their transport. */
export const serverNames = ["stdio", "http", "sse"] as const;
export type ServerName = (typeof serverNames)[number];

/** The purpose of a call, and so its end when nothing disturbs it. */
export type CallKind =
	/** Answered at once. */
	| "quick"
	/** Answered after some milliseconds, over HTTP on a stream. */
	| "slow"
	/** Answered with a JSON-RPC error. */
	| "failing"
	/** Never answered: it times out. */
	| "silent"
	/** Slow, and cancelled before it is answered. */
	| "cancelled";

/** A disturbance of a server: its process dies, it forgets its session, or its open streams are cut. */
export type Disturbance = "crash" | "loss" | "cut";

export type Step =
	| {
			readonly type: "call";
			readonly id: number;
			readonly server: ServerName;
			readonly kind: CallKind;
			/** How long the server takes, and after how long it is cancelled, in milliseconds. */
			readonly takesMs: number;
			readonly cancelAfterMs: number;
	  }
	| {
			readonly type: "disturbance";
			readonly server: ServerName;
			readonly what: Disturbance;
			/** Whether the host restarts the server automatically, or the user does it at once. */
			readonly isLeftToHost: boolean;
	  };

/** How much of everything. */
export interface Extent {
	readonly calls: number;
	readonly crashes: number;
	readonly losses: number;
	readonly cuts: number;
	/** How many of the crashes the host recovers from automatically, which takes its back-off each time. */
	readonly leftToHost: number;
	readonly silent: number;
}

/** The whole run: enough reconnects to show any leak. */
export const wholeExtent: Extent = { calls: 10_000, crashes: 100, losses: 60, cuts: 40, leftToHost: 10, silent: 20 };
/** The same in a twentieth, for every run of the tests. */
export const shortExtent: Extent = { calls: 500, crashes: 5, losses: 3, cuts: 2, leftToHost: 1, silent: 4 };

/** Makes the same steps from the same seed: calls in the given shares, with the disturbances spread evenly among them. */
export function makePlan(extent: Extent, seed: number): readonly Step[] {
	const random = randomFrom(seed);
	const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
	const disturbances = shuffle(
		[
			...Array.from({ length: extent.crashes }, (_, index) => disturbance("stdio", "crash", index < extent.leftToHost)),
			...Array.from({ length: extent.losses }, () => disturbance("http", "loss")),
			...Array.from({ length: extent.cuts }, (_, index) => disturbance(index % 2 === 0 ? "http" : "sse", "cut")),
		],
		random,
	);
	const silentEvery = Math.floor(extent.calls / extent.silent);
	const disturbedEvery = extent.calls / (disturbances.length + 1);
	const steps: Step[] = [];
	for (let id = 1; id <= extent.calls; id++) {
		const kind = id % silentEvery === 0 ? "silent" : kindOf(random());
		// Crashes come too often for a call to time out before the next one.
		const servers = kind === "silent" ? (["http", "sse"] as const) : serverNames;
		const server = servers[between(0, servers.length - 1)] ?? "http";
		const takesMs = kind === "cancelled" ? between(300, 400) : kind === "slow" ? between(2, 60) : 0;
		steps.push({ type: "call", id, server, kind, takesMs, cancelAfterMs: between(1, 100) });
		if (id >= disturbedEvery * (1 + steps.length - id)) steps.push(...disturbances.splice(0, 1));
	}
	return steps;
}

function disturbance(server: ServerName, what: Disturbance, isLeftToHost = false): Step {
	return { type: "disturbance", server, what, isLeftToHost };
}

/** One call in ten is cancelled. */
function kindOf(share: number): CallKind {
	if (share < 0.1) return "cancelled";
	if (share < 0.14) return "failing";
	return share < 0.4 ? "slow" : "quick";
}

function shuffle<T>(items: T[], random: () => number): T[] {
	for (let last = items.length - 1; last > 0; last--) {
		const other = Math.floor(random() * (last + 1));
		[items[last], items[other]] = [items[other] as T, items[last] as T];
	}
	return items;
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let value = Math.imul(state ^ (state >>> 15), 1 | state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
	};
}
