import { SafeWriter } from "../../base/secrets/writer.ts";
import * as vscode from "vscode";
import { HostError } from "../../base/errors.ts";
import { showInformation } from "../../base/notify.vscode.ts";
import { applySchema } from "../../base/schema/schema.ts";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import { withoutIcons } from "../../base/words.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import { copyForms, type CopyForm, copyOf, formsOf, type CopySource } from "./copies.ts";
import { exchangeRow } from "./exchangeWords.ts";
import { bodiesOf, type MessagePart, type MessagePlace } from "./messages.ts";
import { checkProtocol } from "./protocolCheck.ts";
import { actionsOf, commandOf, misfitsOf } from "./traceActions.ts";
import { detailOf, toldBeside } from "./traceDetail.ts";
import type { TraceDocuments } from "./traceDocuments.vscode.ts";
import { TracePort } from "./tracePort.ts";
import type { TraceDetail } from "./viewProtocol.ts";
import { isJsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { timeOfDay } from "../../base/shownTime.ts";

/** A displayed trace: that of the window, or that of a file. */
export interface ViewedTrace {
	readonly reader: TraceReader;
	/** The servers that its exchanges lead to; those of a file lead to none. */
	readonly directory: Pick<SessionDirectory, "get">;
	/** Notes for the user about it, in our sentences. */
	notices(): readonly string[];
	/** The text if messages were not kept. */
	readonly notKept: string;
	readonly documents: TraceDocuments;
	readonly secretsInUse: Pick<SecretsInUse, "redact" | "redactAll">;
	/** About how many tokens a text is to a model. */
	readonly tokensOf: (text: string) => number;
}

/** Connects a trace with the view that shows it. */
export function portOf(viewed: ViewedTrace): TracePort {
	const port: TracePort = new TracePort({
		reader: viewed.reader,
		notices: () => viewed.notices(),
		redactAll: (value) => viewed.secretsInUse.redactAll(value),
		detail: (place) => detail(viewed, place),
		act: (place, action) => act(viewed, port, place, action),
	});
	return port;
}

/** The details of a row's entry. */
async function detail(viewed: ViewedTrace, place: MessagePlace): Promise<TraceDetail> {
	const { reader, directory, tokensOf, notKept } = viewed;
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
					{
						inputSchema: jsonObjectOf(tool.inputSchema),
						outputSchema: isJsonObject(tool.outputSchema) ? tool.outputSchema : undefined,
					},
					applySchema,
				);
	return detailOf({
		place,
		bodies,
		tokensOf,
		notKept,
		misfits,
		protocol: await checkProtocol(bodies, place),
		actions: session === undefined ? [] : actionsOf(place, tool),
		copies: child === undefined ? formsOf(sourceOf(viewed, place)) : [],
	});
}

function sourceOf({ reader, directory }: ViewedTrace, place: MessagePlace): CopySource {
	const { exchange } = place;
	return { exchange, bodies: bodiesOf(reader, place), config: directory.get(exchange.server)?.definition.config };
}

/** Runs an action on an exchange; returns the outcome, empty when there is none to report. */
async function act(viewed: ViewedTrace, port: TracePort, place: MessagePlace, action: string): Promise<string> {
	const { reader, directory, documents, notKept, secretsInUse } = viewed;
	const [verb = "", of] = action.split(":");
	const part = of === "request" || of === "response" || of === "told" ? of : undefined;
	if (verb === "open") return (await documents.open(reader, place, part)) ? "" : notKept;
	if (verb === "compare" && part !== undefined) return compare(viewed, port, place, part);
	if (action === toldBeside)
		return (await documents.compare(reader, [place, "response"], [place, "told"])) ? "" : notKept;
	if (verb === "copy") {
		if (!isForm(of)) throw new HostError("invalid", "The trace does not support this format.");
		await vscode.env.clipboard.writeText(new SafeWriter(secretsInUse).text(copyOf(sourceOf(viewed, place), of)));
		return `Copied as ${copyForms[of]}.`;
	}
	if (directory.get(place.exchange.server) === undefined)
		throw new HostError("invalid", "The server of this exchange is not configured here.");
	const { command, argument, note } = commandOf(action, place.exchange, bodiesOf(reader, place), reader);
	if (note !== "") void showInformation(note);
	await vscode.commands.executeCommand(command, argument);
	return "";
}

function isForm(form: string | undefined): form is CopyForm {
	return form !== undefined && Object.hasOwn(copyForms, form);
}

/** Lets the user choose what a message is compared with: those of the same kind first, the newest of them on top. */
async function compare(
	{ documents, reader, notKept }: ViewedTrace,
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
			description: withoutIcons(`${server} · ${timeOfDay(at)} · ${outcome}`),
			other,
		};
	});
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: part === "told" ? "Compare What the Model Saw" : `Compare the ${part === "request" ? "Request" : "Answer"}`,
		placeHolder: "Choose the exchange to compare with",
		matchOnDescription: true,
	});
	if (picked === undefined) return "";
	return (await documents.compare(reader, [picked.other, part], [place, part])) ? "" : notKept;
}
