import type { Link } from "./link.ts";
import type { ServerFacts } from "../servers/session.ts";

/** What a server told about itself in the handshake of a session. */
export function factsOf({ client, transport }: Link, kind: ServerFacts["transport"]): ServerFacts {
	return {
		server: client.getServerVersion(),
		capabilities: client.getServerCapabilities() ?? {},
		protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
		era: client.getProtocolEra() === "modern" ? "modern" : "legacy",
		instructions: client.getInstructions(),
		transport: kind,
		pid: "pid" in transport && typeof transport.pid === "number" ? transport.pid : undefined,
	};
}
