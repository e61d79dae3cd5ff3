import { oneLine } from "../../base/text.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import { debugHost } from "./debugLaunch.ts";
import type { DebugPort } from "./debugging.ts";

/** How long the debugger tries to reach the server, in milliseconds. */
const timeout = 30_000;

/** The debug configuration by which VS Code attaches to a server; the last two members name the start that it belongs to. */
export function attachTo({ id, name }: ServerDefinition, { type, port }: DebugPort) {
	const place =
		type === "node"
			? { address: debugHost, port, timeout, continueOnAttach: true }
			: { connect: { host: debugHost, port } };
	return {
		type,
		request: "attach",
		name: `MCP: ${oneLine(name, 80)}`,
		...place,
		internalConsoleOptions: "neverOpen",
		mcpHostServer: id,
		mcpHostPort: port,
	} as const;
}
