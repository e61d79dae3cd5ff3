import type { LapseReason } from "./decision.ts";

const endings: Readonly<Record<LapseReason, (server: string) => string>> = {
	closed: () => "You closed the panel without answering.",
	cancelled: (server) => `${server} withdrew the request, or what it belongs to has ended.`,
	"server-gone": (server) => `${server} stopped before you answered.`,
	expired: () => "The time to answer ran out.",
	shutdown: () => "MCP Host was shut down before you answered.",
};

/** What happened to a question that ended without the person, for its panel. */
export function describeLapse(reason: LapseReason, server: string): string {
	return `${endings[reason](server)} Nothing was sent to the server.`;
}
