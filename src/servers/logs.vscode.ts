import * as vscode from "vscode";

/** One output channel per server, made when it is first written to or shown. */
export class ServerLogs implements vscode.Disposable {
	private readonly channels = new Map<string, vscode.LogOutputChannel>();

	get(name: string): vscode.LogOutputChannel {
		let channel = this.channels.get(name);
		if (channel === undefined) {
			channel = vscode.window.createOutputChannel(`MCP Host: ${name}`, { log: true });
			this.channels.set(name, channel);
		}
		return channel;
	}

	dispose(): void {
		for (const channel of this.channels.values()) channel.dispose();
		this.channels.clear();
	}
}
