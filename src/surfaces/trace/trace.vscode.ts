import { SafeWriter } from "../../base/secrets/writer.ts";
import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { commandsOf } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { fillView } from "../../questions/webview/panel.vscode.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { openTraceFile, TraceFilePanels } from "./traceFiles.vscode.ts";
import { TraceDocuments } from "./traceDocuments.vscode.ts";
import { readTraceRequest } from "./traceRequest.ts";
import { portOf, type ViewedTrace } from "./viewedTrace.vscode.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import { isLogOf, logLinks } from "./logLinks.ts";

/** The dependencies of the view of the trace on the host. */
export interface TraceViewServices extends Pick<ViewedTrace, "reader" | "secretsInUse" | "tokensOf"> {
	readonly directory: SessionDirectory;
	readonly extensionUri: vscode.Uri;
}

/** Where users view the trace. */
export interface WiredTraceView extends Disposable {
	readonly commands: Commands<
		"mcpHost.showTrace" | "mcpHost.showInTrace" | "mcpHost.clearTrace" | "mcpHost.openTraceFile"
	>;
}

const notKept =
	"Its messages are not kept: only recent messages are, or none by the setting mcpHost.trace. Set it to bodies to keep more.";

/** Makes the view of the trace in the editor's panel, its documents and its commands, until it is disposed. */
export function wireTraceView(services: TraceViewServices): WiredTraceView {
	const { reader, directory, secretsInUse, tokensOf, extensionUri } = services;
	const store = new DisposableStore();
	const documents = store.add(new TraceDocuments(new SafeWriter(secretsInUse)));
	const shared = { documents, secretsInUse, tokensOf };
	const port = store.add(portOf({ ...shared, reader, directory, notKept, notices: () => noticesOf(services) }));
	store.add(linkLogs(reader, directory));
	const files = store.add(new TraceFilePanels({ ...shared, extensionUri }));
	store.add(
		vscode.window.registerWebviewViewProvider("mcpHost.trace", {
			resolveWebviewView: (view) => {
				// It stays when the last server is removed: the panel would suddenly show something else.
				void vscode.commands.executeCommand("setContext", "mcpHost.traceShown", true);
				const page = { extensionUri, view: "trace", style: "trace.css", title: "MCP Trace" };
				const open = new DisposableStore();
				open.add(port.connect(fillView(view, page)));
				// Messages are kept for as long as a view is open.
				let held: Disposable | undefined;
				const hold = (): void => {
					if (view.visible) held ??= reader.holdBodies();
					else {
						held?.dispose();
						held = undefined;
					}
				};
				hold();
				open.add(view.onDidChangeVisibility(hold));
				view.onDidDispose(() => {
					held?.dispose();
					open.dispose();
				});
			},
		}),
	);
	const show = async (argument: unknown): Promise<void> => {
		port.ask(readTraceRequest(argument, directory, reader));
		await vscode.commands.executeCommand("mcpHost.trace.focus");
	};
	const commands = {
		"mcpHost.showTrace": show,
		"mcpHost.showInTrace": show,
		"mcpHost.clearTrace": async () => reader.clear(),
		"mcpHost.openTraceFile": (argument: unknown) => openTraceFile(files, argument),
	};
	return {
		commands: commandsOf(commands),
		dispose: () => store.dispose(),
	};
}

/** Notes for the user about the recording. */
function noticesOf({ reader, directory }: TraceViewServices): readonly string[] {
	const off = directory.sessions.filter(({ definition }) => reader.level(definition.id) === "off");
	if (off.length === 0) return [];
	const names = off.slice(0, 5).map(({ definition }) => oneLine(definition.name, 40));
	const more = off.length > 5 ? ` and ${off.length - 5} more` : "";
	return [`${names.join(", ")}${more} not recorded (setting mcpHost.trace).`];
}

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
