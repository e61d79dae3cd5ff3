import { sideNames, type SideName } from "./side.ts";
import type { Figure, Work } from "./work.ts";

const stall: Figure = { key: "stall", label: "longest stall", unit: "ms" };
const starts: readonly Figure[] = [
	{ key: "first", label: "first listed", unit: "ms" },
	{ key: "total", label: "all listed", unit: "ms" },
	{ key: "processes", label: "processes per server", unit: "" },
];
const roundTrips: readonly Figure[] = [
	{ key: "p50", label: "p50", unit: "ms" },
	{ key: "p99", label: "p99", unit: "ms" },
	{ key: "cpu", label: "CPU per call", unit: "µs" },
];

/** The host with its policy, pins and checks, and the SDK and the raw client with nothing before the server. */
const withLoop: readonly SideName[] = ["raw", "SDK v2", "MCP Host"];

/** The host's tree, and trees that build every row on the raw client and on the SDK. */
const withTrees: readonly SideName[] = ["raw", "SDK v2", "MCP Host"];

/** The processor time by how much the trace keeps: metadata is the default. */
const traceLevels: readonly Figure[] = [
	{ key: "off", label: "no trace", unit: "µs" },
	{ key: "metadata", label: "metadata", unit: "µs" },
	{ key: "bodies", label: "bodies", unit: "µs" },
];

/** The sides that do a work, in their order. */
export function sidesOf({ only = sideNames }: Work): readonly SideName[] {
	return sideNames.filter((side) => only.includes(side));
}

/** All measurements, in the order of the table. */
export const works: readonly Work[] = [
	{
		name: "Calls, one by one, on one processor",
		run: "oneByOne",
		of: "calls",
		sizes: [100, 1000, 3000],
		figures: [...roundTrips, { key: "total", label: "in all", unit: "ms" }],
		grows: "total",
		rounds: 5,
		isOnOneProcessor: true,
	},
	{
		name: "CPU per call by the level of the trace, on one processor",
		run: "tracedCalls",
		of: "calls",
		sizes: [3000, 10_000, 30_000],
		figures: traceLevels,
		rounds: 3,
		isOnOneProcessor: true,
		only: ["MCP Host"],
	},
	{
		name: "CPU per 1,000 log messages by the level of the trace",
		run: "tracedBurst",
		of: "messages",
		sizes: [10_000, 50_000, 100_000],
		figures: traceLevels,
		rounds: 5,
		// The garbage of earlier sessions costs more than the trace.
		isFresh: true,
		only: ["MCP Host"],
	},
	{
		name: "Calls at once",
		run: "atOnce",
		of: "calls",
		sizes: [100, 1000, 3000],
		figures: [
			{ key: "total", label: "all answered", unit: "ms" },
			{ key: "cpu", label: "CPU per call", unit: "µs" },
			stall,
		],
		grows: "total",
		rounds: 5,
	},
	{
		name: "Calls of another agent through the bridge, against its own process of the server",
		run: "bridged",
		of: "calls",
		sizes: [100, 300, 1000],
		figures: roundTrips.filter(({ key }) => key !== "cpu"),
		rounds: 3,
		only: ["SDK v2", "MCP Host"],
	},
	{
		name: "The same of a server for files: read one, list a folder, search in one",
		run: "bridgedFiles",
		of: "rounds of 3 calls",
		sizes: [100, 300],
		figures: [
			{ key: "read", label: "read", unit: "ms" },
			{ key: "list", label: "list", unit: "ms" },
			{ key: "search", label: "search", unit: "ms" },
			{ key: "all", label: "all three", unit: "ms" },
		],
		rounds: 5,
		only: ["SDK v2", "MCP Host"],
	},
	{
		name: "Calls over Streamable HTTP, on one processor",
		run: "overHttp",
		of: "calls",
		sizes: [100, 300, 1000],
		figures: roundTrips,
		rounds: 3,
		isOnOneProcessor: true,
	},
	{
		name: "Text resource",
		run: "bigText",
		of: "MB",
		sizes: [1, 10, 50],
		figures: [{ key: "total", label: "read", unit: "ms" }, stall],
		grows: "total",
		rounds: 3,
		isFresh: true,
		spared: {
			size: 50,
			sides: ["SDK v1", "SDK v2"],
			why: "their time grows with the square of the size: 17 to 19 s",
		},
	},
	{
		name: "List of tools in one page",
		run: "toolsInOnePage",
		of: "tools",
		sizes: [100, 1000, 10_000],
		figures: [{ key: "total", label: "listed", unit: "ms" }, stall],
		grows: "total",
		rounds: 5,
	},
	{
		name: "List of resources in pages of 100",
		run: "resourcesInPages",
		of: "resources",
		sizes: [1000, 5000, 10_000],
		figures: [{ key: "first", label: "first page", unit: "ms" }, { key: "total", label: "listed", unit: "ms" }, stall],
		grows: "total",
		rounds: 5,
	},
	{
		name: "Burst of log messages",
		run: "burst",
		of: "messages",
		sizes: [1000, 10_000, 100_000],
		figures: [
			{ key: "total", label: "all passed", unit: "ms" },
			{ key: "call", label: "a call meanwhile", unit: "ms" },
			{ key: "slowest", label: "the slowest call", unit: "ms" },
			stall,
			{ key: "peak", label: "peak memory", unit: "MB" },
		],
		grows: "total",
		rounds: 3,
		isFresh: true,
	},
	{
		name: "Servers that compute for 150 ms, started together",
		run: "startComputing",
		of: "servers",
		sizes: [1, 2, 4, 8],
		figures: starts,
		rounds: 3,
	},
	{
		name: "The same, two at a time",
		run: "startPaced",
		of: "servers",
		sizes: [8],
		figures: starts,
		rounds: 3,
		only: ["raw"],
	},
	{
		name: "Servers that wait for 300 ms, started together",
		run: "startWaiting",
		of: "servers",
		sizes: [1, 2, 4, 8],
		figures: starts,
		rounds: 3,
	},
	{
		name: "Memory of idle servers, beyond the first",
		run: "idleServers",
		of: "servers",
		sizes: [2, 4, 8],
		figures: [
			{ key: "heap", label: "heap per server", unit: "KB" },
			{ key: "resident", label: "resident per server", unit: "KB" },
		],
		rounds: 3,
		isFresh: true,
	},
	{
		name: "Memory of listed tools",
		run: "listedTools",
		of: "tools",
		sizes: [100, 1000, 10_000],
		figures: [{ key: "heap", label: "heap per tool", unit: "KB" }],
		rounds: 1,
		isFresh: true,
	},
	{
		name: "Tree of resources and as many tools, against one that builds every row",
		run: "browse",
		of: "of each",
		sizes: [1000, 5000, 10_000],
		figures: [
			{ key: "page", label: "first page came", unit: "ms" },
			{ key: "rows", label: "first rows", unit: "ms" },
			{ key: "total", label: "all listed", unit: "ms" },
			stall,
			{ key: "heap", label: "heap per item", unit: "KB" },
		],
		grows: "total",
		rounds: 5,
		isFresh: true,
		only: withTrees,
	},
	{
		name: "Tree of resources at work, against one that builds every row",
		run: "arrange",
		of: "resources",
		sizes: [1000, 10_000, 50_000],
		figures: [
			{ key: "more", label: "load more", unit: "ms" },
			{ key: "filter", label: "filter by a letter", unit: "ms" },
			{ key: "filterMore", label: "filter by two", unit: "ms" },
			{ key: "sortByName", label: "sort by name", unit: "ms" },
			{ key: "sortByPriority", label: "sort by priority", unit: "ms" },
			{ key: "folders", label: "put in folders", unit: "ms" },
			{ key: "total", label: "all of these", unit: "ms" },
		],
		grows: "total",
		rounds: 3,
		isFresh: true,
		only: withTrees,
	},
	{
		name: "Calls of a model one by one, through policy, pins and checks, on one processor",
		run: "modelOneByOne",
		of: "calls",
		sizes: [100, 1000, 3000],
		figures: [...roundTrips, { key: "total", label: "in all", unit: "ms" }],
		grows: "total",
		rounds: 5,
		isOnOneProcessor: true,
		only: withLoop,
	},
	{
		name: "The same at once",
		run: "modelAtOnce",
		of: "calls",
		sizes: [100, 1000, 3000],
		figures: [
			{ key: "total", label: "all answered", unit: "ms" },
			{ key: "cpu", label: "CPU per call", unit: "µs" },
			stall,
		],
		grows: "total",
		rounds: 5,
		only: withLoop,
	},
	{
		name: "First text of a turn, added to what the endpoint takes",
		run: "firstText",
		of: "tools",
		sizes: [20, 100, 1000],
		figures: [
			{ key: "cold", label: "first turn", unit: "ms" },
			{ key: "added", label: "later turns", unit: "ms" },
		],
		rounds: 5,
		isFresh: true,
		only: ["MCP Host"],
	},
	{
		name: "Sampling requests that a rule answers, by a model that takes no time",
		run: "sampling",
		of: "characters, and as many back",
		sizes: [400, 100_000, 1_000_000],
		figures: [{ key: "added", label: "added", unit: "ms" }, stall],
		rounds: 3,
		isFresh: true,
		only: ["MCP Host"],
	},
	{
		name: "Tokens of tools in a prompt",
		run: "promptTokens",
		of: "tools",
		sizes: [20, 100, 1000],
		figures: [
			{ key: "all", label: "all told", unit: "" },
			{ key: "first", label: "first request", unit: "" },
			{ key: "searched", label: "after a search", unit: "" },
		],
		// Nothing in it depends on the time.
		rounds: 1,
		only: ["MCP Host"],
	},
	{
		name: "Definitions of tools checked by rules",
		run: "lint",
		of: "tools",
		sizes: [20, 200, 1000],
		figures: [{ key: "total", label: "all checked", unit: "ms" }],
		grows: "total",
		rounds: 3,
		isFresh: true,
		only: ["MCP Host"],
	},
	{
		name: "A small page that shows a result, as an app and alone in the window of a browser",
		run: "appPaint",
		of: "page",
		sizes: [1],
		figures: [
			{ key: "first", label: "first paint", unit: "ms" },
			{ key: "result", label: "result painted", unit: "ms" },
		],
		rounds: 15,
		only: ["raw", "MCP Host"],
	},
];
