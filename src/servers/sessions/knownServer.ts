import type { KnownServer } from "../../records/trace/mockRecording.ts";
import type { ManagedList } from "./managedList.ts";
import type { Session } from "./session.ts";

/** The state of the server of a session, for a recording that lacks it; undefined while the server does not run. */
export function knownServer(session: Session | undefined): KnownServer | undefined {
	if (session?.state.kind !== "running") return undefined;
	const { server, capabilities, protocolVersion, era, instructions } = session.state.facts;
	return {
		server,
		capabilities,
		protocolVersion,
		era,
		instructions,
		lists: {
			...whole("tools/list", session.tools),
			...whole("prompts/list", session.prompts),
			...whole("resources/list", session.resources),
			...whole("resources/templates/list", session.resourceTemplates),
		},
	};
}

function whole(
	method: string,
	{ items, status }: Pick<ManagedList<object>, "items" | "status">,
): Readonly<Record<string, readonly object[]>> {
	return status.kind === "ready" && status.truncated === undefined ? { [method]: items } : {};
}
