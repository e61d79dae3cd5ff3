import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { commandsOf, showInformation } from "../../base/notify.vscode.ts";
import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons, counted } from "../../base/words.ts";
import type { TraceReader } from "./exchange.ts";
import { writeHar } from "./har.ts";
import type { OfferedDocuments } from "./offeredDocuments.vscode.ts";
import { writeSpans } from "./otel/spans.ts";
import type { KnownServer } from "./mockRecording.ts";
import { FileTrace } from "./readTraceFile.ts";
import { type TraceFileOptions, withBodies, writeTrace } from "./traceFile.ts";

/** The dependencies of the commands that export a trace. */
export interface ExportServices {
	readonly trace: TraceReader;
	/** Removes the secrets that the host knows. */
	readonly redactor: Redactor;
	readonly extension: Pick<vscode.Extension<unknown>, "extensionUri" | "packageJSON">;
	/** The state of a running server by the id of its definition; undefined while it does not run. */
	readonly knownServer: (server: string) => KnownServer | undefined;
}

type Offer = OfferedDocuments["offer"];

/** The commands that write a trace into a file. Nothing is written before the user has seen it and says where. */
export function exportCommands(
	services: ExportServices,
	documents: OfferedDocuments,
): Commands<"mcpHost.exportTrace" | "mcpHost.saveMockServer" | "mcpHost.saveExport"> {
	const offer: Offer = (outgoing) => documents.offer(outgoing);
	return commandsOf({
		"mcpHost.saveExport": (argument) => documents.save(argument),
		"mcpHost.exportTrace": () => exportTrace(services, offer),
		"mcpHost.saveMockServer": () => saveMockServer(services, offer),
	});
}

async function exportTrace({ trace, redactor, extension }: ExportServices, offer: Offer): Promise<void> {
	const { exchanges } = trace.snapshot(0);
	if (exchanges.length === 0) {
		void showInformation("There is no trace to export: MCP Host has not exchanged messages with servers yet.");
		return;
	}
	const kinds = [
		{
			label: "Metadata Only",
			description: "JSON Lines",
			detail: "Times, servers, methods, names, sizes and outcomes, without the contents of messages.",
			contents: "metadata" as const,
		},
		{
			label: "With Contents",
			description: "JSON Lines",
			detail: "Recorded messages and headers, with a placeholder for each secret that was found.",
			contents: "contents" as const,
		},
		{
			label: "HTTP Requests",
			description: "HAR 1.2",
			detail: "HTTP requests with recorded headers and no bodies, for tools that read HTTP archives.",
			contents: "har" as const,
		},
		{
			label: "Spans",
			description: "OpenTelemetry, OTLP in JSON",
			detail: "One span per request, for collectors and trace viewers. No contents of messages.",
			contents: "otlp" as const,
		},
	];
	const picked = await vscode.window.showQuickPick(kinds, {
		ignoreFocusOut: true,
		placeHolder: "Choose what to export. You see it before it is saved",
	});
	if (picked === undefined) return;
	const options = optionsFor(extension, redactor);
	if (picked.contents === "har") {
		const { text, entries } = writeHar(trace, options);
		await offer({ name: "mcp-trace.har", text, what: counted(entries, "HTTP request"), language: "json" });
		return;
	}
	if (picked.contents === "otlp") {
		const { text, spans } = writeSpans(trace, options);
		await offer({ name: "mcp-trace.otlp.json", text, what: counted(spans, "span"), language: "json" });
		return;
	}
	const written = writeTrace(trace, { ...options, contents: picked.contents });
	const hidden = picked.contents === "contents" ? `; ${counted(written.hidden, "secret")} hidden` : "";
	const what = `${counted(written.exchanges, "exchange")} of ${counted(written.servers, "server")}${hidden}`;
	await offer({ name: "mcp-trace.jsonl", text: written.text, what, language: "jsonl" });
}

async function saveMockServer(
	{ trace, redactor, extension, knownServer }: ExportServices,
	offer: Offer,
): Promise<void> {
	const { exchanges } = trace.snapshot(0);
	const names = new Map(exchanges.map((one) => [one.server, one.serverName] as const));
	if (names.size === 0) {
		void showInformation("There is nothing to save: MCP Host has not exchanged messages with servers yet.");
		return;
	}
	const rows = [...names].map(([server, name]) => ({ label: withoutIcons(oneLine(name)), server, name }));
	const picked = await vscode.window.showQuickPick(rows, {
		ignoreFocusOut: true,
		placeHolder: "Choose the server to mock",
	});
	if (picked === undefined) return;
	const { server } = picked;
	const { mockRecording } = await import("./mockRecording.ts");
	const recorded = exchanges.filter((one) => one.server === server).map((one) => withBodies(trace, one));
	const recording = mockRecording(recorded, knownServer(server), new SafeWriter(redactor));
	if (recording.kind === "incomplete") return offerToRecord(picked, recording.missing);
	const written = writeTrace(new FileTrace(recording.exchanges), {
		...optionsFor(extension, redactor),
		contents: "contents",
	});
	const { leftOut } = recording;
	const without = leftOut.length === 0 ? "" : `, without ${namesIn(leftOut)}, whose messages were not kept whole`;
	const what = `${counted(written.exchanges, "exchange")} of ${oneLine(picked.name)}${without}; ${counted(written.hidden, "secret")} hidden`;
	const saved = (target: vscode.Uri): Promise<void> => offerConfiguration(extension, target);
	await offer({ name: "mcp-server.jsonl", text: written.text, what, language: "jsonl", saved });
}

/** Offers the configuration of a server that serves a recording. */
async function offerConfiguration({ extensionUri }: ExportServices["extension"], saved: vscode.Uri): Promise<void> {
	if (saved.scheme !== "file") return;
	const copy = "Copy Configuration";
	const script = vscode.Uri.joinPath(extensionUri, "dist", "cli.js").fsPath;
	const entry = { command: "node", args: [script, "mock", saved.fsPath] };
	const answer = await showInformation("The recording can be served as a server over standard input and output.", copy);
	if (answer === copy)
		await vscode.env.clipboard.writeText(JSON.stringify({ "recorded-server": entry }, undefined, "\t"));
}

/** Explains why the recording is not enough for a mock server, and starts a complete one. */
async function offerToRecord(
	{ server, name }: { readonly server: string; readonly name: string },
	missing: readonly string[],
): Promise<void> {
	const remedy = "Restart and Record";
	const message =
		`A mock server of “${oneLine(name, 60)}” would not be complete: the contents of ${namesIn(missing)} were not recorded. ` +
		"Restart the server with MCP Trace open, use it, and save again.";
	if ((await showInformation(message, remedy)) !== remedy) return;
	// Messages are kept while the view is open, unless the trace of the server is off.
	await vscode.commands.executeCommand("mcpHost.showTrace");
	await vscode.commands.executeCommand("mcpHost.restartServer", { server });
}

function namesIn(names: readonly string[]): string {
	const more = names.length > 4 ? ` and ${names.length - 4} more` : "";
	return `${names.slice(0, 4).join(", ")}${more}`;
}

function optionsFor(extension: ExportServices["extension"], redactor: Redactor): Omit<TraceFileOptions, "contents"> {
	const { version }: { readonly version: string } = extension.packageJSON;
	return { host: `MCP Host ${version}`, now: Date.now(), home: homedir(), redactor };
}
