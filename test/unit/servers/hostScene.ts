import { silentLog } from "../../../src/base/log.ts";
import { defaultConnectionLimits } from "../../../src/protocol/limits.ts";
import { McpHost, type HostServices } from "../../../src/servers/host.ts";
import { defaultListLimits } from "../../../src/servers/sessions/managedList.ts";
import { memoryStore } from "../base/store/storeFolder.ts";
import { MemorySecrets, MemoryStore } from "./fixtures.ts";

/** A server that answers nothing, which is sufficient for starts and stops. */
export const silentServer = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };

/** The core without a user, except for a test's changes. */
export function makeHost(changes: Partial<HostServices> = {}): McpHost {
	return new McpHost({
		version: "0.0.0",
		requests: async () => ({
			createMessage: () => Promise.reject(new Error("Nobody asks for a completion.")),
			elicit: () => Promise.reject(new Error("Nobody asks for an answer.")),
			onVisited: () => undefined,
		}),
		serverLog: () => silentLog,
		openStore: async () => memoryStore(),
		state: new MemoryStore(),
		secrets: new MemorySecrets(),
		isWorkspaceTrusted: () => true,
		workspaceState: new MemoryStore(),
		folders: { current: [{ name: "ws", scheme: "file", path: "/ws" }], onDidChange: () => ({ dispose() {} }) },
		askInput: () => Promise.resolve(undefined),
		limits: defaultConnectionLimits,
		listLimits: defaultListLimits,
		logLevels: { of: () => "info", onDidChange: () => ({ dispose() {} }) },
		network: { environment: {} },
		timeouts: { handshakeMs: 300, requestMs: 1000, maxRequestMs: 10_000 },
		demo: { command: process.execPath, args: [], env: {} },
		...changes,
	});
}
