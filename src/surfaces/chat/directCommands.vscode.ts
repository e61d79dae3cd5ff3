import type * as vscode from "vscode";
import { HostError } from "../../base/errors.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { InlineEvent, InlineQuestions } from "../../features/elicitation/inline.ts";
import type { PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import { findTypedTool } from "../runner/findTool.ts";
import type { PickTool, ToolRunner } from "../runner/toolRunner.ts";
import type { ToolApprovals } from "../../features/tools/approval.ts";
import type { Deciding } from "../../features/tools/deciding.ts";
import type { ToolCallEvent, ToolOutcome } from "../../features/tools/call.ts";
import { readCatalog, type ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { FinishedCalls } from "../../features/tools/results/finishedCalls.ts";
import type { RunningCalls } from "../../features/tools/runningCall.ts";
import {
	type CallQuery,
	callUsage,
	parseCallQuery,
	parseResourceQuery,
	type ResourceQuery,
	resourceUsage,
} from "./directQueries.ts";
import { readResourceText, resourceParts, messagesOfCall, messagesOfResource } from "./directResults.ts";
import { nothingListed } from "./followups.ts";
import { type PastTurn, toMetadata } from "./history.ts";
import { serverList, toolList } from "./lists.ts";
import { noteParts } from "./render.ts";
import type { ChatWriter } from "./stream.vscode.ts";
import { loadForUser, loadOf, parseSkillQuery, skillUsage } from "./skillCommand.ts";
import { pickSkill } from "./skillCommands.vscode.ts";
import type { StoppedTurns } from "./stoppedTurns.ts";
import type { TurnRecord } from "./turn.ts";
import { TurnQuestions } from "./turnQuestions.ts";
import { TurnReviews } from "./turnReviews.ts";
import { type ResultApps, TurnView } from "./turnView.ts";

/** The dependencies of the slash commands without a model. */
export interface DirectServices extends Deciding {
	/** The servers' questions during the calls of a turn. */
	readonly questions: InlineQuestions;
	readonly pending: PendingDecisions;
	readonly runner: Pick<ToolRunner, "runInChat">;
	readonly pickTool: PickTool;
	readonly pickResource: () => Promise<ResourceQuery | undefined>;
}

/** Where the chat stores the targets of its links. */
export interface DirectPlaces {
	readonly approvals: ToolApprovals;
	readonly finished: FinishedCalls;
	readonly running: RunningCalls;
	readonly stopped: StoppedTurns;
	readonly showQuestion: (event: InlineEvent, writer: ChatWriter) => void;
	readonly apps: ResultApps;
}

/** One request of the user, and where it is answered. */
interface Asked {
	readonly prompt: string;
	/** The turns of the chat before it. */
	readonly before: readonly PastTurn[];
	readonly writer: ChatWriter;
	readonly signal: AbortSignal;
}

type ShowCall = (event: ToolCallEvent) => void;

type DirectAnswer = (
	request: Pick<vscode.ChatRequest, "prompt">,
	before: readonly PastTurn[],
	writer: ChatWriter,
	signal: AbortSignal,
) => Promise<vscode.ChatResult>;

/**
 * The slash commands of `@mcp` that reach servers without a model: they are handled before any model is needed, so they
 * work without one.
 */
export class DirectCommands {
	private readonly services: DirectServices;
	private readonly places: DirectPlaces;
	private readonly answers: ReadonlyMap<string, (asked: Asked) => Promise<vscode.ChatResult>>;

	constructor(services: DirectServices, places: DirectPlaces) {
		this.services = services;
		this.places = places;
		this.answers = new Map([
			["tools", async ({ writer, prompt }: Asked) => this.tools(writer, prompt)],
			["servers", async ({ writer }: Asked) => say(writer, serverList(services.directory))],
			["call", (asked: Asked) => this.helpedCall(asked)],
			["resource", (asked: Asked) => this.resource(asked)],
			["skill", (asked: Asked) => this.skill(asked)],
		]);
	}

	/** The answer to the request's slash command; undefined for other commands. May throw a HostError. */
	find(command: string | undefined): DirectAnswer | undefined {
		const answer = command === undefined ? undefined : this.answers.get(command);
		return answer === undefined
			? undefined
			: async ({ prompt }, before, writer, signal) => answer({ prompt, before, writer, signal });
	}

	private tools(writer: ChatWriter, search: string): vscode.ChatResult {
		const { directory, pins } = this.services;
		const result = say(writer, toolList(directory, pins, search));
		return readCatalog(directory).entries.length === 0 ? { metadata: nothingListed } : result;
	}

	/** A call that is written wrongly gets a way to choose the tool, beside the reason. */
	private async helpedCall(asked: Asked): Promise<vscode.ChatResult> {
		try {
			return await this.call(asked);
		} catch (error) {
			if (HostError.is(error, "invalid")) {
				asked.writer.parts([{ kind: "links", id: "", links: [{ label: "Run Tool…", action: "run-tool" }] }]);
			}
			throw error;
		}
	}

	/** Runs a tool: the chat asks and shows as for every call, and the run is in the history of tool runs as well. */
	private async call(asked: Asked): Promise<vscode.ChatResult> {
		const { prompt, writer, signal } = asked;
		const query = parseCallQuery(prompt);
		const entry = await this.choose(query, signal);
		if (entry === undefined) return say(writer, escapeMarkdown(callUsage));
		if (query?.problem !== undefined) writer.parts(noteParts(`${query.problem} The form is open instead.`));
		else if (query?.arguments === undefined) writer.progress(`The form of ${entry.tool.name} is open`);
		const { approvals } = this.places;
		const outcome = await this.shown(asked, entry, (show) =>
			this.services.runner.runInChat(entry, query?.arguments, { approvals, signal, show }),
		);
		return outcome ?? say(writer, "Not called: you closed the form.");
	}

	/** Loads a skill once the user agrees, and keeps its text for the turns after it. */
	private async skill(asked: Asked): Promise<vscode.ChatResult> {
		const { prompt, writer, signal } = asked;
		const { directory } = this.services;
		const query = parseSkillQuery(directory, prompt) ?? (await pickSkill(directory));
		if (query === undefined) return say(writer, escapeMarkdown(skillUsage));
		const call = await loadOf(query, signal);
		const { approvals } = this.places;
		const load = (show: ShowCall): Promise<ToolOutcome> =>
			loadForUser(this.services, call, { approvals, signal, show });
		return (await this.shown(asked, call.entry, load)) ?? {};
	}

	/** Makes a call and shows it as those of a model are; undefined when it was not made after all. */
	private async shown(
		{ prompt, before, writer, signal }: Asked,
		entry: ToolEntry,
		make: (show: ShowCall) => Promise<ToolOutcome | undefined>,
	): Promise<vscode.ChatResult | undefined> {
		const { questions, pending } = this.services;
		const { finished, running, showQuestion, apps } = this.places;
		const view = new TurnView(writer, finished, running, () => reviews.isAsking, apps);
		const place = { id: crypto.randomUUID(), number: 1, of: 1, isDirect: true } as const;
		using inline = new TurnQuestions(questions, (event) => showQuestion(event, writer));
		using reviews = new TurnReviews(pending, writer, view);
		const outcome = await make((event) => {
			inline.follow({ type: "call", place, event });
			reviews.follow({ type: "call", place, event });
			view.show({ type: "call", place, event });
		});
		if (outcome === undefined) return undefined;
		const end = { type: "finished", place, name: entry.tool.name, entry, outcome } as const;
		const record: TurnRecord = { ending: "complete", messages: messagesOfCall({ entry }, outcome) };
		if (signal.aborted) this.places.stopped.note(before, prompt, record, view.partsLater(end));
		else view.show(end);
		writer.parts([]);
		return { metadata: toMetadata(record) };
	}

	private async choose(query: CallQuery | undefined, signal: AbortSignal): Promise<ToolEntry | undefined> {
		return query === undefined ? this.services.pickTool() : findTypedTool(this.services.directory, query.tool, signal);
	}

	/** Shows the beginning of a resource, and keeps its text for the turns after it. */
	private async resource({ prompt, writer, signal }: Asked): Promise<vscode.ChatResult> {
		const query = parseResourceQuery(this.services.directory, prompt) ?? (await this.services.pickResource());
		if (query === undefined) return say(writer, escapeMarkdown(resourceUsage));
		const { session, uri } = query;
		writer.progress(`Reading ${oneLine(uri, 100)} of ${session.definition.name}…`);
		const read = await readResourceText(session, uri, signal);
		writer.parts(resourceParts(session, uri, read));
		writer.resource(session, uri, read.mimeType);
		if (read.text === "") return {};
		const messages = messagesOfResource(session.definition.name, uri, read.text);
		return { metadata: toMetadata({ ending: "complete", messages }) };
	}
}

function say(writer: ChatWriter, markdown: string): vscode.ChatResult {
	writer.parts([{ kind: "text", markdown }]);
	return {};
}

/** Whether later turns include a turn with this slash command. Lists need not be remembered. */
export function isRemembered(command: string | undefined): boolean {
	return command !== "tools" && command !== "servers";
}
