import type { LapseReason } from "./decision.ts";

const endings: Readonly<Record<LapseReason, (server: string) => string>> = {
	closed: () => "You closed the panel without answering.",
	cancelled: (server) => `${server} withdrew the request, or what it belongs to has ended.`,
	"server-gone": (server) => `${server} stopped before you answered.`,
	expired: () => "The time to answer ran out.",
	shutdown: () => "MCP Host was shut down before you answered.",
	completed: (server) => `${server} says that it is done.`,
};

/** What happened to a question that ended without the person, for its panel. */
export function describeLapse(reason: LapseReason, server: string): string {
	const ending = endings[reason](server);
	return reason === "completed" ? ending : `${ending} Nothing was sent to the server.`;
}
