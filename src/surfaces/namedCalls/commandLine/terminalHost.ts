import { resolve } from "node:path";
import { RequestRefusal } from "../../../base/refusal.ts";
import type { Log } from "../../../base/log.ts";
import type { KeyValue } from "../../../base/storage.ts";
import { Store } from "../../../base/store/store.ts";
import { defaultConnectionLimits } from "../../../protocol/limits.ts";
import type { ServerTap } from "../../../protocol/wireTap.ts";
import { McpHost } from "../../../servers/host.ts";
import { defaultListLimits } from "../../../servers/sessions/managedList.ts";

/** The parts of a host in a terminal. */
export interface TerminalHostOptions {
	/** The value of `${workspaceFolder}`, and the root for servers. */
	readonly folder: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly log: (server: string) => Log;
	readonly version: string;
	/** Who follows what passes, by the id and the name of a server; absent where nobody does. */
	readonly tap?: (server: string, name: string) => ServerTap;
}

const never = (): { dispose(): void } => ({ dispose: () => undefined });

/**
 * The core without VS Code and without a user: it stores nothing, and refuses servers' questions to a user. Values of
 * inputs come from the environment alone.
 */
export function terminalHost({ folder, environment, log, version, tap }: TerminalHostOptions): McpHost {
	const secrets = new Map<string, string>();
	return new McpHost({
		version,
		canSample: false,
		requests: async () => ({
			createMessage: async () => {
				throw new RequestRefusal(-32603, "denied", "This client runs without a user or a model.");
			},
			// Nobody has seen the question, so nobody declined it (specification, "Elicitation", response actions).
			elicit: async () => ({ action: "cancel" }),
			onVisited: () => undefined,
		}),
		serverLog: log,
		openStore: async () => new Store({ folder: undefined, onProblem: (message) => log("MCP Host").error(message) }),
		state: memory(),
		workspaceState: memory(),
		secrets: {
			get: async (key) => secrets.get(key),
			store: async (key, value) => void secrets.set(key, value),
			delete: async (key) => void secrets.delete(key),
			keys: async () => [...secrets.keys()],
		},
		// A user who names the servers that may start trusts their configuration.
		isWorkspaceTrusted: () => true,
		folders: { current: [{ name: "workspace", scheme: "file", path: folder }], onDidChange: never },
		askInput: async (_definition, { id }) => inputFromEnvironment(id, environment),
		limits: defaultConnectionLimits,
		listLimits: defaultListLimits,
		logLevels: { of: () => undefined, onDidChange: never },
		network: { environment },
		...(tap === undefined ? {} : { tap: async ({ id, name }) => tap(id, name) }),
		timeouts: { handshakeMs: 60_000, requestMs: 120_000, maxRequestMs: 3_600_000 },
		demo: { command: process.execPath, args: [resolve(import.meta.dirname, "demoServer.js")], env: {} },
	});
}

/** The variable of the environment that holds the value of an input: `MCP_INPUT_API_TOKEN` of `api-token`. */
export function inputVariableName(id: string): string {
	return `MCP_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/**
 * The variable that holds the value of an input for calls of a server: `MCP_CALL_INPUT_TRAVEL__API_TOKEN`. A value for
 * one server is not sent to another one for which a file of calls names the same input.
 */
export function callInputVariable(server: string, id: string): string {
	const [ofServer = "", ofInput = ""] = [server, id].map((part) => part.toUpperCase().replace(/[^A-Z0-9]+/g, "_"));
	return `MCP_CALL_INPUT_${ofServer}__${ofInput}`;
}

/** The value of an input; undefined where the environment has none. */
function inputFromEnvironment(
	id: string,
	environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
	return environment[inputVariableName(id)];
}

function memory(): KeyValue {
	const texts = new Map<string, string>();
	return {
		get: (key) => JSON.parse(texts.get(key) ?? "[]")[0],
		update: async (key, value) => void texts.set(key, JSON.stringify(value === undefined ? [] : [value])),
	};
}
