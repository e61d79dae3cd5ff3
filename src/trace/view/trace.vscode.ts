import * as vscode from "vscode";
import { guarded, type Commands } from "../../base/commands.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { applySchema } from "../../base/schema/schema.ts";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import { oneLine, withoutIcons } from "../../base/text.ts";
import { fillView } from "../../questions/webview/panel.vscode.ts";
import type { SessionDirectory } from "../../servers/session.ts";
import type { TraceReader } from "../exchange.ts";
import { copyForms, type CopyForm, copyOf, formsOf, type CopySource } from "./copies.ts";
import { exchangeRow } from "./exchangeWords.ts";
import { bodiesOf, type MessagePart, type MessagePlace } from "./messages.ts";
import { actionsOf, commandOf, misfitsOf } from "./traceActions.ts";
import { detailOf } from "./traceDetail.ts";
import { TraceDocuments } from "./traceDocuments.vscode.ts";
import { TracePort } from "./tracePort.ts";
import { readTraceRequest } from "./traceRequest.ts";
import type { TraceDetail } from "./viewProtocol.ts";

/** What the view of the trace needs of the host. */
export interface TraceViewServices {
	readonly reader: TraceReader;
	readonly directory: SessionDirectory;
	readonly secretsInUse: Pick<SecretsInUse, "redact" | "redactAll">;
	/** About how many tokens a text is to a model. */
	readonly tokensOf: (text: string) => number;
	readonly extensionUri: vscode.Uri;
}

/** Where people look at the trace. */
export interface WiredTraceView extends Disposable {
	readonly commands: Commands<"mcpHost.showTrace" | "mcpHost.showInTrace" | "mcpHost.clearTrace">;
}

const notKept =
	"This message was not kept: messages are kept while MCP Trace is open, or with the setting mcpHost.trace.";

/** Makes the view of the trace in the editor's panel, its documents and its commands, until it is disposed. */
export function wireTraceView(services: TraceViewServices): WiredTraceView {
	const { reader, directory, secretsInUse, extensionUri } = services;
	const store = new DisposableStore();
	const documents = store.add(new TraceDocuments(reader, secretsInUse.redact));
	const port: TracePort = store.add(
		new TracePort({
			reader,
			notices: () => noticesOf(services),
			redactAll: (value) => secretsInUse.redactAll(value),
			detail: (place) => detail(services, place),
			act: (place, action) => act({ services, documents, port }, place, action),
		}),
	);
	store.add(
		vscode.window.registerWebviewViewProvider("mcpHost.trace", {
			resolveWebviewView: (view) => {
				const page = { extensionUri, view: "trace", style: "trace.css", title: "MCP Trace" };
				const open = new DisposableStore();
				open.add(port.connect(fillView(view, page)));
				// Messages are kept for as long as somebody looks.
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
	};
	return {
		commands: guarded(commands, (error) => void showError(messageOf(error))),
		dispose: () => store.dispose(),
	};
}

/** What the person should know of what is recorded. */
function noticesOf({ reader, directory }: TraceViewServices): readonly string[] {
	const off = directory.sessions.filter(({ definition }) => reader.level(definition.id) === "off");
	if (off.length === 0) return [];
	const names = off.slice(0, 5).map(({ definition }) => oneLine(definition.name, 40));
	const more = off.length > 5 ? ` and ${off.length - 5} more` : "";
	return [`Nothing is recorded of ${names.join(", ")}${more} (setting mcpHost.trace).`];
}

/** The details of what a row stands for. */
async function detail(services: TraceViewServices, place: MessagePlace): Promise<TraceDetail> {
	const { reader, directory, tokensOf } = services;
	const bodies = bodiesOf(reader, place);
	const { exchange, child } = place;
	const session = directory.get(exchange.server);
	const isCall = exchange.method === "tools/call" && exchange.direction === "out" && child === undefined;
	const tool = isCall ? session?.tools.items.find(({ name }) => name === exchange.target) : undefined;
	const misfits =
		tool === undefined
			? []
			: await misfitsOf(
					bodies,
					{ inputSchema: tool.inputSchema as JsonObject, outputSchema: tool.outputSchema as JsonObject | undefined },
					applySchema,
				);
	return detailOf({
		place,
		bodies,
		tokensOf,
		misfits,
		actions: session === undefined ? [] : actionsOf(place),
		copies: child === undefined ? formsOf(sourceOf(services, place)) : [],
	});
}

function sourceOf({ reader, directory }: TraceViewServices, place: MessagePlace): CopySource {
	const { exchange } = place;
	return { exchange, bodies: bodiesOf(reader, place), config: directory.get(exchange.server)?.definition.config };
}

/** What the actions of the view work on. */
interface ActionScene {
	readonly services: TraceViewServices;
	readonly documents: TraceDocuments;
	readonly port: TracePort;
}

/** Does something with an exchange; tells the outcome, empty when there is none to tell. */
async function act({ services, documents, port }: ActionScene, place: MessagePlace, action: string): Promise<string> {
	const [verb = "", of] = action.split(":");
	const part = of === "request" || of === "response" ? of : undefined;
	if (verb === "open") return (await documents.open(place, part)) ? "" : notKept;
	if (verb === "compare" && part !== undefined) return compare(documents, port, place, part);
	if (verb === "copy") {
		if (!isForm(of)) throw new HostError("invalid", "The trace knows no such form.");
		const text = services.secretsInUse.redact(copyOf(sourceOf(services, place), of));
		await vscode.env.clipboard.writeText(text);
		return `Copied as ${copyForms[of]}.`;
	}
	const { command, argument, note } = commandOf(
		action,
		place.exchange,
		bodiesOf(services.reader, place),
		services.reader,
	);
	if (note !== "") void showInformation(note);
	await vscode.commands.executeCommand(command, argument);
	return "";
}

function isForm(form: string | undefined): form is CopyForm {
	return form !== undefined && Object.hasOwn(copyForms, form);
}

/** Lets the person choose what a message is compared with: those of the same kind first, the newest of them on top. */
async function compare(
	documents: TraceDocuments,
	port: TracePort,
	place: MessagePlace,
	part: MessagePart,
): Promise<string> {
	const { exchange } = place;
	const others = port.newest.filter((other) => other.exchange.id !== exchange.id);
	const isAlike = (other: MessagePlace): boolean =>
		other.exchange.method === exchange.method && other.exchange.target === exchange.target;
	const items = [...others.filter(isAlike), ...others.filter((other) => !isAlike(other))].slice(0, 500).map((other) => {
		const { what, server, outcome, at } = exchangeRow(other.exchange, false);
		return {
			label: withoutIcons(what),
			description: withoutIcons(`${server} · ${new Date(at).toLocaleTimeString()} · ${outcome}`),
			other,
		};
	});
	const picked = await vscode.window.showQuickPick(items, {
		title: `Compare the ${part === "request" ? "Request" : "Answer"}`,
		placeHolder: "Compare with that of which exchange?",
		matchOnDescription: true,
	});
	if (picked === undefined) return "";
	return (await documents.compare(picked.other, place, part)) ? "" : notKept;
}
