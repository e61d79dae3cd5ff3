import * as vscode from "vscode";
import type { Log } from "../base/log.ts";

/** One output channel per server, made when it is first written to or shown. */
export class ServerLogs implements vscode.Disposable {
	private readonly channels = new Map<string, vscode.LogOutputChannel>();
	private isDisposed = false;

	/** A log that makes its channel with the first line. */
	log(name: string): Log {
		const write =
			(level: keyof Log) =>
			(message: string): void => {
				// Servers say their last words while the window closes; then nobody can read them.
				if (!this.isDisposed) this.channel(name)[level](message);
			};
		return {
			trace: write("trace"),
			debug: write("debug"),
			info: write("info"),
			warn: write("warn"),
			error: write("error"),
		};
	}

	/** Shows a server's log without taking the focus. */
	show(name: string): void {
		this.channel(name).show(true);
	}

	dispose(): void {
		this.isDisposed = true;
		for (const channel of this.channels.values()) channel.dispose();
		this.channels.clear();
	}

	private channel(name: string): vscode.LogOutputChannel {
		let channel = this.channels.get(name);
		if (channel === undefined) {
			channel = vscode.window.createOutputChannel(`MCP Host: ${name}`, { log: true });
			this.channels.set(name, channel);
		}
		return channel;
	}
}
