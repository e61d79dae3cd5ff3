import type { SafeWriter } from "../../base/secrets/writer.ts";
import * as vscode from "vscode";
import { KeptDocuments, openDocument } from "../../base/keptDocuments.vscode.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import { bodiesOf, type MessagePart, type MessagePlace, messageName, messagesOf, messageText } from "./messages.ts";

/** How many messages VS Code can show again after they left the trace. */
const mostKept = 50;

/** Messages of the trace as documents of the editor, in which it finds, folds and compares. */
export class TraceDocuments extends KeptDocuments<string> {
	/** The text that distinguishes the traces in addresses. */
	private readonly traces = new WeakMap<TraceReader, number>();
	private lastTrace = 0;
	private readonly writer: SafeWriter;

	constructor(writer: SafeWriter) {
		super("mcphost-trace", mostKept, "This message is no longer in the trace.", (text) => text);
		this.writer = writer;
	}

	/** Shows a message; false when it was not kept. */
	async open(reader: TraceReader, place: MessagePlace, part: MessagePart | undefined): Promise<boolean> {
		const uri = this.uriOf(reader, place, part);
		if (uri === undefined) return false;
		await openDocument(uri);
		return true;
	}

	/** Shows the differences of two messages; false when one was not kept. */
	async compare(
		reader: TraceReader,
		left: readonly [MessagePlace, MessagePart],
		right: readonly [MessagePlace, MessagePart],
	): Promise<boolean> {
		const [before, after] = [this.uriOf(reader, ...left), this.uriOf(reader, ...right)];
		if (before === undefined || after === undefined) return false;
		const title = `${nameIn(before)} ↔ ${nameIn(after)}`;
		await vscode.commands.executeCommand("vscode.diff", before, after, title);
		return true;
	}

	/** The address of a current message; without a part that of the answer, or of the available part before. */
	private uriOf(reader: TraceReader, place: MessagePlace, wanted: MessagePart | undefined): vscode.Uri | undefined {
		const messages = messagesOf(bodiesOf(reader, place), place);
		const message =
			wanted === undefined
				? messages.findLast(({ part }) => part !== "told")
				: messages.find(({ part }) => part === wanted);
		if (message === undefined) return undefined;
		const { exchange, child } = place;
		const trace = this.traces.get(reader) ?? ++this.lastTrace;
		this.traces.set(reader, trace);
		const query = `${trace}/${exchange.id}${child === undefined ? "" : `/${child}`}/${message.part}`;
		this.keep(query, this.writer.text(messageText(message.body)));
		return this.uri(this.writer.text(messageName(place, message.part)), query);
	}
}

function nameIn({ path }: vscode.Uri): string {
	return path.slice(1);
}
