import type { LoggingLevel } from "@modelcontextprotocol/client";
import * as vscode from "vscode";
import { type Log, logThrough } from "../../base/log.ts";

/** The least severe level of the protocol that each level of a channel shows (specification, "Logging"). */
const shownLevels: Readonly<Record<vscode.LogLevel, LoggingLevel | undefined>> = {
	[vscode.LogLevel.Off]: undefined,
	[vscode.LogLevel.Trace]: "debug",
	[vscode.LogLevel.Debug]: "debug",
	[vscode.LogLevel.Info]: "info",
	[vscode.LogLevel.Warning]: "warning",
	[vscode.LogLevel.Error]: "error",
};

/** One output channel per server, made when it is first written to or shown. */
export class ServerLogs implements vscode.Disposable {
	private readonly channels = new Map<string, vscode.LogOutputChannel>();
	private readonly written = new Set<string>();
	private readonly levelChanged = new vscode.EventEmitter<string>();
	/** The user chose another level for a server's log; the value is the server's name. */
	readonly onDidChangeLevel = this.levelChanged.event;
	private isDisposed = false;

	/** A log that makes its channel with the first line. */
	log(name: string): Log {
		return logThrough((level, message) => {
			// Servers write their last output while the window closes; then nobody can read it.
			if (this.isDisposed) return;
			// Lines that the default level hides are invisible to users.
			if (level !== "trace" && level !== "debug") this.written.add(name);
			this.channel(name)[level](message);
		});
	}

	/** The least severe level of message that a server's log shows; undefined when it shows none. */
	level(name: string): LoggingLevel | undefined {
		return this.isDisposed ? undefined : shownLevels[this.channel(name).logLevel];
	}

	/** Shows a server's log without taking the focus; an empty log shows `standing` first. */
	show(name: string, standing: string): void {
		if (!this.written.has(name)) this.log(name).info(standing);
		this.channel(name).show(true);
	}

	dispose(): void {
		this.isDisposed = true;
		for (const channel of this.channels.values()) channel.dispose();
		this.channels.clear();
		this.levelChanged.dispose();
	}

	private channel(name: string): vscode.LogOutputChannel {
		let channel = this.channels.get(name);
		if (channel === undefined) {
			channel = vscode.window.createOutputChannel(`MCP Host: ${name}`, { log: true });
			this.channels.set(name, channel);
			// Ends with the channel.
			channel.onDidChangeLogLevel(() => this.levelChanged.fire(name));
		}
		return channel;
	}
}
