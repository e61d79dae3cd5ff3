import * as vscode from "vscode";
import { HostError, messageOf } from "../base/errors.ts";
import { escapeMarkdown } from "../base/text.ts";
import type { PendingDecisions } from "../decisions/decision.ts";
import type { InlineEvent, InlineQuestions } from "../elicitation/inline.ts";
import type { EditObject } from "../form/objectEdit.ts";
import { toAbortSignal } from "../models/cancellation.vscode.ts";
import type { ChatModel, ModelMessage } from "../models/model.ts";
import type { ResolveModel } from "../models/room.vscode.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import type { ChooseGrant, ToolPolicy } from "../policy/verdict.ts";
import { MissingArguments } from "../prompts/arguments.ts";
import { resolvePromptTurn, type PreparedPrompts } from "../prompts/prepared.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { ToolApprovals } from "../tools/approval.ts";
import { KeptResults, readingLimits, ResultReading } from "../results/resultReading.ts";
import { resultTools } from "../results/resultTools.ts";
import { RunningCalls } from "../tools/runningCall.ts";
import { openToolBox } from "../tools/toolBox.ts";
import { mostToolTokens, toolBudget } from "../tools/toolLimits.ts";
import { DecisionLinks } from "./decide.ts";
import { askReason, decisionCommands, showChanges } from "./decide.vscode.ts";
import { FinishedCalls, type FinishedCall } from "../results/finishedCalls.ts";
import { DirectCommands, type DirectServices } from "./directCommands.vscode.ts";
import { elicitationCommands } from "./elicitation.vscode.ts";
import { elicitationParts } from "./elicitationParts.ts";
import { toMessages, toMetadata } from "./history.ts";
import { noModelMetadata, noModelParts } from "./noModel.ts";
import { openingParts } from "./opening.ts";
import { readHistory } from "./pastTurns.vscode.ts";
import { tellAttachments } from "./references.ts";
import { readReferences } from "./references.vscode.ts";
import { noteParts, promptHelp } from "./render.ts";
import { resultCommands } from "./resultLinks.vscode.ts";
import { serverChoiceCommands } from "./serverChoice.vscode.ts";
import { ChatWriter } from "./stream.vscode.ts";
import { runTurn, type Turn } from "./turn.ts";
import type { TurnLimits } from "./turnBudget.ts";
import { TurnClock } from "./turnClock.ts";
import { TurnQuestions } from "./turnQuestions.ts";
import { chooseServers } from "./turnServers.ts";
import { TurnView } from "./turnView.ts";

/** What the chat needs of the rest of the extension. */
export interface ChatServices {
	readonly directory: SessionDirectory;
	readonly resolveModel: ResolveModel;
	readonly pending: PendingDecisions;
	/** What `Run Prompt…` previewed and put into the chat's input. */
	readonly prepared: PreparedPrompts;
	readonly editObject: EditObject;
	/** What servers ask during the calls of a turn. */
	readonly questions: InlineQuestions;
	readonly policy: ToolPolicy;
	readonly pins: DefinitionPins;
	readonly chooseGrant: ChooseGrant;
	readonly runner: DirectServices["runner"];
	readonly pickTool: DirectServices["pickTool"];
	readonly pickResource: DirectServices["pickResource"];
	/** Shows a call of the chat in full. */
	readonly showCall: (id: string, call: FinishedCall) => void;
}

/** What the doors of the chat open (doors.vscode.ts). */
export interface ChatRoom {
	/** Answers a turn of `@mcp`. */
	readonly answer: vscode.ChatRequestHandler;
	/** The calls of the chat that came back, the latest first. */
	readonly calls: () => readonly FinishedCall[];
	readonly commands: ReturnType<typeof decisionCommands> &
		ReturnType<typeof resultCommands> &
		ReturnType<typeof elicitationCommands> &
		ReturnType<typeof serverChoiceCommands>;
}

/** Makes `@mcp` and the commands behind its links. */
export function chatRoom(services: ChatServices): ChatRoom {
	const { editObject, policy, chooseGrant, directory } = services;
	const chat = new Chat(services);
	const links = new DecisionLinks(chat.approvals, chat.running, {
		editObject,
		policy,
		chooseGrant,
		askReason,
		showChanges,
	});
	return {
		answer: (...turn) => chat.answer(...turn),
		calls: () => chat.calls.all,
		commands: {
			...decisionCommands(links),
			...resultCommands(chat.calls, services.showCall),
			...elicitationCommands(services.questions),
			...serverChoiceCommands(directory),
		},
	};
}

class Chat {
	readonly approvals: ToolApprovals;
	readonly calls = new FinishedCalls();
	readonly running = new RunningCalls();
	private readonly kept = new KeptResults();
	private readonly services: ChatServices;
	private readonly direct: DirectCommands;

	constructor(services: ChatServices) {
		this.services = services;
		this.approvals = new ToolApprovals(
			services.pending,
			() => void vscode.commands.executeCommand("workbench.action.chat.open"),
		);
		const { approvals, calls: finished, running } = this;
		this.direct = new DirectCommands(services, { approvals, finished, running, showQuestion });
	}

	async answer(
		request: vscode.ChatRequest,
		context: vscode.ChatContext,
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
	): Promise<vscode.ChatResult> {
		const writer = new ChatWriter(stream);
		const signal = toAbortSignal(token);
		try {
			const direct = this.direct.find(request.command);
			if (direct !== undefined) return await direct(request, writer, signal);
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
		const { pins, resolveModel } = this.services;
		const model = resolveModel(request.model);
		if (!("respond" in model)) {
			writer.parts(noModelParts(model));
			return { metadata: noModelMetadata };
		}
		const settings = vscode.workspace.getConfiguration("mcpHost.chat");
		const reading = new ResultReading(this.kept, readingLimits(model.info));
		const choice = chooseServers(request.command === undefined ? request.prompt : "", this.services.directory.sessions);
		const messages = await this.readMessages(request, choice.text, model, reading, writer, signal);
		const history = toMessages(readHistory(context), model.info.maxInputTokens);
		const box = openToolBox({
			directory: this.services.directory,
			isExcluded: ({ definition }) => choice.without.has(definition.id),
			budgetTokens: toolBudget(settings.get("toolTokens"), model.info.maxInputTokens),
			mostTokens: mostToolTokens(model.info.maxInputTokens),
			hostTools: () =>
				resultTools(reading, { sessions: box.sessions, isLinked: (...link) => this.calls.isLinked(...link) }),
			history,
			messages,
		});
		writer.parts(openingParts({ info: model.info, choice, box, pins }));
		const limits = readLimits(settings);
		using clock = new TurnClock(limits.minutes * 60_000);
		const { approvals, services } = this;
		const { policy } = services;
		// Awaited, since the clock ends with this block.
		return await this.play(
			{ model, history, messages, box, approvals, policy, pins, reading, limits, clock, signal },
			writer,
		);
	}

	/** Runs a turn and shows it as it goes. */
	private async play(turn: Turn, writer: ChatWriter): Promise<vscode.ChatResult> {
		const view = new TurnView(writer, this.calls, this.running);
		const ask = (event: InlineEvent): void => showQuestion(event, writer);
		using questions = new TurnQuestions(this.services.questions, ask, turn.clock);
		const events = runTurn(turn);
		let failure: HostError | undefined;
		for (;;) {
			const next = await events.next();
			if (next.done === true) {
				writer.parts([]);
				const metadata = toMetadata(next.value);
				return failure === undefined ? { metadata } : { metadata, errorDetails: toDetails(failure) };
			}
			if (next.value.type === "failed") failure = next.value.error;
			questions.follow(next.value);
			view.show(next.value);
		}
	}

	/** What the person says: their words with what they attached, or the messages of a prompt, which keep their roles. */
	private async readMessages(
		request: vscode.ChatRequest,
		text: string,
		{ info }: ChatModel,
		reading: ResultReading,
		writer: ChatWriter,
		signal: AbortSignal,
	): Promise<readonly ModelMessage[]> {
		const attached = tellAttachments(await readReferences(request.references), info, reading);
		if (attached.notes.length > 0) writer.parts(noteParts(`Attached: ${attached.notes.join(" ")}`));
		const { parts } = attached;
		if (request.command !== "prompt") return [{ role: "user", content: [...parts, { type: "text", text }] }];
		const { prepared, directory } = this.services;
		const { title, messages } = await resolvePromptTurn(prepared, directory, request.prompt, signal);
		writer.parts(noteParts(`Prompt: ${title}`));
		return parts.length === 0 ? messages : [{ role: "user", content: parts }, ...messages];
	}
}

function showQuestion(event: InlineEvent, writer: ChatWriter): void {
	writer.parts(elicitationParts(event));
	if (event.type === "asked" || event.type === "changed") {
		// Stays in the transcript when the turn is cancelled, so it must be true even then.
		writer.progress(vscode.l10n.t("Nothing is sent or opened until you answer"));
	}
}

function readLimits(settings: vscode.WorkspaceConfiguration): TurnLimits {
	return {
		rounds: settings.get("maxRounds", 25),
		calls: settings.get("maxCalls", 100),
		tokens: settings.get("maxTokens", 1_000_000),
		minutes: settings.get("maxMinutes", 60),
	};
}

/** The editor shows messages of errors as Markdown, and ours may quote what an endpoint or a server says. */
function toDetails(error: unknown): vscode.ChatErrorDetails {
	return { message: escapeMarkdown(messageOf(error)) };
}
