import * as vscode from "vscode";
import type { Deciding } from "../../features/tools/deciding.ts";
import type { TakenAdditions } from "../../features/apps/takenAdditions.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import type { InlineEvent, InlineQuestions } from "../../features/elicitation/inline.ts";
import { toAbortSignal } from "../../models/convert.vscode.ts";
import type { ChatModel, ModelMessage } from "../../models/model.ts";
import type { ResolveModel } from "../../models/models.vscode.ts";
import type { Prices } from "../../models/prices.ts";
import { MissingArguments } from "../../features/prompts/arguments.ts";
import { type PreparedPrompts, promptNameOf, resolvePromptTurn } from "../../features/prompts/prepared.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import type { EditObject } from "../../questions/form/formQuestion.ts";
import type { RunningTasks } from "../../features/tasks/runningTasks.ts";
import type { TaskChoices } from "../../features/tasks/taskChoices.ts";
import { ToolApprovals } from "../../features/tools/approval.ts";
import type { ChooseGrant } from "../../permissions/policy/verdict.ts";
import type { FinishedCalls, RememberedCall } from "../../features/tools/results/finishedCalls.ts";
import { KeptResults, readingLimits, ResultReading } from "../../features/tools/results/resultReading.ts";
import { RunningCalls } from "../../features/tools/runningCall.ts";
import { mostToolTokens, toolBudget } from "../../features/tools/toolLimits.ts";
import {
	askReason,
	decisionCommands,
	elicitationCommands,
	resultCommands,
	type ResultLinkServices,
	serverChoiceCommands,
	showChanges,
	waitingCommands,
} from "./commands.vscode.ts";
import { DecisionLinks } from "./decide.ts";
import { followupMetadata, followupsOf } from "./followups.ts";
import type { ChatAnswers } from "./registration.vscode.ts";
import { DirectCommands, type DirectServices, isRemembered } from "./directCommands.vscode.ts";
import { ComingServers } from "../../features/agentTools/comingServers.ts";
import { elicitationParts } from "./elicitation.ts";
import { toMessages, toMetadata, answerOf, type PastTurn } from "./history.ts";
import { noModelMetadata, noModelParts, openingParts, isNoModelAnswer, trustParts } from "./opening.ts";
import { attachmentsForModel } from "./references.ts";
import { readReferences } from "./references.vscode.ts";
import { noteParts, promptHelp } from "./render.ts";
import { resultTools } from "../../features/agentTools/resultTools.ts";
import { ChatWriter, chatCommands } from "./stream.vscode.ts";
import { openToolBox } from "../../features/agentTools/toolBox.ts";
import { runTurn, type Turn, type TurnRecord } from "./turn.ts";
import { ServerBills, TurnBill } from "./turnBill.ts";
import type { TurnLimits } from "./turnBudget.ts";
import { StoppedTurns } from "./stoppedTurns.ts";
import type { ChatPart } from "./parts.ts";
import { TurnClock } from "./turnClock.ts";
import { TurnQuestions } from "./turnQuestions.ts";
import { TurnReviews } from "./turnReviews.ts";
import { TurnTexts } from "./turnTexts.ts";
import { TurnTextDocuments } from "./turnTexts.vscode.ts";
import { skillCommands } from "./skillCommands.vscode.ts";
import { wireTasks } from "./taskCommands.vscode.ts";
import { resolveTaskTurn, type TaskTurn } from "./taskMessages.ts";
import { chooseServers } from "./turnServers.ts";
import { type ResultApps, TurnView } from "./turnView.ts";
import type { WaitingAnswersDependencies } from "./waitingAnswers.ts";
import { linkTo } from "./stream.ts";

/** The dependencies of the chat on the rest of the extension. */
export interface ChatServices extends Required<Deciding> {
	readonly resolveModel: ResolveModel;
	/** The prices of models. */
	readonly prices: Prices;
	readonly pending: PendingDecisions;
	/** The part of the pending list that answering by keys uses. */
	readonly waiting: Pick<WaitingAnswersDependencies, "steady" | "focusedRow" | "showList">;
	/** The messages that `Run Prompt…` previewed and put into the chat's input. */
	readonly prepared: PreparedPrompts;
	readonly editObject: EditObject;
	/** The servers' questions during the calls of a turn. */
	readonly questions: InlineQuestions;
	readonly chooseGrant: ChooseGrant;
	/** Remembers the results of the calls for the links of the chat. */
	readonly calls: FinishedCalls;
	readonly runner: DirectServices["runner"];
	readonly pickTool: DirectServices["pickTool"];
	readonly pickResource: DirectServices["pickResource"];
	/** The tasks whose results `/task` sends to the model. */
	readonly tasks: RunningTasks;
	readonly taskChoices: TaskChoices;
	/** Shows a call of the chat in full. */
	readonly showCall: (call: RememberedCall) => void;
	/** Shows the result of a call whole, in an editor. */
	readonly openResult: (call: RememberedCall) => Promise<void>;
	/** The apps of servers. */
	readonly apps: ResultApps &
		ResultLinkServices["apps"] & {
			takeAdded(turn: string, isLeftOut: (session: Session) => boolean): TakenAdditions;
		};
}

/** The chat and its commands. */
export interface WiredChat extends ChatAnswers, Disposable {
	/** The questions about calls; our links, rows and keys answer them, wherever a question is shown. */
	readonly approvals: ToolApprovals;
	readonly links: DecisionLinks;
	/** The usage of turns by server. */
	readonly bills: ServerBills;
	readonly commands: ReturnType<typeof decisionCommands> &
		ReturnType<typeof waitingCommands> &
		ReturnType<typeof resultCommands> &
		ReturnType<typeof elicitationCommands> &
		ReturnType<typeof serverChoiceCommands> &
		ReturnType<typeof skillCommands> &
		TurnTextDocuments["commands"] &
		ReturnType<typeof wireTasks>["commands"];
}

/** Makes `@mcp` and the commands behind its links. */
export function wireChat(services: ChatServices): WiredChat {
	const { editObject, policy, chooseGrant, directory } = services;
	const chat = new Chat(services);
	const texts = new TurnTextDocuments(chat.texts);
	const tasks = wireTasks(services);
	const links = new DecisionLinks(chat.approvals, chat.running, {
		editObject,
		policy,
		chooseGrant,
		askReason,
		showChanges,
	});
	let turns = 0;
	return {
		approvals: chat.approvals,
		links,
		bills: chat.bills,
		answer: async (...turn) => {
			turns++;
			try {
				await services.refreshRules();
				return await chat.answer(...turn);
			} finally {
				turns--;
			}
		},
		followups: { provideFollowups: ({ metadata }) => [...followupsOf(metadata)] },
		commands: {
			...decisionCommands(links),
			...waitingCommands({ pending: services.pending, turns: () => turns, links, ...services.waiting }),
			...resultCommands(services),
			...elicitationCommands(services.questions),
			...serverChoiceCommands(directory),
			...skillCommands(directory),
			...texts.commands,
			...tasks.commands,
		},
		dispose: () => {
			texts.dispose();
			tasks.dispose();
		},
	};
}

class Chat {
	readonly approvals: ToolApprovals;
	readonly running = new RunningCalls();
	readonly texts = new TurnTexts();
	readonly bills = new ServerBills();
	private readonly stopped = new StoppedTurns();
	private readonly kept = new KeptResults();
	private readonly coming = new ComingServers();
	private readonly services: ChatServices;
	private readonly direct: DirectCommands;

	constructor(services: ChatServices) {
		this.services = services;
		this.approvals = new ToolApprovals(
			services.pending,
			() => void vscode.commands.executeCommand("workbench.action.chat.open"),
		);
		const { approvals, running } = this;
		const { calls: finished } = services;
		this.direct = new DirectCommands(services, {
			approvals,
			finished,
			running,
			stopped: this.stopped,
			showQuestion,
			apps: services.apps,
		});
	}

	async answer(
		request: vscode.ChatRequest,
		context: vscode.ChatContext,
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
	): Promise<vscode.ChatResult> {
		using writer = new ChatWriter(stream);
		const signal = toAbortSignal(token);
		try {
			const direct = this.direct.find(request.command);
			if (direct !== undefined) return await direct(request, readHistory(context), writer, signal);
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
		const { pins, resolveModel, notes, policy, prices } = this.services;
		const model = await resolveModel(request.model);
		writer.parts(trustParts(vscode.workspace.isTrusted, !("respond" in model) || context.history.length === 0));
		if (!("respond" in model)) {
			writer.parts(noModelParts(model));
			return { metadata: noModelMetadata };
		}
		const settings = vscode.workspace.getConfiguration("mcpHost.chat");
		const reading = new ResultReading(this.kept, readingLimits(model.info));
		const choice = chooseServers(request.command === undefined ? request.prompt : "", this.services.directory.sessions);
		const turn = crypto.randomUUID();
		const isLeftOut = ({ definition }: Session): boolean => choice.without.has(definition.id);
		// Before anything is waited for: as the user saw it when they sent their message.
		const added = this.services.apps.takeAdded(turn, isLeftOut);
		const coming = await this.coming.wait({
			sessions: this.services.directory.sessions.filter((session) => !isLeftOut(session)),
			signal,
			say: (message) => writer.progress(message),
		});
		const task = request.command === "task" ? await this.taskTurn(request.prompt, reading) : undefined;
		if (task !== undefined) writer.parts(noteParts(`Result of the task ${task.title}`));
		const read = await this.readMessages(request, added, task?.text ?? choice.text, model, reading, writer, signal);
		const messages = task === undefined ? read : task.before(read);
		notes.note({ kind: "turn", id: turn, phase: "began", model: model.info.name });
		if (request.command === "prompt") notes.note({ kind: "prompt", target: promptNameOf(request.prompt), turn });
		const before = readHistory(context);
		const past = this.stopped.recall(before);
		if (past.parts.length > 0) writer.parts(past.parts);
		const history = toMessages(past.turns, model.info.maxInputTokens);
		const box = openToolBox({
			directory: this.services.directory,
			pins,
			isExcluded: isLeftOut,
			budgetTokens: toolBudget(settings.get("toolTokens"), model.info.maxInputTokens),
			mostTokens: mostToolTokens(model.info.maxInputTokens),
			hostTools: () =>
				resultTools(reading, { sessions: box.sessions, isLinked: (...link) => this.services.calls.isLinked(...link) }),
			history,
			messages,
		});
		const room = { box, toolTokens: settings.get<number>("toolTokens"), history, messages };
		writer.parts(openingParts({ info: model.info, choice, box, coming, pins, context: room }));
		const limits = readLimits(settings);
		using clock = new TurnClock(limits.minutes * 60_000);
		const { approvals } = this;
		const bill = new TurnBill(model.info, prices.of(model.info), () => box.searchable.all, this.bills);
		// Awaited, since the clock ends with this block.
		const result = await this.play(
			{
				model,
				history,
				messages,
				box,
				approvals,
				policy,
				pins,
				reading,
				limits,
				clock,
				signal,
				noting: { notes, origin: "model", turn },
				bill,
			},
			bill,
			writer,
			(record, parts) => this.stopped.note(before, request.prompt, record, parts),
		);
		if (result.errorDetails === undefined && !signal.aborted) await task?.sent();
		return result;
	}

	private taskTurn(prompt: string, reading: ResultReading): Promise<TaskTurn> {
		const { tasks, directory } = this.services;
		return resolveTaskTurn(tasks, directory, prompt, (content) => reading.fit(content));
	}

	/**
	 * Runs a turn and shows it while it runs; `stopped` takes the text of a turn that the user stopped, and its calls'
	 * ends.
	 */
	private async play(
		turn: Turn,
		bill: TurnBill,
		writer: ChatWriter,
		stopped: (record: TurnRecord, parts: readonly ChatPart[]) => void,
	): Promise<vscode.ChatResult> {
		const { calls, apps, notes } = this.services;
		const isAsking = (): boolean => questions.isAsking || reviews.isAsking;
		using view = new TurnView(writer, calls, this.running, isAsking, apps, this.texts);
		const ask = (event: InlineEvent): void => {
			showQuestion(event, writer);
			if (event.type === "ended") view.showSlow();
		};
		using questions = new TurnQuestions(this.services.questions, ask, turn.clock);
		using reviews = new TurnReviews(this.services.pending, writer, view);
		const events = runTurn({ ...turn, onCallPart: (entry, part) => view.write(entry, part) });
		let failure: HostError | undefined;
		const late: ChatPart[] = [];
		for (;;) {
			const next = await events.next();
			if (next.done === true) {
				notes.note({ kind: "turn", id: turn.noting?.turn ?? "", phase: "ended", ending: next.value.ending });
				writer.parts(bill.parts(this.texts, view.links));
				if (turn.signal.aborted) stopped(next.value, late);
				const metadata = { ...toMetadata(next.value), ...followupMetadata(turn.model.info) };
				return failure === undefined ? { metadata } : { metadata, errorDetails: toDetails(failure) };
			}
			if (next.value.type === "failed") failure = next.value.error;
			questions.follow(next.value);
			reviews.follow(next.value);
			if (turn.signal.aborted && next.value.type === "finished") late.push(...view.partsLater(next.value));
			else view.show(next.value);
		}
	}

	/** The user's message: their words with their attachments, or the messages of a prompt, which keep their roles. */
	private async readMessages(
		request: vscode.ChatRequest,
		additions: TakenAdditions,
		text: string,
		{ info }: ChatModel,
		reading: ResultReading,
		writer: ChatWriter,
		signal: AbortSignal,
	): Promise<readonly ModelMessage[]> {
		const read = await readReferences(request.references, this.services.directory);
		const added = additions.give();
		const { parts, notes } = attachmentsForModel([...read, ...added], info, reading);
		for (const { name } of added) writer.parts(noteParts(`Added: ${name}.`));
		for (const held of additions.held) writer.parts(noteParts(`Not added: ${held}`));
		if (notes.length > 0) writer.parts(noteParts(`Attached: ${notes.join(" ")}`));
		if (request.command !== "prompt") return [{ role: "user", content: [...parts, { type: "text", text }] }];
		const { prepared, directory } = this.services;
		const { title, messages } = await resolvePromptTurn(prepared, directory, request.prompt, signal);
		writer.parts(noteParts(`Prompt: ${title}`));
		return parts.length === 0 ? messages : [{ role: "user", content: parts }, ...messages];
	}
}

function showQuestion(event: InlineEvent, writer: ChatWriter): void {
	writer.parts(elicitationParts(event), event.type === "ended");
	if (event.type === "asked" || event.type === "changed") {
		// A screen reader says this line and no other; it stays when the turn is cancelled, so it must be true even then.
		writer.progress(`${event.question.form.question.heading}: nothing is sent or opened until you answer`);
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

/** VS Code shows messages of errors as Markdown, and ours may quote text of an endpoint or a server. */
function toDetails(error: unknown): vscode.ChatErrorDetails {
	return { message: escapeMarkdown(messageOf(error)) };
}

/** The earlier turns of `@mcp` in this chat. Lists of slash commands need not be remembered. */
export function readHistory({ history }: vscode.ChatContext): readonly PastTurn[] {
	const turns: PastTurn[] = [];
	let prompt = "";
	for (const turn of history) {
		if (turn instanceof vscode.ChatRequestTurn) {
			prompt = turn.prompt;
			continue;
		}
		if (!isRemembered(turn.command) || isNoModelAnswer(turn.result.metadata)) continue;
		const shown = turn.response.map((part) =>
			part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : "",
		);
		const answer = answerOf(shown, linkTo(chatCommands.elicitation));
		turns.push({ prompt, answer, metadata: turn.result.metadata });
		prompt = "";
	}
	return turns;
}
