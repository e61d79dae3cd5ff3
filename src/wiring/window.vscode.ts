import type { Log } from "../base/log.ts";
import type { KeptContext } from "../base/store/keptContext.vscode.ts";
import type { Store } from "../base/store/store.ts";
import type { Configuration } from "../servers/sources/config.vscode.ts";
import type { McpHost } from "../servers/host.ts";
import type { ServerLogs } from "../servers/sessions/logs.vscode.ts";

/** The parts that exist from the start: the window, and the list of servers. */
export interface Window {
	readonly host: McpHost;
	/** The parts that all windows share. */
	readonly shared: Store;
	readonly configuration: Configuration;
	readonly log: Log;
	readonly logs: ServerLogs;
	readonly context: KeptContext;
}
