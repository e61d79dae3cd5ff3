import * as vscode from "vscode";
import type { Disposable } from "../../base/lifecycle.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import { isLogOf, logLinks } from "./logLinks.ts";

/** Makes the times in servers' logs links to what passed then (TRC-40), until it is disposed. */
export function linkLogs(reader: TraceReader, directory: Pick<SessionDirectory, "sessions">): Disposable {
	return vscode.languages.registerDocumentLinkProvider(
		{ scheme: "output" },
		{
			provideDocumentLinks(document) {
				const server = directory.sessions.find(({ definition }) => isLogOf(document.uri.path, definition.name));
				if (server === undefined) return [];
				const { exchanges } = reader.snapshot(0);
				return logLinks(document.getText(), server.definition.name, exchanges).map(({ line, length, exchange }) => {
					const argument = encodeURIComponent(JSON.stringify([reader.nameOf(exchange)]));
					const target = vscode.Uri.parse(`command:mcpHost.showInTrace?${argument}`);
					const link = new vscode.DocumentLink(new vscode.Range(line, 0, line, length), target);
					link.tooltip = "Show in Trace";
					return link;
				});
			},
		},
	);
}
