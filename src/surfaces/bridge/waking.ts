import { oneLine } from "../../base/text.ts";
import { ComingServers } from "../../features/agentTools/comingServers.ts";
import { describeState } from "../../servers/sessions/describeState.ts";
import type { Session, SessionState } from "../../servers/sessions/session.ts";

/** Starts servers for the requests of clients, those that the user lets run only (GST-09). */
export class Waking {
	private readonly coming = new ComingServers();
	private readonly start: (id: string) => Promise<SessionState>;

	/** `start` starts a server that may start, without a question. */
	constructor(start: (id: string) => Promise<SessionState>) {
		this.start = start;
	}

	/** Makes a server run; returns why it does not, in a sentence for a model. */
	async wake(server: Session, signal: AbortSignal): Promise<string | undefined> {
		if (server.state.kind === "stopped" || server.state.kind === "failed") await this.start(server.definition.id);
		if (server.state.kind !== "running" && server.state.kind !== "starting") return whyNot(server);
		await this.listed([server], signal);
		return server.state.kind === "running" ? undefined : whyNot(server);
	}

	/** Waits a moment for the tools of servers that are about to run; starts none. */
	async listed(servers: readonly Session[], signal: AbortSignal): Promise<void> {
		await this.coming.wait({ sessions: servers, signal, say: () => undefined });
	}
}

/** Whether the user lets a server run. */
export function mayRun({ state: { kind } }: Session): boolean {
	return kind !== "needs-approval" && kind !== "off" && kind !== "left-to-editor";
}

function whyNot({ definition, state }: Session): string {
	return `The server "${oneLine(definition.name, 60)}" does not run: ${describeState(state)}. Ask the user to look at it in the Servers view of MCP Host.`;
}
