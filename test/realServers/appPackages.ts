import type { RealServer } from "./realServer.ts";

const names = [
	"basic-vanillajs",
	"basic-react",
	"budget-allocator",
	"cohort-heatmap",
	"customer-segmentation",
	"debug",
	"scenario-modeler",
	"shadertoy",
	"threejs",
	"sheet-music",
	"system-monitor",
	"transcript",
	"video-resource",
	"wiki-explorer",
	"pdf",
] as const;

/** The sample servers of MCP Apps. They declare or want domains, and work without: nothing here reaches a network. */
export const appServers: readonly RealServer[] = names.map((name) => ({
	name: `@modelcontextprotocol/server-${name}`,
	version: name === "pdf" ? "2.0.4" : "2.0.3",
	sdk: "v2",
	args: () => ["--stdio"],
}));

/** The short name of a sample server. */
export function appName({ name }: RealServer): string {
	return name.replace("@modelcontextprotocol/server-", "");
}

/** The result of one app. */
export interface AppRow {
	readonly app: string;
	readonly initialized: boolean;
	readonly size: string;
	readonly stopped: number;
	readonly asked: string;
	readonly teardownMs: number;
	readonly happened: string;
}
