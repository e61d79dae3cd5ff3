import type { Results } from "./results.ts";

/** The goals of the host relative to its peers, judged by one run. */
interface Goal {
	readonly name: string;
	readonly unit: "ms" | "KB" | "MB" | "×" | "";
	/** The value, which is NaN when its inputs were not measured, and its maximum. */
	judge(results: Results): { readonly value: number; readonly limit: number; readonly isMet: boolean };
}

/** A goal and the result of the run. */
export type Verdict = Omit<Goal, "judge"> & ReturnType<Goal["judge"]>;

const me = "MCP Host";

function atMost(
	name: string,
	unit: Goal["unit"],
	value: (results: Results) => number,
	limit: number | ((results: Results) => number),
): Goal {
	return {
		name,
		unit,
		judge(results) {
			const is = value(results);
			const most = typeof limit === "number" ? limit : limit(results);
			return { value: is, limit: most, isMet: is <= most };
		},
	};
}

/** The results of a run for the goals whose inputs it measured. */
export function judge(results: Results): readonly Verdict[] {
	return goals.flatMap(({ judge, ...goal }) => {
		const verdict = judge(results);
		return Number.isFinite(verdict.value) ? [{ ...goal, ...verdict }] : [];
	});
}

/** The goals that this bench can judge; activation is measured elsewhere. */
const goals: readonly Goal[] = [
	// Not relative to one alone: to start eight takes the processors longer than one, with any host.
	atMost("8 waiting servers against raw", "×", (results) => results.ratio("startWaiting", 8, "total", me, "raw"), 1.1),
	atMost(
		"8 computing servers against two at a time",
		"×",
		(results) => results.median("startComputing", 8, me, "total") / results.median("startPaced", 8, "raw", "total"),
		1.1,
	),
	atMost("the first of 8 computing servers against one alone", "×", startedAgainstOne("startComputing", "first"), 1.3),
	atMost("processes per server", "", (results) => results.median("startComputing", 8, me, "processes"), 1),
	atMost("CPU per call against SDK v2", "×", (results) => results.ratio("oneByOne", 3000, "cpu", me, "SDK v2"), 1.1),
	atMost(
		"1,000 calls at once against SDK v2",
		"×",
		(results) => results.ratio("atOnce", 1000, "total", me, "SDK v2"),
		1.1,
	),
	atMost("50 MB of text against raw", "×", (results) => results.ratio("bigText", 50, "total", me, "raw"), 1.3),
	atMost(
		"p50 of a call over HTTP against SDK v2",
		"×",
		(results) => results.ratio("overHttp", 1000, "p50", me, "SDK v2"),
		1.05,
	),
	atMost(
		"CPU per call over HTTP against SDK v2",
		"×",
		(results) => results.ratio("overHttp", 1000, "cpu", me, "SDK v2"),
		1.05,
	),
	atMost("p50 of a call through the bridge against SDK v2", "×", (results) => bridged(results, "ratio"), 2.5),
	atMost(
		"p50 of three calls of a server for files through the bridge against SDK v2",
		"×",
		(results) => results.ratio("bridgedFiles", 300, "all", me, "SDK v2"),
		2.5,
	),
	atMost("p50 that the bridge adds", "ms", (results) => bridged(results, "added"), 3),
	atMost("longest stall by 50 MB of text", "ms", (results) => results.median("bigText", 50, me, "stall"), 50),
	atMost(
		"10,000 tools listed against SDK v2",
		"×",
		(results) => results.ratio("toolsInOnePage", 10_000, "total", me, "SDK v2"),
		1,
	),
	atMost(
		"first resources shown, 50 ms after raw has them",
		"ms",
		(results) => results.median("resourcesInPages", 10_000, me, "first"),
		(results) => results.median("resourcesInPages", 10_000, "raw", "first") + 50,
	),
	atMost(
		"10,000 resources in 100 pages against SDK v2",
		"×",
		(results) => results.ratio("resourcesInPages", 10_000, "total", me, "SDK v2"),
		1.1,
	),
	atMost("100,000 log messages against raw", "×", (results) => results.ratio("burst", 100_000, "total", me, "raw"), 2),
	atMost("longest stall meanwhile", "ms", (results) => results.median("burst", 100_000, me, "stall"), 50),
	atMost("a call meanwhile against raw", "×", (results) => results.ratio("burst", 100_000, "call", me, "raw"), 1.5),
	atMost("peak memory meanwhile", "MB", (results) => results.median("burst", 100_000, me, "peak"), 60),
	atMost("memory per idle server", "KB", (results) => results.median("idleServers", 8, me, "heap"), 100),
	...(
		[
			[100, 1.5],
			[1000, 0.8],
			[10_000, 0.6],
		] as const
	).map(([size, limit]) =>
		atMost(
			`memory per listed tool of ${size}`,
			"KB",
			(results) => results.median("listedTools", size, me, "heap"),
			limit,
		),
	),
	atMost(
		"first rows of a tree of 10,000 resources and tools, against every row built on SDK v2",
		"×",
		(results) => results.ratio("browse", 10_000, "rows", me, "SDK v2"),
		0.5,
	),
	atMost(
		"those rows after the first page has come",
		"ms",
		(results) => results.median("browse", 10_000, me, "rows") - results.median("browse", 10_000, me, "page"),
		30,
	),
	atMost("check of the definitions of 200 tools", "ms", (results) => results.median("lint", 200, me, "total"), 1000),
	atMost("memory per resource or tool in the tree", "KB", (results) => results.median("browse", 10_000, me, "heap"), 3),
	atMost(
		"that memory against every row built on SDK v2",
		"×",
		(results) => results.ratio("browse", 10_000, "heap", me, "SDK v2"),
		1,
	),
	atMost(
		"load more, filter, sort and folders of 50,000 resources, against every row built",
		"×",
		(results) => results.ratio("arrange", 50_000, "total", me, "SDK v2"),
		1,
	),
	atMost(
		"CPU per call of a model, through policy and pins, against SDK v2",
		"×",
		(results) => results.ratio("modelOneByOne", 3000, "cpu", me, "SDK v2"),
		1.3,
	),
	atMost(
		"1,000 such calls at once against SDK v2",
		"×",
		(results) => results.ratio("modelAtOnce", 1000, "total", me, "SDK v2"),
		1.5,
	),
	atMost(
		"first text of a window's first turn, added by the loop",
		"ms",
		(results) => results.median("firstText", 1000, me, "cold"),
		5,
	),
	atMost(
		"first text of a later turn, added by the loop",
		"ms",
		(results) => results.median("firstText", 1000, me, "added"),
		5,
	),
	atMost(
		"longest stall by sampling of 1 MB",
		"ms",
		(results) => results.median("sampling", 1_000_000, me, "stall"),
		50,
	),
	atMost(
		"tokens of 1,000 tools in a prompt against those of 20",
		"×",
		(results) => results.median("promptTokens", 1000, me, "first") / results.median("promptTokens", 20, me, "first"),
		1.2,
	),
	atMost(
		"first paint of a small app against its page alone in the window",
		"×",
		(results) => results.ratio("appPaint", 1, "first", me, "raw"),
		3,
	),
	atMost(
		"its result painted, against that page with the result in it",
		"×",
		(results) => results.ratio("appPaint", 1, "result", me, "raw"),
		4,
	),
	...(
		[
			["CPU per call", "tracedCalls", 30_000],
			["CPU of 100,000 log messages", "tracedBurst", 100_000],
		] as const
	).flatMap(([name, run, size]) =>
		(
			[
				["of metadata", "metadata", 1.01],
				["of bodies", "bodies", 1.05],
			] as const
		).map(([what, level, limit]) =>
			atMost(
				`${name} with a trace ${what}, against none`,
				"×",
				(results) => results.median(run, size, me, level) / results.median(run, size, me, "off"),
				limit,
			),
		),
	),
	...(
		[
			["oneByOne", [1000, 3000]],
			["atOnce", [1000, 3000]],
			["bigText", [10, 50]],
			["toolsInOnePage", [1000, 10_000]],
			["resourcesInPages", [5000, 10_000]],
			["burst", [10_000, 100_000]],
			["browse", [5000, 10_000]],
			["arrange", [10_000, 50_000]],
		] as const
	).map(([run, sizes]) =>
		atMost(
			`growth per unit of ${run}, with room for noise`,
			"×",
			(results) => results.growth(run, sizes, me, "total"),
			1.5,
		),
	),
];

function startedAgainstOne(run: "startWaiting" | "startComputing", figure: "first" | "total") {
	return (results: Results): number => results.median(run, 8, me, figure) / results.median(run, 1, me, figure);
}

/** The time of a call through the bridge, beside that of a call of a server that the agent starts itself. */
function bridged(results: Results, how: "ratio" | "added"): number {
	if (how === "ratio") return results.ratio("bridged", 1000, "p50", me, "SDK v2");
	return results.median("bridged", 1000, me, "p50") - results.median("bridged", 1000, "SDK v2", "p50");
}
