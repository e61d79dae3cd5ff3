import type { Log } from "../base/log.ts";
import type { KeptContext } from "../base/store/keptContext.vscode.ts";
import type { Store } from "../base/store/store.ts";
import type { Configuration } from "../servers/config.vscode.ts";
import type { McpHost } from "../servers/host.ts";
import type { ServerLogs } from "../servers/sessions/logs.vscode.ts";

/** What is there from the start: the window, and which servers exist. */
export interface Window {
	readonly host: McpHost;
	/** What all windows share. */
	readonly shared: Store;
	readonly configuration: Configuration;
	readonly log: Log;
	readonly logs: ServerLogs;
	readonly context: KeptContext;
}
