import * as vscode from "vscode";
import { HostError, messageOf } from "../base/errors.ts";
import { describeProgress } from "../base/progress.ts";
import { escapeMarkdown, oneLine } from "../base/text.ts";
import type { PendingDecisions } from "../decisions/decision.ts";
import type { InlineEvent, InlineQuestions } from "../elicitation/inline.ts";
import type { OpenJsonEditor } from "../form/jsonEdit.ts";
import { toAbortSignal } from "../models/cancellation.vscode.ts";
import { resolveEditorModel } from "../models/editor.vscode.ts";
import type { ModelDirectory, ModelMessage } from "../models/model.ts";
import { MissingArguments } from "../prompts/arguments.ts";
import { resolvePromptTurn, type PreparedPrompts } from "../prompts/prepared.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { ToolApprovals } from "../tools/approval.ts";
import type { ToolCallEvent } from "../tools/call.ts";
import { readCatalog } from "../tools/catalog.ts";
import { callDetails, decisionCommands } from "./decide.vscode.ts";
import { FinishedCalls } from "./details.ts";
import { elicitationCommands } from "./elicitation.vscode.ts";
import { elicitationParts } from "./elicitationParts.ts";
import { answerOf, toMessages, toMetadata, type PastTurn } from "./history.ts";
import { serverList, toolList } from "./lists.ts";
import { toParts } from "./references.ts";
import { readReferences } from "./references.vscode.ts";
import { decisionParts, helpLinks, noteParts, outcomeParts, promptHelp, questionParts } from "./render.ts";
import { chatCommands, ChatWriter, linkTo } from "./stream.vscode.ts";
import { runTurn, type TurnEvent } from "./turn.ts";
import { TurnQuestions } from "./turnQuestions.ts";

/** What the chat needs of the rest of the extension. */
export interface ChatServices {
	readonly directory: SessionDirectory;
	readonly models: ModelDirectory;
	readonly pending: PendingDecisions;
	/** What `Run Prompt…` previewed and put into the chat's input. */
	readonly prepared: PreparedPrompts;
	readonly openJsonEditor: OpenJsonEditor;
	/** What servers ask during the calls of a turn. */
	readonly questions: InlineQuestions;
}

/** What the doors of the chat open (doors.vscode.ts). */
export interface ChatRoom {
	/** Answers a turn of `@mcp`. */
	readonly answer: vscode.ChatRequestHandler;
	readonly callDetails: vscode.TextDocumentContentProvider;
	readonly commands: ReturnType<typeof decisionCommands> & ReturnType<typeof elicitationCommands>;
}

/** Makes `@mcp` and the commands behind its links. */
export function chatRoom(services: ChatServices): ChatRoom {
	const reveal = (): void => void vscode.commands.executeCommand("workbench.action.chat.open");
	const chat = new Chat(services, new ToolApprovals(services.pending, reveal), new FinishedCalls());
	return {
		answer: (...turn) => chat.answer(...turn),
		callDetails: callDetails(chat.calls),
		commands: {
			...decisionCommands(chat.approvals, chat.calls, services.openJsonEditor),
			...elicitationCommands(services.questions),
		},
	};
}

class Chat {
	readonly approvals: ToolApprovals;
	readonly calls: FinishedCalls;
	private readonly services: ChatServices;

	constructor(services: ChatServices, approvals: ToolApprovals, calls: FinishedCalls) {
		this.services = services;
		this.approvals = approvals;
		this.calls = calls;
	}

	async answer(
		request: vscode.ChatRequest,
		context: vscode.ChatContext,
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
	): Promise<vscode.ChatResult> {
		const { directory } = this.services;
		const writer = new ChatWriter(stream);
		if (request.command === "tools" || request.command === "servers") {
			const markdown = request.command === "tools" ? toolList(directory) : serverList(directory);
			writer.parts([{ kind: "text", markdown }]);
			return {};
		}
		const signal = toAbortSignal(token);
		try {
			return await this.run(request, context, writer, signal);
		} catch (error) {
			if (signal.aborted) return {};
			if (request.command === "prompt" && HostError.is(error, "invalid")) {
				writer.parts([promptHelp(request.prompt, error instanceof MissingArguments)]);
			}
			return { errorDetails: toDetails(error) };
		}
	}

	private async run(
		request: vscode.ChatRequest,
		context: vscode.ChatContext,
		writer: ChatWriter,
		signal: AbortSignal,
	): Promise<vscode.ChatResult> {
		const { directory, models } = this.services;
		const model = resolveEditorModel(request.model, models);
		const messages = await this.readMessages(request, model.info.supportsImages, writer, signal);
		if (!model.info.supportsTools) {
			writer.parts(noteParts(`${oneLine(model.info.name)} cannot call tools; it answers from the conversation alone.`));
		} else if (readCatalog(directory).offered.length === 0) {
			writer.parts(
				noteParts("No server with tools is running. Start one to let the model do more than talk.", "show-servers"),
			);
		}
		const turn = runTurn({
			model,
			history: toMessages(readHistory(context), model.info.maxInputTokens),
			messages,
			directory,
			approvals: this.approvals,
			maxRounds: vscode.workspace.getConfiguration("mcpHost.chat").get("maxRounds", 25),
			signal,
		});
		let failure: HostError | undefined;
		using questions = new TurnQuestions(this.services.questions, (event) => this.showQuestion(event, writer));
		for (;;) {
			const next = await turn.next();
			if (next.done === true) {
				writer.parts([]);
				const metadata = toMetadata(next.value);
				return failure === undefined ? { metadata } : { metadata, errorDetails: toDetails(failure) };
			}
			if (next.value.type === "failed") failure = next.value.error;
			questions.follow(next.value);
			this.show(next.value, writer);
		}
	}

	/** What the person says: their words with what they attached, or the messages of a prompt, which keep their roles. */
	private async readMessages(
		request: vscode.ChatRequest,
		supportsImages: boolean,
		writer: ChatWriter,
		signal: AbortSignal,
	): Promise<readonly ModelMessage[]> {
		const attachments = toParts(await readReferences(request.references), supportsImages);
		if (request.command !== "prompt") {
			return [{ role: "user", content: [...attachments, { type: "text", text: request.prompt }] }];
		}
		const { prepared, directory } = this.services;
		const { title, messages } = await resolvePromptTurn(prepared, directory, request.prompt, signal);
		writer.parts(noteParts(`Prompt: ${title}`));
		return attachments.length === 0 ? messages : [{ role: "user", content: attachments }, ...messages];
	}

	private show(event: TurnEvent, writer: ChatWriter): void {
		switch (event.type) {
			case "text":
				writer.modelText(event.text);
				break;
			case "call":
				this.showCall(event.event, writer);
				break;
			case "finished": {
				const { name, entry, outcome } = event;
				const isOpenable = outcome.kind === "done" && entry !== undefined;
				writer.parts(outcomeParts(name, entry, outcome, isOpenable ? this.calls.add({ entry, outcome }) : undefined));
				break;
			}
			case "limit":
				writer.parts(noteParts(event.message));
				break;
			case "failed":
				// The message itself is shown by the editor, from the result of the request.
				if (event.error.code === "model") writer.parts([helpLinks["manage-models"]]);
				break;
		}
	}

	private showQuestion(event: InlineEvent, writer: ChatWriter): void {
		writer.parts(elicitationParts(event));
		if (event.type === "asked" || event.type === "changed") {
			// Stays in the transcript when the turn is cancelled, so it must be true even then.
			writer.progress(vscode.l10n.t("Nothing is sent or opened until you answer"));
		}
	}

	private showCall(event: ToolCallEvent, writer: ChatWriter): void {
		const { session, tool } = event.question.call.entry;
		const name = `${session.definition.name} · ${tool.name}`;
		switch (event.type) {
			case "asked":
				writer.parts(questionParts(event.question));
				// Stays in the transcript when the turn is cancelled, so it must be true even then.
				writer.progress(vscode.l10n.t("Nothing is called until you decide"));
				break;
			case "decided":
				writer.parts(decisionParts(event.settled));
				if (event.settled.by === "person" && event.settled.answer.kind !== "deny")
					writer.progress(`${name} is running…`);
				break;
			case "progress":
				writer.progress(`${name}: ${describeProgress(event.progress)}`);
				break;
		}
	}
}

/** The editor shows messages of errors as Markdown, and ours may quote what an endpoint or a server says. */
function toDetails(error: unknown): vscode.ChatErrorDetails {
	return { message: escapeMarkdown(messageOf(error)) };
}

/** The earlier turns of `@mcp` in this chat. What the lists of slash commands showed is nothing to remember. */
function readHistory({ history }: vscode.ChatContext): readonly PastTurn[] {
	const turns: PastTurn[] = [];
	let prompt = "";
	for (const turn of history) {
		if (turn instanceof vscode.ChatRequestTurn) {
			prompt = turn.prompt;
			continue;
		}
		if (turn.command === "tools" || turn.command === "servers") continue;
		const shown = turn.response.map((part) =>
			part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : "",
		);
		const answer = answerOf(shown, linkTo(chatCommands.elicitation));
		turns.push({ prompt, answer, metadata: turn.result.metadata });
		prompt = "";
	}
	return turns;
}
